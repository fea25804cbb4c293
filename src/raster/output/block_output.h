/* Block access to targets, inside the module output. */
#ifndef RASTER_OUTPUT_BLOCK_OUTPUT_H
#define RASTER_OUTPUT_BLOCK_OUTPUT_H

#include "raster/output/output.h"

/* The pixel (x, y) of a target. */
static inline uint8_t *raster_block_rows(const struct raster_output *output, int32_t x, int32_t y)
{
    const struct raster_surface *surface = output->surface;

    return surface->data + (size_t)y * surface->row_pitch + (size_t)x * surface->format->bytes;
}

/* Lanes of a block's covered pixels. */
static inline uint64_t raster_block_lanes(uint64_t cover)
{
    return ~cover ? raster_mask_linear_to_quad(cover) : cover;
}

/* Writes colours to the covered pixels of the block at (x, y), a mask per sample. */
void raster_block_write_colours(struct raster_worker *worker, const struct raster_output *output,
                                const float *const source[4], int32_t x, int32_t y,
                                const uint64_t *cover);

#endif
