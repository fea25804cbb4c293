/* Store kernel: fills areas with a pixel, and copies the pixels of fragments and quads.
 *
 * Tested by tests/kernel/raster/output/test_store_kern.c,
 * tests/kernel/raster/shade/test_packer_kern.c, tests/unit/raster/shade/test_block.c. */
#include "raster/output/store_kern.h"

#include "raster/output/frag_words.h"
#include "util/simd/bytes.h"

#include <string.h>

/* In vectors of 16 bytes or more. */
SIMD_INLINE i32v repeat(const uint64_t two[2])
{
#if SIMD_LANES >= 8
    return i32v_broadcast_128((int32_t)two[0], (int32_t)(two[0] >> 32), (int32_t)two[1],
                              (int32_t)(two[1] >> 32));
#else
    return i32v_loadu((const int32_t *)(const void *)two);
#endif
}

SIMD_INLINE void fill_vector(bool keeps, uint8_t *at, i32v set, i32v stay)
{
    int32_t *words = (int32_t *)(void *)at;

    i32v_storeu(words, keeps ? i32v_or(i32v_and(i32v_loadu(words), stay), set) : set);
}

SIMD_INLINE void fill_word(bool keeps, uint8_t *at, uint64_t set, uint64_t stay)
{
    uint64_t word = 0;

    if (keeps)
        memcpy(&word, at, sizeof(word));
    word = (word & stay) | set;
    memcpy(at, &word, sizeof(word));
}

/* `keeps` is a constant in each call. */
SIMD_INLINE void fill_rows(bool keeps, uint8_t *rows, size_t pitch, size_t bytes, unsigned height,
                           const struct raster_fill_pixel *pixel)
{
    enum { STEP = SIMD_LANES * sizeof(int32_t), AT_ONCE = 4 };
    const uint64_t *value = pixel->value, *keep = pixel->keep;
    i32v set = repeat(value), stay = repeat(keep);

    for (; height; height--, rows += pitch) {
        size_t at = 0;

        for (; STEP >= sizeof(pixel->value) && at + AT_ONCE * STEP <= bytes; at += AT_ONCE * STEP) {
            UNROLL
            for (unsigned i = 0; i < AT_ONCE; i++)
                fill_vector(keeps, rows + at + (size_t)i * STEP, set, stay);
        }
        for (; STEP >= sizeof(pixel->value) && at + STEP <= bytes; at += STEP)
            fill_vector(keeps, rows + at, set, stay);
        for (; at + sizeof(pixel->value) <= bytes; at += sizeof(pixel->value)) {
            fill_word(keeps, rows + at, value[0], keep[0]);
            fill_word(keeps, rows + at + sizeof(*value), value[1], keep[1]);
        }
        if (at < bytes)
            fill_word(keeps, rows + at, value[0], keep[0]);
    }
}

static void fill(uint8_t *rows, size_t pitch, size_t bytes, unsigned height,
                 const struct raster_fill_pixel *pixel)
{
    if (pixel->keep[0] | pixel->keep[1])
        fill_rows(true, rows, pitch, bytes, height, pixel);
    else
        fill_rows(false, rows, pitch, bytes, height, pixel);
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
    for (lanes &= ~UINT64_C(0) >> (RASTER_LANES - frags->n); lanes; lanes &= lanes - 1) {
        unsigned i = (unsigned)__builtin_ctzll(lanes);

        memcpy(surface->base + (size_t)(uint32_t)at[i] * bytes, pixels + (size_t)i * bytes, bytes);
    }
}

SIMD_INLINE void gather_quads(unsigned bytes, const struct raster_quads *quads,
                              const struct tile_surface *surface, uint8_t *pixels)
{
    const uint8_t *base = surface->base;
    size_t pitch = surface->pitch;
    _Alignas(64) uint32_t at[QUADS];

    raster_quad_offsets(quads, pitch, bytes, at);
    for (unsigned q = 0; q < quads->n; q++, pixels += 4 * bytes) {
        memcpy(pixels, base + at[q], 2 * (size_t)bytes);
        memcpy(pixels + 2 * bytes, base + at[q] + pitch, 2 * (size_t)bytes);
    }
}

SIMD_INLINE void scatter_quads(unsigned bytes, const struct raster_quads *quads,
                               const struct tile_surface *surface, const uint8_t *pixels,
                               uint64_t lanes)
{
    uint8_t *base = surface->base;
    size_t pitch = surface->pitch;
    _Alignas(64) uint32_t at[QUADS];

    raster_quad_offsets(quads, pitch, bytes, at);
    for (unsigned q = 0; q < quads->n; q++, pixels += 4 * bytes, lanes >>= 4) {
        raster_put_pair(bytes, base + at[q], pixels, lanes & 3);
        raster_put_pair(bytes, base + at[q] + pitch, pixels + 2 * bytes, lanes >> 2 & 3);
    }
}

#define LANES(bytes)                                                                               \
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
    }                                                                                              \
    static void gather_quads_##bytes(const struct raster_quads *quads,                             \
                                     const struct tile_surface *surface, uint8_t *pixels)          \
    {                                                                                              \
        gather_quads(bytes, quads, surface, pixels);                                               \
    }                                                                                              \
    static void scatter_quads_##bytes(const struct raster_quads *quads,                            \
                                      const struct tile_surface *surface, const uint8_t *pixels,   \
                                      uint64_t lanes)                                              \
    {                                                                                              \
        scatter_quads(bytes, quads, surface, pixels, lanes);                                       \
    }
LANES(1)
LANES(2)
LANES(4)
LANES(8)
LANES(16)

const struct raster_store_kern KERN_NAME(raster_store_kern) = {
    .fill = fill,
    .gather = {gather_1, gather_2, gather_4, gather_8, gather_16},
    .scatter = {scatter_1, scatter_2, scatter_4, scatter_8, scatter_16},
    .gather_quads = {gather_quads_1, gather_quads_2, gather_quads_4, gather_quads_8,
                     gather_quads_16},
    .scatter_quads = {scatter_quads_1, scatter_quads_2, scatter_quads_4, scatter_quads_8,
                      scatter_quads_16},
    .store_fragments = store_fragments,
};
