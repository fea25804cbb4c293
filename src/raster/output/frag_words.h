/* Vector helpers for the pixels of a batch's lanes in a surface: their addresses, and stores. For
 * the rasteriser's kernels only. */
#ifndef RASTER_OUTPUT_FRAG_WORDS_H
#define RASTER_OUTPUT_FRAG_WORDS_H

#include "raster/worker/batch.h"

#include "util/simd/simd.h"

#include <string.h>

/* --- Single fragments ------------------------------------------------------------------------- */

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

/* --- Quads ------------------------------------------------------------------------------------ */

/* Offsets in bytes of the quads' upper left pixels. They have 32 bits, as surfaces have. Past the
 * last quad that of the last. */
SIMD_INLINE void raster_quad_offsets(const struct raster_quads *quads, size_t pitch, unsigned bytes,
                                     uint32_t at[QUADS])
{
    for (unsigned i = 0; i < QUADS; i += SIMD_LANES) {
        i32v x = i32v_mul(i32v_loadu(quads->x + i), i32v_set1((int32_t)bytes));
        i32v y = i32v_mul(i32v_loadu(quads->y + i), i32v_set1((int32_t)pitch));

        i32v_store((int32_t *)at + i, i32v_add(x, y));
    }
    for (unsigned q = quads->n; q < QUADS; q++)
        at[q] = at[quads->n - 1];
}

/* Stores two adjacent pixels, each only if its bit of `covered` (0: left) is set. Coverage of small
 * triangles is random, so branches would be mispredicted. `bytes` is a constant in each call. */
SIMD_INLINE void raster_put_pair(unsigned bytes, uint8_t *to, const uint8_t *pixels,
                                 unsigned covered)
{
    static const uint64_t word[3][4] = {{0, 0xff, 0xff00, 0xffff},
                                        {0, 0xffff, 0xffff0000, 0xffffffff},
                                        {0, 0xffffffff, 0xffffffff00000000, UINT64_MAX}};
    static const uint64_t all = UINT64_MAX;
    static const uint64_t two[4][2] = {{0, 0}, {all, 0}, {0, all}, {all, all}};
    static const uint64_t four[4][4] = {
        {0, 0, 0, 0}, {all, all, 0, 0}, {0, 0, all, all}, {all, all, all, all}};
    const uint64_t *fresh = bytes <= 4   ? &word[bytes / 2][covered]
                            : bytes == 8 ? two[covered]
                                         : four[covered];
    enum { MOST = 4 };
    uint64_t old[MOST] = {0}, new[MOST] = {0};

    memcpy(old, to, 2 * (size_t)bytes);
    memcpy(new, pixels, 2 * (size_t)bytes);
    for (unsigned i = 0; i < (2 * bytes + 7) / sizeof(*old); i++)
        old[i] ^= (old[i] ^ new[i]) & fresh[i];
    memcpy(to, old, 2 * (size_t)bytes);
}

#endif
