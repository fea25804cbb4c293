/* How pixels get into the batch that is being filled. */
#ifndef RASTER_QUAD_QUEUE_H
#define RASTER_QUAD_QUEUE_H

#include "raster/raster_private.h"

/* All pixels of a block, which fill a batch by themselves. */
void raster_quad_queue_add_whole(struct raster_worker *worker, const struct raster_prim *prim,
                                 int32_t x, int32_t y);
/* Pixels of a block that tests have passed, one mask a sample, `any` of them together; place: where
 * attributes are taken, or NULL. */
void raster_quad_queue_add_block(struct raster_worker *worker, const struct raster_prim *prim,
                                 int32_t x, int32_t y, const uint64_t *cover, uint64_t any,
                                 const uint8_t *centroid_sample);
/* Pixels of 8x8 at an even place in the tile, of targets without samples, that wait for their depth
 * test if the pipeline's quads are tested together. */
void raster_quad_queue_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows);
/* Of blocks, a bit each, those of which pixels wait, or are in the batch, or were. */
uint64_t raster_in_flight_blocks(const struct raster_worker *worker, uint64_t blocks);
/* Whether pixels of a block wait, or are in the batch. */
bool raster_in_flight_conflicts(struct raster_worker *worker, unsigned block, uint64_t rows);

#endif
