/* Batch of a whole block, inside the module shade. */
#ifndef RASTER_SHADE_BLOCK_BATCH_H
#define RASTER_SHADE_BLOCK_BATCH_H

#include "raster/worker/worker.h"

/* Opens the batch of the block at (x, y) with its interpolated inputs, in the worker's memory for
 * whole blocks; quads: its lanes. */
struct raster_shade_batch *raster_block_batch_open(struct raster_worker *worker,
                                                   const struct raster_prim *prim, int32_t x,
                                                   int32_t y, uint64_t quads);
/* Evaluates its centroid attributes again where `centroid`, in linear order, says. */
void raster_block_batch_move(struct raster_worker *worker, const struct centroid_samples *centroid);

#endif
