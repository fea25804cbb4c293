/* Covered quads of one plan, primitive after primitive, packed into batches of 64 lanes; a full
 * batch is interpolated, shaded, tested and written. A pixel is in a batch at most once, so the
 * order of primitives is kept for every pixel. */
#include "raster/raster_private.h"

#include <string.h>

enum { ENOUGH_QUADS = 8 };

/* Two rows of two pixels each from a block's mask, as four lanes. */
static uint64_t quad_lanes(uint64_t mask, unsigned bit)
{
    return (mask >> bit & 3) | (mask >> (bit + BLOCK_DIM) & 3) << 2;
}

static void add_run(struct raster_worker *worker, const struct raster_prim *prim, unsigned quads)
{
    unsigned lane = worker->n_quads * 4;

    if (!worker->n_runs || worker->runs[worker->n_runs - 1].prim != prim)
        worker->runs[worker->n_runs++] = (struct raster_run){.prim = prim, .first = lane};
    worker->runs[worker->n_runs - 1].end = lane + 4 * quads;
}

static void add_quad(struct raster_worker *worker, int32_t x, int32_t y)
{
    static const float right[4] = {0.0f, 1.0f, 0.0f, 1.0f}, down[4] = {0.0f, 0.0f, 1.0f, 1.0f};
    unsigned lane = worker->n_quads * 4;
    float fx = (float)x, fy = (float)y;

    for (unsigned i = 0; i < 4; i++)
        worker->x[lane + i] = fx + right[i];
    for (unsigned i = 0; i < 4; i++)
        worker->y[lane + i] = fy + down[i];
    worker->quad_x[worker->n_quads] = (uint16_t)x;
    worker->quad_y[worker->n_quads] = (uint16_t)y;
    worker->n_quads++;
}

/* Bit of the upper left pixel of every quad with a pixel in the mask. */
static uint64_t touched_quads(uint64_t mask)
{
    mask |= mask >> 1;
    mask |= mask >> BLOCK_DIM;
    return mask & UINT64_C(0x0055005500550055);
}

/* Where the lanes of a whole block lie in it. */
#define ROW_OF_QUADS(a, b)                                                                         \
    a, b, a, b, a + 2, b + 2, a + 2, b + 2, a + 4, b + 4, a + 4, b + 4, a + 6, b + 6, a + 6, b + 6
static const float block_x[RASTER_LANES] = {ROW_OF_QUADS(0, 1), ROW_OF_QUADS(0, 1),
                                            ROW_OF_QUADS(0, 1), ROW_OF_QUADS(0, 1)};
#define QUAD_ROWS(a) a, a, a + 1, a + 1
#define ROW_DOWN(a) QUAD_ROWS(a), QUAD_ROWS(a), QUAD_ROWS(a), QUAD_ROWS(a)
static const float block_y[RASTER_LANES] = {ROW_DOWN(0), ROW_DOWN(2), ROW_DOWN(4), ROW_DOWN(6)};

/* All pixels of a block, which fill a batch by themselves. */
static void add_whole_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y)
{
    float fx = (float)x, fy = (float)y;

    add_run(worker, prim, QUADS);
    for (unsigned lane = 0; lane < RASTER_LANES; lane++)
        worker->x[lane] = fx + block_x[lane];
    for (unsigned lane = 0; lane < RASTER_LANES; lane++)
        worker->y[lane] = fy + block_y[lane];
    for (int32_t q = 0; q < QUADS; q++) {
        worker->quad_x[q] = (uint16_t)(x + q % 4 * 2);
        worker->quad_y[q] = (uint16_t)(y + q / 4 * 2);
    }
    if (prim->plan->centroid)
        memset(worker->place, 0, sizeof(worker->place)); /* all covered: centres */
    worker->n_quads = QUADS;
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

/* Of the block with the pixel (x, y) in its tile. */
static unsigned block_number(const struct raster_worker *worker, int32_t x, int32_t y)
{
    return (unsigned)((y - worker->tile_y) / BLOCK_DIM * BLOCK_DIM +
                      (x - worker->tile_x) / BLOCK_DIM);
}

static void add_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, const uint64_t *cover, uint64_t any, const uint8_t *place)
{
    unsigned samples = worker->raster->targets.samples, block = block_number(worker, x, y);

    if (worker->used[block] & any)
        raster_batch_close(worker);
    for (uint64_t quads = touched_quads(any); quads; quads &= quads - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(quads);
        unsigned lane = worker->n_quads * 4;

        worker->cover[0] |= quad_lanes(cover[0], bit) << lane;
        for (unsigned s = 1; s < samples; s++)
            worker->cover[s] |= quad_lanes(cover[s], bit) << lane;
        worker->used[block] |= any & UINT64_C(0x303) << bit;
        if (place)
            add_places(worker, place + bit);
        add_run(worker, prim, 1);
        add_quad(worker, x + (int32_t)(bit % BLOCK_DIM), y + (int32_t)(bit / BLOCK_DIM));
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
    return __builtin_popcountll(touched_quads(any)) >= ENOUGH_QUADS;
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
        if (worker->used[block_number(worker, x, y)] & any)
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

static void interpolate(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->plan->s;
    struct raster_interpolation in = {
        .runs = worker->runs,
        .n_runs = worker->n_runs,
        .attr = state->attr,
        .n_attrs = state->n_attrs,
        .x = worker->x,
        .y = worker->y,
        .z = worker->z,
        .w = worker->w,
        .face = worker->face,
        .work = worker->work,
    };

    worker->raster->kern->interpolate(&in);
    if (worker->plan->centroid)
        raster_centroid_move(worker);
    worker->kept = NULL;
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
        .work = worker->work,
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
    interpolate(worker);
    shade(worker, &batch);
    if (!worker->plan->early)
        raster_late_tests(worker, &batch);
    raster_output_lanes(worker, &batch, worker->cover);
    for (unsigned q = 0; q < worker->n_quads; q++)
        worker->used[block_number(worker, worker->quad_x[q], worker->quad_y[q])] = 0;
    memset(worker->cover, 0, sizeof(worker->cover));
    worker->n_quads = worker->n_runs = 0;
}
