/* Draws triangles as N-patches: reads the corners of each triangle, makes its vertices, and draws
 * the mesh when it is full (reference: tessellation/n-patch).
 * Tested by tests/unit/draw/test_npatch.c and tests/conformance/tessellation. */
#include "draw/npatch.h"

#include "draw/adaptive.h"
#include "draw/displace.h"
#include "draw/draw_call.h"
#include "draw/tessellated.h"
#include "draw/vertex/vertex.h"
#include "tess/npatch.h"

#include <string.h>

/* Vertices and indices of a mesh. Every pattern has room in an empty one. */
enum { MESH_VERTICES = 16384, MESH_INDICES = 65536 };

struct npatch_call {
    struct draw *draw;
    struct draw_state *state;
    const struct draw_args *args;
    uint32_t instance;

    uint32_t n_elements;
    int position, normal, factor; /* elements of the declaration; -1: none */
    bool is_adaptive;
    struct tess_adaptive adaptive;
    struct displacement displacement;

    float corner[3][MAXD3DDECLLENGTH][4];
    float segments[3];              /* of the edges of draw->pattern */
    uint32_t n_vertices, n_indices; /* in the mesh */
    uint64_t n_drawn;               /* vertices of earlier meshes of the call */
};

/* --- Which draws ------------------------------------------------------------------------------ */

static bool looks_up(const struct draw_decl *decl)
{
    bool found = false;

    for (unsigned i = 0; i < decl->n + decl->n_generated; i++)
        found |= decl->element[i].Method == D3DDECLMETHOD_LOOKUP ||
                 decl->element[i].Method == D3DDECLMETHOD_LOOKUPPRESAMPLED;
    return found;
}

/* Whether a draw without adaptive tessellation has one segment an edge. */
static bool is_single(const struct draw_state *state)
{
    return state->render[D3DRS_PATCHEDGESTYLE] == D3DPATCHEDGE_CONTINUOUS ? state->npatch <= 1.0f
                                                                          : state->npatch < 2.0f;
}

bool npatch_applies(const struct draw_state *state, const struct draw_args *args)
{
    bool adaptive = state->render[D3DRS_ENABLEADAPTIVETESSELLATION] != 0;

    if (reduced_primitive(args->type) != RASTER_TRIANGLES ||
        adaptive_element(state->decl, D3DDECLUSAGE_POSITION) < 0 ||
        !(adaptive || state->npatch >= 1.0f))
        return false;
    return adaptive || !is_single(state) || looks_up(state->decl);
}

/* --- Meshes ----------------------------------------------------------------------------------- */

/* Draws the mesh and empties it. */
static enum status flush(struct npatch_call *call)
{
    struct tess_mesh *mesh = &call->draw->mesh;
    struct tessellated_bindings saved;
    struct draw_args args;
    enum status st;

    if (!call->n_vertices)
        return ST_OK;
    mesh->n_vertices = call->n_vertices;
    mesh->n_indices = call->n_indices;
    displacement_apply(&call->displacement, mesh, call->n_drawn);
    args = tessellated_bind(&saved, call->state, mesh);
    st = draw_call_execute(call->draw, call->state, &args);
    tessellated_unbind(&saved, call->state);
    call->n_drawn += call->n_vertices;
    call->n_vertices = call->n_indices = 0;
    return st;
}

static void fetch_corners(struct npatch_call *call, uint32_t primitive)
{
    const struct draw_args *args = call->args;
    uint32_t vertex[3];

    assemble_primitive(args->type, primitive, vertex);
    for (unsigned v = 0; v < 3; v++) {
        uint32_t number = vertex[v];

        if (args->indexed)
            number = vertex_index(call->state, (uint64_t)args->start_index + number);
        tessellated_fetch(call->state, (int64_t)args->base_vertex + number, call->instance,
                          call->corner[v]);
    }
}

static void find_segments(const struct npatch_call *call, float segments[3])
{
    double level[3];

    for (unsigned v = 0; v < 3; v++) {
        segments[v] = call->state->npatch;
        level[v] =
            tess_vertex_level(&call->adaptive, call->corner[v][call->position], call->state->npatch,
                              call->factor < 0 ? 1.0f : call->corner[v][call->factor][0]);
    }
    for (unsigned e = 0; e < 3; e++) {
        if (call->is_adaptive)
            segments[e] = tess_edge_level(&call->adaptive, level[e], level[(e + 1) % 3]);
        if (segments[e] > DRAW_NPATCH_LEVEL)
            segments[e] = DRAW_NPATCH_LEVEL;
    }
}

/* Most triangles of a draw have the pattern of the one before. */
static enum status make_pattern(struct npatch_call *call)
{
    struct tess_pattern *pattern = &call->draw->pattern;
    float segments[3];
    enum status st;

    find_segments(call, segments);
    if (pattern->n_points && !memcmp(segments, call->segments, sizeof(segments)))
        return ST_OK;
    memcpy(call->segments, segments, sizeof(segments));
    if ((st = tess_pattern_make(pattern, segments, call->state->render[D3DRS_PATCHEDGESTYLE])))
        pattern->n_points = 0;
    return st;
}

static void corner_control(const struct npatch_call *call, struct tess_npatch *patch)
{
    bool cubic = call->state->render[D3DRS_POSITIONDEGREE] != D3DDEGREE_LINEAR;
    bool quadratic = call->state->render[D3DRS_NORMALDEGREE] == D3DDEGREE_QUADRATIC;
    float position[3][4], normal[3][4];

    for (unsigned v = 0; v < 3; v++) {
        memcpy(position[v], call->corner[v][call->position], sizeof(position[v]));
        if (call->normal >= 0)
            memcpy(normal[v], call->corner[v][call->normal], sizeof(normal[v]));
    }
    tess_npatch_init(patch, (const float(*)[4])position,
                     call->normal < 0 ? NULL : (const float(*)[4])normal, cubic, quadratic);
}

static void make_vertex(const struct npatch_call *call, const struct tess_npatch *patch,
                        const double w[3], float (*out)[4])
{
    for (uint32_t e = 0; e < call->n_elements; e++) {
        const float *const corner[3] = {call->corner[0][e], call->corner[1][e], call->corner[2][e]};

        tess_blend(corner, w, 4, out[e]);
    }
    tess_npatch_position(patch, w, out[call->position]);
    if (call->normal >= 0)
        tess_npatch_normal(patch, w, out[call->normal]);
}

static enum status add_triangle(struct npatch_call *call, uint32_t primitive)
{
    const struct tess_pattern *pattern = &call->draw->pattern;
    struct tess_mesh *mesh = &call->draw->mesh;
    struct tess_npatch patch;
    enum status st;

    fetch_corners(call, primitive);
    if ((st = make_pattern(call)))
        return st;
    if ((call->n_vertices + pattern->n_points > MESH_VERTICES ||
         call->n_indices + pattern->n_indices > MESH_INDICES) &&
        (st = flush(call)))
        return st;
    corner_control(call, &patch);
    for (uint32_t i = 0; i < pattern->n_points; i++)
        make_vertex(call, &patch, pattern->point[i],
                    mesh->vertex + (size_t)(call->n_vertices + i) * call->n_elements);
    for (uint32_t i = 0; i < pattern->n_indices; i++)
        mesh->index[call->n_indices + i] = call->n_vertices + pattern->index[i];
    call->n_vertices += pattern->n_points;
    call->n_indices += pattern->n_indices;
    return ST_OK;
}

/* --- Draws ------------------------------------------------------------------------------------ */

static enum status begin(struct npatch_call *call)
{
    const struct draw_decl *decl = call->state->decl;
    enum status st;

    call->n_elements = decl->n + decl->n_generated;
    call->position = adaptive_element(decl, D3DDECLUSAGE_POSITION);
    call->normal = adaptive_element(decl, D3DDECLUSAGE_NORMAL);
    call->factor = adaptive_element(decl, D3DDECLUSAGE_TESSFACTOR);
    call->is_adaptive = adaptive_state(&call->adaptive, call->state);
    call->draw->pattern.n_points = 0; /* one of an earlier draw may have another edge style */
    if ((st = displacement_init(&call->displacement, call->draw, call->state, &call->adaptive,
                                call->position, call->factor)))
        return st;
    return tess_mesh_resize(&call->draw->mesh, call->n_elements, MESH_VERTICES, MESH_INDICES);
}

/* A draw of a part counts the vertices before it: displacement maps may be numbered by them. */
static enum status draw_instance(struct npatch_call *call)
{
    uint32_t first = call->displacement.looks_up ? 0 : call->args->first;
    enum status st = ST_OK;

    call->n_drawn = 0;
    for (uint32_t p = first; !st && p < call->args->primitives; p++) {
        if (p >= call->args->first) {
            st = add_triangle(call, p);
            continue;
        }
        fetch_corners(call, p);
        if (!(st = make_pattern(call)))
            call->n_drawn += call->draw->pattern.n_points;
    }
    return st ? st : flush(call);
}

enum status npatch_draw(struct draw *draw, struct draw_state *state, const struct draw_args *args)
{
    struct npatch_call call = {.draw = draw, .state = state, .args = args};
    uint32_t instances = draw_call_instances(state, args);
    enum status st = begin(&call);

    for (call.instance = args->instance; !st && call.instance < instances; call.instance++)
        st = draw_instance(&call);
    return st;
}
