/* Late tests: kill, alpha, alpha to coverage, depth and stencil after shading, for a batch's lanes
 * or a whole block.
 *
 * Tested by tests/unit/raster/zs/test_depth_stencil.c, tests/unit/raster/shade/test_multisample.c.
 */
#include "raster/zs/depth_kern.h"
#include "raster/zs/depth_stencil.h"

void raster_count_samples(struct raster_worker *worker, uint64_t passed)
{
    struct raster_query *query = worker->pipeline->query;

    if (query)
        query->counts[worker->number * QUERY_STRIDE] += (uint64_t)__builtin_popcountll(passed);
}

uint64_t raster_alpha_lanes(const struct raster_worker *worker,
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

void raster_late_zs_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    unsigned samples = worker->raster->targets.samples;
    uint64_t alive = ~batch->killed;
    const float *z = pipeline->s.writes_depth && batch->depth ? batch->depth : worker->z;

    if (pipeline->s.alpha_test)
        alive &= raster_alpha_lanes(worker, batch);
    for (unsigned s = 0; s < samples; s++) {
        worker->cover[s] &= alive;
        if (pipeline->alpha_cover && worker->cover[s])
            worker->cover[s] &= alpha_cover(worker, batch, s);
        if (pipeline->depth_used && worker->cover[s])
            worker->cover[s] = raster_depth_lanes(worker, z, s, worker->cover[s]);
        raster_count_samples(worker, worker->cover[s]);
    }
}

bool raster_late_zs_block(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                          int32_t y, const struct raster_shade_batch *batch, uint64_t *cover)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint64_t block = UINT64_C(1) << raster_block_number(worker, x, y);
    unsigned samples = worker->raster->targets.samples;
    uint64_t alive = ~batch->killed, any = 0;

    if (pipeline->s.alpha_test)
        alive &= raster_alpha_lanes(worker, batch);
    alive = raster_mask_quad_to_linear(alive);
    for (unsigned s = 0; s < samples; s++) {
        cover[s] &= alive;
        if (pipeline->alpha_cover && cover[s])
            cover[s] &= raster_mask_quad_to_linear(alpha_cover(worker, batch, s));
        if (pipeline->depth_used && cover[s])
            raster_depth_blocks(worker, prim, s, block, false);
        raster_count_samples(worker, cover[s]);
        any |= cover[s];
    }
    return any != 0;
}
