/* Front-to-back sorting of consecutive sprites in a tile, inside the module tile. */
#ifndef RASTER_TILE_FRONT_TO_BACK_H
#define RASTER_TILE_FRONT_TO_BACK_H

#include "raster/prim/prim.h"

/* Insertion-sorted run of sprites, nearest first. */
enum { MAX_SORTED = 128 };
struct depth_sort {
    unsigned n;
    uint32_t code[MAX_SORTED];
    const struct raster_prim *prim[MAX_SORTED];
};

/* Adds a primitive. False: the primitive is not sortable, has another pipeline, or the sort is
 * full. */
bool raster_depth_sort_add(struct depth_sort *sort, const struct raster *raster,
                           const struct raster_prim *prim);

#endif
