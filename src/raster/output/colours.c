/* Source colours of an output: fog (reference: fog/table).
 *
 * Tested by tests/unit/raster/output/test_output.c. */
#include "raster/output/colours.h"

#include "raster/output/colour_kern.h"
#include "raster/prim/prim.h"

/* The depth with bias, as the depth test uses it. */
static const float *biased_depth(struct raster_worker *worker,
                                 const struct raster_shade_batch *batch, bool block_lanes)
{
    const struct raster_values *values = &worker->pipeline->s.values;
    const float *z = block_lanes ? worker->block.z : worker->batch.z;

    if (values->depth_bias == 0.0f && values->slope_bias == 0.0f)
        return z;
    for (unsigned i = 0; i < (block_lanes ? RASTER_LANES : worker->batch.quads.n * 4); i++) {
        const struct raster_prim *prim =
            block_lanes ? batch->prim : worker->batch.quads.prim[i / 4];

        worker->depth[i] = z[i] + prim->depth_offset;
    }
    return worker->depth;
}

const float *raster_fog_coordinate(struct raster_worker *worker,
                                   const struct raster_shade_batch *batch, bool block_lanes)
{
    const struct raster_state *state = &worker->pipeline->s;

    if (state->fog == RASTER_FOG_VERTEX)
        return (block_lanes ? worker->block.work : worker->batch.work) +
               state->attr[state->fog_attr].slot * RASTER_LANES;
    if (state->fog_w)
        return block_lanes ? worker->block.w : worker->batch.w;
    return biased_depth(worker, batch, block_lanes);
}

void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_shade_batch *batch, bool block_lanes,
                          const float *source[4])
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    unsigned target = pipeline->output_target[n];
    float *out[3] = {worker->source[0], worker->source[1], worker->source[2]};

    for (unsigned c = 0; c < 4; c++)
        source[c] = batch->colour[target][c];
    if (target != 0 || pipeline->fog.mode == RASTER_FOG_NONE)
        return;
    worker->raster->colour_kern->fog(
        &pipeline->fog, raster_fog_coordinate(worker, batch, block_lanes), source, out);
    for (unsigned c = 0; c < 3; c++)
        source[c] = out[c];
}
