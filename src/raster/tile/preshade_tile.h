/* Preshaded runs in their tile, inside the module tile. */
#ifndef RASTER_TILE_PRESHADE_TILE_H
#define RASTER_TILE_PRESHADE_TILE_H

#include "raster/bin/bin.h"
#include "raster/worker/worker.h"

/* Whether a pixel of the run is in flight, so that the queue must be flushed first. */
bool raster_preshaded_conflicts(const struct raster_worker *worker,
                                const struct preshaded_run *preshaded);
/* Tests the run's fragments in order and writes those that pass. */
void raster_preshaded_draw(struct raster_worker *worker, const struct preshaded_run *preshaded);

#endif
