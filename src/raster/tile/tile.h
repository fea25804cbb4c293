/* Tiles, highest module beside setup: a worker runs a bin's commands in order and turns primitives
 * into masks of 8x8 blocks. */
#ifndef RASTER_TILE_TILE_H
#define RASTER_TILE_TILE_H

#include "raster/scene/scene.h"

/* Runs the commands of a tile's bin on the worker of that number, then empties the bin:
 * raster->run_tile. */
void raster_tile_run(struct raster *raster, unsigned number, uint32_t tile);

#endif
