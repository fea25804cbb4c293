/* Quad queue, inside the module shade: functions that add covered pixels to it, and hazard checks
 * against pixels in flight. */
#ifndef RASTER_SHADE_QUAD_QUEUE_H
#define RASTER_SHADE_QUAD_QUEUE_H

#include "raster/shade/shade.h"

/* Shades a fully covered block as one batch; the queue must be empty. */
void raster_quad_queue_add_whole(struct raster_worker *worker, const struct raster_prim *prim,
                                 int32_t x, int32_t y);
/* Adds pixels of a block that have passed early tests. cover: one mask per sample;
 * centroid_sample: see raster_centroid_samples, or NULL. */
void raster_quad_queue_add_block(struct raster_worker *worker, const struct raster_prim *prim,
                                 int32_t x, int32_t y, const uint64_t *cover,
                                 const uint8_t *centroid_sample);
/* Adds 8x8 pixels at even (x, y) of the tile, single sample. Their depth test waits in the queue if
 * the pipeline has quad_zs_test. */
void raster_quad_queue_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                           unsigned y, uint64_t rows);
/* Whether any of these pixels of a block is in flight. */
bool raster_in_flight_conflicts(struct raster_worker *worker, unsigned block, uint64_t rows);

#endif
