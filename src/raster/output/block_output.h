/* Block access to targets, inside the module output: saves, restores and packs 8x8 blocks. */
#ifndef RASTER_OUTPUT_BLOCK_OUTPUT_H
#define RASTER_OUTPUT_BLOCK_OUTPUT_H

#include "raster/output/output.h"

/* The pixel (x, y) of a target. */
static inline uint8_t *raster_block_rows(const struct raster_output *output, int32_t x, int32_t y)
{
    const struct raster_surface *surface = output->surface;

    return surface->data + (size_t)y * surface->row_pitch + (size_t)x * surface->format->bytes;
}

/* For blocks written only in part: the caller saves the pixels outside the mask, writes the whole
 * block, and restores them. */
void raster_block_save(struct raster_worker *worker, const struct raster_surface *surface,
                       const uint8_t *rows, uint64_t mask);
void raster_block_restore(const struct raster_worker *worker, const struct raster_surface *surface,
                          uint8_t *rows, uint64_t mask);

/* Packs colours to RGBA8. */
void raster_block_pack_rgba8(const struct raster_worker *worker, const struct raster_output *output,
                             const float *const source[4], uint8_t *rows, size_t pitch);

#endif
