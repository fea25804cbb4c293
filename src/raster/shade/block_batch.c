/* Batch of a whole block: interpolates the inputs of its 64 lanes, which are in quad order.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/shade/block_batch.h"

#include "raster/prim/prim.h"
#include "raster/shade/batch.h"
#include "raster/shade/centroid.h"
#include "raster/shade/interp_kern.h"

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
    worker->raster->interp_kern->block(&batch->lanes, prim, (float)x, (float)y,
                                       batch->prim != prim);
    batch->prim = prim; /* shaders do not modify their inputs */
    return &batch->shade;
}

void raster_block_batch_move(struct raster_worker *worker, const struct centroid_samples *centroid)
{
    struct frag_batch *batch = &worker->block;

    for (unsigned i = 0; i < CENTROID_BITS; i++)
        batch->centroid.bit[i] = raster_mask_linear_to_quad(centroid->bit[i]);
    for (unsigned q = 0; q < QUADS; q++) {
        batch->quad_x[q] = batch->block_x + (int32_t)q % 4 * 2;
        batch->quad_y[q] = batch->block_y + (int32_t)q / 4 * 2;
        batch->quad_prim[q] = batch->prim;
    }
    batch->n = RASTER_LANES;
    batch->quads = raster_quads_from(batch, 0);
    raster_centroid_move(worker, batch);
}
