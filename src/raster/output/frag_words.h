/* Vector helpers for the pixels of single fragments in a surface of 32-bit or 16-bit pixels: their
 * addresses, and a scatter. For the rasteriser's kernels only. */
#ifndef RASTER_OUTPUT_FRAG_WORDS_H
#define RASTER_OUTPUT_FRAG_WORDS_H

#include "raster/worker/batch.h"

#include "util/simd/simd.h"

/* Offsets of a vector's lanes in the surface's tile, in pixels of `bytes` bytes. Lanes past the
 * last one get offset 0. */
SIMD_INLINE i32v raster_frag_offsets(const struct frag_batch *frags,
                                     const struct tile_surface *surface, unsigned lane,
                                     unsigned bytes)
{
    const int32_t low = (1 << TILE_SHIFT) - 1;
    i32v pos = i32v_loadu(frags->pos + lane), y, x = i32v_and(pos, i32v_set1(low));
    m32v there = i32v_lt(i32v_iota((int32_t)lane), i32v_set1((int32_t)frags->n));

    y = i32v_and(i32v_srl(pos, TILE_SHIFT), i32v_set1(low));
    y = i32v_mul(y, i32v_set1((int32_t)(surface->pitch / bytes)));
    return i32v_and(i32v_add(x, y), m32v_as_i32(there));
}

/* Scatters words, unrolled by four. */
SIMD_INLINE void raster_put_words(int32_t *base, const int32_t *at, const int32_t *words,
                                  unsigned n)
{
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        base[at[i]] = words[i];
        base[at[i + 1]] = words[i + 1];
        base[at[i + 2]] = words[i + 2];
        base[at[i + 3]] = words[i + 3];
    }
    for (; i < n; i++)
        base[at[i]] = words[i];
}

SIMD_INLINE void raster_put_uint16(uint16_t *base, const int32_t *at, const int32_t *words,
                                   unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        base[at[i]] = (uint16_t)words[i];
}

#endif
