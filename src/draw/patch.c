/* Executes a draw of a patch: reads its control points, tessellates them and draws the mesh.
 * Tested by tests/unit/draw/test_patch.c and tests/conformance/tessellation. */
#include "draw/adaptive.h"
#include "draw/context.h"
#include "draw/tessellated.h"

#include "util/fpenv.h"

/* Makes the control points of the patch the only stream. */
static void bind_points(struct draw_state *state, const struct draw_patch *patch,
                        struct draw_decl *decl)
{
    *decl = *patch->decl;
    for (unsigned i = 0; i < decl->n; i++) {
        decl->element[i].Stream = 0;
        decl->element[i].Offset = (WORD)(i * DRAW_PATCH_ELEMENT);
    }
    state->decl = decl;
    state->stream[0] = (struct draw_stream){.data = patch->points,
                                            .size = patch->size,
                                            .stride = decl->n * DRAW_PATCH_ELEMENT,
                                            .frequency = 1};
}

/* start, stride: of the control points, in vertices. Adaptive tessellation sets the segments. */
static enum status make_mesh(struct draw *draw, const struct draw_state *state,
                             struct tess_patch *patch, uint32_t start, uint32_t stride)
{
    uint8_t method[MAXD3DDECLLENGTH];
    unsigned n_elements = tessellated_elements(state->decl, method);
    size_t n = (size_t)tess_patch_points(patch);
    float(*vector)[4] = scratch_get(&draw->points, n * n_elements * sizeof(*vector));
    const struct tess_points points = {n_elements, method, (const float(*)[4])vector};

    if (!vector)
        return ST_NOMEM;
    for (uint32_t y = 0; y < patch->height; y++)
        for (uint32_t x = 0; x < patch->width; x++, vector += n_elements)
            tessellated_fetch(state, start + (int64_t)y * stride + x, 0, vector);
    adaptive_patch(state, &points, patch);
    return tess_patch_mesh(&draw->mesh, patch, &points);
}

static bool is_valid(const struct draw_patch *patch, const struct draw_decl *decl)
{
    uint64_t n = tess_patch_points(&patch->patch);

    return tess_patch_is_valid(&patch->patch) && n <= DRAW_PATCH_POINTS &&
           (!patch->points || n * decl->n * DRAW_PATCH_ELEMENT <= patch->size);
}

/* N-patches are made of the program's own triangles alone. */
static enum status draw_mesh(struct draw *draw, struct draw_state *state)
{
    bool tessellator = state->tessellator;
    struct tessellated_bindings saved;
    const struct draw_args args = tessellated_bind(&saved, state, &draw->mesh);
    enum status st;

    state->tessellator = false;
    st = draw_primitives(draw, state, &args);
    state->tessellator = tessellator;
    tessellated_unbind(&saved, state);
    return st;
}

enum status draw_patch(struct draw *draw, struct draw_state *state, const struct draw_patch *patch)
{
    const struct draw_decl *bound = state->decl, *from = patch->points ? patch->decl : bound;
    const struct draw_stream stream = state->stream[0];
    struct tess_patch shape = patch->patch;
    struct draw_decl decl;
    struct fp_mode mode;
    enum status st;

    if (!from || !from->n)
        return ST_OK;
    if (!is_valid(patch, from))
        return ST_INVALID;
    shape.edge_style = state->render[D3DRS_PATCHEDGESTYLE];
    mode = fp_enter();
    if (patch->points) {
        bind_points(state, patch, &decl);
        st = make_mesh(draw, state, &shape, 0, shape.width);
    } else {
        st = make_mesh(draw, state, &shape, patch->start, patch->stride);
    }
    fp_leave(mode);
    if (!st)
        st = draw_mesh(draw, state);
    state->stream[0] = stream;
    state->decl = bound;
    return st;
}
