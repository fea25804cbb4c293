/* Whole blocks, inside the module shade: solid colours and axis-aligned textures. */
#ifndef RASTER_SHADE_BLOCK_H
#define RASTER_SHADE_BLOCK_H

#include "raster/shade/shade.h"

/* Fills or blends blocks of the tile if the primitive has one solid colour; false: it does not.
 * Requires SHORTCUT_SOLID. */
bool raster_block_solid(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks);

/* axis_aligned.c: Fills the tile by s.shade_axis_aligned if the pipeline has axis_aligned; false:
 * nothing was done. */
bool raster_axis_aligned_tile(struct raster_worker *worker, const struct raster_prim *prim);

#endif
