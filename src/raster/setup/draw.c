/* Draw entry points: project vertices, assemble indices into primitives and pass them to setup.
 * Tested by tests/unit/raster/test_equivalence.c and tests/unit/raster/test_scene.c. */
#include "raster/setup/draw_batch.h"

#include "raster/setup/setup.h"
#include "util/alloc.h"
#include "util/fpenv.h"
#include "util/variant.h"

/* joint: the next line starts at `to` and draws that pixel (reference: raster/last-pixel). */
static enum status draw_line(struct raster *raster, const struct raster_screen_vertex *from,
                             const struct raster_screen_vertex *to, bool joint)
{
    struct raster_screen_vertex end[2] = {*from, *to};
    uint32_t planes = from->outside | to->outside;

    if ((from->outside & to->outside) || (planes & CLIP_DROP))
        return ST_OK;
    if (raster->wraps)
        raster_wrap(raster, end, 2);
    if (planes && !raster_clip_line(raster, end, planes))
        return ST_OK;
    return raster_emit_line(raster, &end[0], &end[1], from->v, 1.0f,
                            raster->state->last_pixel && !joint);
}

static enum status draw_one(const struct raster_draw_batch *batch, enum raster_primitive primitive,
                            const uint32_t *index, bool last)
{
    struct raster *raster = batch->raster;
    const struct raster_screen_vertex *v = batch->screen;

    switch (primitive) {
    case RASTER_POINTS:
        if (v[index[0]].outside & (((1u << CLIP_USER) - 1) | CLIP_DROP))
            return ST_OK; /* user clip planes clip the square, not its centre */
        return raster_emit_point(raster, &v[index[0]], v[index[0]].v, 1.0f);
    case RASTER_LINES:
        return draw_line(raster, &v[index[0]], &v[index[1]], !last && index[2] == index[1]);
    default:
        return raster_draw_triangle(raster, &v[index[0]], &v[index[1]], &v[index[2]]);
    }
}

static bool all_valid(const struct raster_draw_batch *batch, const uint32_t *indices, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (indices[k] >= batch->vertices.count)
            return false;
    return true;
}

/* Draws the first two triangles as a rectangle if they form one. Returns false if nothing was
 * drawn. batched: otherwise batched setup gets the triangles, and finds split rectangles itself. */
static bool draw_as_rect(const struct raster_draw_batch *batch, const uint32_t *indices,
                         bool batched)
{
    const struct raster_screen_vertex *v[6];

    if (!all_valid(batch, indices, 6))
        return false;
    for (unsigned k = 0; k < 6; k++)
        v[k] = &batch->screen[indices[k]];
    return raster_draw_rect(batch->raster, v, !batched);
}

static enum status draw_all(struct raster_draw_batch *batch, enum raster_primitive primitive,
                            const uint32_t *indices, uint32_t count)
{
    unsigned corners = primitive == RASTER_POINTS ? 1 : primitive == RASTER_LINES ? 2 : 3;
    bool rects = primitive == RASTER_TRIANGLES && raster_rects_allowed(batch->raster);
    enum status st = ST_OK;

    for (uint32_t i = 0; i < count && st == ST_OK; i++, indices += corners) {
        bool batched =
            primitive == RASTER_TRIANGLES && raster_wants_setup_batch(batch->raster, count - i);

        if (rects && i + 1 < count && draw_as_rect(batch, indices, batched)) {
            i++;
            indices += corners;
        } else if (batched) {
            return raster_setup_batch(batch, indices, count - i);
        } else if (all_valid(batch, indices, corners)) {
            st = draw_one(batch, primitive, indices, i + 1 == count);
        }
    }
    return st;
}

static bool wraps(const struct raster_state *state)
{
    for (unsigned n = 0; n < state->n_attrs; n++)
        if (state->attr[n].wrap)
            return true;
    return false;
}

/* --- Public interface ------------------------------------------------------------------------- */

struct raster_draw_batch *raster_own_draw_batch(struct raster *raster)
{
    return raster->own;
}

enum status raster_draw_batch_create(struct raster_draw_batch **out, struct raster *raster)
{
    struct raster_draw_batch *batch = mem_calloc(1, sizeof(*batch));

    *out = batch;
    if (!batch)
        return ST_NOMEM;
    batch->raster = raster;
    return ST_OK;
}

void raster_draw_batch_destroy(struct raster_draw_batch *batch)
{
    if (!batch)
        return;
    mem_free(batch->screen);
    mem_free(batch->tasks);
    mem_free(batch);
}

void raster_draw_begin(struct raster *raster, const struct raster_state *state)
{
    raster->state = state;
    raster->pipeline = NULL;
    raster->wraps = wraps(state);
    raster_project_begin(raster);
}

void raster_draw_end(struct raster *raster)
{
    raster->state = NULL;
}

enum status raster_draw_batch_begin(struct raster_draw_batch *batch,
                                    const struct raster_vertices *vertices)
{
    struct raster_screen_vertex *screen;

    if (vertices->count > batch->screen_capacity) {
        if (!(screen = mem_alloc((size_t)vertices->count * sizeof(*screen))))
            return ST_NOMEM;
        mem_free(batch->screen);
        batch->screen = screen;
        batch->screen_capacity = vertices->count;
    }
    batch->vertices = *vertices;
    atomic_store_explicit(&batch->some_outside, false, memory_order_relaxed);
    return ST_OK;
}

void raster_draw_batch_project(struct raster_draw_batch *batch, uint32_t first, uint32_t n)
{
    const struct raster *raster = batch->raster;
    uint32_t stride = batch->vertices.stride_floats;

    if (raster->project_kern->project(raster, batch->vertices.data + (size_t)first * stride, stride,
                                      n, batch->screen + first))
        atomic_store_explicit(&batch->some_outside, true, memory_order_relaxed);
}

enum status raster_draw_batch_draw(struct raster_draw_batch *batch, enum raster_primitive primitive,
                                   const uint32_t *indices, uint32_t count)
{
    struct fp_mode mode = fp_enter();
    enum status st;

    if (variant_current)
        raster_perturb_vertices(batch->screen, batch->vertices.count);
    st = draw_all(batch, primitive, indices, count);
    fp_leave(mode);
    return st;
}

enum status raster_draw_batch_finish(struct raster_draw_batch *batch)
{
    return batch->one_by_one
               ? raster_draw_batch_draw(batch, RASTER_TRIANGLES, batch->indices, batch->count)
               : raster_setup_batch_bin_rest(batch);
}

enum status raster_draw(struct raster *raster, const struct raster_state *state,
                        const struct raster_vertices *vertices, enum raster_primitive primitive,
                        const uint32_t *indices, uint32_t count)
{
    struct fp_mode mode = fp_enter();
    enum status st;

    raster_draw_begin(raster, state);
    if ((st = raster_draw_batch_begin(raster->own, vertices)) == ST_OK) {
        raster_draw_batch_project(raster->own, 0, vertices->count);
        st = raster_draw_batch_draw(raster->own, primitive, indices, count);
    }
    raster_draw_end(raster);
    fp_leave(mode);
    return st;
}
