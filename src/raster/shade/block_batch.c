/* Batch of a whole block: interpolates the inputs of its 64 lanes, which are in quad order.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/shade/block_batch.h"

#include "raster/prim/prim.h"
#include "raster/shade/block_kern.h"
#include "raster/shade/shade.h"

/* Lane i is pixel (lane_x(i), lane_y(i)) of the block. */
static unsigned lane_x(unsigned lane)
{
    return lane / 4 % 4 * 2 + lane % 2;
}

static unsigned lane_y(unsigned lane)
{
    return lane / 16 * 2 + lane / 2 % 2;
}

static void put_position(struct frag_batch *lanes, int32_t x, int32_t y)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->x[i] = (float)(x + (int32_t)lane_x(i));
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->y[i] = (float)(y + (int32_t)lane_y(i));
}

static void put_face(struct frag_batch *lanes, float face)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->face[i] = face;
}

static void interpolate(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                        int32_t y)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct frag_batch *lanes = &worker->block;
    struct raster_block block = {
        .prim = prim,
        .attr = pipeline->s.attr,
        .n_attrs = pipeline->s.n_attrs,
        .x = (float)x,
        .y = (float)y,
        .with_const_attribs = worker->block.prim != prim,
        .z = pipeline->batch_inputs & RASTER_PS_INPUT_Z ? lanes->z : NULL,
        .w = pipeline->batch_inputs & RASTER_PS_INPUT_W ? lanes->w : NULL,
        .work = worker->block.work,
    };

    worker->raster->block_kern->interpolate(&block);
    worker->block.prim = prim; /* shaders do not modify their inputs */
    if (pipeline->batch_inputs & RASTER_PS_INPUT_POS)
        put_position(lanes, x, y);
    if (pipeline->batch_inputs & RASTER_PS_INPUT_FACE)
        put_face(lanes, prim->face);
}

struct raster_shade_batch *raster_block_batch_open(struct raster_worker *worker,
                                                   const struct raster_prim *prim, int32_t x,
                                                   int32_t y, uint64_t quads)
{
    struct frag_batch *batch = &worker->block;

    batch->layout = FRAG_BLOCK;
    batch->block_x = x;
    batch->block_y = y;
    if (batch->prim != prim || !batch->shade.outputs_valid_for) {
        raster_batch_open(worker, batch, 0, 0);
        batch->shade.prim = prim;
    }
    batch->shade.lanes = batch->shade.covered = quads;
    batch->shade.killed = 0;
    interpolate(worker, prim, x, y);
    return &batch->shade;
}
