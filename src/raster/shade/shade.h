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
/* batch.c: Describes the interpolated lanes of a batch to the shader. */
void raster_batch_open(const struct raster_worker *worker, struct frag_batch *batch, uint64_t lanes,
                       uint64_t covered);
/* Shades the whole 8x8 block at (x, y), runs late tests and writes the pixels of `cover`.
 * Early tests are done and none of the pixels is in flight. Requires pipeline->whole_blocks. */
void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover);
/* Fills the tile without the shader: solid colours, gradients, axis-aligned textures; false:
 * nothing was done. */
bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim);

/* --- quad_queue.c: small triangles ------------------------------------------------------------ */

/* Draws the part of a PRIM_MASK8X8 that lies in the tile. */
void raster_quad_queue_small(struct raster_worker *worker, const struct raster_prim *prim);
/* Queues consecutive PRIM_MASK8X8 commands of the current pipeline, which must be batchable, from
 * index i on. Returns the index of the first command that it does not take. */
size_t raster_quad_queue_take(struct raster_worker *worker, const struct bin_block *cmds, size_t i);
void raster_quad_queue_flush(struct raster_worker *worker);
/* Runs the pending early depth tests of queued quads and fragments. */
void raster_quad_queue_test(struct raster_worker *worker);
/* Flushes the queue and makes `pipeline` the current one. */
void raster_quad_queue_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline);

/* --- frag_batch.c ----------------------------------------------------------------------------- */

/* Makes worker->batch an empty batch of a pipeline with frag_batch. */
void raster_frag_batch_begin(struct raster_worker *worker, const struct raster_pipeline *pipeline);
/* Opens worker->batch, with all fragments covered, for the shader. */
struct raster_shade_batch *raster_frag_batch_open(struct raster_worker *worker);

#endif
