/* What the files of the rasteriser share, by the way of the data:
 *
 *   scene.h   raster.c                        scenes, targets
 *   plan.h    plan.c                          what a state means
 *   setup.h   project_kern.c clip.c           vertices -> the screen, and cut
 *             setup.c extent.c rect.c line.c
 *             point.c                         corners -> primitives
 *   chunk.h   draw.c many.c                   what of a draw is on its way together
 *   prim.h                                    what those are
 *   bin.h     bin.c clear.c                   primitives and clears -> bins of tiles
 *   worker.h                                  what one who renders tiles keeps
 *   tile.h    tile.c fill.c order.c walk.c    bins -> blocks of 8x8 pixels
 *             batch_blocks.c batch.c lone.c   blocks, small triangles -> batches of 64 lanes
 *             block.c block_output.c          blocks that are a batch by themselves
 *             steps.c grid.c ramp.c           and tiles, without shading
 *             samples.c                       their positions, centroids, coverage by alpha
 *             depth.c coarse.c late.c
 *             output.c                        tests and writes */
#ifndef RASTER_RASTER_PRIVATE_H
#define RASTER_RASTER_PRIVATE_H

#include "raster/draw_batch.h"
#include "raster/setup.h"
#include "raster/tile.h"

#endif
