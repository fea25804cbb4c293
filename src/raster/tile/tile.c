/* Runs a tile's bin: draws primitives as blocks of 8x8 pixels, in order, and defers or writes
 * clears. */
#include "raster/zs/pending_fill.h"
#include "raster/setup/preshade.h"

#include <string.h>

static int32_t clamp_to_block(int32_t i)
{
    return i < 0 ? 0 : i > BLOCK_DIM ? BLOCK_DIM : i;
}

uint64_t raster_rect_mask(const int32_t rect[4], int32_t x, int32_t y)
{
    int32_t left = clamp_to_block(rect[0] - x), right = clamp_to_block(rect[2] - x);
    int32_t top = clamp_to_block(rect[1] - y), bottom = clamp_to_block(rect[3] - y);
    uint64_t row, rows;

    if (left >= right || top >= bottom)
        return 0;
    row = 0xffu >> (BLOCK_DIM - right) & 0xffu << left;
    rows = ~UINT64_C(0) >> (BLOCK_DIM - bottom) * BLOCK_DIM & ~UINT64_C(0) << top * BLOCK_DIM;
    return row * UINT64_C(0x0101010101010101) & rows;
}

/* The blocks of the worker's tile that the primitive's bounds touch. */
static uint64_t touched_blocks(const struct raster_worker *worker, const struct raster_prim *prim)
{
    int32_t cut[4], tile[4];
    uint64_t row, rows;

    raster_tile_rect(worker, tile);
    raster_prim_rect(prim, cut);
    if (!raster_rect_intersect(cut, tile))
        return 0;
    row = 0xff >> (BLOCK_DIM - 1 - (cut[2] - 1 - tile[0]) / BLOCK_DIM) &
          0xff << (cut[0] - tile[0]) / BLOCK_DIM;
    rows = ~UINT64_C(0) >> (BLOCK_DIM - 1 - (cut[3] - 1 - tile[1]) / BLOCK_DIM) * BLOCK_DIM;
    rows &= ~UINT64_C(0) << (cut[1] - tile[1]) / BLOCK_DIM * BLOCK_DIM;
    return row * UINT64_C(0x0101010101010101) & rows;
}

static void set_masks(struct raster_worker *worker, unsigned block, uint64_t mask)
{
    uint64_t *masks = raster_block_masks(worker, block);

    masks[0] = mask;
    for (unsigned s = 1; s < worker->raster->targets.samples; s++)
        masks[s] = mask;
}

void raster_mask_whole(struct raster_worker *worker, uint64_t blocks)
{
    for (; blocks; blocks &= blocks - 1)
        set_masks(worker, (unsigned)__builtin_ctzll(blocks), ~UINT64_C(0));
}

/* Position of the first block of a mask. */
static int32_t block_x(const struct raster_worker *worker, uint64_t blocks)
{
    return worker->tile.x + __builtin_ctzll(blocks) % BLOCK_DIM * BLOCK_DIM;
}

static int32_t block_y(const struct raster_worker *worker, uint64_t blocks)
{
    return worker->tile.y + __builtin_ctzll(blocks) / BLOCK_DIM * BLOCK_DIM;
}

static void mask_rect(struct raster_worker *worker, const struct raster_prim *prim, uint64_t blocks)
{
    for (uint64_t rest = blocks; rest; rest &= rest - 1)
        set_masks(worker, (unsigned)__builtin_ctzll(rest),
                  raster_rect_mask(prim->rect, block_x(worker, rest), block_y(worker, rest)));
}

static void fill_rect(struct raster_worker *worker, const struct raster_prim *prim, uint64_t todo)
{
    mask_rect(worker, prim, todo);
    raster_draw_blocks(worker, prim, todo);
}

/* Draws each half in its blocks, and both in the blocks that the diagonal crosses. */
static void fill_split_rect(struct raster_worker *worker, const struct raster_prim *prim,
                            uint64_t todo)
{
    uint64_t whole, pixels[BLOCKS_PER_TILE];
    uint64_t first = raster_coverage_split_edge(worker, prim, todo, &whole, pixels);
    uint64_t both = first & ~whole;

    mask_rect(worker, prim, first);
    for (uint64_t rest = both; rest; rest &= rest - 1)
        worker->masks[__builtin_ctzll(rest)] &= pixels[__builtin_ctzll(rest)];
    raster_draw_blocks(worker, prim, first);
    mask_rect(worker, prim, todo & ~whole);
    for (uint64_t rest = both; rest; rest &= rest - 1)
        worker->masks[__builtin_ctzll(rest)] &= ~pixels[__builtin_ctzll(rest)];
    raster_draw_blocks(worker, raster_edges_of_prim(prim)->split.second, todo & ~whole);
}

/* Whether a tile that passes the depth test can be shaded as a whole. */
static bool can_shade_tile(const struct raster_pipeline *pipeline)
{
    return pipeline->whole_blocks && pipeline->early_zs && pipeline->shades && !pipeline->query;
}

/* Shades the whole tile after its depth test. */
static void shade_tile(struct raster_worker *worker, const struct raster_prim *prim, uint64_t todo)
{
    raster_quad_queue_flush(worker);
    if (raster_block_tile(worker, prim))
        return;
    raster_mask_whole(worker, todo);
    for (; todo; todo &= todo - 1)
        raster_block_run(worker, prim, block_x(worker, todo), block_y(worker, todo),
                         raster_block_masks(worker, (unsigned)__builtin_ctzll(todo)));
}

static void fill_whole_tile(struct raster_worker *worker, struct pending_fill *pending,
                            const struct raster_prim *prim, uint64_t todo)
{
    const struct raster_pipeline *pipeline = prim->pipeline;

    raster_quad_queue_test(worker);
    if (can_shade_tile(pipeline) && (!pipeline->depth_used || raster_depth_tile(worker, prim))) {
        if (pipeline->depth_used && pipeline->ds[0].depth_write)
            raster_note_const_depth(worker, pending, prim, worker->hiz.zmin[0]);
        shade_tile(worker, prim, todo);
        return;
    }
    raster_mask_whole(worker, todo);
    raster_draw_blocks(worker, prim, todo);
}

/* Collects the line's pixels in the tile by block, then draws the blocks in order. */
static void fill_line(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_line *line = &raster_edges_of_prim(prim)->line;
    uint64_t masks[BLOCKS_PER_TILE] = {0}, blocks = 0;
    int32_t rect[4], tile[4];

    raster_tile_rect(worker, tile);
    memcpy(rect, prim->rect, sizeof(rect));
    if (!raster_rect_intersect(rect, tile))
        return;
    for (int32_t m = rect[line->y_major]; m < rect[line->y_major + 2]; m++) {
        int32_t minor = raster_line_minor(line, m);
        int32_t x = (line->y_major ? minor : m), y = (line->y_major ? m : minor);

        if (x < rect[0] || x >= rect[2] || y < rect[1] || y >= rect[3])
            continue;
        x -= worker->tile.x;
        y -= worker->tile.y;
        masks[y / BLOCK_DIM * BLOCK_DIM + x / BLOCK_DIM] |=
            UINT64_C(1) << (y % BLOCK_DIM * BLOCK_DIM + x % BLOCK_DIM);
    }
    for (unsigned i = 0; i < BLOCKS_PER_TILE; i++) {
        set_masks(worker, i, masks[i]);
        blocks |= (uint64_t)(masks[i] != 0) << i;
    }
    raster_draw_blocks(worker, prim, blocks);
}

/* The blocks that the primitive can affect. A pipeline that writes depth makes hierarchical Z
 * stale, so only primitives of constant depth are tested then. */
static uint64_t find_blocks(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    bool test_hiz = pipeline->hiz && (!pipeline->ds[0].depth_write || raster_has_const_depth(prim));
    uint64_t blocks;

    worker->hiz.tested = worker->hiz.passes = worker->hiz.fails = 0;
    if (prim->kind == PRIM_MASK8X8 && !test_hiz)
        return ~UINT64_C(0);
    blocks = touched_blocks(worker, prim);
    if (pipeline->stencil_cull)
        blocks = raster_hiz_cull_stencil(worker, prim, blocks);
    return test_hiz && blocks ? raster_hiz_test(worker, prim, blocks) : blocks;
}

static void run_prim(struct raster_worker *worker, struct pending_fill *pending,
                     const struct raster_prim *prim, bool full)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t todo;

    if (prim->kind == PRIM_NONE)
        return;
    if (pipeline != worker->pipeline)
        raster_quad_queue_begin(worker, pipeline);
    if (full && pipeline->depth_used && can_shade_tile(pipeline) &&
        raster_defer_const_depth(worker, pending, prim)) {
        worker->dirty_blocks = ~UINT64_C(0);
        shade_tile(worker, prim, touched_blocks(worker, prim));
        return;
    }
    todo = find_blocks(worker, prim);
    if (!todo)
        return;
    if (pipeline->depth_used)
        raster_resolve_pending_fill(worker, pending);
    worker->dirty_blocks |= prim->kind == PRIM_MASK8X8 ? touched_blocks(worker, prim) : todo;
    if (full)
        fill_whole_tile(worker, pending, prim, todo);
    else if (prim->kind == PRIM_MASK8X8)
        raster_quad_queue_small(worker, prim);
    else if (prim->kind == PRIM_TRIANGLE)
        raster_draw_blocks(worker, prim, raster_coverage_triangle(worker, prim, todo));
    else if (prim->kind == PRIM_LINE)
        fill_line(worker, prim);
    else if (prim->kind == PRIM_SPLIT_RECT)
        fill_split_rect(worker, prim, todo);
    else
        fill_rect(worker, prim, todo);
}

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
    raster_quad_queue_flush(worker);
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
    if (worker->quad_queue.any_in_flight && raster_preshaded_conflicts(worker, preshaded))
        raster_quad_queue_flush(worker);
    if (preshaded->pipeline->depth_used)
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
        run_prim(worker, &state->pending, sort->prim[i], false);
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
        run_prim(worker, &state->pending, data, op == BIN_PRIM_FULL);
}

/* The pipeline of a PRIM_MASK8X8 command, if it is batchable. */
static const struct raster_pipeline *batchable_pipeline(uintptr_t command)
{
    const struct raster_prim *prim = raster_command_data(command);

    return (command & BIN_OP_MASK) == BIN_PRIM && prim->kind == PRIM_MASK8X8 &&
                   prim->pipeline->batchable
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
            raster_quad_queue_begin(worker, pipeline);
        if (pipeline->depth_used)
            raster_resolve_pending_fill(worker, &state->pending);
        raster_prefetch_command(cmds, i + 3, raster_prim_base_bytes(pipeline));
        i = raster_quad_queue_take(worker, cmds, i);
    }
    return i;
}

/* Prefetches preshaded runs in two steps, because their length is in their first cache line. */
static void prefetch_next(const struct raster_worker *worker, const struct bin_block *cmds,
                          size_t i)
{
    const struct preshaded_run *next;

    if ((cmds->command[i] & BIN_OP_MASK) != BIN_PRESHADED) {
        raster_prefetch_command(cmds, i + 3,
                                worker->pipeline ? raster_prim_base_bytes(worker->pipeline) : 64);
        return;
    }
    raster_prefetch_command(cmds, i + 8, 128);
    if (i + 4 >= cmds->count || (cmds->command[i + 4] & BIN_OP_MASK) != BIN_PRESHADED)
        return;
    next = raster_command_data(cmds->command[i + 4]);
    for (unsigned at = 128; at < next->n * 10 + 24; at += 64)
        __builtin_prefetch((const char *)next + at);
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
    worker->last_prim = NULL;
    state.sort.n = 0;
    state.pending.valid = state.pending.unwritten = false;
    raster_tile_zs_begin(worker, bin, &state.pending);
    for (struct bin_block *cmds = bin->first; cmds; cmds = cmds->next) {
        for (size_t i = run_small(worker, &state, cmds, 0); i < cmds->count;
             i = run_small(worker, &state, cmds, i + 1)) {
            prefetch_next(worker, cmds, i);
            run_command(worker, &state, cmds->command[i]);
        }
    }
    draw_sorted(worker, &state);
    raster_quad_queue_flush(worker);
    raster_fast_clear_invalidate(worker);
    worker->zs_surface = &raster->targets.depth;
    raster_resolve_pending_fill(worker, &state.pending);
    *bin = (struct bin){0};
}
