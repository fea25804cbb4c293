/* Shading: gathers covered pixels to batches of 64 lanes, runs the shader, and passes the results
 * to late tests and output. Whole 8x8 blocks are batches of their own. */
#ifndef RASTER_SHADE_SHADE_H
#define RASTER_SHADE_SHADE_H

#include "raster/bin/bin.h"
#include "raster/worker/worker.h"

/* Picks the kernels of this module. */
void raster_shade_init(struct raster *raster);
/* prim_cache.c: Allocates worker->prim_cache. */
MUST_CHECK enum status raster_prim_cache_create(struct raster_worker *worker);

/* --- block_early_zs.c, block.c: blocks of the tile -------------------------------------------- */

/* Draws the pixels that worker->masks cover in the given blocks. */
void raster_draw_blocks(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks);
/* batch.c: Makes worker->batch an empty batch of a pipeline, and worker->block one for its blocks.
 */
void raster_batch_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline);
/* batch.c: Describes the interpolated lanes of a batch to the shader. */
void raster_batch_open(const struct raster_worker *worker, struct frag_batch *batch, uint64_t lanes,
                       uint64_t covered);
/* Shades the whole 8x8 block at (x, y), runs late tests and writes the pixels of `cover`.
 * Early tests are done and none of the pixels is in flight. centroid: in the order of `cover`;
 * NULL: all inputs are evaluated at the centres. Requires pipeline->whole_blocks. */
void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover, const struct centroid_samples *centroid);
/* Fills the tile without the shader: solid colours, gradients, axis-aligned textures; false:
 * nothing was done. */
bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* --- packer.c: small triangles and sparse blocks ---------------------------------------------- */

/* Draws the part of a PRIM_MASK8X8 that lies in the tile. */
void raster_pack_small(struct raster_worker *worker, const struct raster_prim *prim);
/* Packs consecutive PRIM_MASK8X8 commands of the current pipeline, which must be batchable, from
 * index i on. Returns the index of the first command that it does not take. */
size_t raster_pack_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i);
/* Runs the early depth tests that pixels of the batch await. */
void raster_pack_test(struct raster_worker *worker);
/* Draws all pixels of the batch. */
void raster_pack_flush(struct raster_worker *worker);
/* Draws them and makes `pipeline` the current one. */
void raster_pack_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline);

#endif
