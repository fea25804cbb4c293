/* Batch of 16 quads: interpolates, shades, tests and writes its 64 lanes.
 *
 * Tested by tests/unit/raster/test_equivalence.c. */
#include "raster/shade/quad_queue.h"

#include "raster/output/output.h"
#include "raster/shade/block_kern.h"
#include "raster/shade/centroid.h"
#include "raster/shade/frag_batch_kern.h"
#include "raster/shade/quad_kern.h"
#include "raster/shade/quad_queue_kern.h"
#include "raster/zs/zs.h"

void raster_shade_init(struct raster *raster)
{
    raster->quad_kern = KERN_PICK(raster_quad_kern);
    raster->block_kern = KERN_PICK(raster_block_kern);
    raster->quad_queue_kern = KERN_PICK(raster_quad_queue_kern);
    raster->frag_batch_kern = KERN_PICK(raster_frag_batch_kern);
}

static void shade(struct raster_worker *worker, struct raster_shade_batch *batch)
{
    const struct raster_state *state = &worker->pipeline->s;
    unsigned samples = worker->raster->targets.samples;
    uint64_t any = 0;

    for (unsigned s = 0; s < samples; s++)
        any |= worker->cover[s];
    *batch = (struct raster_shade_batch){
        .worker = worker->number,
        .work = worker->batch_work,
        .x = worker->x,
        .y = worker->y,
        .z = worker->z,
        .w = worker->w,
        .face = worker->face,
        .lanes = ~UINT64_C(0) >> (RASTER_LANES - worker->quads.n * 4),
        .covered = any,
    };
    state->shade(state->values.shade_ctx, batch);
}

void raster_quad_batch_shade(struct raster_worker *worker)
{
    struct raster_shade_batch batch;

    worker->raster->quad_kern->interpolate(&worker->lanes, &worker->quads);
    if (worker->pipeline->centroid)
        raster_centroid_move(worker);
    shade(worker, &batch);
    if (!worker->pipeline->early_zs)
        raster_late_zs_lanes(worker, &batch);
    raster_output_lanes(worker, &batch, worker->cover);
}
