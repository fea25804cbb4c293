/* Covered quads of one plan, primitive after primitive, packed into batches of 64 lanes; a full
 * batch is interpolated, shaded, tested and written. A pixel is in a batch at most once, so the
 * order of primitives is kept for every pixel. */
#include "raster/raster_private.h"

#include <string.h>

enum { ENOUGH_QUADS = 8 };

/* The quads from `first` on are the primitive's. */
static void add_run(struct raster_worker *worker, const struct raster_prim *prim, unsigned first)
{
    if (!worker->n_runs || worker->runs[worker->n_runs - 1].prim != prim)
        worker->runs[worker->n_runs++] = (struct raster_run){.prim = prim, .first = first * 4};
    worker->runs[worker->n_runs - 1].end = worker->n_quads * 4;
}

/* The quad that comes next; `bit` is that of its first pixel in the order of quads. */
static void add_quad(struct raster_worker *worker, int32_t x, int32_t y, unsigned bit)
{
    unsigned quad = bit / 4;

    worker->quad_x[worker->n_quads] = (uint16_t)(x + (int32_t)((quad & 1) * 2 + (quad & 4)));
    worker->quad_y[worker->n_quads] = (uint16_t)(y + (int32_t)((quad & 2) + (quad >> 1 & 4)));
    worker->n_quads++;
}

static void collect(struct raster_worker *worker, const struct raster_prim *prim, uint64_t quads,
                    int32_t x, int32_t y)
{
    worker->raster->quad_kern->collect(&worker->lanes, prim, quads, x, y, worker->n_quads * 4);
}

/* All pixels of a block, which fill a batch by themselves. */
static void add_whole_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y)
{
    collect(worker, prim, ~UINT64_C(0), x, y);
    for (unsigned bit = 0; bit < RASTER_LANES; bit += 4)
        add_quad(worker, x, y, bit);
    add_run(worker, prim, 0);
    if (prim->plan->centroid)
        memset(worker->place, 0, sizeof(worker->place)); /* all covered: centres */
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        worker->cover[s] = ~UINT64_C(0);
    raster_batch_close(worker);
}

/* Of the quad that comes next; `place` is that of its first pixel in the block. */
static void add_places(struct raster_worker *worker, const uint8_t *place)
{
    unsigned lane = worker->n_quads * 4;

    worker->place[lane] = place[0];
    worker->place[lane + 1] = place[1];
    worker->place[lane + 2] = place[BLOCK_DIM];
    worker->place[lane + 3] = place[BLOCK_DIM + 1];
}

/* The first n quads of those that have pixels. */
static uint64_t first_quads(uint64_t quads, unsigned n)
{
    uint64_t rest = raster_touched_quads(quads);
    unsigned all = (unsigned)(rest * UINT64_C(0x1111111111111111) >> 60); /* 0: 16 */

    if (all && all <= n)
        return quads;
    for (; n && rest; n--)
        rest &= rest - 1;
    return rest ? quads & ((rest & -rest) - 1) : quads;
}

/* Quads for which there is room; cover: in the order of quads, one mask a sample. */
static void add_quads(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, const uint64_t *cover, uint64_t any, const uint8_t *place)
{
    unsigned samples = worker->raster->targets.samples, first = worker->n_quads;

    collect(worker, prim, any, x, y);
    for (uint64_t rest = raster_touched_quads(any); rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest), lane = worker->n_quads * 4;

        for (unsigned s = 0; s < samples; s++)
            worker->cover[s] |= (cover[s] >> bit & 15) << lane;
        if (place)
            add_places(worker, place + raster_row_of_quad(bit));
        add_quad(worker, x, y, bit);
    }
    add_run(worker, prim, first);
}

/* The same of a target without samples. */
static void add_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t quads)
{
    static const uint8_t right[QUADS] = {0, 2, 0, 2, 4, 6, 4, 6, 0, 2, 0, 2, 4, 6, 4, 6};
    static const uint8_t down[QUADS] = {0, 0, 2, 2, 0, 0, 2, 2, 4, 4, 6, 6, 4, 4, 6, 6};
    unsigned first = worker->n_quads, n = first;
    uint64_t cover = worker->cover[0];

    collect(worker, prim, quads, x, y);
    for (uint64_t rest = raster_touched_quads(quads); rest; rest &= rest - 1, n++) {
        unsigned bit = (unsigned)__builtin_ctzll(rest);

        cover |= (quads >> bit & 15) << n * 4;
        worker->quad_x[n] = (uint16_t)(x + right[bit / 4]);
        worker->quad_y[n] = (uint16_t)(y + down[bit / 4]);
    }
    worker->cover[0] = cover;
    worker->n_quads = n;
    add_run(worker, prim, first);
}

static void add_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, const uint64_t *cover, uint64_t any, const uint8_t *place)
{
    unsigned samples = worker->raster->targets.samples, block = raster_block_number(worker, x, y);
    uint64_t quads[MAX_SAMPLES], rest = raster_quads_of_rows(any), part;

    for (unsigned s = 0; s < samples; s++)
        quads[s] = samples == 1 ? rest : raster_quads_of_rows(cover[s]);
    if (worker->used[block] & any)
        raster_batch_close(worker);
    for (; rest; rest &= ~part) {
        part = first_quads(rest, QUADS - worker->n_quads);
        worker->used[block] |= any;
        add_quads(worker, prim, x, y, quads, part, place);
        if (worker->n_quads == QUADS)
            raster_batch_close(worker);
    }
}

/* Whether a block of which some pixels are left is better shaded by itself than as quads of a
 * batch. */
static bool better_whole(const struct raster_plan *plan, int32_t x, int32_t y, uint64_t any,
                         bool all_covered)
{
    if (plan->centroid && !all_covered)
        return false;
    if (x + BLOCK_DIM > plan->room[2] || y + BLOCK_DIM > plan->room[3])
        return false;
    return __builtin_popcountll(raster_touched_quads(raster_quads_of_rows(any))) >= ENOUGH_QUADS;
}

void raster_batch_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                        int32_t y, uint64_t *cover)
{
    const struct raster_plan *plan = prim->plan;
    unsigned samples = worker->raster->targets.samples;
    bool tests = plan->depth_used && (plan->early || plan->prefilter);
    uint64_t covered = ~UINT64_C(0), any = 0, every = ~UINT64_C(0);
    uint8_t place[RASTER_LANES];

    for (unsigned s = 0; s < samples && samples > 1; s++)
        if (!(plan->s.sample_mask >> s & 1))
            cover[s] = 0;
    if (plan->centroid) /* before tests, which may come after shading as well */
        raster_centroid_places(plan, samples, cover, place);
    for (unsigned s = 0; s < samples; s++) {
        covered &= cover[s];
        if (tests && cover[s])
            cover[s] = raster_depth_block(worker, prim, x, y, s, cover[s], !plan->early);
        if (plan->early)
            raster_count_samples(worker, cover[s]);
        any |= cover[s];
        every &= cover[s];
    }
    if (!any || !plan->shades)
        return;
    if (plan->whole_blocks &&
        (every == ~UINT64_C(0) || better_whole(plan, x, y, any, ~covered == 0))) {
        if (worker->used[raster_block_number(worker, x, y)] & any)
            raster_batch_close(worker);
        raster_block_run(worker, prim, x, y, cover);
        return;
    }
    if (every == ~UINT64_C(0) && !worker->n_quads)
        add_whole_block(worker, prim, x, y);
    else
        add_block(worker, prim, x, y, cover, any, plan->centroid ? place : NULL);
    if (worker->raster->options.unpacked)
        raster_batch_close(worker);
}

/* Parts of 8x8 pixels at any place in the blocks they lie in: that of the first, and those to the
 * right, below, and both. */
static void split(uint64_t part[4], uint64_t rows, unsigned right, unsigned down)
{
    uint64_t stay = (0xffu >> right) * UINT64_C(0x0101010101010101);
    uint64_t left = (rows & stay) << right, over = (rows & ~stay) >> (BLOCK_DIM - right);

    part[0] = left << down * BLOCK_DIM;
    part[1] = over << down * BLOCK_DIM;
    part[2] = left >> (63 - down * BLOCK_DIM) >> 1;
    part[3] = over >> (63 - down * BLOCK_DIM) >> 1;
}

void raster_batch_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                        int32_t y, uint64_t rows)
{
    const struct raster_plan *plan = prim->plan;
    uint64_t *used = &worker->used[raster_block_number(worker, x, y)], parts[4], quads, now;

    if (plan->depth_used && (plan->early || plan->prefilter))
        rows = raster_depth_small(worker, prim, x, y, rows, !plan->early);
    if (plan->early && plan->query)
        raster_count_samples(worker, rows);
    if (!rows || !plan->shades)
        return;
    split(parts, rows, (unsigned)x % BLOCK_DIM, (unsigned)y % BLOCK_DIM);
    if ((used[0] & parts[0]) | (used[1] & parts[1]) | (used[BLOCK_DIM] & parts[2]) |
        (used[BLOCK_DIM + 1] & parts[3]))
        raster_batch_close(worker);
    for (quads = raster_quads_of_rows(rows); quads; quads &= ~now) {
        now = first_quads(quads, QUADS - worker->n_quads);
        used[0] |= parts[0];
        used[1] |= parts[1];
        used[BLOCK_DIM] |= parts[2];
        used[BLOCK_DIM + 1] |= parts[3];
        add_small(worker, prim, x, y, now);
        if (worker->n_quads == QUADS)
            raster_batch_close(worker);
    }
}

void raster_batch_begin(struct raster_worker *worker, const struct raster_plan *plan)
{
    raster_batch_close(worker);
    worker->plan = plan;
    worker->lanes = (struct raster_lanes){
        .attr = plan->s.attr,
        .n_attrs = plan->s.n_attrs,
        .x = plan->needs & RASTER_UNREAD_XY ? worker->x : NULL,
        .y = plan->needs & RASTER_UNREAD_XY ? worker->y : NULL,
        .z = plan->needs & RASTER_UNREAD_Z ? worker->z : NULL,
        .w = plan->needs & RASTER_UNREAD_W ? worker->w : NULL,
        .face = plan->needs & RASTER_UNREAD_FACE ? worker->face : NULL,
        .work = worker->batch_work,
    };
}

static void shade(struct raster_worker *worker, struct raster_batch *batch)
{
    const struct raster_state *state = &worker->plan->s;
    unsigned samples = worker->raster->targets.samples;
    uint64_t any = 0;

    for (unsigned s = 0; s < samples; s++)
        any |= worker->cover[s];
    *batch = (struct raster_batch){
        .worker = worker->number,
        .work = worker->batch_work,
        .x = worker->x,
        .y = worker->y,
        .z = worker->z,
        .w = worker->w,
        .face = worker->face,
        .lanes = ~UINT64_C(0) >> (RASTER_LANES - worker->n_quads * 4),
        .covered = any,
    };
    state->shade(state->shade_ctx, batch);
}

void raster_batch_close(struct raster_worker *worker)
{
    struct raster_batch batch;

    if (!worker->n_quads)
        return;
    if (worker->plan->centroid)
        raster_centroid_move(worker);
    shade(worker, &batch);
    if (!worker->plan->early)
        raster_late_tests(worker, &batch);
    raster_output_lanes(worker, &batch, worker->cover);
    memset(worker->used, 0, sizeof(worker->used));
    memset(worker->cover, 0, sizeof(worker->cover));
    worker->n_quads = worker->n_runs = 0;
}
