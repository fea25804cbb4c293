/* Rows of blocks in targets: for block.c and block_output.c alone. */
#ifndef RASTER_BLOCK_H
#define RASTER_BLOCK_H

#include "raster/raster_private.h"

enum { SAVED_PITCH = BLOCK_DIM * 4 }; /* of words in worker->saved */

static inline uint8_t *raster_block_rows(const struct raster_output *output, int32_t x, int32_t y)
{
    const struct raster_surface *surface = output->surface;

    return surface->data + (size_t)y * surface->row_pitch + (size_t)x * surface->format->bytes;
}

/* Pixels of four bytes that do not depend on what is stored go to one sample's rows, or are made
 * once, in worker->saved, and put from there to all samples. */
static inline bool raster_block_puts_at_once(const struct raster_worker *worker,
                                             const uint64_t *cover)
{
    return worker->raster->targets.samples == 1 && !~cover[0];
}

/* Targets are mostly larger than the caches: what the block below will be stored to, if it is in
 * the tile, is on its way while this one and those beside it are shaded. */
void raster_block_prefetch(struct raster_worker *worker, int32_t x, int32_t y);

/* The whole block is written, then what the mask lacks gets back what it held. */
void raster_block_save(struct raster_worker *worker, const struct raster_surface *surface,
                       const uint8_t *rows, uint64_t mask);
void raster_block_restore(const struct raster_worker *worker, const struct raster_surface *surface,
                          uint8_t *rows, uint64_t mask);

/* Colours as pixels of four bytes; and those in worker->saved to all samples. */
void raster_block_pack_rgba8(const struct raster_worker *worker, const struct raster_output *output,
                             const float *const source[4], uint8_t *rows, size_t pitch);
void raster_block_put_samples(const struct raster_worker *worker,
                              const struct raster_surface *surface, uint8_t *rows,
                              const uint64_t *cover);

/* The batch's colours to all targets. */
void raster_block_write(struct raster_worker *worker, const struct raster_prim *prim,
                        const struct raster_shade_batch *batch, int32_t x, int32_t y,
                        const uint64_t *cover);

#endif
