/* Batches, inside the module shade: the way from 64 interpolated lanes to the targets. */
#ifndef RASTER_SHADE_BATCH_H
#define RASTER_SHADE_BATCH_H

#include "raster/shade/shade.h"

/* Shades a batch, runs late tests and writes the lanes of `cover` that are left. cover: one mask
 * per sample; of a block its masks in worker->masks, in linear order. Early tests are done. */
void raster_batch_shade(struct raster_worker *worker, struct frag_batch *batch, uint64_t *cover);

#endif
