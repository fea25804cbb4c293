/* Fragment batches, inside the module shade: the queue for pipelines with frag_batch, whose
 * fragments are shaded without helper lanes. */
#ifndef RASTER_SHADE_FRAG_BATCH_H
#define RASTER_SHADE_FRAG_BATCH_H

#include "raster/shade/shade.h"

/* raster_quad_queue_take for fragments. */
size_t raster_frag_batch_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i);
/* Queues 8x8 pixels at (x, y) of the tile; tested: they have passed the early test. */
void raster_frag_batch_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows, bool tested);
/* Runs the pending early depth tests. */
void raster_frag_batch_test(struct raster_worker *worker);
/* Shades all queued fragments. */
void raster_frag_batch_flush(struct raster_worker *worker);

#endif
