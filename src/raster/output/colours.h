/* Source colours of an output, inside the module output: a batch's results with fog. */
#ifndef RASTER_OUTPUT_COLOURS_H
#define RASTER_OUTPUT_COLOURS_H

#include "raster/output/general_kern.h"
#include "raster/output/output.h"

/* Finds the source colours of output n, and what else general_kern.h reads. Fog needs
 * the coordinates of a whole block, if block_lanes, or of the quads of the worker's batch. */
void raster_output_source(struct raster_worker *worker, unsigned n,
                          const struct raster_shade_batch *batch, bool block_lanes,
                          const float *source[RASTER_SOURCES]);

/* The coordinate that selects the fog factor. */
const float *raster_fog_coordinate(struct raster_worker *worker,
                                   const struct raster_shade_batch *batch, bool block_lanes);

#endif
