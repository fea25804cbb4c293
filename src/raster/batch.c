/* Covered quads of one plan, primitive after primitive, packed into batches of 64 lanes; a full
 * batch is interpolated, shaded, tested and written. Those of few pixels are tested by depth when
 * they fill a batch, and what fails makes room for more. A pixel is in a batch at most once, so the
 * order of primitives is kept for every pixel. */
#include "raster/batch.h"

#include <string.h>

enum { NEARLY_FULL = QUADS - 3 };

/* --- Quads ------------------------------------------------------------------------------------ */

/* Of a quad of a block, where it lies in it. */
static const uint8_t quad_right[QUADS] = {0, 2, 0, 2, 4, 6, 4, 6, 0, 2, 0, 2, 4, 6, 4, 6};
static const uint8_t quad_down[QUADS] = {0, 0, 2, 2, 0, 0, 2, 2, 4, 4, 6, 6, 4, 4, 6, 6};

/* Which bit of worker->used is the first of a quad's: that of its column in the tile and that of
 * its row. */
#define BY_BLOCKS(block, low, high)                                                                \
    (block), (block) + (low), (block) + (high), (block) + (low) + (high)
#define BY_TILE(block, low, high)                                                                  \
    BY_BLOCKS(0, low, high), BY_BLOCKS(block, low, high), BY_BLOCKS(2 * (block), low, high),       \
        BY_BLOCKS(3 * (block), low, high), BY_BLOCKS(4 * (block), low, high),                      \
        BY_BLOCKS(5 * (block), low, high), BY_BLOCKS(6 * (block), low, high),                      \
        BY_BLOCKS(7 * (block), low, high)
static const uint16_t column_bit[1 << (TILE_SHIFT - 1)] = {BY_TILE(RASTER_LANES, 4, 16)};
static const uint16_t row_bit[1 << (TILE_SHIFT - 1)] = {BY_TILE(RASTER_LANES * BLOCK_DIM, 8, 32)};

static unsigned used_bit(const struct raster_worker *worker, int32_t x, int32_t y)
{
    return column_bit[(unsigned)(x - worker->tile_x) / 2] +
           row_bit[(unsigned)(y - worker->tile_y) / 2];
}

/* Takes back what a quad that was put into the batch used. */
static void free_pixels(struct raster_worker *worker, int32_t x, int32_t y, uint64_t pixels)
{
    unsigned place = used_bit(worker, x, y);

    worker->used[place / RASTER_LANES] &= ~(pixels << place % RASTER_LANES);
}

/* Keeps those of the untested quads that have pixels left. */
static void drop_failed(struct raster_worker *worker, uint64_t untested, uint64_t passed)
{
    struct raster_quads *quads = &worker->quads;
    unsigned n = worker->tested;

    for (unsigned q = n; q < quads->n; q++) {
        uint64_t pixels = passed >> q * 4 & 15;

        if (!pixels) {
            free_pixels(worker, quads->x[q], quads->y[q], untested >> q * 4 & 15);
            continue;
        }
        quads->x[n] = quads->x[q];
        quads->y[n] = quads->y[q];
        quads->prim[n] = quads->prim[q];
        worker->cover[0] |= pixels << n++ * 4;
    }
    quads->n = n;
}

static void test_quads(struct raster_worker *worker)
{
    const struct raster_plan *plan = worker->plan;
    const struct raster_surface *surface = &worker->raster->targets.depth;
    struct raster_quads *quads = &worker->quads;
    struct raster_quad_depth depth = {.quads = quads,
                                      .first = worker->tested,
                                      .base = surface->data,
                                      .pitch = surface->row_pitch,
                                      .write = plan->early};
    uint64_t untested = worker->cover[0] >> worker->tested * 4 << worker->tested * 4, passed;

    passed = worker->raster->quad_kern->test_depth(&plan->ds[0], &depth, untested);
    if (plan->early)
        raster_count_samples(worker, passed);
    if (plan->early && plan->ds[0].depth_write)
        raster_coarse_wrote_quads(worker, worker->tested);
    worker->cover[0] ^= untested;
    passed = plan->shades ? passed : 0;
    if (raster_touched_quads(passed) == raster_touched_quads(untested))
        worker->cover[0] |= passed;
    else
        drop_failed(worker, untested, passed);
    worker->tested = quads->n;
}

void raster_batch_test(struct raster_worker *worker)
{
    if (worker->tested < worker->quads.n)
        test_quads(worker);
}

/* Of the quad that comes next; `place` is that of its first pixel in the block. */
static void add_places(struct raster_worker *worker, const uint8_t *place)
{
    unsigned lane = worker->quads.n * 4;

    worker->place[lane] = place[0];
    worker->place[lane + 1] = place[1];
    worker->place[lane + 2] = place[BLOCK_DIM];
    worker->place[lane + 3] = place[BLOCK_DIM + 1];
}

static void add_quad(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                     int32_t y)
{
    struct raster_quads *quads = &worker->quads;

    quads->x[quads->n] = x;
    quads->y[quads->n] = y;
    quads->prim[quads->n++] = prim;
}

static void close_full(struct raster_worker *worker)
{
    raster_batch_test(worker);
    if (worker->quads.n >= NEARLY_FULL)
        raster_batch_close(worker);
}

void raster_batch_add_whole(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y)
{
    for (unsigned q = 0; q < QUADS; q++)
        add_quad(worker, prim, x + quad_right[q], y + quad_down[q]);
    worker->tested = QUADS;
    if (prim->plan->centroid)
        memset(worker->place, 0, sizeof(worker->place)); /* all covered: centres */
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        worker->cover[s] = ~UINT64_C(0);
    raster_batch_close(worker);
}

void raster_batch_add_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, const uint64_t *cover, uint64_t any, const uint8_t *place)
{
    unsigned samples = worker->raster->targets.samples;
    uint64_t quads[MAX_SAMPLES], rest = raster_quads_of_rows(any), *used;

    raster_batch_test(worker);
    for (unsigned s = 0; s < samples; s++)
        quads[s] = samples == 1 ? rest : raster_quads_of_rows(cover[s]);
    used = &worker->used[raster_block_number(worker, x, y)];
    if (*used & rest)
        raster_batch_close(worker);
    for (rest = raster_touched_quads(rest); rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest), lane = worker->quads.n * 4;

        for (unsigned s = 0; s < samples; s++) {
            uint64_t pixels = quads[s] >> bit & 15;

            worker->cover[s] |= pixels << lane;
            *used |= pixels << bit;
        }
        if (place)
            add_places(worker, place + raster_row_of_quad(bit));
        add_quad(worker, prim, x + quad_right[bit / 4], y + quad_down[bit / 4]);
        worker->tested = worker->quads.n;
        if (worker->quads.n == QUADS)
            close_full(worker);
    }
}

/* Adds quads of 8x8 pixels until the batch is full or has a pixel of the next; returns the rest. */
static inline uint64_t add_until(struct raster_worker *worker, const struct raster_prim *prim,
                                 int32_t x, int32_t y, uint64_t rest, bool tested)
{
    struct raster_quads *quads = &worker->quads;
    uint64_t *used = worker->used, cover = 0;
    int32_t left = x - worker->tile_x, top = y - worker->tile_y;
    unsigned n = quads->n, first = n;

    while (rest && n < QUADS) {
        unsigned bit = (unsigned)__builtin_ctzll(rest) & ~3u, right = quad_right[bit / 4],
                 down = quad_down[bit / 4];
        unsigned place = column_bit[(unsigned)(left + (int32_t)right) / 2] +
                         row_bit[(unsigned)(top + (int32_t)down) / 2];
        uint64_t pixels = rest >> bit & 15, mine = pixels << place % RASTER_LANES;

        if (used[place / RASTER_LANES] & mine)
            break;
        used[place / RASTER_LANES] |= mine;
        rest ^= pixels << bit;
        cover |= pixels << (n - first) * 4;
        quads->x[n] = x + (int32_t)right;
        quads->y[n] = y + (int32_t)down;
        quads->prim[n++] = prim;
    }
    worker->cover[0] |= n > first ? cover << first * 4 : 0;
    worker->tested = tested ? n : worker->tested;
    quads->n = n;
    return rest;
}

void raster_batch_add_quads(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, uint64_t quads, bool tested)
{
    while ((quads = add_until(worker, prim, x, y, quads, tested))) {
        if (worker->quads.n == QUADS)
            close_full(worker);
        else
            raster_batch_close(worker);
    }
    if (worker->quads.n == QUADS)
        close_full(worker);
}

/* --- Small triangles -------------------------------------------------------------------------- */

/* Columns from 0 to 7 - n of every row of 8. */
static uint64_t first_columns(int32_t n)
{
    return (0xffu >> n) * UINT64_C(0x0101010101010101);
}

/* Moves the 8x8 pixels at (x, y) to where they lie in the tile; those past it are lost. */
static uint64_t move_into_tile(const struct raster_worker *worker, uint64_t rows, int32_t *x,
                               int32_t *y)
{
    int32_t last = raster_tile_dim(worker->raster) - BLOCK_DIM;
    int32_t left = *x - worker->tile_x, top = *y - worker->tile_y;

    if (left < 0)
        rows = rows >> -left & first_columns(-left);
    else if (left > last)
        rows = (rows & first_columns(left - last)) << (left - last);
    if (top < 0)
        rows >>= -top * BLOCK_DIM;
    else if (top > last)
        rows <<= (top - last) * BLOCK_DIM;
    *x = worker->tile_x + (left < 0 ? 0 : left > last ? last : left);
    *y = worker->tile_y + (top < 0 ? 0 : top > last ? last : top);
    return rows;
}

/* The first columns and rows of a block's quads, as many. */
static const uint64_t left_quads[] = {0, UINT64_C(0x00000f0f00000f0f), UINT64_C(0x0000ffff0000ffff),
                                      UINT64_C(0x0f0fffff0f0fffff), ~UINT64_C(0)};
static const uint64_t upper_quads[] = {0, UINT64_C(0x0000000000ff00ff),
                                       UINT64_C(0x00000000ffffffff), UINT64_C(0x00ff00ffffffffff),
                                       ~UINT64_C(0)};

/* Of four columns or rows of quads from `at` on those that lie in a tile of `dim`. */
static uint64_t those_inside(const uint64_t first[5], int32_t at, int32_t dim)
{
    if (at < 0)
        return ~first[-at];
    return first[dim - at < 4 ? dim - at : 4];
}

/* Those of 8x8 pixels at (x, y) whose quads lie in the tile. */
static uint64_t quads_in_tile(const struct raster_worker *worker, uint64_t quads, int32_t x,
                              int32_t y)
{
    int32_t dim = raster_tile_dim(worker->raster) / 2;

    return quads & those_inside(left_quads, (x - worker->tile_x) / 2, dim) &
           those_inside(upper_quads, (y - worker->tile_y) / 2, dim);
}

/* Where depth is tested early, but not together with that of other quads. */
static uint64_t test_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t *x,
                           int32_t *y, uint64_t quads)
{
    uint64_t rows = move_into_tile(worker, raster_rows_of_quads(quads), x, y);

    return raster_quads_of_rows(raster_depth_small(worker, prim, *x, *y, rows, !prim->plan->early));
}

void raster_batch_small(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_plan *plan = prim->plan;
    bool tests = plan->depth_used && (plan->early || plan->prefilter);
    uint64_t quads = prim->few.pixels[0] | (uint64_t)prim->few.pixels[1] << 32;
    uint32_t last = (uint32_t)raster_tile_dim(worker->raster) - BLOCK_DIM;
    int32_t x = prim->few.x, y = prim->few.y;

    if ((uint32_t)(x - worker->tile_x) > last || (uint32_t)(y - worker->tile_y) > last)
        quads = quads_in_tile(worker, quads, x, y);
    if (tests && plan->tests_quads) {
        raster_batch_add_quads(worker, prim, x, y, quads, false);
        return;
    }
    if (tests && quads)
        quads = test_small(worker, prim, &x, &y, quads);
    if (plan->early)
        raster_count_samples(worker, quads);
    if (plan->shades)
        raster_batch_add_quads(worker, prim, x, y, quads, true);
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

void raster_batch_close(struct raster_worker *worker)
{
    if (!worker->quads.n)
        return;
    raster_batch_test(worker);
    if (worker->quads.n)
        run(worker);
    memset(worker->used, 0, sizeof(worker->used));
    memset(worker->cover, 0, sizeof(worker->cover));
    worker->quads.n = worker->tested = 0;
}
