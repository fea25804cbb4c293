/* Packer, inside the module shade: functions that add covered pixels to the worker's batch, and
 * hazard checks against pixels in flight. */
#ifndef RASTER_SHADE_PACKER_H
#define RASTER_SHADE_PACKER_H

#include "raster/shade/shade.h"

/* Adds 8x8 pixels at even (x, y) of the tile, single sample. Their depth test waits in the batch if
 * the pipeline has batch_zs_test. */
void raster_pack_put(struct raster_worker *worker, const struct raster_prim *prim, unsigned x,
                     unsigned y, uint64_t rows);
/* Adds pixels of a block of the tile that have passed early tests. cover: one mask per sample;
 * centroid: of these pixels, or NULL. */
void raster_pack_block(struct raster_worker *worker, const struct raster_prim *prim, unsigned block,
                       const uint64_t *cover, const struct centroid_samples *centroid);
/* Whether any of these pixels of a block is in flight. */
bool raster_in_flight_conflicts(const struct raster_worker *worker, unsigned block, uint64_t rows);

#endif
