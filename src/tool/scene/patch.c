/* Scene commands for patches: draw, repeat and delete them.
 *
 * Tested by tests/conformance/tessellation. */
#include "tool/scene/command.h"
#include "tool/scene/layout.h"
#include "tool/scene/parse.h"
#include "tool/scene/shader.h"

#include <string.h>

/* The words that stand for a basis or a degree; without one, the first. */
static UINT choose(struct scene *scene, const struct name *names)
{
    for (const struct name *name = names; name->text; name++)
        if (parse_flag(scene, name->text))
            return name->value;
    return names->value;
}

static UINT basis_of(struct scene *scene)
{
    static const struct name names[] = {{"bezier", D3DBASIS_BEZIER},
                                        {"bspline", D3DBASIS_BSPLINE},
                                        {"interpolate", D3DBASIS_INTERPOLATE},
                                        {NULL, 0}};

    return parse_key_uint(scene, "basis", choose(scene, names));
}

static UINT degree_of(struct scene *scene)
{
    static const struct name names[] = {{"cubic", D3DDEGREE_CUBIC},
                                        {"linear", D3DDEGREE_LINEAR},
                                        {"quadratic", D3DDEGREE_QUADRATIC},
                                        {"quintic", D3DDEGREE_QUINTIC},
                                        {NULL, 0}};

    return parse_key_uint(scene, "degree", choose(scene, names));
}

/* The segments of the edges: one number for all, or each; `none`: NULL. */
static const float *segments_of(struct scene *scene, int edges, float out[4])
{
    const char *text = parse_word(scene, 1);
    int n;

    if (!strcmp(text, "none"))
        return NULL;
    n = parse_floats(scene, text, out, 4);
    if (n != 1 && n != edges)
        scene_fail(scene, "the patch has %d edges", edges);
    for (int i = n; i < edges; i++)
        out[i] = out[0];
    return out;
}

static void key_pair(struct scene *scene, const char *key, UINT out[2])
{
    const char *text = parse_key(scene, key);
    float v[2];

    if (!text)
        return;
    if (parse_floats(scene, text, v, 2) != 2)
        scene_fail(scene, "%s needs two numbers", key);
    out[0] = (UINT)parse_whole(scene, v[0]);
    out[1] = (UINT)parse_whole(scene, v[1]);
}

static void finish(struct scene *scene, HRESULT hr, const char *what)
{
    scene_check(scene, hr, what);
    coverage_draw(scene,
                  !scene->declaration && (scene->fvf & D3DFVF_POSITION_MASK) == D3DFVF_XYZRHW);
}

/* rectpatch SEGMENTS [BASIS] [DEGREE] [size=W,H] [from=X,Y] [stride=N] [handle=N] [cached] */
void cmd_rectpatch(struct scene *scene)
{
    UINT degree = degree_of(scene), size[2] = {degree + 1, degree + 1}, from[2] = {0, 0};
    D3DRECTPATCH_INFO info = {.Basis = (D3DBASISTYPE)basis_of(scene),
                              .Degree = (D3DDEGREETYPE)degree};
    float memory[4];
    const float *segments = segments_of(scene, 4, memory);

    key_pair(scene, "size", size);
    key_pair(scene, "from", from);
    info.Width = size[0];
    info.Height = size[1];
    info.StartVertexOffsetWidth = from[0];
    info.StartVertexOffsetHeight = from[1];
    info.Stride = parse_key_uint(scene, "stride", size[0]);
    layout_bind(scene);
    scene_begin(scene);
    finish(scene,
           IDirect3DDevice9_DrawRectPatch(scene->device, parse_key_uint(scene, "handle", 0),
                                          segments, parse_flag(scene, "cached") ? NULL : &info),
           "DrawRectPatch");
}

/* tripatch SEGMENTS [DEGREE] [start=N] [count=N] [handle=N] [cached] */
void cmd_tripatch(struct scene *scene)
{
    UINT degree = degree_of(scene);
    D3DTRIPATCH_INFO info = {.StartVertexOffset = parse_key_uint(scene, "start", 0),
                             .NumVertices =
                                 parse_key_uint(scene, "count", (degree + 1) * (degree + 2) / 2),
                             .Basis = (D3DBASISTYPE)basis_of(scene),
                             .Degree = (D3DDEGREETYPE)degree};
    float memory[4];
    const float *segments = segments_of(scene, 3, memory);

    layout_bind(scene);
    scene_begin(scene);
    finish(scene,
           IDirect3DDevice9_DrawTriPatch(scene->device, parse_key_uint(scene, "handle", 0),
                                         segments, parse_flag(scene, "cached") ? NULL : &info),
           "DrawTriPatch");
}

/* deletepatch N */
void cmd_deletepatch(struct scene *scene)
{
    scene_check(
        scene, IDirect3DDevice9_DeletePatch(scene->device, parse_uint(scene, parse_word(scene, 1))),
        "DeletePatch");
}
