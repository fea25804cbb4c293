/* Output merger for the lanes of a batch: fog coordinates, and the stores to each sample of each
 * target (reference: fog/table). */
#include "raster/output/output.h"

#include "raster/output/blend_kern.h"
#include "raster/output/colour_kern.h"
#include "raster/output/colours.h"
#include "raster/output/half_kern.h"
#include "raster/output/store_kern.h"
#include "raster/prim/prim.h"

void raster_output_init(struct raster *raster)
{
    raster->colour_kern = KERN_PICK(raster_colour_kern);
    raster->blend_kern = KERN_PICK(raster_blend_kern);
    raster->half_kern = KERN_PICK(raster_half_kern);
    raster->store_kern = KERN_PICK(raster_store_kern);
}

/* The depth with bias, as the depth test uses it (reference: fog/table). */
static const float *biased_depth(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->pipeline->s;

    if (state->values.depth_bias == 0.0f && state->values.slope_bias == 0.0f)
        return worker->z;
    for (unsigned i = 0; i < worker->quads.n * 4; i++)
        worker->depth[i] = worker->z[i] + worker->quads.prim[i / 4]->depth_offset;
    return worker->depth;
}

static const float *fog_coordinate(struct raster_worker *worker)
{
    const struct raster_state *state = &worker->pipeline->s;

    if (state->fog == RASTER_FOG_VERTEX)
        return worker->batch_work + state->attr[state->fog_attr].slot * RASTER_LANES;
    return state->fog_w ? worker->w : biased_depth(worker);
}

static void write_sample(struct raster_worker *worker, const struct raster_output *output,
                         const float *const colour[4], unsigned sample, uint64_t mask,
                         uint64_t *packed)
{
    if (raster_output_reads(output))
        raster_gather(worker, output->surface, sample,
                      raster_output_dst_pixels(worker, output, *packed), mask);
    raster_output_sample(worker, output, colour, mask, packed);
    raster_scatter(worker, output->surface, sample, worker->packed, mask);
}

static void write_target(struct raster_worker *worker, unsigned n,
                         const struct raster_shade_batch *batch, const uint64_t *cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    const struct raster_output *output = &pipeline->output[n];
    unsigned samples = worker->raster->targets.samples;
    bool fogged = pipeline->output_target[n] == 0 && pipeline->fog.mode != RASTER_FOG_NONE;
    const float *source[4];
    uint64_t packed = 0;

    raster_output_source(worker, n, batch, fogged ? fog_coordinate(worker) : NULL, source);
    for (unsigned s = 0; s < samples; s++)
        if (cover[s])
            write_sample(worker, output, source, s, cover[s], &packed);
}

void raster_output_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch,
                         const uint64_t *cover)
{
    uint64_t any = 0;

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        any |= cover[s];
    if (!any)
        return;
    for (unsigned n = 0; n < worker->pipeline->n_outputs; n++)
        if (batch->colour[worker->pipeline->output_target[n]][0])
            write_target(worker, n, batch, cover);
}
