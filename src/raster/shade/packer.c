/* Packer: fills the worker's batch with covered pixels of consecutive primitives of one pipeline,
 * as quads or as single fragments. Pixels are tested together when the batch is full; failed ones
 * make room for others, until enough are left to shade the batch.
 *
 * A hazard mask of the tile keeps every pixel in the batch at most once, so each pixel sees its
 * primitives in order.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/shade/packer.h"

#include "raster/prim/prim.h"
#include "raster/shade/batch.h"
#include "raster/shade/centroid.h"
#include "raster/shade/interp_kern.h"
#include "raster/shade/packer_kern.h"
#include "raster/worker/in_flight.h"
#include "raster/zs/zs.h"

bool raster_in_flight_conflicts(const struct raster_worker *worker, unsigned block, uint64_t rows)
{
    return worker->batch.n && (raster_in_flight_rows(worker, block) & rows);
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

/* The covered lanes from `first` on. */
static uint64_t covered_from(const struct frag_batch *batch, unsigned first)
{
    uint64_t all = ~UINT64_C(0) >> (RASTER_LANES - (batch->n - first));

    return batch->layout == FRAG_SINGLE ? all : all & pack_pixels(batch->quad_pixels + first / 4);
}

/* Interpolates the quads; returns the lanes that are covered in some sample. */
static uint64_t finish_quads(struct raster_worker *worker)
{
    struct frag_batch *batch = &worker->batch;
    uint64_t off_centre = raster_off_centre(&batch->centroid), any = 0;

    batch->quads = raster_quads_from(batch, 0);
    worker->raster->interp_kern->quads(&batch->lanes, &batch->quads, off_centre);
    if (off_centre)
        raster_centroid_move(worker, batch);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        any |= batch->cover[s];
    return any;
}

/* Shades the tested pixels and empties the batch. */
static void drain(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->pipeline->s;
    struct frag_batch *batch = &worker->batch;
    bool single = batch->layout == FRAG_SINGLE;
    uint64_t any;

    if (worker->raster->targets.samples == 1)
        batch->cover[0] = covered_from(batch, 0);
    any = single ? batch->cover[0] : finish_quads(worker);
    batch->ones = single && batch->unit_attribs == state->unit_attribs;
    batch->tested = 0; /* late tests are due */
    raster_batch_open(worker, batch, ~UINT64_C(0) >> (RASTER_LANES - batch->n), any);
    if (single && state->deriv_attribs &&
        !(worker->pipeline->shortcuts & SHORTCUT_RGBA8 && batch->ones))
        batch->shade.derivs = &batch->derivs;
    raster_batch_shade(worker, batch, batch->cover);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        batch->cover[s] = 0;
    batch->centroid = (struct centroid_samples){0};
    batch->n = 0;
    worker->raster->packer_kern->retire(&worker->in_flight);
}

/* Whether the depth test runs before shading, at least to reject fragments. */
static bool tests_before_shading(const struct raster_pipeline *pipeline)
{
    return raster_uses_zs(pipeline) && pipeline->zs_order != ZS_LATE;
}

void raster_pack_test(struct raster_worker *worker)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    struct frag_batch *batch = &worker->batch;
    uint64_t all, passed;

    if (batch->tested == batch->n)
        return;
    all = passed = covered_from(batch, batch->tested);
    if (pipeline->batch_zs_test && tests_before_shading(pipeline))
        passed = raster_depth_batch(worker, all, raster_is_early_zs(pipeline));
    if (raster_is_early_zs(pipeline))
        raster_count_samples(worker, passed);
    if (!raster_shades(pipeline))
        passed = 0;
    if (passed != all)
        worker->raster->packer_kern->keep(batch, &pipeline->s, passed);
    batch->tested = batch->n;
    if (!batch->n)
        worker->raster->packer_kern->retire(&worker->in_flight);
}

/* Makes room when the batch is full or a pixel is already in it: tests the untested pixels, which
 * may drop some; shades all if there were none to test or many are left. */
static void make_room(struct raster_worker *worker)
{
    enum { MANY = RASTER_LANES * 3 / 4 };
    bool has_untested = worker->batch.tested < worker->batch.n;

    raster_pack_test(worker);
    if (!has_untested || worker->batch.n > MANY)
        drain(worker);
}

void raster_pack_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                     unsigned y, uint64_t rows)
{
    while ((rows = worker->raster->packer_kern->put(&worker->batch, &worker->in_flight,
                                                    &worker->tile, prim, x, y, rows)))
        make_room(worker);
}

/* Of a block's pixels, in quad order, those of each quad from lane `lane` of the batch on.
 * from[q]: the first lane of quad q in the block. */
static uint64_t pick_quads(uint64_t pixels, const uint8_t from[QUADS], unsigned lane, unsigned n)
{
    uint64_t picked = 0;

    for (unsigned q = lane / 4; q < n / 4; q++)
        picked |= (pixels >> from[q] & 15) << 4 * q;
    return picked;
}

/* Sets the samples of the quads from lane `lane` on, which lie in the block at (x, y). */
static void put_samples(struct raster_worker *worker, unsigned lane, int32_t x, int32_t y,
                        const uint64_t *cover, const struct centroid_samples *centroid)
{
    struct frag_batch *batch = &worker->batch;
    uint8_t from[QUADS];

    for (unsigned q = lane / 4; q < batch->n / 4; q++)
        from[q] = (uint8_t)((batch->quad_y[q] - y) * BLOCK_DIM + (batch->quad_x[q] - x) * 2);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        batch->cover[s] |= pick_quads(raster_mask_linear_to_quad(cover[s]), from, lane, batch->n);
    for (unsigned i = 0; i < CENTROID_BITS && centroid; i++)
        if (centroid->bit[i])
            batch->centroid.bit[i] |=
                pick_quads(raster_mask_linear_to_quad(centroid->bit[i]), from, lane, batch->n);
}

void raster_pack_block(struct raster_worker *worker, const struct raster_prim *prim, unsigned block,
                       const uint64_t *cover, const struct centroid_samples *centroid)
{
    unsigned x = block % BLOCK_DIM * BLOCK_DIM, y = block / BLOCK_DIM * BLOCK_DIM;
    struct frag_batch *batch = &worker->batch;
    uint64_t any = 0;

    raster_pack_test(worker);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        any |= cover[s];
    for (;;) {
        unsigned lane = batch->n;

        any = worker->raster->packer_kern->put(batch, &worker->in_flight, &worker->tile, prim, x, y,
                                               any);
        if (worker->raster->targets.samples > 1)
            put_samples(worker, lane, worker->tile.x + (int32_t)x, worker->tile.y + (int32_t)y,
                        cover, centroid);
        batch->tested = batch->n;
        if (!any)
            return;
        drain(worker);
    }
}

/* --- Small triangles -------------------------------------------------------------------------- */

void raster_pack_small(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t rows = prim->coverage.mask[0] | (uint64_t)prim->coverage.mask[1] << 32;
    int32_t x = prim->coverage.x, y = prim->coverage.y;

    rows = raster_move_into_tile(&worker->tile, rows, &x, &y);
    if (rows && tests_before_shading(pipeline) && !pipeline->batch_zs_test)
        rows = raster_depth_small(worker, prim, worker->tile.x + x, worker->tile.y + y, rows,
                                  !raster_is_early_zs(pipeline));
    if (rows)
        raster_pack_put(worker, prim, (unsigned)x, (unsigned)y, rows);
}

size_t raster_pack_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i)
{
    uint64_t rest = 0;

    for (;;) {
        i = worker->raster->packer_kern->take(&worker->batch, &worker->in_flight, &worker->tile,
                                              worker->pipeline, cmds, i, &rest);
        if (!rest)
            return i;
        make_room(worker);
    }
}

void raster_pack_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline)
{
    raster_pack_flush(worker);
    worker->pipeline = pipeline;
    raster_batch_begin(worker, pipeline);
}

void raster_pack_flush(struct raster_worker *worker)
{
    raster_pack_test(worker);
    if (worker->batch.n)
        drain(worker);
}
