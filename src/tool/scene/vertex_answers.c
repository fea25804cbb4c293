/* Scene commands that check answers about vertices: declaration, streams, transforms, clip
 * status.
 *
 * Tested by tests/conformance/vertices and tests/conformance/transformed. */
#include "tool/scene/command.h"
#include "tool/scene/layout.h"
#include "tool/scene/vertex_answers.h"
#include "tool/scene/parse.h"
#include "tool/scene/state.h"
#include "util/plural.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* software on|off */
void cmd_software(struct scene *scene)
{
    scene_check(scene,
                IDirect3DDevice9_SetSoftwareVertexProcessing(scene->device,
                                                             !strcmp(parse_word(scene, 1), "on")),
                "SetSoftwareVertexProcessing");
}

/* clipstatus UNION INTERSECTION */
void cmd_clipstatus(struct scene *scene)
{
    D3DCLIPSTATUS9 status = {parse_hex(scene, parse_word(scene, 1)),
                             parse_hex(scene, parse_word(scene, 2))};

    scene_check(scene, IDirect3DDevice9_SetClipStatus(scene->device, &status), "SetClipStatus");
}

static void check_number(struct scene *scene, const char *what, DWORD want, DWORD got)
{
    scene_expect(scene, got == want, "%s: want %x, got %x", what, (unsigned)want, (unsigned)got);
}

static void get_fvf(struct scene *scene)
{
    DWORD got = 0, want = layout_fvf(scene, scene->line.word[2]);

    scene_check(scene, IDirect3DDevice9_GetFVF(scene->device, &got), "GetFVF");
    check_number(scene, "FVF", want, got);
}

static void get_clipstatus(struct scene *scene)
{
    D3DCLIPSTATUS9 got = {0, 0};

    if (!scene_check(scene, IDirect3DDevice9_GetClipStatus(scene->device, &got), "GetClipStatus") ||
        scene->line.n < 4)
        return;
    check_number(scene, "ClipUnion", parse_hex(scene, parse_word(scene, 2)), got.ClipUnion);
    check_number(scene, "ClipIntersection", parse_hex(scene, parse_word(scene, 3)),
                 got.ClipIntersection);
}

static void get_npatch(struct scene *scene)
{
    float want = parse_float(scene, parse_word(scene, 2));
    float got = IDirect3DDevice9_GetNPatchMode(scene->device);

    scene_expect(scene, got == want, "N-patch mode: want %g, got %g", (double)want, (double)got);
}

static void get_software(struct scene *scene)
{
    check_number(scene, "software vertex processing", parse_uint(scene, parse_word(scene, 2)),
                 (DWORD)IDirect3DDevice9_GetSoftwareVertexProcessing(scene->device));
}

/* answer decl { … } | none */
static void get_declaration(struct scene *scene)
{
    D3DVERTEXELEMENT9 want[MAX_ELEMENTS + 1], got[MAXD3DDECLLENGTH + 1];
    IDirect3DVertexDeclaration9 *declaration = NULL;
    UINT n_want = 0, n_got = 0;

    scene_check(scene, IDirect3DDevice9_GetVertexDeclaration(scene->device, &declaration),
                "GetVertexDeclaration");
    scene_own(scene, declaration);
    if (scene->line.block)
        n_want = layout_elements(scene, scene->line.block, want, false);
    if (declaration)
        scene_check(scene, IDirect3DVertexDeclaration9_GetDeclaration(declaration, got, &n_got),
                    "GetDeclaration");
    scene_expect(scene, n_want == n_got, "declaration: want " PLURAL_FORMAT ", got %u",
                 PLURAL(n_want, "element", "elements"), n_got);
    for (UINT i = 0; i + 1 < n_want && n_want == n_got; i++)
        scene_expect(scene, !memcmp(&want[i], &got[i], sizeof(want[i])),
                     "element %u: got stream %u offset %u type %u method %u usage %u index %u", i,
                     got[i].Stream, got[i].Offset, got[i].Type, got[i].Method, got[i].Usage,
                     got[i].UsageIndex);
}

/* answer stream N NAME|none OFFSET STRIDE */
static void get_stream(struct scene *scene)
{
    IDirect3DVertexBuffer9 *got = NULL, *want = NULL;
    UINT offset = 0, stride = 0;

    if (strcmp(parse_word(scene, 3), "none"))
        want = buffer_find(scene, parse_word(scene, 3))->buffer;
    scene_check(scene,
                IDirect3DDevice9_GetStreamSource(
                    scene->device, parse_uint(scene, parse_word(scene, 2)), &got, &offset, &stride),
                "GetStreamSource");
    scene_own(scene, got);
    scene_expect(scene, got == want, "the stream has another buffer");
    check_number(scene, "offset", parse_uint(scene, parse_word(scene, 4)), offset);
    check_number(scene, "stride", parse_uint(scene, parse_word(scene, 5)), stride);
}

static void get_freq(struct scene *scene)
{
    UINT got = 0;

    scene_check(scene,
                IDirect3DDevice9_GetStreamSourceFreq(scene->device,
                                                     parse_uint(scene, parse_word(scene, 2)), &got),
                "GetStreamSourceFreq");
    check_number(scene, "frequency", parse_uint(scene, parse_word(scene, 3)), got);
}

/* answer transform WHICH …: arguments as for transform */
static void get_transform(struct scene *scene)
{
    D3DTRANSFORMSTATETYPE which = transform_number(scene, parse_word(scene, 2));
    D3DMATRIX got = {0}, want;

    if (!scene_check(scene, IDirect3DDevice9_GetTransform(scene->device, which, &got),
                     "GetTransform"))
        return;
    want = transform_matrix(scene, 3);
    for (int i = 0; i < 16; i++)
        scene_expect(scene, got.m[i / 4][i % 4] == want.m[i / 4][i % 4],
                     "row %d column %d: want %g, got %g", i / 4, i % 4,
                     (double)want.m[i / 4][i % 4], (double)got.m[i / 4][i % 4]);
}

static void get_caps(struct scene *scene)
{
#define CAP(x)                                                                                     \
    {                                                                                              \
#x, offsetof(D3DCAPS9, x)                                                                  \
    }
    static const struct {
        const char *name;
        size_t at;
    } caps[] = {CAP(MaxVertexBlendMatrices),
                CAP(MaxVertexBlendMatrixIndex),
                CAP(VertexProcessingCaps),
                CAP(FVFCaps),
                CAP(DeclTypes),
                CAP(MaxStreams),
                CAP(MaxActiveLights),
                CAP(MaxUserClipPlanes),
                CAP(RasterCaps),
                CAP(SrcBlendCaps),
                CAP(DestBlendCaps),
                CAP(LineCaps),
                CAP(DevCaps2),
                CAP(TextureCaps),
                CAP(TextureFilterCaps),
                CAP(CubeTextureFilterCaps),
                CAP(VolumeTextureFilterCaps),
                CAP(VertexTextureFilterCaps),
                CAP(TextureAddressCaps),
                CAP(VolumeTextureAddressCaps),
                CAP(MaxAnisotropy),
                CAP(MaxTextureWidth),
                CAP(MaxVolumeExtent)};
#undef CAP
    const char *name = parse_word(scene, 2);
    DWORD got;

    for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
        if (strcmp(caps[i].name, name))
            continue;
        memcpy(&got, (const char *)&scene->caps + caps[i].at, sizeof(got));
        check_number(scene, name, parse_uint(scene, parse_word(scene, 3)), got);
        return;
    }
    scene_fail(scene, "caps '%s'?", name);
}

bool answer_vertex_query(struct scene *scene)
{
    static const struct {
        const char *what;
        command_fn *run;
    } answers[] = {{"caps", get_caps},
                   {"clipstatus", get_clipstatus},
                   {"decl", get_declaration},
                   {"freq", get_freq},
                   {"fvf", get_fvf},
                   {"npatch", get_npatch},
                   {"software", get_software},
                   {"stream", get_stream},
                   {"transform", get_transform}};
    const char *what = parse_word(scene, 1);

    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (strcmp(answers[i].what, what))
            continue;
        answers[i].run(scene);
        return true;
    }
    return false;
}
