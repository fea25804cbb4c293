/* Counts what setup does with primitives, for tools: the decisions of draw.c and polygon.c, without
 * drawing.
 *
 * Tested by tests/unit/draw/test_count.c. */
#include "raster/setup/draw_batch.h"
#include "raster/setup/tri_bounds.h"
#include "util/fpenv.h"

/* Whether corners, in 1/256 pixel, are so far to one side of the scissor rectangle that what they
 * span covers none of its samples. */
static bool misses_scissor(const struct raster *raster, const struct raster_screen_vertex *corner,
                           unsigned n)
{
    const int32_t *rect = raster->state->values.scissor;
    unsigned left = 0, top = 0, right = 0, bottom = 0;

    for (unsigned i = 0; i < n; i++) {
        left += corner[i].x < (rect[0] - 1) * 256;
        top += corner[i].y < (rect[1] - 1) * 256;
        right += corner[i].x > rect[2] * 256;
        bottom += corner[i].y > rect[3] * 256;
    }
    return left == n || top == n || right == n || bottom == n;
}

static void count_triangle(struct raster *raster, const struct raster_screen_vertex *const v[3],
                           struct raster_prim_counts *out)
{
    uint32_t planes = v[0]->outside | v[1]->outside | v[2]->outside;
    struct raster_screen_vertex corner[MAX_POLYGON] = {*v[0], *v[1], *v[2]};
    bool edge[MAX_POLYGON] = {true, true, true};
    int64_t area = 0;
    unsigned n = 3;

    if ((v[0]->outside & v[1]->outside & v[2]->outside) || (planes & CLIP_DROP)) {
        out->outside++;
        return;
    }
    if (planes)
        raster_clip_polygon(raster, corner, edge, &n, planes);
    if (n < 3 || misses_scissor(raster, corner, n)) {
        out->outside++;
        return;
    }
    for (unsigned i = 1; i + 1 < n; i++)
        area += raster_area(&corner[0], &corner[i], &corner[i + 1]);
    out->clipped += planes != 0;
    if (raster_is_culled(raster->state, area))
        out->culled++;
    else
        out->drawn++;
}

static void count_line(struct raster *raster, const struct raster_screen_vertex *from,
                       const struct raster_screen_vertex *to, struct raster_prim_counts *out)
{
    struct raster_screen_vertex end[2] = {*from, *to};
    uint32_t planes = from->outside | to->outside;

    if ((from->outside & to->outside) || (planes & CLIP_DROP) ||
        (planes && !raster_clip_line(raster, end, planes)) || misses_scissor(raster, end, 2)) {
        out->outside++;
        return;
    }
    out->clipped += planes != 0;
    out->drawn++;
}

/* User clip planes cut the square of a point, not its centre. */
static void count_point(const struct raster_screen_vertex *v, struct raster_prim_counts *out)
{
    if (v->outside & (((1u << CLIP_USER) - 1) | CLIP_DROP))
        out->outside++;
    else
        out->drawn++;
}

void raster_draw_batch_count(struct raster_draw_batch *batch, enum raster_primitive primitive,
                             const uint32_t *indices, uint32_t count,
                             struct raster_prim_counts *out)
{
    unsigned corners = primitive == RASTER_POINTS ? 1 : primitive == RASTER_LINES ? 2 : 3;
    struct fp_mode mode = fp_enter();

    out->n += count;
    for (uint32_t i = 0; i < count; i++, indices += corners) {
        const struct raster_screen_vertex *v[3];
        bool valid = true;

        for (unsigned k = 0; k < corners; k++) {
            valid &= indices[k] < batch->vertices.count;
            v[k] = &batch->screen[valid ? indices[k] : 0];
        }
        if (!valid)
            out->outside++;
        else if (primitive == RASTER_POINTS)
            count_point(v[0], out);
        else if (primitive == RASTER_LINES)
            count_line(batch->raster, v[0], v[1], out);
        else
            count_triangle(batch->raster, v, out);
    }
    fp_leave(mode);
}
