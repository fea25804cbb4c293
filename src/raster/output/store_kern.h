/* Store kernel: stores the lanes of a batch to 8x8 blocks of a surface, with or without a mask, or
 * to the pixels of fragments. One table per instruction set; all give the same bits. */
#ifndef RASTER_OUTPUT_STORE_KERN_H
#define RASTER_OUTPUT_STORE_KERN_H

#include "raster/worker/batch.h"
#include "util/cpu.h"

struct raster_store_kern {
    /* Packs to words of four UNORM bytes in eight rows, pitch apart; from[c]: the values of byte c;
     * from[3] NULL: ones (reference: numbers/unorm). */
    void (*pack_rgba8)(uint8_t *rows, size_t pitch, const float *const from[4]);
    /* Stores lanes' words to eight rows, with the bits in `set` added. */
    void (*store_rgba8)(uint8_t *rows, size_t pitch, const uint32_t *words, uint32_t set);
    /* Stores lanes' floats as R32F (reference: numbers/nan, numbers/denormals). */
    void (*pack_r32f)(uint8_t *rows, size_t pitch, const float *from);
    /* Masked store of 8x8 words, given row after row; one mask bit per pixel. */
    void (*store_masked)(uint8_t *rows, size_t pitch, const uint8_t *words, uint64_t mask);
    /* Fills width x height pixels, both multiples of 8, with one word. */
    void (*fill)(uint8_t *rows, size_t pitch, unsigned width, unsigned height, uint32_t word);
    /* Scatters words of 32 bits, one a lane of a fragment batch, to their pixels. */
    void (*store_fragments)(const struct frag_batch *frags, const struct tile_surface *surface,
                            const uint32_t *words);
};
KERN_DECLARE(struct raster_store_kern, raster_store_kern);

#endif
