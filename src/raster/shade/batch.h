/* Batches, inside the module shade: the way from 64 interpolated lanes to the targets. */
#ifndef RASTER_SHADE_BATCH_H
#define RASTER_SHADE_BATCH_H

#include "raster/shade/shade.h"

/* Where the inputs that the pipeline needs are interpolated to. */
struct raster_lanes raster_batch_lanes(struct frag_batch *batch,
                                       const struct raster_pipeline *pipeline);
/* Shades a batch, runs late tests and writes the lanes of `cover` that are left. cover: one mask
 * per sample; of a block its masks in worker->masks, in linear order. Early tests are done. */
void raster_batch_shade(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover);

#endif
