/* Late depth and stencil tests inside the module zs. */
#ifndef RASTER_ZS_DEPTH_STENCIL_H
#define RASTER_ZS_DEPTH_STENCIL_H

#include "raster/zs/zs.h"

/* Late test of the batch's lanes with depths `z`. Depths that are not the shader's (z ==
 * worker->batch.z) get their primitives' offsets. */
uint64_t raster_depth_lanes(struct raster_worker *worker, const float *z, unsigned sample,
                            uint64_t mask);

#endif
