/* Late depth and stencil tests inside the module zs. */
#ifndef RASTER_ZS_DEPTH_STENCIL_H
#define RASTER_ZS_DEPTH_STENCIL_H

#include "raster/zs/zs.h"

/* Late test of a sample of the batch's quads. depths: of each lane, from the shader; NULL: those of
 * their primitives. Returns the lanes of `mask` that pass. */
uint64_t raster_depth_quads(struct raster_worker *worker, const float *depths, unsigned sample,
                            uint64_t mask);
/* w_depth.c: The depths of covered lanes at a sample for a W-buffer, in the order of `cover`, in
 * worker->depth. The batch is not of FRAG_SINGLE. */
const float *raster_w_depths(struct raster_worker *worker, const struct frag_batch *batch,
                             uint64_t cover, unsigned sample);

#endif
