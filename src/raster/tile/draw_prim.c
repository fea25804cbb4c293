/* Draws one primitive in a tile: coverage by kind, hierarchical Z, then its blocks.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/tile/draw_prim.h"

#include "raster/shade/shade.h"
#include "raster/tile/block_masks.h"
#include "raster/tile/coverage.h"

static void fill_rect(struct raster_worker *worker, const struct raster_prim *prim, uint64_t todo)
{
    raster_mask_rect(worker, prim, todo);
    raster_draw_blocks(worker, prim, todo);
}

/* Draws each half in its blocks, and both in the blocks that the diagonal crosses. */
static void fill_split_rect(struct raster_worker *worker, const struct raster_prim *prim,
                            uint64_t todo)
{
    uint64_t whole, pixels[BLOCKS_PER_TILE];
    uint64_t first = raster_coverage_split_edge(worker, prim, todo, &whole, pixels);
    uint64_t both = first & ~whole;

    raster_mask_rect(worker, prim, first);
    for (uint64_t rest = both; rest; rest &= rest - 1)
        worker->masks[__builtin_ctzll(rest)] &= pixels[__builtin_ctzll(rest)];
    raster_draw_blocks(worker, prim, first);
    raster_mask_rect(worker, prim, todo & ~whole);
    for (uint64_t rest = both; rest; rest &= rest - 1)
        worker->masks[__builtin_ctzll(rest)] &= ~pixels[__builtin_ctzll(rest)];
    raster_draw_blocks(worker, raster_edges_of_prim(prim)->split.second, todo & ~whole);
}

/* Whether a tile that passes the depth test can be shaded as a whole. */
static bool can_shade_tile(const struct raster_pipeline *pipeline)
{
    return pipeline->whole_blocks && raster_is_early_zs(pipeline) && raster_shades(pipeline) &&
           !pipeline->query;
}

/* Shades the whole tile after its depth test. */
static void shade_tile(struct raster_worker *worker, const struct raster_prim *prim, uint64_t todo)
{
    raster_pack_flush(worker);
    if (raster_block_tile(worker, prim))
        return;
    raster_mask_whole(worker, todo);
    for (; todo; todo &= todo - 1)
        raster_block_run(worker, prim, raster_first_block_x(worker, todo),
                         raster_first_block_y(worker, todo),
                         raster_block_masks(worker, (unsigned)__builtin_ctzll(todo)), NULL);
}

static void fill_whole_tile(struct raster_worker *worker, struct pending_fill *pending,
                            const struct raster_prim *prim, uint64_t todo)
{
    const struct raster_pipeline *pipeline = prim->pipeline;

    raster_pack_test(worker);
    if (can_shade_tile(pipeline) &&
        (!raster_uses_zs(pipeline) || raster_depth_tile(worker, prim))) {
        if (raster_uses_zs(pipeline) && pipeline->ds[0].depth_write)
            raster_note_const_depth(worker, pending, prim, worker->hiz.zmin[0]);
        shade_tile(worker, prim, todo);
        return;
    }
    raster_mask_whole(worker, todo);
    raster_draw_blocks(worker, prim, todo);
}

/* The blocks that the primitive can affect. A pipeline that writes depth makes hierarchical Z
 * stale, so only primitives of constant depth are tested then. Masks of 8x8 pixels are not tested.
 */
static uint64_t find_blocks(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    bool test_hiz = pipeline->hiz && (!pipeline->ds[0].depth_write || raster_has_const_depth(prim));
    uint64_t blocks;

    worker->hiz.tested = worker->hiz.passes = worker->hiz.fails = 0;
    if (prim->kind == PRIM_MASK8X8)
        return ~UINT64_C(0);
    blocks = raster_touched_blocks(worker, prim);
    if (pipeline->stencil_cull)
        blocks = raster_hiz_cull_stencil(worker, prim, blocks);
    return test_hiz && blocks ? raster_hiz_test(worker, prim, blocks) : blocks;
}

void raster_tile_draw_prim(struct raster_worker *worker, struct pending_fill *pending,
                           const struct raster_prim *prim, bool full)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t todo;

    if (prim->kind == PRIM_NONE)
        return;
    if (pipeline != worker->pipeline)
        raster_pack_begin(worker, pipeline);
    if (full && raster_uses_zs(pipeline) && can_shade_tile(pipeline) &&
        raster_defer_const_depth(worker, pending, prim)) {
        worker->dirty_blocks = ~UINT64_C(0);
        shade_tile(worker, prim, raster_touched_blocks(worker, prim));
        return;
    }
    todo = find_blocks(worker, prim);
    if (!todo)
        return;
    if (raster_uses_zs(pipeline))
        raster_resolve_pending_fill(worker, pending);
    worker->dirty_blocks |= prim->kind == PRIM_MASK8X8 ? raster_touched_blocks(worker, prim) : todo;
    if (full)
        fill_whole_tile(worker, pending, prim, todo);
    else if (prim->kind == PRIM_MASK8X8)
        raster_pack_small(worker, prim);
    else if (prim->kind == PRIM_TRIANGLE)
        raster_draw_blocks(worker, prim, raster_coverage_triangle(worker, prim, todo));
    else if (prim->kind == PRIM_LINE)
        raster_draw_blocks(worker, prim, raster_coverage_line(worker, prim));
    else if (prim->kind == PRIM_AA_LINE)
        raster_draw_blocks(worker, prim, raster_coverage_aa_line(worker, prim, todo));
    else if (prim->kind == PRIM_SPLIT_RECT)
        fill_split_rect(worker, prim, todo);
    else
        fill_rect(worker, prim, todo);
}
