/* Drawing of one primitive in a tile, inside the module tile. */
#ifndef RASTER_TILE_DRAW_PRIM_H
#define RASTER_TILE_DRAW_PRIM_H

#include "raster/zs/zs.h"

/* Draws the part of a primitive that lies in the worker's tile; full: it covers the tile. */
void raster_tile_draw_prim(struct raster_worker *worker, struct pending_fill *pending,
                           const struct raster_prim *prim, bool full);

#endif
