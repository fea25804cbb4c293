/* Coverage of triangles, split rectangles and lines in a tile, inside the module tile. */
#ifndef RASTER_TILE_COVERAGE_H
#define RASTER_TILE_COVERAGE_H

#include "raster/prim/prim.h"
#include "raster/worker/worker.h"

/* Writes the coverage of a triangle in the blocks `todo` to worker->masks; returns the
 * blocks that have pixels. */
uint64_t raster_coverage_triangle(struct raster_worker *worker, const struct raster_prim *prim,
                                  uint64_t todo);

/* Splits the blocks `todo` by a PRIM_SPLIT_RECT's diagonal. Returns the blocks that may have pixels
 * of the first half; `whole`: those that belong to it entirely; pixels[block]: its pixels in the
 * others, not clipped to the rectangle. */
uint64_t raster_coverage_split_edge(const struct raster_worker *worker,
                                    const struct raster_prim *prim, uint64_t todo, uint64_t *whole,
                                    uint64_t pixels[BLOCKS_PER_TILE]);

/* Writes the pixels of a line to worker->masks, for all blocks of the tile; returns the blocks that
 * have pixels. */
uint64_t raster_coverage_line(struct raster_worker *worker, const struct raster_prim *prim);
uint64_t raster_coverage_aa_line(struct raster_worker *worker, const struct raster_prim *prim,
                                 uint64_t todo);

#endif
