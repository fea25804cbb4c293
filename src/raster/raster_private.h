/* What the files of the rasteriser share, by the way of the data:
 *
 *   scene.h   raster.c                        scenes, targets
 *   pipeline.h    pipeline.c                          what a state means
 *   setup.h   project_kern.c clip.c           vertices -> the screen, and cut
 *             setup.c tri_bounds.c rect.c line.c
 *             point.c                         corners -> primitives
 *   draw_batch.h   draw.c setup_batch.c                   what of a draw is on its way together
 *   prim.h                                    what those are
 *   bin.h     bin.c clear.c                   primitives and clears -> bins of tiles
 *   worker.h                                  what one who renders tiles keeps
 *   tile.h    tile.c pending_fill.c front_to_back.c coverage.c    bins -> blocks of 8x8 pixels
 *             block_early_zs.c quad_queue.c frag_batch.c   blocks, small triangles -> batches of 64
 * lanes block.c block_output.c          blocks that are a batch by themselves solid_blend_u8.c
 * axis_aligned.c gradient_fill.c           and tiles, without shading multisample.c their
 * positions, centroids, coverage by alpha depth_stencil.c hiz.c late_zs.c output.c tests and writes
 */
#ifndef RASTER_RASTER_PRIVATE_H
#define RASTER_RASTER_PRIVATE_H

#include "raster/draw_batch.h"
#include "raster/setup.h"
#include "raster/tile.h"

#endif
