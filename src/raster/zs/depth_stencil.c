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

/* Tests through a copy in the worker's memory, for layouts that do not allow in-place tests.
 * depths: see raster_depth_blocks. */
static uint64_t test_copied(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, unsigned sample, uint64_t mask, const float *depths,
                            bool read_only)
{
    const struct raster_depth_stencil *ds = ds_of_face(prim->pipeline, prim->face);
    struct raster_zs_blocks block = locate_blocks(worker, prim, x, y, sample);
    unsigned columns = columns_left(worker->raster, x);
    uint64_t passed;

    block.depths = depths;
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
                         unsigned sample, uint64_t wanted, const float *depths, bool read_only)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    unsigned samples = worker->raster->targets.samples;
    uint64_t *lanes = worker->masks + sample;
    struct raster_zs_blocks blocks =
        locate_blocks(worker, prim, worker->tile.x, worker->tile.y, sample);
    uint64_t in_place =
        pipeline->zs_access >= ZS_BLOCKS_IN_PLACE ? full_width_blocks(worker, pipeline) : 0;

    blocks.depths = depths;
    blocks.write = !read_only;
    blocks.lanes = lanes;
    blocks.stride = samples;
    if (pipeline->hiz) {
        blocks.fails = worker->hiz.fails;
        blocks.passes = pipeline->ds[0].depth_write && !read_only ? 0 : worker->hiz.passes;
        for (uint64_t rest = pipeline->hiz == HIZ_REJECTS ? wanted & blocks.fails : 0; rest;
             rest &= rest - 1)
            lanes[(size_t)__builtin_ctzll(rest) * samples] = 0;
        wanted &= ~(pipeline->hiz == HIZ_REJECTS ? blocks.fails : 0);
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
                            depths, read_only);
    }
}

uint64_t raster_depth_small(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                            int32_t y, uint64_t mask, bool read_only)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct raster_zs_blocks block;

    if (pipeline->zs_access < ZS_BLOCKS_IN_PLACE || x + BLOCK_DIM > pipeline->common_rect[2])
        return test_copied(worker, prim, x, y, 0, mask, NULL, read_only);
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

/* What a test of the batch's lanes wrote: ranges of blocks become stale, and stencils differ. */
static void update_hiz_batch(struct raster_worker *worker)
{
    const struct raster_depth_stencil *ds = worker->pipeline->ds;
    struct hiz *hiz = &worker->hiz;

    if (hiz->valid && ds[0].depth_write)
        hiz->valid &= ~raster_in_flight_blocks(worker, hiz->valid);
    if (hiz->uniform_stencil && (writes_stencil(&ds[0]) || writes_stencil(&ds[1])))
        hiz->uniform_stencil &= ~raster_in_flight_blocks(worker, hiz->uniform_stencil);
}

/* The lanes of back-facing quads. */
static uint64_t back_lanes(const struct raster_quads *quads)
{
    uint64_t back = 0;

    for (unsigned q = 0; q < quads->n; q++)
        back |= quads->prim[q]->face < 0.0f ? UINT64_C(15) << q * 4 : 0;
    return back;
}

/* Tests lanes by the facing of their primitives. */
static uint64_t test_faces(struct raster_worker *worker, const struct raster_zs_lanes *lanes,
                           uint64_t wanted)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_zs_kern *kern = worker->raster->zs_kern;
    bool two_sided = pipeline->s.stencil_two_sided && pipeline->ds[0].stencil_test;
    uint64_t back = two_sided && lanes->quads ? wanted & back_lanes(lanes->quads) : 0;
    uint64_t front = wanted & ~back;

    return (front ? kern->test_lanes(&pipeline->ds[0], lanes, front) : 0) |
           (back ? kern->test_lanes(&pipeline->ds[1], lanes, back) : 0);
}

uint64_t raster_depth_batch(struct raster_worker *worker, uint64_t wanted, bool write)
{
    const struct raster_surface *surface = worker->zs_surface;
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
    if (write)
        update_hiz_batch(worker);
    return test_faces(worker, &lanes, wanted);
}

/* Writes each lane's depth at a sample, with its primitive's offset, to worker->depth. */
static void find_lane_depths(struct raster_worker *worker, unsigned sample)
{
    unsigned pattern = worker->pipeline->pattern;
    const struct frag_batch *batch = &worker->batch;
    float sx = raster_sample_x[pattern][sample] / 16.0f;
    float sy = raster_sample_y[pattern][sample] / 16.0f;

    for (unsigned i = 0; i < batch->quads.n * 4; i++) {
        const struct raster_prim *prim = batch->quads.prim[i / 4];
        float value = batch->z[i];

        if (pattern > 1)
            value = raster_interp_at(&prim->z, (batch->x[i] + sx) - prim->anchor_x,
                                     (batch->y[i] + sy) - prim->anchor_y);
        worker->depth[i] = value + prim->depth_offset;
    }
}

/* Tests the batch's quads by way of a copy, for pixels of other sizes and surfaces that cut quads.
 */
static uint64_t test_copied_quads(struct raster_worker *worker, const float *depths,
                                  unsigned sample, uint64_t mask)
{
    const struct raster_surface *surface = worker->zs_surface;
    const struct raster_depth_stencil *ds = worker->pipeline->ds;
    uint64_t back = mask & back_lanes(&worker->batch.quads), passed;
    struct raster_zs_blocks block = {.depths = depths};
    unsigned bytes = surface->format->bytes;

    raster_gather(worker, surface, sample, worker->pixels, mask);
    load_row(worker->words, worker->pixels, bytes, RASTER_LANES);
    passed =
        test_words(worker, &ds[0], block, mask & ~back) | test_words(worker, &ds[1], block, back);
    if (writes(&ds[0])) {
        store_row(worker->pixels, worker->words, bytes, RASTER_LANES);
        raster_scatter(worker, surface, sample, worker->pixels, mask);
    }
    return passed;
}

uint64_t raster_depth_quads(struct raster_worker *worker, const float *depths, unsigned sample,
                            uint64_t mask)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_surface *surface = worker->zs_surface;
    struct raster_zs_lanes lanes = {
        .quads = &worker->batch.quads,
        .depths = depths,
        .x = raster_sample_x[pipeline->pattern][sample] / 16.0f,
        .y = raster_sample_y[pipeline->pattern][sample] / 16.0f,
        .base = surface->data + (size_t)sample * surface->sample_pitch,
        .pitch = surface->row_pitch,
        .write = true,
    };

    update_hiz_batch(worker);
    if (pipeline->zs_access == ZS_QUADS_IN_PLACE)
        return test_faces(worker, &lanes, mask);
    if (!depths)
        find_lane_depths(worker, sample);
    return test_copied_quads(worker, depths ? depths : worker->depth, sample, mask);
}
