/* Executes a draw of a patch: reads its control points, tessellates them and draws the mesh.
 * Tested by tests/unit/draw/test_patch.c and tests/conformance/tessellation. */
#include "draw/context.h"
#include "draw/tessellated.h"

#include "util/fpenv.h"

enum { POINT_ELEMENT_BYTES = 16 };

/* Makes the control points the only stream, a vector for each element. */
static void bind_points(struct draw_state *state, const struct draw_patch *patch,
                        struct draw_decl *decl)
{
    *decl = *patch->decl;
    for (unsigned i = 0; i < decl->n; i++) {
        decl->element[i].Stream = 0;
        decl->element[i].Offset = (WORD)(i * POINT_ELEMENT_BYTES);
    }
    state->decl = decl;
    state->stream[0] = (struct draw_stream){.data = patch->points,
                                            .size = patch->size,
                                            .stride = decl->n * POINT_ELEMENT_BYTES,
                                            .frequency = 1};
}

static enum status make_mesh(struct draw *draw, const struct draw_state *state,
                             const struct draw_patch *patch)
{
    uint32_t n = (uint32_t)tess_patch_points(&patch->patch);
    uint8_t method[MAXD3DDECLLENGTH];
    unsigned n_elements = tessellated_elements(state->decl, method);
    float(*vector)[4] = scratch_get(&draw->points, (size_t)n * n_elements * sizeof(*vector));
    const struct tess_points points = {n_elements, method, (const float(*)[4])vector};

    if (!vector)
        return ST_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        tessellated_fetch(state, i, 0, vector + (size_t)i * n_elements);
    return tess_patch_mesh(&draw->mesh, &patch->patch, &points);
}

enum status draw_patch(struct draw *draw, struct draw_state *state, const struct draw_patch *patch)
{
    const struct draw_stream stream = state->stream[0];
    const struct draw_decl *bound = state->decl;
    struct draw_patch drawn = *patch;
    struct draw_decl decl;
    struct fp_mode mode;
    enum status st;

    drawn.patch.edge_style = state->render[D3DRS_PATCHEDGESTYLE];
    if (!tess_patch_is_valid(&drawn.patch) || !patch->decl->n ||
        tess_patch_points(&drawn.patch) >
            patch->size / (patch->decl->n * (size_t)POINT_ELEMENT_BYTES))
        return ST_INVALID;
    mode = fp_enter();
    bind_points(state, &drawn, &decl);
    st = make_mesh(draw, state, &drawn);
    fp_leave(mode);
    if (!st) {
        struct tessellated_bindings saved;
        const struct draw_args args = tessellated_bind(&saved, state, &draw->mesh);

        st = draw_primitives(draw, state, &args);
        tessellated_unbind(&saved, state);
    }
    state->stream[0] = stream;
    state->decl = bound;
    return st;
}
