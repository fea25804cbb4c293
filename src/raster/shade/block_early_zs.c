/* Early depth and stencil tests of a primitive's 8x8 blocks in a tile, then dispatch of the
 * surviving blocks.
 *
 * A surviving block is filled with a solid colour, shaded as a whole block, or given to the packer.
 *
 * Tested by tests/unit/raster/zs/test_depth_stencil.c, tests/unit/raster/zs/test_hiz.c. */
#include "raster/shade/block.h"
#include "raster/shade/centroid.h"
#include "raster/shade/packer.h"
#include "raster/worker/in_flight.h"
#include "raster/zs/zs.h"

enum { ENOUGH_QUADS = 8 };

static int32_t block_x(const struct raster_worker *worker, unsigned block)
{
    return worker->tile.x + (int32_t)block % BLOCK_DIM * BLOCK_DIM;
}

static int32_t block_y(const struct raster_worker *worker, unsigned block)
{
    return worker->tile.y + (int32_t)block / BLOCK_DIM * BLOCK_DIM;
}

/* Number of a block's quads that have pixels; rows: a byte for each row of pixels. */
static unsigned count_quads(uint64_t rows)
{
    uint64_t n = (rows | rows >> 1) & UINT64_C(0x5555555555555555);

    n = (n | n >> BLOCK_DIM) & UINT64_C(0x0055005500550055);
    n = (n & UINT64_C(0x0033003300330033)) + (n >> 2 & UINT64_C(0x0033003300330033));
    n = (n & UINT64_C(0x000f000f000f000f)) + (n >> 4 & UINT64_C(0x000f000f000f000f));
    return (unsigned)(n * UINT64_C(0x0001000100010001) >> 48);
}

/* Whether shading a partly covered block as a whole is cheaper than packing its quads. */
static bool prefers_whole_block(const struct raster_worker *worker,
                                const struct raster_pipeline *pipeline, unsigned block,
                                uint64_t any)
{
    if (block_x(worker, block) + BLOCK_DIM > pipeline->common_rect[2] ||
        block_y(worker, block) + BLOCK_DIM > pipeline->common_rect[3])
        return false;
    return count_quads(any) >= ENOUGH_QUADS;
}

/* Finds blocks with few covered pixels; the packer tests them together with others. */
static uint64_t sparse_blocks(const struct raster_worker *worker,
                              const struct raster_pipeline *pipeline, uint64_t blocks)
{
    uint64_t sparse = 0;

    for (; blocks; blocks &= blocks - 1) {
        unsigned block = (unsigned)__builtin_ctzll(blocks);

        if (!prefers_whole_block(worker, pipeline, block, worker->masks[block]))
            sparse |= UINT64_C(1) << block;
    }
    return sparse;
}

/* Runs the pending tests of the batch before the tests of blocks that contain them, so that
 * tests stay in order. in_flight: from raster_in_flight_blocks. */
static void test_pending_first(struct raster_worker *worker, uint64_t blocks, uint64_t in_flight)
{
    if (worker->batch.tested == worker->batch.n)
        return;
    for (blocks &= in_flight; blocks; blocks &= blocks - 1) {
        unsigned block = (unsigned)__builtin_ctzll(blocks);

        if (raster_in_flight_conflicts(worker, block, worker->masks[block])) {
            raster_pack_test(worker);
            return;
        }
    }
}

/* Tests the blocks, except for the sparse ones, which it returns: the packer tests them. */
static uint64_t early_zs(struct raster_worker *worker, const struct raster_prim *prim,
                         uint64_t blocks, uint64_t in_flight)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t sparse = 0;

    if (!blocks || !raster_uses_zs(pipeline) || pipeline->zs_order == ZS_LATE)
        return 0;
    /* With late tests, blocks for single fragments are tested here, so that fewer are packed. */
    if (pipeline->batch_zs_test && (raster_is_early_zs(pipeline) || !pipeline->single_fragments))
        sparse = sparse_blocks(worker, pipeline, blocks);
    test_pending_first(worker, blocks & ~sparse, in_flight);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        raster_depth_blocks(worker, prim, s, blocks & ~sparse, NULL, !raster_is_early_zs(pipeline));
    return sparse;
}

/* Clears the coverage of samples that the sample mask disables. */
static void mask_samples(struct raster_worker *worker, uint64_t blocks, uint32_t sample_mask)
{
    unsigned samples = worker->raster->targets.samples;

    for (; blocks && samples > 1; blocks &= blocks - 1)
        for (unsigned s = 0; s < samples; s++)
            if (!(sample_mask >> s & 1))
                raster_block_masks(worker, (unsigned)__builtin_ctzll(blocks))[s] = 0;
}

/* Shades the pixels of a block that the early tests left. in_flight: the batch may hold pixels of
 * it. */
static void shade_block(struct raster_worker *worker, const struct raster_prim *prim,
                        unsigned block, bool in_flight)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    const struct centroid_samples *centroid = pipeline->centroid ? &worker->centroid[block] : NULL;
    unsigned samples = worker->raster->targets.samples;
    uint64_t *cover = raster_block_masks(worker, block), any = cover[0], every = cover[0];

    for (unsigned s = 1; s < samples; s++) {
        any |= cover[s];
        every &= cover[s];
    }
    for (unsigned s = 0; s < samples && pipeline->query && raster_is_early_zs(pipeline); s++)
        raster_count_samples(worker, cover[s]);
    if (!any || !raster_shades(pipeline))
        return;
    if (pipeline->whole_blocks && (!~every || prefers_whole_block(worker, pipeline, block, any))) {
        if (in_flight && raster_in_flight_conflicts(worker, block, any))
            raster_pack_flush(worker);
        raster_block_run(worker, prim, block_x(worker, block), block_y(worker, block), cover,
                         centroid);
        return;
    }
    raster_pack_block(worker, prim, block, cover, centroid);
    if (worker->raster->options.no_packing)
        raster_pack_flush(worker);
}

/* Fills the fully covered blocks of a primitive of one solid colour; returns them. */
static uint64_t fill_solid_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                                  uint64_t blocks, uint64_t in_flight)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t whole = 0;
    bool conflicts = false;

    if (!(pipeline->shortcuts & SHORTCUT_SOLID) || pipeline->query ||
        worker->raster->targets.samples > 1)
        return 0;
    for (; blocks; blocks &= blocks - 1) {
        unsigned block = (unsigned)__builtin_ctzll(blocks);

        if (~worker->masks[block])
            continue;
        whole |= UINT64_C(1) << block;
        conflicts = conflicts || (in_flight >> block & 1 &&
                                  raster_in_flight_conflicts(worker, block, ~UINT64_C(0)));
    }
    if (conflicts)
        raster_pack_flush(worker);
    return raster_block_solid(worker, prim, whole) ? whole : 0;
}

/* Chooses the positions of centroid attributes from the coverage before the tests, because tests
 * may also run after shading. */
static void find_centroids(struct raster_worker *worker, const struct raster_pipeline *pipeline,
                           uint64_t blocks)
{
    for (; blocks; blocks &= blocks - 1) {
        unsigned block = (unsigned)__builtin_ctzll(blocks);

        worker->centroid[block] = raster_centroid_samples(pipeline, worker->raster->targets.samples,
                                                          raster_block_masks(worker, block));
    }
}

void raster_draw_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t sparse, in_flight = raster_in_flight_blocks(worker, blocks);

    mask_samples(worker, blocks, pipeline->s.sample_mask);
    if (pipeline->centroid)
        find_centroids(worker, pipeline, blocks);
    sparse = early_zs(worker, prim, blocks, in_flight);
    if (!raster_shades(pipeline) && !pipeline->query)
        blocks &= sparse;
    blocks &= ~fill_solid_blocks(worker, prim, blocks & ~sparse, in_flight);
    for (; blocks; blocks &= blocks - 1) {
        unsigned block = (unsigned)__builtin_ctzll(blocks);

        if (sparse >> block & 1)
            raster_pack_put(worker, prim, block % BLOCK_DIM * BLOCK_DIM,
                            block / BLOCK_DIM * BLOCK_DIM, worker->masks[block]);
        else
            shade_block(worker, prim, block, in_flight >> block & 1);
    }
}
