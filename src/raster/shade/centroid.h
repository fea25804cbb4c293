/* Centroid attributes, inside the module shade. */
#ifndef RASTER_SHADE_CENTROID_H
#define RASTER_SHADE_CENTROID_H

#include "raster/shade/shade.h"

/* Chooses for each pixel of a block where centroid attributes are evaluated: 1 + sample, or 0 for
 * the centre. `cover` holds the primitive's coverage of each sample. */
void raster_centroid_samples(const struct raster_pipeline *pipeline, unsigned samples,
                             const uint64_t *cover, uint8_t *centroid_sample);
/* Evaluates the batch's centroid attributes again at worker->batch.centroid_sample. */
void raster_centroid_move(struct raster_worker *worker);

#endif
