/* Store kernel: fills areas with a word, and scatters words to the pixels of fragments.
 *
 * Tested by tests/kernel/raster/shade/test_frag_batch_kern.c,
 * tests/unit/raster/shade/test_block.c. */
#include "raster/output/store_kern.h"

#include "raster/output/frag_words.h"

#include <string.h>

static void fill(uint8_t *rows, size_t pitch, unsigned width, unsigned height, uint32_t word)
{
    i32v words = i32v_set1((int32_t)word);
    uint32_t eight[8];

    for (unsigned i = 0; i < 8; i++)
        eight[i] = word;
    for (unsigned y = 0; y < height; y++, rows += pitch) {
        unsigned x = 0;

        for (; x + SIMD_LANES <= width; x += SIMD_LANES)
            i32v_storeu((int32_t *)(void *)rows + x, words);
        for (; x < width; x += 8)
            memcpy(rows + (size_t)x * 4, eight, sizeof(eight));
    }
}

/* Offsets of all fragments in the tile, in pixels. */
SIMD_INLINE void find_offsets(const struct frag_batch *frags, const struct tile_surface *surface,
                              unsigned bytes, int32_t at[RASTER_LANES])
{
    for (unsigned lane = 0; lane < frags->n; lane += SIMD_LANES)
        i32v_store(at + lane, raster_frag_offsets(frags, surface, lane, bytes));
}

static void store_fragments(const struct frag_batch *frags, const struct tile_surface *surface,
                            const uint32_t *words)
{
    _Alignas(64) int32_t at[RASTER_LANES];

    find_offsets(frags, surface, sizeof(*words), at);
    raster_put_words((int32_t *)(void *)surface->base, at, (const int32_t *)words, frags->n);
}

const struct raster_store_kern KERN_NAME(raster_store_kern) = {
    .fill = fill,
    .store_fragments = store_fragments,
};
