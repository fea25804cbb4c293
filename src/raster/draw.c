/* Draws: vertices to the screen, indices to primitives. */
#include "raster/raster_private.h"

#include "util/alloc.h"
#include "util/fpenv.h"
#include "util/vary.h"

/* joint: the end is the start of the next line, which draws that pixel (reference:
 * raster/last-pixel). */
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

static enum status draw_one(struct raster *raster, enum raster_primitive primitive,
                            const uint32_t *index, bool last)
{
    const struct raster_screen_vertex *v = raster->screen;

    switch (primitive) {
    case RASTER_POINTS:
        if (v[index[0]].outside & (((1u << CLIP_USER) - 1) | CLIP_DROP))
            return ST_OK; /* planes of the program cut its square instead */
        return raster_emit_point(raster, &v[index[0]], v[index[0]].v, 1.0f);
    case RASTER_LINES:
        return draw_line(raster, &v[index[0]], &v[index[1]], !last && index[2] == index[1]);
    default:
        return raster_draw_triangle(raster, &v[index[0]], &v[index[1]], &v[index[2]]);
    }
}

static bool all_valid(const uint32_t *indices, unsigned n, uint32_t n_vertices)
{
    for (unsigned k = 0; k < n; k++)
        if (indices[k] >= n_vertices)
            return false;
    return true;
}

/* Whether the first two triangles were one rectangle, which then is drawn. */
static bool draw_pair(struct raster *raster, const uint32_t *indices, uint32_t n_vertices)
{
    const struct raster_screen_vertex *v[6];

    if (!all_valid(indices, 6, n_vertices))
        return false;
    for (unsigned k = 0; k < 6; k++)
        v[k] = &raster->screen[indices[k]];
    return raster_draw_rect(raster, v);
}

static enum status draw_all(struct raster *raster, uint32_t n_vertices,
                            enum raster_primitive primitive, const uint32_t *indices,
                            uint32_t count)
{
    unsigned corners = primitive == RASTER_POINTS ? 1 : primitive == RASTER_LINES ? 2 : 3;
    bool rects = primitive == RASTER_TRIANGLES && raster_rects(raster);
    enum status st = ST_OK;

    for (uint32_t i = 0; i < count && st == ST_OK; i++, indices += corners) {
        if (rects && i + 1 < count && draw_pair(raster, indices, n_vertices)) {
            i++;
            indices += corners;
        } else if (primitive == RASTER_TRIANGLES && raster_many(raster, count - i)) {
            return raster_draw_many(raster, n_vertices, indices, count - i);
        } else if (all_valid(indices, corners, n_vertices)) {
            st = draw_one(raster, primitive, indices, i + 1 == count);
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

/* --- The door --------------------------------------------------------------------------------- */

static enum status make_screen(struct raster *raster, uint32_t count)
{
    struct raster_screen_vertex *screen;

    if (count <= raster->screen_room)
        return ST_OK;
    if (!(screen = mem_alloc((size_t)count * sizeof(*screen))))
        return ST_NOMEM;
    mem_free(raster->screen);
    raster->screen = screen;
    raster->screen_room = count;
    return ST_OK;
}

enum status raster_draw_begin(struct raster *raster, const struct raster_state *state,
                              const struct raster_vertices *vertices)
{
    enum status st = make_screen(raster, vertices->count);

    if (st != ST_OK)
        return st;
    raster->state = state;
    raster->vertices = *vertices;
    raster->plan = NULL;
    raster->wraps = wraps(state);
    atomic_store_explicit(&raster->some_outside, false, memory_order_relaxed);
    raster_clip_begin(raster);
    return ST_OK;
}

void raster_draw_project(struct raster *raster, uint32_t first, uint32_t n)
{
    uint32_t stride = raster->vertices.stride_floats;

    if (raster->project_kern->project(raster, raster->vertices.data + (size_t)first * stride,
                                      stride, n, raster->screen + first))
        atomic_store_explicit(&raster->some_outside, true, memory_order_relaxed);
}

enum status raster_draw_end(struct raster *raster, enum raster_primitive primitive,
                            const uint32_t *indices, uint32_t count)
{
    struct fp_mode mode = fp_enter();
    enum status st;

    if (vary_now)
        raster_vary_vertices(raster->screen, raster->vertices.count);
    st = draw_all(raster, raster->vertices.count, primitive, indices, count);

    raster->state = NULL;
    fp_leave(mode);
    return st;
}

enum status raster_draw(struct raster *raster, const struct raster_state *state,
                        const struct raster_vertices *vertices, enum raster_primitive primitive,
                        const uint32_t *indices, uint32_t count)
{
    struct fp_mode mode = fp_enter();
    enum status st = raster_draw_begin(raster, state, vertices);

    if (st == ST_OK) {
        raster_draw_project(raster, 0, vertices->count);
        st = raster_draw_end(raster, primitive, indices, count);
    }
    fp_leave(mode);
    return st;
}
