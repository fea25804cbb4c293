/* Internal headers of the rasteriser. Files in the order of the data flow:
 *
 *   scene.h         raster.c                        scenes, targets
 *   pipeline.h      pipeline.c                      states -> raster pipelines
 *   setup.h         project_kern.c clip.c           vertices -> the screen, clipped
 *                   setup.c tri_bounds.c rect.c
 *                   line.c point.c                  vertices -> primitives
 *   draw_batch.h    draw.c setup_batch.c            batches of a draw, batched setup
 *   preshade.h      preshade.c                      small triangles -> shaded fragments
 *   prim.h                                          primitives
 *   bin.h           bin.c clear.c                   primitives, clears -> bins
 *   worker.h                                        state of a worker
 *   tile.h          tile.c coverage.c
 *                   front_to_back.c                 bins -> blocks of 8x8 pixels
 *   pending_fill.h  pending_fill.c fast_clear.c
 *                   tile_depth.c                    clears with little memory traffic
 *   quad_queue.h    block_early_zs.c quad_queue.c
 *                   frag_batch.c                    pixels -> batches of 64 lanes
 *                   block.c block_output.c          blocks that are a batch of their own
 *                   solid_blend_u8.c gradient_fill.c
 *                   axis_aligned.c                  blocks and tiles without a shader run
 *                   multisample.c                   sample positions, centroids, alpha to coverage
 *                   depth_stencil.c hiz.c
 *                   late_zs.c output.c              tests, writes
 */
#ifndef RASTER_RASTER_PRIVATE_H
#define RASTER_RASTER_PRIVATE_H

#include "raster/draw_batch.h"
#include "raster/setup.h"
#include "raster/tile.h"

#endif
