/* Internal headers of the rasteriser. Files in the order of the data flow:
 *
 *   scene.h         raster.c                        scenes, targets, flushes
 *   pipeline.h      pipeline.c                      draw states -> raster pipelines
 *   setup.h         project_kern.c clip.c           vertices -> projected, clipped vertices
 *                   setup.c tri_bounds.c rect.c
 *                   line.c point.c                  projected vertices -> primitives
 *   draw_batch.h    draw.c setup_batch.c            draws in batches, batched triangle setup
 *   preshade.h      preshade.c preshade_tile.c      small triangles -> shaded fragments
 *   prim.h                                          primitives
 *   bin.h           bin.c clear.c                   primitives, clears -> bins
 *   worker.h                                        state of a worker
 *   tile.h          tile.c coverage.c
 *                   front_to_back.c                 bins -> blocks of 8x8 pixels
 *   pending_fill.h  pending_fill.c fast_clear.c
 *                   tile_depth.c                    clears with little memory traffic
 *                   block_early_zs.c hiz.c
 *                   depth_stencil.c                 early tests
 *   quad_queue.h    quad_queue.c frag_batch.c       pixels -> batches of 64 lanes
 *   block_output.h  block.c block_output.c          blocks shaded as batches of their own
 *                   solid_blend_u8.c gradient_fill.c
 *                   axis_aligned.c                  blocks and tiles filled without the shader
 *                   multisample.c                   sample positions, centroids, alpha to coverage
 *                   attrib_gradient.c               gradients that shaders ask for
 *                   late_zs.c output.c              late tests, colour output
 *                   variant.c                       perturbations of variant renderers
 *
 * A *_kern file holds SIMD kernels of the file of that name, a *_lanes.h file vector helpers. */
#ifndef RASTER_RASTER_PRIVATE_H
#define RASTER_RASTER_PRIVATE_H

#include "raster/setup/draw_batch.h"
#include "raster/setup/setup.h"
#include "raster/tile/tile.h"

#endif
