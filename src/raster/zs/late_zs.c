/* Late tests: kill, alpha, alpha to coverage, depth and stencil after shading, for
 * batches of all layouts.
 *
 * Tested by tests/unit/raster/zs/test_depth_stencil.c, tests/unit/raster/shade/test_multisample.c.
 */
#include "raster/zs/depth_kern.h"
#include "raster/zs/depth_stencil.h"

#include <string.h>

void raster_count_samples(struct raster_worker *worker, uint64_t passed)
{
    struct raster_query *query = worker->pipeline->query;

    if (query)
        query->counts[worker->number * QUERY_STRIDE] += (uint64_t)__builtin_popcountll(passed);
}

/* Lanes whose colour 0 passes the alpha test. */
static uint64_t alpha_lanes(const struct raster_worker *worker,
                            const struct raster_shade_batch *batch)
{
    const struct raster_pipeline *pipeline = worker->pipeline;

    if (!batch->colour[0][0])
        return ~UINT64_C(0);
    return worker->raster->depth_kern->alpha_test(batch->colour[0][3], &pipeline->alpha_test);
}

/* Alpha covers sample i if it is at least (i + 1/2) / samples; NaN covers none (reference:
 * multisample/alpha-to-coverage). */
static uint64_t alpha_cover(const struct raster_worker *worker,
                            const struct raster_shade_batch *batch, unsigned sample)
{
    const float *alpha = batch->colour[0][3];
    float least = ((float)sample + 0.5f) / (float)worker->raster->targets.samples;
    uint64_t lanes = 0;

    if (!batch->colour[0][0])
        return ~UINT64_C(0);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes |= (uint64_t)(alpha[i] >= least) << i;
    return lanes;
}

/* The shader's depths in the order of the block's masks. */
static const float *block_depths(struct raster_worker *worker, const float *z)
{
    for (unsigned q = 0; q < QUADS; q++, z += 4) {
        float *above = worker->depth + q / 4 * 2 * BLOCK_DIM + q % 4 * 2;

        memcpy(above, z, 2 * sizeof(*z));
        memcpy(above + BLOCK_DIM, z + 2, 2 * sizeof(*z));
    }
    return worker->depth;
}

/* Depth and stencil tests of one sample. depths: of the shader or of w, in the order of `cover`; or
 * NULL. */
static void test_sample(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover,
                        const float *depths, unsigned sample)
{
    switch (batch->layout) {
    case FRAG_BLOCK: /* in worker->masks */
        raster_depth_blocks(worker, batch->prim, sample,
                            UINT64_C(1)
                                << raster_block_number(worker, batch->block_x, batch->block_y),
                            depths, false);
        break;
    case FRAG_SINGLE:
        cover[0] = raster_depth_batch(worker, cover[0], true);
        break;
    default:
        cover[sample] = raster_depth_quads(worker, depths, sample, cover[sample]);
    }
}

/* Lanes in the order of the masks of `cover`. */
static uint64_t in_cover_order(const struct frag_batch *batch, uint64_t lanes)
{
    return batch->layout == FRAG_BLOCK ? raster_mask_quad_to_linear(lanes) : lanes;
}

/* counts: NULL: none are wanted. */
static inline __attribute__((always_inline)) bool late_zs(struct raster_worker *worker,
                                                          struct frag_batch *batch, uint64_t *cover,
                                                          bool query, struct raster_counts *counts)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    unsigned samples = worker->raster->targets.samples;
    uint64_t alive = ~batch->shade.killed, any = 0;
    const float *depths = pipeline->s.writes_depth ? batch->shade.depth : NULL;

    if (depths && batch->layout == FRAG_BLOCK && raster_uses_zs(pipeline))
        depths = block_depths(worker, depths);
    if (pipeline->s.alpha_test && !batch->merged)
        alive &= alpha_lanes(worker, &batch->shade);
    alive = in_cover_order(batch, alive);
    for (unsigned s = 0; s < samples; s++) {
        uint64_t covered = cover[s], reached, met = 0;

        cover[s] &= alive;
        if (pipeline->s.alpha_to_coverage && samples > 1 && cover[s])
            cover[s] &= in_cover_order(batch, alpha_cover(worker, &batch->shade, s));
        if (pipeline->s.w_buffer && cover[s])
            depths = raster_w_depths(worker, batch, cover[s], s);
        reached = cover[s];
        if (counts)
            met = raster_stencil_lanes(worker, batch, s, reached);
        if (raster_uses_zs(pipeline) && cover[s])
            test_sample(worker, batch, cover, depths, s);
        if (query)
            raster_count_samples(worker, cover[s]);
        if (counts)
            raster_count_tests(worker, batch,
                               &(struct tested_lanes){covered, reached, met, cover[s]});
        any |= cover[s];
    }
    return any != 0;
}

bool raster_late_zs(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover)
{
    if (!worker->pipeline->query)
        return late_zs(worker, batch, cover, false, NULL);
    return late_zs(worker, batch, cover, true, worker->raster->counts);
}
