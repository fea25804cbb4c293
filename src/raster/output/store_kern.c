/* Store kernel: fills areas with a word, and copies the pixels of fragments.
 *
 * Tested by tests/kernel/raster/output/test_store_kern.c,
 * tests/kernel/raster/shade/test_packer_kern.c, tests/unit/raster/shade/test_block.c. */
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

/* `bytes` is a constant, so that each copy compiles to one move. */
SIMD_INLINE void gather(unsigned bytes, const struct frag_batch *frags,
                        const struct tile_surface *surface, uint8_t *pixels)
{
    _Alignas(64) int32_t at[RASTER_LANES];

    find_offsets(frags, surface, bytes, at);
    for (unsigned i = 0; i < frags->n; i++)
        memcpy(pixels + (size_t)i * bytes, surface->base + (size_t)(uint32_t)at[i] * bytes, bytes);
}

SIMD_INLINE void scatter(unsigned bytes, const struct frag_batch *frags,
                         const struct tile_surface *surface, const uint8_t *pixels, uint64_t lanes)
{
    _Alignas(64) int32_t at[RASTER_LANES];

    find_offsets(frags, surface, bytes, at);
    for (unsigned i = 0; i < frags->n; i++)
        if (lanes >> i & 1)
            memcpy(surface->base + (size_t)(uint32_t)at[i] * bytes, pixels + (size_t)i * bytes,
                   bytes);
}

#define FRAGMENTS(bytes)                                                                           \
    static void gather_##bytes(const struct frag_batch *frags, const struct tile_surface *surface, \
                               uint8_t *pixels)                                                    \
    {                                                                                              \
        gather(bytes, frags, surface, pixels);                                                     \
    }                                                                                              \
    static void scatter_##bytes(const struct frag_batch *frags,                                    \
                                const struct tile_surface *surface, const uint8_t *pixels,         \
                                uint64_t lanes)                                                    \
    {                                                                                              \
        scatter(bytes, frags, surface, pixels, lanes);                                             \
    }
FRAGMENTS(1)
FRAGMENTS(2)
FRAGMENTS(4)
FRAGMENTS(8)
FRAGMENTS(16)

const struct raster_store_kern KERN_NAME(raster_store_kern) = {
    .fill = fill,
    .gather = {gather_1, gather_2, gather_4, gather_8, gather_16},
    .scatter = {scatter_1, scatter_2, scatter_4, scatter_8, scatter_16},
    .store_fragments = store_fragments,
};
