/* All doors, for files that do not yet name those that they need. */
#ifndef RASTER_RASTER_PRIVATE_H
#define RASTER_RASTER_PRIVATE_H

#include "raster/bin/bin.h"
#include "raster/bin/prefetch.h"
#include "raster/output/output.h"
#include "raster/setup/draw_batch.h"
#include "raster/setup/setup.h"
#include "raster/shade/shade.h"
#include "raster/shade/frag_batch_kern.h"
#include "raster/state/depth.h"
#include "raster/zs/zs.h"

#endif
