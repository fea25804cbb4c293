/* Least and most of the depths that a block holds, found when they are first asked for and good
 * until depth is written again: while a plan only tests, as for stencil shadows and behind what is
 * opaque, many blocks pass or fail as a whole, and some primitives fail all over a tile.
 *
 * A primitive's depth rises or falls along rows and columns, and every step of its computation
 * keeps order, rounding included; so all of a block's codes lie between those of two of its
 * corners. */
#include "raster/raster_private.h"

#include <math.h>

void raster_coarse_plan(const struct raster *raster, struct raster_plan *plan)
{
    const struct raster_depth_stencil *front = &plan->ds[0], *back = &plan->ds[1];
    bool one_sided = front->depth_func == D3DCMP_LESS || front->depth_func == D3DCMP_LESSEQUAL ||
                     front->depth_func == D3DCMP_GREATER ||
                     front->depth_func == D3DCMP_GREATEREQUAL;

    plan->coarse = plan->depth_used && one_sided && front->depth_test && !front->depth_write &&
                   !front->bounds_test && front->code != RASTER_DEPTH_UNORM32 &&
                   raster->targets.depth.format->bytes == 4 && raster->targets.samples == 1 &&
                   !plan->s.writes_depth && !raster->options.unpacked &&
                   !raster->options.late_tests;
    plan->hidden =
        plan->coarse && raster_depth_fails_clean(front) && raster_depth_fails_clean(back);
}

/* Codes of the least and the most depth in the blocks from (x, y) to (last_x, last_y); false: not a
 * number, or infinite. */
static bool find_range(const struct raster *raster, const struct raster_prim *prim,
                       const int32_t first[2], const int32_t last[2], uint32_t code[2])
{
    const struct raster_plane *plane = &prim->z;
    float x[2] = {(float)first[0] - prim->anchor_x,
                  ((float)last[0] - prim->anchor_x) + (BLOCK_DIM - 1)};
    float y[2] = {(float)first[1] - prim->anchor_y,
                  ((float)last[1] - prim->anchor_y) + (BLOCK_DIM - 1)};
    bool left = plane->b >= 0.0f, top = plane->c >= 0.0f; /* where the least is */
    float z[2] = {raster_plane_at(plane, x[!left], y[!top]) + prim->depth_offset,
                  raster_plane_at(plane, x[left], y[top]) + prim->depth_offset};

    if (!isfinite(z[0]) || !isfinite(z[1]))
        return false;
    raster->depth_kern->depth_codes(&prim->plan->ds[0], z, code);
    return true;
}

static void look_at_block(struct raster_worker *worker, unsigned block, int32_t x, int32_t y)
{
    const struct raster *raster = worker->raster;
    const struct raster_surface *surface = &raster->targets.depth;
    struct raster_coarse *coarse = &worker->coarse;
    uint32_t extent[2];

    raster->depth_kern->depth_extent(&worker->plan->ds[0],
                                     surface->data + (size_t)y * surface->row_pitch + (size_t)x * 4,
                                     surface->row_pitch, extent);
    coarse->least[block] = extent[0];
    coarse->most[block] = extent[1];
    coarse->known |= UINT64_C(1) << block;
}

/* Its number in the tile, after which its depths are known. */
static inline unsigned find_block(struct raster_worker *worker, int32_t x, int32_t y)
{
    unsigned block = raster_block_number(worker, x, y);

    if (!(worker->coarse.known >> block & 1))
        look_at_block(worker, block, x, y);
    return block;
}

static enum raster_verdict judge(unsigned func, const uint32_t code[2], uint32_t least,
                                 uint32_t most)
{
    bool below = code[1] < least, not_above = code[1] <= least;
    bool above = code[0] > most, not_below = code[0] >= most;

    switch (func) {
    case D3DCMP_LESS:
        return below ? RASTER_PASSES : not_below ? RASTER_FAILS : RASTER_UNSURE;
    case D3DCMP_LESSEQUAL:
        return not_above ? RASTER_PASSES : above ? RASTER_FAILS : RASTER_UNSURE;
    case D3DCMP_GREATER:
        return above ? RASTER_PASSES : not_above ? RASTER_FAILS : RASTER_UNSURE;
    default:
        return not_below ? RASTER_PASSES : below ? RASTER_FAILS : RASTER_UNSURE;
    }
}

static bool has_room(const struct raster_plan *plan, int32_t x, int32_t y)
{
    return x + BLOCK_DIM <= plan->room[2] && y + BLOCK_DIM <= plan->room[3];
}

enum raster_verdict raster_coarse_block(struct raster_worker *worker,
                                        const struct raster_prim *prim, int32_t x, int32_t y)
{
    const int32_t at[2] = {x, y};
    uint32_t code[2];
    unsigned block;

    if (!has_room(prim->plan, x, y) || !find_range(worker->raster, prim, at, at, code))
        return RASTER_UNSURE;
    block = find_block(worker, x, y);
    return judge(prim->plan->ds[0].depth_func, code, worker->coarse.least[block],
                 worker->coarse.most[block]);
}

bool raster_coarse_hides(struct raster_worker *worker, const struct raster_prim *prim,
                         const int32_t blocks[4])
{
    const int32_t first[2] = {blocks[0], blocks[1]};
    const int32_t last[2] = {(blocks[2] - 1) & -BLOCK_DIM, (blocks[3] - 1) & -BLOCK_DIM};
    unsigned func = prim->plan->ds[0].depth_func;
    uint32_t code[2];

    if (!prim->plan->hidden || !has_room(prim->plan, last[0], last[1]) ||
        !find_range(worker->raster, prim, first, last, code))
        return false;
    for (int32_t y = first[1]; y <= last[1]; y += BLOCK_DIM) {
        for (int32_t x = first[0]; x <= last[0]; x += BLOCK_DIM) {
            unsigned block = find_block(worker, x, y);

            if (judge(func, code, worker->coarse.least[block], worker->coarse.most[block]) !=
                RASTER_FAILS)
                return false;
        }
    }
    return true;
}
