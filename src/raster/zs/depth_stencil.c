/* Depth and stencil tests on the depth-stencil surface: early tests of 8x8 blocks and quads, late
 * tests of lanes (reference: depth/functions). */
#include "raster/zs/depth_stencil.h"

#include "raster/output/output.h"
#include "raster/state/depth.h"
#include "raster/worker/in_flight.h"
#include "raster/zs/depth_kern.h"
#include "raster/zs/hiz.h"
#include "raster/zs/hiz_kern.h"
#include "raster/zs/zs_kern.h"

#include <string.h>

void raster_zs_init(struct raster *raster)
{
    raster->depth_kern = KERN_PICK(raster_depth_kern);
    raster->hiz_kern = KERN_PICK(raster_hiz_kern);
    raster->zs_kern = KERN_PICK(raster_zs_kern);
    raster->depth_code = raster->depth_kern->depth_code;
}

/* The test for a facing. */
static const struct raster_depth_stencil *ds_of_face(const struct raster_pipeline *pipeline,
                                                     float face)
{
    return &pipeline->ds[face < 0.0f];
}

static bool writes(const struct raster_depth_stencil *ds)
{
    return ds->depth_write || ds->stencil_test;
}

/* Unpacks n pixels of one row of a block to words. */
static void load_row(uint32_t *words, const uint8_t *row, unsigned bytes, unsigned n)
{
    if (bytes == 4) {
        memcpy(words, row, n * 4);
        return;
    }
    for (unsigned i = 0; i < n && bytes == 2; i++) {
        uint16_t pixel;

        memcpy(&pixel, row + (size_t)i * 2, sizeof(pixel));
        words[i] = pixel;
    }
    for (unsigned i = 0; i < n && bytes != 2; i++) {
        words[i] = 0;
        memcpy(&words[i], row + i * bytes, bytes);
    }
}

static void store_row(uint8_t *row, const uint32_t *words, unsigned bytes, unsigned n)
{
    if (bytes == 4) {
        memcpy(row, words, n * 4);
        return;
    }
    for (unsigned i = 0; i < n && bytes == 2; i++)
        memcpy(row + (size_t)i * 2, &words[i], 2);
    for (unsigned i = 0; i < n && bytes != 2; i++)
        memcpy(row + i * bytes, &words[i], bytes);
}

/* Copies the block's rows that have covered pixels to or from worker->words, cut at the surface's
 * right edge. Whole rows are safe: the tile belongs to this worker. */
static void copy_rows(struct raster_worker *worker, const struct raster_zs_blocks *block,
                      unsigned n, uint64_t mask, bool store)
{
    unsigned bytes = worker->raster->targets.depth.format->bytes;
    uint32_t *words = worker->words;
    uint8_t *base = block->base;

    for (; mask; mask >>= BLOCK_DIM, words += BLOCK_DIM, base += block->pitch) {
        if (!(mask & 0xff))
            continue;
        if (bytes == 4 && n == BLOCK_DIM) {
            if (store)
                memcpy(base, words, BLOCK_DIM * 4);
            else
                memcpy(words, base, BLOCK_DIM * 4);
        } else if (store) {
            store_row(base, words, bytes, n);
        } else {
            load_row(words, base, bytes, n);
        }
    }
}

static unsigned columns_left(const struct raster *raster, int32_t x)
{
    const struct raster_surface *surface = &raster->targets.depth;
    uint32_t width = surface->width ? surface->width : raster->targets.width;

    return width - (uint32_t)x < BLOCK_DIM ? width - (uint32_t)x : BLOCK_DIM;
}

static bool writes_stencil(const struct raster_depth_stencil *ds)
{
    return ds->stencil_test && ds->write_mask &&
           (ds->fail != D3DSTENCILOP_KEEP || ds->zfail != D3DSTENCILOP_KEEP ||
            ds->pass != D3DSTENCILOP_KEEP);
}

/* Clears uniform_stencil of the blocks that 8x8 pixels at any position touch, up to four. */
static void clear_uniform_stencil(struct raster_worker *worker, int32_t x, int32_t y)
{
    uint64_t around = (x | y) & (BLOCK_DIM - 1) ? UINT64_C(0x303) : 1;

    worker->hiz.uniform_stencil &= ~(around << raster_block_number(worker, x, y));
}

/* Memory address and distance from the anchor of the blocks from pixel (x, y) on. */
static inline struct raster_zs_blocks locate_blocks(const struct raster_worker *worker,
                                                    const struct raster_prim *prim, int32_t x,
                                                    int32_t y, unsigned sample)
{
    const struct raster *raster = worker->raster;
    const struct raster_surface *surface = worker->zs_surface;
    unsigned pattern = prim->pipeline->pattern;
    struct raster_zs_blocks blocks = {
        .z = &prim->z,
        .dx = (float)x - prim->anchor_x,
        .dy = (float)y - prim->anchor_y,
        .offset = prim->depth_offset,
        .base = surface->data + (size_t)y * surface->row_pitch + (size_t)x * surface->format->bytes,
        .pitch = surface->row_pitch,
    };

    if (raster->targets.samples == 1)
        return blocks;
    blocks.dx = ((float)x + raster_sample_x[pattern][sample] / 16.0f) - prim->anchor_x;
    blocks.dy = ((float)y + raster_sample_y[pattern][sample] / 16.0f) - prim->anchor_y;
    blocks.base += (size_t)sample * surface->sample_pitch;
    return blocks;
}

/* Updates hierarchical Z after a test that may have written depth of the `passed` pixels, or
 * stencil. */
static void update_hiz(struct raster_worker *worker, const struct raster_depth_stencil *ds,
                       int32_t x, int32_t y, uint64_t passed)
{
    if (worker->hiz.uniform_stencil && writes_stencil(ds))
        clear_uniform_stencil(worker, x, y);
    if (!worker->hiz.valid || !ds->depth_write)
        return;
    if (!~passed && !((x | y) & (BLOCK_DIM - 1)) && worker->raster->targets.samples == 1)
        raster_hiz_update_block(worker, x, y);
    else if (passed)
        raster_hiz_invalidate(worker, x, y);
}

/* Tests worker->words as a block of 32-bit words; `block` tells their depths. Returns the lanes
 * that pass. */
static uint64_t test_words(struct raster_worker *worker, const struct raster_depth_stencil *ds,
                           struct raster_zs_blocks block, uint64_t lanes)
{
    struct raster_depth_stencil words = *ds;

    words.bytes = sizeof(*worker->words);
    block.base = (uint8_t *)worker->words;
    block.pitch = BLOCK_DIM * sizeof(*worker->words);
    block.write = true;
    block.lanes = &lanes;
    worker->raster->zs_kern->test_blocks(&words, &block, 1);
    return lanes;
}

/* Tests through a copy in the worker's memory, for layouts that do not allow in-place tests. */
static uint64_t test_copied(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, unsigned sample, uint64_t mask, bool read_only)
{
    const struct raster_depth_stencil *ds = ds_of_face(prim->pipeline, prim->face);
    struct raster_zs_blocks block = locate_blocks(worker, prim, x, y, sample);
    unsigned columns = columns_left(worker->raster, x);
    uint64_t passed;

    copy_rows(worker, &block, columns, mask, false);
    passed = test_words(worker, ds, block, mask);
    if (!read_only && writes(ds) && (passed || ds->stencil_test))
        copy_rows(worker, &block, columns, mask, true);
    if (!read_only)
        update_hiz(worker, ds, x, y, passed);
    return passed;
}

/* Tests blocks of the tile, or 8x8 pixels at any position, whose rows the surface contains in
 * full. */
static void test_in_place(struct raster_worker *worker, const struct raster_prim *prim,
                          struct raster_zs_blocks *blocks, uint64_t wanted)
{
    const struct raster_depth_stencil *ds = ds_of_face(prim->pipeline, prim->face);

    worker->raster->zs_kern->test_blocks(ds, blocks, wanted);
}

/* Blocks that all surfaces contain in full width. */
static uint64_t full_width_blocks(const struct raster_worker *worker,
                                  const struct raster_pipeline *pipeline)
{
    int32_t n = (pipeline->common_rect[2] - worker->tile.x) / BLOCK_DIM;

    return (n < BLOCK_DIM ? (1u << (n > 0 ? n : 0)) - 1 : 0xff) * UINT64_C(0x0101010101010101);
}

static void update_hiz_blocks(struct raster_worker *worker, const struct raster_depth_stencil *ds,
                              const struct raster_zs_blocks *blocks, uint64_t wanted)
{
    if (!(worker->hiz.uniform_stencil && writes_stencil(ds)) &&
        !(worker->hiz.valid && ds->depth_write))
        return;
    for (; wanted; wanted &= wanted - 1) {
        unsigned block = (unsigned)__builtin_ctzll(wanted);

        update_hiz(worker, ds, worker->tile.x + (int32_t)block % BLOCK_DIM * BLOCK_DIM,
                   worker->tile.y + (int32_t)block / BLOCK_DIM * BLOCK_DIM,
                   blocks->lanes[(size_t)block * blocks->stride]);
    }
}

void raster_depth_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                         unsigned sample, uint64_t wanted, bool read_only)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    unsigned samples = worker->raster->targets.samples;
    uint64_t *lanes = worker->masks + sample;
    struct raster_zs_blocks blocks =
        locate_blocks(worker, prim, worker->tile.x, worker->tile.y, sample);
    uint64_t in_place = pipeline->depth_in_place ? full_width_blocks(worker, pipeline) : 0;

    blocks.write = !read_only;
    blocks.lanes = lanes;
    blocks.stride = samples;
    if (pipeline->hiz) {
        blocks.fails = worker->hiz.fails;
        blocks.passes = pipeline->ds[0].depth_write && !read_only ? 0 : worker->hiz.passes;
        for (uint64_t rest = pipeline->hiz_reject ? wanted & blocks.fails : 0; rest;
             rest &= rest - 1)
            lanes[(size_t)__builtin_ctzll(rest) * samples] = 0;
        wanted &= ~(pipeline->hiz_reject ? blocks.fails : 0);
        wanted &= ~(pipeline->ds[0].stencil_test ? 0 : blocks.passes);
    }
    if (wanted & in_place) {
        test_in_place(worker, prim, &blocks, wanted & in_place);
        if (!read_only)
            update_hiz_blocks(worker, ds_of_face(pipeline, prim->face), &blocks, wanted & in_place);
    }
    for (wanted &= ~in_place; wanted; wanted &= wanted - 1) {
        unsigned block = (unsigned)__builtin_ctzll(wanted);
        uint64_t *mask = &lanes[(size_t)block * samples];

        *mask = test_copied(worker, prim, worker->tile.x + (int32_t)block % BLOCK_DIM * BLOCK_DIM,
                            worker->tile.y + (int32_t)block / BLOCK_DIM * BLOCK_DIM, sample, *mask,
                            read_only);
    }
}

uint64_t raster_depth_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, uint64_t mask, bool read_only)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct raster_zs_blocks block;

    if (!pipeline->depth_in_place || x + BLOCK_DIM > pipeline->common_rect[2])
        return test_copied(worker, prim, x, y, 0, mask, read_only);
    block = locate_blocks(worker, prim, x, y, 0);
    block.write = !read_only;
    block.lanes = &mask;
    test_in_place(worker, prim, &block, 1);
    if (!read_only)
        update_hiz(worker, ds_of_face(pipeline, prim->face), x, y, mask);
    return mask;
}

uint32_t raster_const_depth_code(const struct raster *raster, const struct raster_prim *prim)
{
    return raster->depth_kern->depth_code(
        &prim->pipeline->ds[0], raster_interp_at(&prim->z, 0.0f, 0.0f) + prim->depth_offset);
}

bool raster_depth_tile(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster *raster = worker->raster;
    const struct raster_surface *surface = worker->zs_surface;
    const struct raster_depth_stencil *ds = ds_of_face(prim->pipeline, prim->face);
    size_t bytes = surface->format->bytes;
    unsigned dim = (unsigned)raster_tile_dim(raster);
    struct raster_depth_stencil sure = *ds;
    uint32_t code;

    if (!raster_has_const_depth(prim) || raster->targets.samples > 1 || dim < 16 ||
        raster->options.no_packing || !ds->depth_test || ds->stencil_test || ds->bounds_test ||
        !raster_depth_in_place(ds))
        return false;
    code = raster_const_depth_code(raster, prim);
    if (!~worker->hiz.passes)
        sure.depth_func = D3DCMP_ALWAYS;
    if (!raster->depth_kern->const_depth_test(&sure, code,
                                              surface->data +
                                                  (size_t)worker->tile.y * surface->row_pitch +
                                                  (size_t)worker->tile.x * bytes,
                                              surface->row_pitch, dim, dim))
        return false;
    if (ds->depth_write)
        raster_hiz_fill(worker, code);
    return true;
}

/* The ranges of blocks with pixels of the batch become stale. */
static void invalidate_batch(struct raster_worker *worker)
{
    if (worker->hiz.valid)
        worker->hiz.valid &= ~raster_in_flight_blocks(worker, worker->hiz.valid);
}

uint64_t raster_depth_batch(struct raster_worker *worker, uint64_t wanted, bool write)
{
    const struct raster_surface *surface = worker->zs_surface;
    const struct raster_depth_stencil *ds = &worker->pipeline->ds[0];
    const struct frag_batch *batch = &worker->batch;
    struct raster_quads quads = raster_quads_from(batch, batch->tested);
    struct raster_zs_lanes lanes = {
        .quads = &quads, .base = surface->data, .pitch = surface->row_pitch, .write = write};

    if (batch->layout == FRAG_SINGLE)
        lanes = (struct raster_zs_lanes){.frags = batch,
                                         .first = batch->tested,
                                         .depths = batch->z + batch->tested,
                                         .base = raster_tile_surface(worker, surface).base,
                                         .pitch = surface->row_pitch,
                                         .write = write};
    if (write && ds->depth_write)
        invalidate_batch(worker);
    return worker->raster->zs_kern->test_lanes(ds, &lanes, wanted);
}

/* Writes each lane's depth, with its primitive's offset if interpolated, to worker->depth. Returns
 * the lanes of back-facing primitives. */
static uint64_t find_lane_depths(struct raster_worker *worker, const float *z, unsigned sample)
{
    unsigned pattern = worker->pipeline->pattern;
    float sx = raster_sample_x[pattern][sample] / 16.0f;
    float sy = raster_sample_y[pattern][sample] / 16.0f;
    bool interpolated = z == worker->batch.z; /* else written by the shader */
    uint64_t back = 0;

    for (unsigned q = 0; q < worker->batch.quads.n; q++) {
        const struct raster_prim *prim = worker->batch.quads.prim[q];

        for (unsigned i = q * 4; i < q * 4 + 4; i++) {
            float value = z[i];

            if (interpolated && pattern > 1) {
                float dx = (worker->batch.x[i] + sx) - prim->anchor_x;
                float dy = (worker->batch.y[i] + sy) - prim->anchor_y;

                value = raster_interp_at(&prim->z, dx, dy);
            }
            worker->depth[i] = interpolated ? value + prim->depth_offset : value;
        }
        if (prim->face < 0.0f)
            back |= UINT64_C(15) << q * 4;
    }
    return back;
}

static bool has_even_size(const struct raster_worker *worker)
{
    const struct raster_targets *targets = &worker->raster->targets;
    uint32_t width = targets->depth.width ? targets->depth.width : targets->width;
    uint32_t height = targets->depth.height ? targets->depth.height : targets->height;

    return !((width | height) & 1);
}

/* Tests the lanes by worker->depth. front, back: lanes by the facing of their primitives. */
static uint64_t test_lanes(struct raster_worker *worker, unsigned sample, uint64_t front,
                           uint64_t back)
{
    const struct raster_surface *surface = worker->zs_surface;
    const struct raster_depth_stencil *ds = worker->pipeline->ds;
    struct raster_zs_lanes lanes = {.quads = &worker->batch.quads,
                                    .depths = worker->depth,
                                    .base = surface->data + (size_t)sample * surface->sample_pitch,
                                    .pitch = surface->row_pitch,
                                    .write = true};
    const struct raster_zs_kern *kern = worker->raster->zs_kern;

    return (front ? kern->test_lanes(&ds[0], &lanes, front) : 0) |
           (back ? kern->test_lanes(&ds[1], &lanes, back) : 0);
}

/* The same by way of a copy, for pixels of other sizes and surfaces that cut quads. */
static uint64_t test_copied_lanes(struct raster_worker *worker, unsigned sample, uint64_t front,
                                  uint64_t back)
{
    const struct raster_surface *surface = worker->zs_surface;
    const struct raster_depth_stencil *ds = worker->pipeline->ds;
    struct raster_zs_blocks block = {.depths = worker->depth};
    unsigned bytes = surface->format->bytes;
    uint64_t passed;

    raster_gather(worker, surface, sample, worker->pixels, front | back);
    load_row(worker->words, worker->pixels, bytes, RASTER_LANES);
    passed = test_words(worker, &ds[0], block, front) | test_words(worker, &ds[1], block, back);
    if (writes(&ds[0])) {
        store_row(worker->pixels, worker->words, bytes, RASTER_LANES);
        raster_scatter(worker, surface, sample, worker->pixels, front | back);
    }
    return passed;
}

uint64_t raster_depth_lanes(struct raster_worker *worker, const float *z, unsigned sample,
                            uint64_t mask)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    uint64_t back, passed;

    if (pipeline->batch_zs_test && z == worker->batch.z)
        return raster_depth_batch(worker, mask, true);
    back = find_lane_depths(worker, z, sample);
    passed = pipeline->depth_in_place && has_even_size(worker)
                 ? test_lanes(worker, sample, mask & ~back, mask & back)
                 : test_copied_lanes(worker, sample, mask & ~back, mask & back);
    if (pipeline->ds[0].depth_write)
        invalidate_batch(worker);
    if (pipeline->ds[0].stencil_test)
        worker->hiz.uniform_stencil = 0;
    return passed;
}
