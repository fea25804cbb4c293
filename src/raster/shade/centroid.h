/* Centroid attributes, inside the module shade. */
#ifndef RASTER_SHADE_CENTROID_H
#define RASTER_SHADE_CENTROID_H

#include "raster/shade/shade.h"

/* Chooses for each pixel of a block where centroid attributes are evaluated. `cover` holds the
 * primitive's coverage of each sample. */
struct centroid_samples raster_centroid_samples(const struct raster_pipeline *pipeline,
                                                unsigned samples, const uint64_t *cover);
/* Evaluates the centroid attributes of the batch's quads where batch->centroid says. */
void raster_centroid_move(const struct raster_worker *worker, const struct frag_batch *batch);

#endif
