/* Covered quads of one plan, primitive after primitive, in a queue: 16 at a time are tested by
 * depth where that is done for quads, and what is left is interpolated, shaded, tested and written
 * as batches of 64 lanes. A pixel is in the queue at most once, so the order of primitives is kept
 * for every pixel. */
#include "raster/quad_queue.h"

#include <string.h>

/* --- A full batch ----------------------------------------------------------------------------- */

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
        .lanes = ~UINT64_C(0) >> (RASTER_LANES - worker->quads.n * 4),
        .covered = any,
    };
    state->shade(state->shade_ctx, batch);
}

static void run(struct raster_worker *worker)
{
    struct raster_batch batch;

    worker->raster->quad_kern->interpolate(&worker->lanes, &worker->quads);
    if (worker->plan->centroid)
        raster_centroid_move(worker);
    shade(worker, &batch);
    if (!worker->plan->early)
        raster_late_tests(worker, &batch);
    raster_output_lanes(worker, &batch, worker->cover);
}

/* Of a quad of a block, where it lies in it. */
static const uint8_t quad_right[QUADS] = {0, 2, 0, 2, 4, 6, 4, 6, 0, 2, 0, 2, 4, 6, 4, 6};
static const uint8_t quad_down[QUADS] = {0, 0, 2, 2, 0, 0, 2, 2, 4, 4, 6, 6, 4, 4, 6, 6};

/* --- Pixels that are used --------------------------------------------------------------------- */

static void use_quad(struct raster_worker *worker, int32_t x, int32_t y, uint64_t pixels)
{
    uint64_t *used = worker->waiting.used + (y - worker->tile.y);

    used[0] |= (pixels & 3) << (x - worker->tile.x);
    used[1] |= (pixels >> 2 & 3) << (x - worker->tile.x);
}

/* Those of quads in the queue and no others. */
static void find_used(struct raster_worker *worker)
{
    struct raster_waiting *waiting = &worker->waiting;

    worker->raster->wait_kern->forget(waiting);
    for (unsigned q = waiting->first; q < waiting->n; q++)
        use_quad(worker, waiting->x[q], waiting->y[q], waiting->pixels[q]);
    waiting->any = waiting->n > waiting->first;
    waiting->stale = false;
}

static uint64_t used_rows(const struct raster_worker *worker, unsigned block)
{
    const uint64_t *used = worker->waiting.used + block / BLOCK_DIM * BLOCK_DIM;
    unsigned right = block % BLOCK_DIM * BLOCK_DIM;
    uint64_t rows = 0;

    for (unsigned y = 0; y < BLOCK_DIM; y++)
        rows |= (used[y] >> right & 0xff) << y * BLOCK_DIM;
    return rows;
}

/* The bits of the bytes that are not 0. */
static uint64_t bytes_used(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);

    word = ((((word & low) + low) | word) & ~low) >> 7; /* 1 for each of them */
    return word * UINT64_C(0x0102040810204080) >> 56;
}

static uint64_t blocks_of(const uint64_t rows[WAIT_ROWS], uint64_t blocks)
{
    uint64_t some = 0;

    for (uint64_t rest = blocks; rest;) {
        unsigned y = (unsigned)__builtin_ctzll(rest) / BLOCK_DIM * BLOCK_DIM;
        const uint64_t *r = rows + y;

        some |= bytes_used(r[0] | r[1] | r[2] | r[3] | r[4] | r[5] | r[6] | r[7]) << y;
        rest &= ~(UINT64_C(0xff) << y);
    }
    return some & blocks;
}

uint64_t raster_batch_busy(const struct raster_worker *worker, uint64_t blocks)
{
    return worker->waiting.any ? blocks_of(worker->waiting.used, blocks) : 0;
}

uint64_t raster_batch_seen(struct raster_worker *worker)
{
    struct raster_waiting *waiting = &worker->waiting;
    uint64_t seen = 0;

    if (waiting->any_seen) {
        seen = blocks_of(waiting->seen, ~UINT64_C(0));
        memset(waiting->seen, 0, sizeof(waiting->seen));
    }
    waiting->any_seen = false;
    return seen;
}

bool raster_batch_has(struct raster_worker *worker, unsigned block, uint64_t rows)
{
    if (!worker->waiting.any || !(used_rows(worker, block) & rows))
        return false;
    if (!worker->waiting.stale)
        return true;
    find_used(worker);
    return used_rows(worker, block) & rows;
}

/* --- Quads that wait -------------------------------------------------------------------------- */

/* Whether depth is tested before shading, if not later. */
static bool tests_early(const struct raster_plan *plan)
{
    return plan->depth_used && (plan->early || plan->prefilter);
}

/* The pixels of 16 quads, a byte each, as lanes. */
static uint64_t pack_pixels(const uint8_t pixels[QUADS])
{
    uint64_t half[2];

    memcpy(half, pixels, sizeof(half));
    for (unsigned i = 0; i < 2; i++) {
        half[i] = (half[i] | half[i] >> 4) & UINT64_C(0x00ff00ff00ff00ff);
        half[i] = (half[i] | half[i] >> 8) & UINT64_C(0x0000ffff0000ffff);
        half[i] = (half[i] | half[i] >> 16) & UINT64_C(0x00000000ffffffff);
    }
    return half[0] | half[1] << 32;
}

static struct raster_quads quads_from(const struct raster_waiting *waiting, unsigned first,
                                      unsigned end)
{
    return (struct raster_quads){.x = waiting->x + first,
                                 .y = waiting->y + first,
                                 .prim = waiting->prim + first,
                                 .n = end - first < QUADS ? end - first : QUADS};
}

/* Moves the quads from `from` on to `to`, which is before them. */
static void move_quads(struct raster_waiting *waiting, unsigned to, unsigned from)
{
    unsigned n = waiting->n - from;

    memmove(waiting->x + to, waiting->x + from, n * sizeof(*waiting->x));
    memmove(waiting->y + to, waiting->y + from, n * sizeof(*waiting->y));
    memmove(waiting->prim + to, waiting->prim + from, n * sizeof(*waiting->prim));
    memmove(waiting->pixels + to, waiting->pixels + from, n);
    waiting->n = to + n;
}

/* Keeps those of n quads that have pixels left; returns how many. */
static unsigned drop_failed(struct raster_waiting *waiting, unsigned n, uint64_t passed)
{
    unsigned to = waiting->tested;

    for (unsigned q = waiting->tested, end = q + n; q < end; q++, passed >>= 4) {
        waiting->x[to] = waiting->x[q];
        waiting->y[to] = waiting->y[q];
        waiting->prim[to] = waiting->prim[q];
        waiting->pixels[to] = (uint8_t)(passed & 15);
        to += (passed & 15) != 0;
    }
    move_quads(waiting, to, waiting->tested + n);
    return to - waiting->tested;
}

/* Shades the quads that were tested first. */
static void run_first(struct raster_worker *worker)
{
    struct raster_waiting *waiting = &worker->waiting;

    worker->quads = quads_from(waiting, waiting->first, waiting->tested);
    if (worker->raster->targets.samples == 1)
        worker->cover[0] = pack_pixels(waiting->pixels + waiting->first) &
                           ~UINT64_C(0) >> (RASTER_LANES - worker->quads.n * 4);
    run(worker);
    memset(worker->cover, 0, sizeof(worker->cover));
    waiting->stale = true;
    waiting->first += worker->quads.n;
    if (waiting->first > WAIT_ROOM / 2) {
        waiting->tested -= waiting->first;
        move_quads(waiting, 0, waiting->first);
        waiting->first = 0;
    }
}

/* Tests the quads that have waited longest. */
static void test_waiting(struct raster_worker *worker)
{
    const struct raster_plan *plan = worker->plan;
    struct raster_waiting *waiting = &worker->waiting;
    struct raster_quads quads = quads_from(waiting, waiting->tested, waiting->n);
    uint64_t cover = pack_pixels(waiting->pixels + waiting->tested), passed;

    cover &= ~UINT64_C(0) >> (RASTER_LANES - quads.n * 4);
    passed = plan->tests_quads && tests_early(plan)
                 ? raster_depth_quads(worker, &quads, cover, plan->early)
                 : cover;
    if (plan->early)
        raster_count_samples(worker, passed);
    passed = plan->shades ? passed : 0;
    if (passed != cover) {
        waiting->stale = true;
        waiting->tested += drop_failed(waiting, quads.n, passed);
    } else {
        waiting->tested += quads.n;
    }
    if (waiting->tested - waiting->first >= QUADS)
        run_first(worker);
}

void raster_batch_test(struct raster_worker *worker)
{
    raster_frag_batch_test(worker);
    while (worker->waiting.tested < worker->waiting.n)
        test_waiting(worker);
}

/* Of the quad that comes next; `place` is that of its first pixel in the block. */
static void add_places(struct raster_worker *worker, unsigned lane, const uint8_t *place)
{
    worker->place[lane] = place[0];
    worker->place[lane + 1] = place[1];
    worker->place[lane + 2] = place[BLOCK_DIM];
    worker->place[lane + 3] = place[BLOCK_DIM + 1];
}

/* Needs no test. */
static void add_quad(struct raster_waiting *waiting, const struct raster_prim *prim, int32_t x,
                     int32_t y, uint64_t pixels)
{
    waiting->x[waiting->n] = x;
    waiting->y[waiting->n] = y;
    waiting->pixels[waiting->n] = (uint8_t)pixels;
    waiting->prim[waiting->n++] = prim;
    waiting->tested++;
}

void raster_batch_add_whole(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y)
{
    for (unsigned q = 0; q < QUADS; q++)
        add_quad(&worker->waiting, prim, x + quad_right[q], y + quad_down[q], 15);
    if (prim->plan->centroid)
        memset(worker->place, 0, sizeof(worker->place)); /* all covered: centres */
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        worker->cover[s] = ~UINT64_C(0);
    run_first(worker);
}

void raster_batch_add_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, const uint64_t *cover, uint64_t any, const uint8_t *place)
{
    struct raster_waiting *waiting = &worker->waiting;
    unsigned samples = worker->raster->targets.samples;
    uint64_t quads[MAX_SAMPLES], rest = raster_quads_of_rows(any), all = rest;

    raster_batch_test(worker);
    if (prim->plan->frag_batch) {
        raster_frag_batch_put(worker, prim, (unsigned)(x - worker->tile.x),
                              (unsigned)(y - worker->tile.y), any, true);
        return;
    }
    for (unsigned s = 0; s < samples; s++)
        quads[s] = samples == 1 ? rest : raster_quads_of_rows(cover[s]);
    if (raster_batch_has(worker, raster_block_number(worker, x, y), any))
        raster_batch_close(worker);
    waiting->any = true;
    for (rest = raster_touched_quads(rest); rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest), lane = (waiting->n - waiting->first) * 4;
        int32_t left = x + quad_right[bit / 4], top = y + quad_down[bit / 4];

        for (unsigned s = 0; s < samples; s++)
            worker->cover[s] |= (quads[s] >> bit & 15) << lane;
        if (place)
            add_places(worker, lane, place + raster_row_of_quad(bit));
        use_quad(worker, left, top, all >> bit & 15);
        add_quad(waiting, prim, left, top, all >> bit & 15);
        if (waiting->n - waiting->first == QUADS)
            run_first(worker);
    }
}

/* Pixels that wait already are drawn before others there come. */
static void make_way(struct raster_worker *worker)
{
    if (worker->waiting.stale)
        find_used(worker);
    else
        raster_batch_close(worker);
}

void raster_batch_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                      unsigned y, uint64_t rows)
{
    struct raster_waiting *waiting = &worker->waiting;

    if (prim->plan->frag_batch) {
        raster_frag_batch_put(worker, prim, x, y, rows, false);
        return;
    }
    while (!worker->raster->wait_kern->put(waiting, &worker->tile, prim, x, y, rows))
        make_way(worker);
    waiting->any = true;
    if (waiting->n - waiting->tested >= WAIT_ENOUGH)
        test_waiting(worker);
}

/* --- Small triangles -------------------------------------------------------------------------- */

void raster_batch_small(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_plan *plan = prim->plan;
    uint64_t rows = prim->few.pixels[0] | (uint64_t)prim->few.pixels[1] << 32;
    int32_t x = prim->few.x, y = prim->few.y;

    rows = raster_move_into_tile(&worker->tile, rows, &x, &y);
    if (rows && tests_early(plan) && !plan->tests_quads)
        rows = raster_depth_small(worker, prim, worker->tile.x + x, worker->tile.y + y, rows,
                                  !plan->early);
    if (rows)
        raster_batch_put(worker, prim, (unsigned)x, (unsigned)y, rows);
}

size_t raster_batch_run(struct raster_worker *worker, const struct bin_chunk *chunk, size_t i)
{
    struct raster_waiting *waiting = &worker->waiting;
    size_t first = i;

    if (worker->plan->frag_batch)
        return raster_frag_batch_take(worker, chunk, i);
    for (;;) {
        i = worker->raster->wait_kern->take(waiting, &worker->tile, worker->plan, chunk, i);
        waiting->any |= i > first;
        if (waiting->n - waiting->tested >= WAIT_ENOUGH)
            test_waiting(worker);
        else if (i < chunk->count && raster_is_small(chunk->command[i], worker->plan))
            make_way(worker);
        else
            return i;
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

void raster_batch_close(struct raster_worker *worker)
{
    struct raster_waiting *waiting = &worker->waiting;

    raster_frag_batch_flush(worker);
    raster_batch_test(worker);
    if (waiting->first < waiting->n)
        run_first(worker);
    waiting->first = waiting->tested = waiting->n = 0;
    if (waiting->any)
        worker->raster->wait_kern->forget(waiting);
    waiting->any = waiting->stale = false;
}
