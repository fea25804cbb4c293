/* Block access to targets, inside the room output: saves, restores and packs 8x8 blocks. */
#ifndef RASTER_OUTPUT_BLOCK_OUTPUT_H
#define RASTER_OUTPUT_BLOCK_OUTPUT_H

#include "raster/output/output.h"

enum { SAVED_PITCH = BLOCK_DIM * 4 }; /* of packed words in worker->saved */

static inline uint8_t *raster_block_rows(const struct raster_output *output, int32_t x, int32_t y)
{
    const struct raster_surface *surface = output->surface;

    return surface->data + (size_t)y * surface->row_pitch + (size_t)x * surface->format->bytes;
}

/* Whether RGBA8 pixels that do not depend on the target go directly to its rows. Otherwise they are
 * packed once into worker->saved and stored from there to all samples. */
static inline bool raster_block_packs_in_place(const struct raster_worker *worker,
                                               const uint64_t *cover)
{
    return worker->raster->targets.samples == 1 && !~cover[0];
}

/* For blocks written only in part: the caller saves the pixels outside the mask, writes the whole
 * block, and restores them. */
void raster_block_save(struct raster_worker *worker, const struct raster_surface *surface,
                       const uint8_t *rows, uint64_t mask);
void raster_block_restore(const struct raster_worker *worker, const struct raster_surface *surface,
                          uint8_t *rows, uint64_t mask);

/* raster_block_pack_rgba8 packs colours to RGBA8; raster_block_put_samples stores packed pixels
 * from worker->saved to all samples. */
void raster_block_pack_rgba8(const struct raster_worker *worker, const struct raster_output *output,
                             const float *const source[4], uint8_t *rows, size_t pitch);
void raster_block_put_samples(const struct raster_worker *worker,
                              const struct raster_surface *surface, uint8_t *rows,
                              const uint64_t *cover);

#endif
