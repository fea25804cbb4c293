/* Runs a tile's bin: interprets the commands in order, sorts sprites, and defers or writes clears.
 *
 * Tested by tests/unit/raster/test_equivalence.c, tests/unit/raster/zs/test_tile_depth.c. */
#include "raster/tile/tile.h"

#include "raster/bin/prefetch.h"
#include "raster/shade/shade.h"
#include "raster/tile/draw_prim.h"
#include "raster/tile/front_to_back.h"
#include "raster/tile/preshade_tile.h"

/* --- Clears ----------------------------------------------------------------------------------- */

static void clear_depth(struct raster_worker *worker, struct pending_fill *pending,
                        const struct raster_fill *fill)
{
    if (!raster_defer_fill(worker, pending, fill)) {
        raster_resolve_pending_fill(worker, pending);
        raster_fill_tile(worker, fill);
    }
    raster_hiz_clear(worker, fill);
}

static void clear_colour(struct raster_worker *worker, const struct raster_fill *fill)
{
    uint64_t blocks = raster_fill_tile(worker, fill);

    if (raster_fills_tile(worker, fill))
        worker->prefetched_blocks |= blocks;
}

static void run_clear(struct raster_worker *worker, struct pending_fill *pending,
                      const struct raster_clear_command *clear)
{
    raster_pack_flush(worker);
    for (unsigned n = 0; n < clear->n_fills; n++) {
        if (clear->fill[n].surface == &worker->raster->targets.depth)
            clear_depth(worker, pending, &clear->fill[n]);
        else
            clear_colour(worker, &clear->fill[n]);
    }
}

static void draw_preshaded(struct raster_worker *worker, struct pending_fill *pending,
                           const struct preshaded_run *preshaded)
{
    if (worker->batch.n && raster_preshaded_conflicts(worker, preshaded))
        raster_pack_flush(worker);
    if (raster_uses_zs(preshaded->pipeline))
        raster_resolve_pending_fill(worker, pending);
    raster_preshaded_draw(worker, preshaded);
}

/* Work that is deferred from command to command. */
struct tile_state {
    struct depth_sort sort;
    struct pending_fill pending;
};

static void draw_sorted(struct raster_worker *worker, struct tile_state *state)
{
    struct depth_sort *sort = &state->sort;

    for (unsigned i = 0; i < sort->n; i++)
        raster_tile_draw_prim(worker, &state->pending, sort->prim[i], false);
    sort->n = 0;
}

static void run_command(struct raster_worker *worker, struct tile_state *state, uintptr_t command)
{
    struct depth_sort *sort = &state->sort;
    const void *data = raster_command_data(command);
    enum bin_op op = (enum bin_op)(command & BIN_OP_MASK);
    bool had_sorted = sort->n;

    if (op == BIN_PRIM && raster_depth_sort_add(sort, worker->raster, data))
        return;
    draw_sorted(worker, state);
    if (op == BIN_CLEAR)
        run_clear(worker, &state->pending, data);
    else if (op == BIN_PRESHADED)
        draw_preshaded(worker, &state->pending, data);
    else if (op == BIN_PRIM_FULL || !had_sorted ||
             !raster_depth_sort_add(sort, worker->raster, data))
        raster_tile_draw_prim(worker, &state->pending, data, op == BIN_PRIM_FULL);
}

/* Whether consecutive PRIM_MASK8X8 may be queued straight from the bin. */
static bool is_batchable(const struct raster_pipeline *pipeline)
{
    return pipeline->use_mask8x8 &&
           (pipeline->batch_zs_test || !raster_uses_zs(pipeline) || pipeline->zs_order == ZS_LATE);
}

/* The pipeline of a PRIM_MASK8X8 command, if it is batchable. */
static const struct raster_pipeline *batchable_pipeline(uintptr_t command)
{
    const struct raster_prim *prim = raster_command_data(command);

    return (command & BIN_OP_MASK) == BIN_PRIM && prim->kind == PRIM_MASK8X8 &&
                   is_batchable(prim->pipeline)
               ? prim->pipeline
               : NULL;
}

/* Queues consecutive PRIM_MASK8X8 commands from index i on; returns the next index. */
static size_t run_small(struct raster_worker *worker, struct tile_state *state,
                        const struct bin_block *cmds, size_t i)
{
    const struct raster_pipeline *pipeline;

    while (i < cmds->count && !state->sort.n && (pipeline = batchable_pipeline(cmds->command[i]))) {
        if (pipeline != worker->pipeline)
            raster_pack_begin(worker, pipeline);
        if (raster_uses_zs(pipeline))
            raster_resolve_pending_fill(worker, &state->pending);
        raster_prefetch_command(cmds, i + 3, raster_prim_base_bytes(pipeline));
        i = raster_pack_take(worker, cmds, i);
    }
    return i;
}

void raster_tile_run(struct raster *raster, unsigned number, uint32_t tile)
{
    struct raster_worker *worker = &raster->workers[number];
    struct bin *bin = &raster->bins[tile];
    struct tile_state state;

    worker->tile = (struct tile_origin){
        .x = (int32_t)(tile % raster->tiles_x << raster->tile_shift),
        .y = (int32_t)(tile / raster->tiles_x << raster->tile_shift),
        .last = raster_tile_dim(raster) - BLOCK_DIM,
    };
    worker->pipeline = NULL;
    worker->hiz.valid = worker->hiz.uniform_stencil = worker->prefetched_blocks =
        worker->dirty_blocks = 0;
    worker->block.prim = NULL;
    state.sort.n = 0;
    state.pending.valid = state.pending.unwritten = false;
    raster_tile_zs_begin(worker, bin, &state.pending);
    for (struct bin_block *cmds = bin->first; cmds; cmds = cmds->next) {
        for (size_t i = run_small(worker, &state, cmds, 0); i < cmds->count;
             i = run_small(worker, &state, cmds, i + 1)) {
            raster_prefetch_next(worker, cmds, i);
            run_command(worker, &state, cmds->command[i]);
        }
    }
    draw_sorted(worker, &state);
    raster_pack_flush(worker);
    raster_fast_clear_invalidate(worker);
    worker->zs_surface = &raster->targets.depth;
    raster_resolve_pending_fill(worker, &state.pending);
    *bin = (struct bin){0};
}
