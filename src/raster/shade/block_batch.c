/* Batch of a whole block: interpolates the inputs of its 64 lanes, which are in quad order.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/shade/block_batch.h"

#include "raster/prim/prim.h"
#include "raster/shade/block_kern.h"

/* Lane i is pixel (lane_x(i), lane_y(i)) of the block. */
static unsigned lane_x(unsigned lane)
{
    return lane / 4 % 4 * 2 + lane % 2;
}

static unsigned lane_y(unsigned lane)
{
    return lane / 16 * 2 + lane / 2 % 2;
}

static void put_position(struct raster_block_lanes *lanes, int32_t x, int32_t y)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->x[i] = (float)(x + (int32_t)lane_x(i));
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->y[i] = (float)(y + (int32_t)lane_y(i));
}

static void put_face(struct raster_block_lanes *lanes, float face)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->face[i] = face;
}

static void interpolate(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                        int32_t y)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct raster_block_lanes *lanes = &worker->block;
    struct raster_block block = {
        .prim = prim,
        .attr = pipeline->s.attr,
        .n_attrs = pipeline->s.n_attrs,
        .x = (float)x,
        .y = (float)y,
        .with_const_attribs = worker->last_prim != prim,
        .z = pipeline->batch_inputs & RASTER_PS_INPUT_Z ? lanes->z : NULL,
        .w = pipeline->batch_inputs & RASTER_PS_INPUT_W ? lanes->w : NULL,
        .work = worker->work,
    };

    worker->raster->block_kern->interpolate(&block);
    worker->last_prim = prim; /* shaders do not modify their inputs */
    if (pipeline->batch_inputs & RASTER_PS_INPUT_POS)
        put_position(lanes, x, y);
    if (pipeline->batch_inputs & RASTER_PS_INPUT_FACE)
        put_face(lanes, prim->face);
}

struct raster_shade_batch *raster_block_batch_open(struct raster_worker *worker,
                                                   const struct raster_prim *prim, int32_t x,
                                                   int32_t y, uint64_t quads)
{
    const struct raster_block_lanes *lanes = &worker->block;
    struct raster_shade_batch *batch = &worker->whole;

    if (worker->last_prim != prim || !batch->outputs_valid_for)
        *batch = (struct raster_shade_batch){
            .worker = worker->number,
            .work = worker->work,
            .x = lanes->x,
            .y = lanes->y,
            .z = lanes->z,
            .w = lanes->w,
            .face = lanes->face,
            .prim = prim,
        };
    batch->lanes = batch->covered = quads;
    batch->killed = 0;
    interpolate(worker, prim, x, y);
    return batch;
}
