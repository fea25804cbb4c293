/* Quad queue: collects covered 2x2 quads of consecutive primitives of one pipeline, and runs depth
 * tests and shading for 16 quads, 64 lanes, at a time.
 *
 * A hazard mask of the tile keeps every pixel in the queue at most once, so each pixel sees its
 * primitives in order.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/shade/quad_queue.h"

#include "raster/prim/prim.h"
#include "raster/shade/batch.h"
#include "raster/shade/centroid.h"
#include "raster/shade/frag_batch.h"
#include "raster/shade/interp_kern.h"
#include "raster/shade/quad_queue_kern.h"
#include "raster/worker/in_flight.h"
#include "raster/zs/zs.h"

#include <string.h>

/* Offset of each quad in its block, in Morton order. */
static const uint8_t quad_right[QUADS] = {0, 2, 0, 2, 4, 6, 4, 6, 0, 2, 0, 2, 4, 6, 4, 6};
static const uint8_t quad_down[QUADS] = {0, 0, 2, 2, 0, 0, 2, 2, 4, 4, 6, 6, 4, 4, 6, 6};

/* Rebuilds in_flight from the quads that are still queued. */
static void rebuild_in_flight(struct raster_worker *worker)
{
    struct quad_queue *queue = &worker->quad_queue;

    worker->raster->quad_queue_kern->retire(queue);
    for (unsigned q = queue->first; q < queue->n; q++)
        raster_in_flight_mark(worker, queue->x[q], queue->y[q], queue->pixels[q]);
    queue->any_in_flight = queue->n > queue->first;
    queue->in_flight_stale = false;
}

bool raster_in_flight_conflicts(struct raster_worker *worker, unsigned block, uint64_t rows)
{
    if (!worker->quad_queue.any_in_flight || !(raster_in_flight_rows(worker, block) & rows))
        return false;
    if (!worker->quad_queue.in_flight_stale)
        return true;
    rebuild_in_flight(worker);
    return raster_in_flight_rows(worker, block) & rows;
}

/* --- Queued quads ----------------------------------------------------------------------------- */

/* Whether the depth test runs before shading, at least to reject fragments. */
static bool tests_before_shading(const struct raster_pipeline *pipeline)
{
    return pipeline->depth_used && (pipeline->early_zs || pipeline->early_z_reject);
}

/* Packs 16 quads' masks, a byte each, to a mask of lanes. */
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

static struct raster_quads quads_from(const struct quad_queue *queue, unsigned first, unsigned end)
{
    return (struct raster_quads){.x = queue->x + first,
                                 .y = queue->y + first,
                                 .prim = queue->prim + first,
                                 .n = end - first < QUADS ? end - first : QUADS};
}

/* Moves the quads from index `from` on forward to index `to`. */
static void move_quads(struct quad_queue *queue, unsigned to, unsigned from)
{
    unsigned n = queue->n - from;

    memmove(queue->x + to, queue->x + from, n * sizeof(*queue->x));
    memmove(queue->y + to, queue->y + from, n * sizeof(*queue->y));
    memmove(queue->prim + to, queue->prim + from, n * sizeof(*queue->prim));
    memmove(queue->pixels + to, queue->pixels + from, n);
    queue->n = to + n;
}

/* Compacts the first n untested quads to those with passed pixels; returns how many are left. */
static unsigned drop_failed(struct quad_queue *queue, unsigned n, uint64_t passed)
{
    unsigned to = queue->tested;

    for (unsigned q = queue->tested, end = q + n; q < end; q++, passed >>= 4) {
        queue->x[to] = queue->x[q];
        queue->y[to] = queue->y[q];
        queue->prim[to] = queue->prim[q];
        queue->pixels[to] = (uint8_t)(passed & 15);
        to += (passed & 15) != 0;
    }
    move_quads(queue, to, queue->tested + n);
    return to - queue->tested;
}

/* Interpolates, shades and writes the quads of the batch. */
static void shade_quads(struct raster_worker *worker)
{
    struct frag_batch *batch = &worker->batch;
    uint64_t any = 0;

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        any |= batch->cover[s];
    worker->raster->interp_kern->quads(&worker->lanes, &batch->quads);
    if (worker->pipeline->centroid)
        raster_centroid_move(worker);
    raster_batch_open(worker, batch, ~UINT64_C(0) >> (RASTER_LANES - batch->quads.n * 4), any);
    raster_batch_shade(worker, batch, batch->cover);
}

/* Shades up to 16 of the tested quads, oldest first. */
static void shade_tested(struct raster_worker *worker)
{
    struct quad_queue *queue = &worker->quad_queue;

    worker->batch.quads = quads_from(queue, queue->first, queue->tested);
    if (worker->raster->targets.samples == 1)
        worker->batch.cover[0] = pack_pixels(queue->pixels + queue->first) &
                                 ~UINT64_C(0) >> (RASTER_LANES - worker->batch.quads.n * 4);
    shade_quads(worker);
    memset(worker->batch.cover, 0, sizeof(worker->batch.cover));
    queue->in_flight_stale = true;
    queue->first += worker->batch.quads.n;
    if (queue->first > QUAD_QUEUE_SIZE / 2) {
        queue->tested -= queue->first;
        move_quads(queue, 0, queue->first);
        queue->first = 0;
    }
}

/* Tests up to 16 of the untested quads, oldest first. */
static void test_next(struct raster_worker *worker)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    struct quad_queue *queue = &worker->quad_queue;
    struct raster_quads quads = quads_from(queue, queue->tested, queue->n);
    uint64_t cover = pack_pixels(queue->pixels + queue->tested), passed;

    cover &= ~UINT64_C(0) >> (RASTER_LANES - quads.n * 4);
    passed = pipeline->quad_zs_test && tests_before_shading(pipeline)
                 ? raster_depth_quads(worker, &quads, cover, pipeline->early_zs)
                 : cover;
    if (pipeline->early_zs)
        raster_count_samples(worker, passed);
    passed = pipeline->shades ? passed : 0;
    if (passed != cover) {
        queue->in_flight_stale = true;
        queue->tested += drop_failed(queue, quads.n, passed);
    } else {
        queue->tested += quads.n;
    }
    if (queue->tested - queue->first >= QUADS)
        shade_tested(worker);
}

void raster_quad_queue_test(struct raster_worker *worker)
{
    raster_frag_batch_test(worker);
    while (worker->quad_queue.tested < worker->quad_queue.n)
        test_next(worker);
}

/* Sets the samples of the next quad; `centroid_sample` points to its first pixel in the block. */
static void add_centroid_samples(struct raster_worker *worker, unsigned lane,
                                 const uint8_t *centroid_sample)
{
    worker->batch.centroid_sample[lane] = centroid_sample[0];
    worker->batch.centroid_sample[lane + 1] = centroid_sample[1];
    worker->batch.centroid_sample[lane + 2] = centroid_sample[BLOCK_DIM];
    worker->batch.centroid_sample[lane + 3] = centroid_sample[BLOCK_DIM + 1];
}

/* Adds a quad that needs no depth test. */
static void add_quad(struct quad_queue *queue, const struct raster_prim *prim, int32_t x, int32_t y,
                     uint64_t pixels)
{
    queue->x[queue->n] = x;
    queue->y[queue->n] = y;
    queue->pixels[queue->n] = (uint8_t)pixels;
    queue->prim[queue->n++] = prim;
    queue->tested++;
}

void raster_quad_queue_add_whole(struct raster_worker *worker, const struct raster_prim *prim,
                                 int32_t x, int32_t y)
{
    for (unsigned q = 0; q < QUADS; q++)
        add_quad(&worker->quad_queue, prim, x + quad_right[q], y + quad_down[q], 15);
    if (prim->pipeline->centroid)
        memset(worker->batch.centroid_sample, 0,
               sizeof(worker->batch.centroid_sample)); /* all samples covered: centres */
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        worker->batch.cover[s] = ~UINT64_C(0);
    shade_tested(worker);
}

void raster_quad_queue_add_block(struct raster_worker *worker, const struct raster_prim *prim,
                                 int32_t x, int32_t y, const uint64_t *cover,
                                 const uint8_t *centroid_sample)
{
    struct quad_queue *queue = &worker->quad_queue;
    unsigned samples = worker->raster->targets.samples;
    uint64_t quads[MAX_SAMPLES], any = 0, all, rest;

    raster_quad_queue_test(worker);
    for (unsigned s = 0; s < samples; s++)
        any |= cover[s];
    if (prim->pipeline->frag_batch) {
        raster_frag_batch_put(worker, prim, (unsigned)(x - worker->tile.x),
                              (unsigned)(y - worker->tile.y), any, true);
        return;
    }
    all = raster_mask_linear_to_morton(any);
    for (unsigned s = 0; s < samples; s++)
        quads[s] = samples == 1 ? all : raster_mask_linear_to_morton(cover[s]);
    if (raster_in_flight_conflicts(worker, raster_block_number(worker, x, y), any))
        raster_quad_queue_flush(worker);
    queue->any_in_flight = true;
    for (rest = raster_touched_quads(all); rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(rest), lane = (queue->n - queue->first) * 4;
        int32_t left = x + quad_right[bit / 4], top = y + quad_down[bit / 4];

        for (unsigned s = 0; s < samples; s++)
            worker->batch.cover[s] |= (quads[s] >> bit & 15) << lane;
        if (centroid_sample)
            add_centroid_samples(worker, lane, centroid_sample + raster_morton_to_linear(bit));
        raster_in_flight_mark(worker, left, top, all >> bit & 15);
        add_quad(queue, prim, left, top, all >> bit & 15);
        if (queue->n - queue->first == QUADS)
            shade_tested(worker);
    }
}

/* Resolves a conflict with pixels in flight: drops stale pixels from in_flight, or else flushes the
 * queue. */
static void drain_conflicts(struct raster_worker *worker)
{
    if (worker->quad_queue.in_flight_stale)
        rebuild_in_flight(worker);
    else
        raster_quad_queue_flush(worker);
}

void raster_quad_queue_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows)
{
    struct quad_queue *queue = &worker->quad_queue;

    if (prim->pipeline->frag_batch) {
        raster_frag_batch_put(worker, prim, x, y, rows, false);
        return;
    }
    while (!worker->raster->quad_queue_kern->put(queue, &worker->tile, prim, x, y, rows))
        drain_conflicts(worker);
    queue->any_in_flight = true;
    if (queue->n - queue->tested >= QUAD_QUEUE_BATCH)
        test_next(worker);
}

/* --- Small triangles -------------------------------------------------------------------------- */

void raster_quad_queue_small(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t rows = prim->coverage.mask[0] | (uint64_t)prim->coverage.mask[1] << 32;
    int32_t x = prim->coverage.x, y = prim->coverage.y;

    rows = raster_move_into_tile(&worker->tile, rows, &x, &y);
    if (rows && tests_before_shading(pipeline) && !pipeline->quad_zs_test)
        rows = raster_depth_small(worker, prim, worker->tile.x + x, worker->tile.y + y, rows,
                                  !pipeline->early_zs);
    if (rows)
        raster_quad_queue_put(worker, prim, (unsigned)x, (unsigned)y, rows);
}

size_t raster_quad_queue_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i)
{
    struct quad_queue *queue = &worker->quad_queue;
    size_t first = i;

    if (worker->pipeline->frag_batch)
        return raster_frag_batch_take(worker, cmds, i);
    for (;;) {
        i = worker->raster->quad_queue_kern->take(queue, &worker->tile, worker->pipeline, cmds, i);
        queue->any_in_flight |= i > first;
        if (queue->n - queue->tested >= QUAD_QUEUE_BATCH)
            test_next(worker);
        else if (i < cmds->count && raster_is_mask8x8(cmds->command[i], worker->pipeline))
            drain_conflicts(worker);
        else
            return i;
    }
}

void raster_quad_queue_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline)
{
    raster_quad_queue_flush(worker);
    worker->pipeline = pipeline;
    worker->lanes = raster_batch_lanes(&worker->batch, pipeline);
    worker->batch.layout = FRAG_QUADS;
    if (pipeline->frag_batch)
        raster_frag_batch_begin(worker, pipeline);
}

void raster_quad_queue_flush(struct raster_worker *worker)
{
    struct quad_queue *queue = &worker->quad_queue;

    raster_frag_batch_flush(worker);
    raster_quad_queue_test(worker);
    if (queue->first < queue->n)
        shade_tested(worker);
    queue->first = queue->tested = queue->n = 0;
    if (queue->any_in_flight)
        worker->raster->quad_queue_kern->retire(queue);
    queue->any_in_flight = queue->in_flight_stale = false;
}
