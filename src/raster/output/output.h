/* Output merger: writes a batch's colours to the targets, from lanes or as whole 8x8 blocks, and
 * fills blocks and tiles without the shader. */
#ifndef RASTER_OUTPUT_OUTPUT_H
#define RASTER_OUTPUT_OUTPUT_H

#include "raster/output/gradient_fill.h"
#include "raster/output/solid_fill.h"
#include "raster/state/pipeline.h"
#include "raster/worker/worker.h"

/* Picks the kernels of this module. */
void raster_output_init(struct raster *raster);

/* --- output.c: lanes -------------------------------------------------------------------------- */

/* Writes the colours of the lanes in `cover`, a mask per sample, to all targets. */
void raster_output_lanes(struct raster_worker *worker, const struct raster_shade_batch *batch,
                         const uint64_t *cover);
/* Packs the colours of 64 lanes, for an output that stores RGBA8 without reading. */
void raster_output_pack(const struct raster *raster, const struct raster_output *output,
                        const float *const colour[4], uint32_t words[RASTER_LANES]);

/* Writes colours to a block of an output's pixels, or to an array of them: as the function of
 * raster_output_kern, which it calls where there is no code. */
void raster_output_pixels(struct raster_worker *worker, const struct raster_output *output,
                          uint8_t *rows, size_t pitch, const float *const source[4],
                          uint64_t lanes);

/* --- merged.c: batches of raster_state.shade_merged ------------------------------------------- */

/* Before the shader: points the batch to its memory, and copies the stored pixels of the lanes in
 * `cover` there, or of the block, if they are read. That takes targets of one sample. */
void raster_merged_begin(struct raster_worker *worker, struct frag_batch *batch, uint64_t cover);
/* After it: stores the pixels in `cover`, a mask per sample. */
void raster_merged_store(struct raster_worker *worker, const struct frag_batch *batch,
                         const uint64_t *cover);

/* --- gather.c --------------------------------------------------------------------------------- */

/* Copies masked lanes between a surface and an array of pixels in lane order. */
void raster_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                   unsigned sample, void *out, uint64_t mask);
void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask);
/* raster_scatter for worker->batch. */
void raster_scatter_fragments(const struct raster_worker *worker,
                              const struct raster_surface *surface, const void *in, uint64_t mask);

/* --- block_output.c: whole blocks ------------------------------------------------------------- */

/* Prefetches the target rows of the block below, if it lies in the tile: targets usually exceed the
 * caches, and shading this row of blocks hides the latency. */
void raster_block_prefetch(struct raster_worker *worker, int32_t x, int32_t y);

/* Writes the batch's colours to all targets. */
void raster_block_write(struct raster_worker *worker, const struct raster_shade_batch *batch,
                        int32_t x, int32_t y, const uint64_t *cover);
/* Writes worker->words, RGBA8 in lane order, to the pixels of a block. */
void raster_block_store_rgba8(struct raster_worker *worker, const struct raster_output *output,
                              int32_t x, int32_t y, const uint64_t *cover);

#endif
