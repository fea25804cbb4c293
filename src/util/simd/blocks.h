/* Operations on 8x8 coverage masks, in which bit y * 8 + x is a pixel: merging into larger masks,
 * extraction of 2x2 quads and of bit indices. Included by kernels; results are equal for every
 * SIMD_LANES and processor, except for the order of quads. */
#ifndef UTIL_SIMD_BLOCKS_H
#define UTIL_SIMD_BLOCKS_H

#include "util/simd/simd.h"

#include <stdbool.h>

#if SIMD_LANES == 8 && defined(__x86_64__)
#include <immintrin.h> /* _tzcnt_u64 */
#endif

enum { SIMD_MAX_BIT_INDICES = 64 + 16 };

#if SIMD_LANES == 16

/* Adds the mask `block`, shifted right by `right` pixels, to eight rows of 64 pixels. Returns
 * false, without a change, if one of its pixels is already set. */
SIMD_INLINE bool simd_claim_block(uint64_t rows[8], uint64_t block, unsigned right)
{
    __m512i pixels = _mm512_cvtepu8_epi64(_mm_set_epi64x(0, (long long)block));
    __m512i used = _mm512_loadu_si512(rows);

    pixels = _mm512_sll_epi64(pixels, _mm_cvtsi32_si128((int)right));
    if (_mm512_test_epi64_mask(pixels, used))
        return false;
    _mm512_storeu_si512(rows, _mm512_or_si512(pixels, used));
    return true;
}

/* Lists the non-empty quads of a block at (x, y), at most 16, in any order: their positions and
 * four-bit pixel masks. May write all 16 entries; returns the number of quads. */
SIMD_INLINE unsigned simd_mask_quads(uint64_t block, int32_t x, int32_t y, int32_t across[16],
                                     int32_t down[16], uint8_t pixels[16])
{
    /* Upper four rows and lower four rows alternate. */
    static const _Alignas(64)
        uint32_t shift[16] = {0, 0, 2, 2, 4, 4, 6, 6, 16, 16, 18, 18, 20, 20, 22, 22};
    static const _Alignas(64) int32_t right[16] = {0, 0, 2, 2, 4, 4, 6, 6, 0, 0, 2, 2, 4, 4, 6, 6};
    static const _Alignas(64)
        int32_t below_top[16] = {0, 4, 0, 4, 0, 4, 0, 4, 2, 6, 2, 6, 2, 6, 2, 6};
    __m512i both = _mm512_set1_epi64((long long)block), by = _mm512_load_si512(shift), above, below;
    __mmask16 some;

    above = _mm512_and_si512(_mm512_srlv_epi32(both, by), _mm512_set1_epi32(3));
    by = _mm512_add_epi32(by, _mm512_set1_epi32(6));
    below = _mm512_and_si512(_mm512_srlv_epi32(both, by), _mm512_set1_epi32(12));
    above = _mm512_or_si512(above, below);
    some = _mm512_test_epi32_mask(above, above);
    both = _mm512_add_epi32(_mm512_load_si512(right), _mm512_set1_epi32(x));
    _mm512_storeu_si512(across, _mm512_maskz_compress_epi32(some, both));
    both = _mm512_add_epi32(_mm512_load_si512(below_top), _mm512_set1_epi32(y));
    _mm512_storeu_si512(down, _mm512_maskz_compress_epi32(some, both));
    above = _mm512_maskz_compress_epi32(some, above);
    _mm_storeu_si128((__m128i *)(void *)pixels, _mm512_cvtepi32_epi8(above));
    return (unsigned)__builtin_popcount(some);
}

/* Lists the indices of set bits in ascending order. Lanes past the last index in its vector are
 * 0. */
SIMD_INLINE void simd_bit_indices(uint64_t block, int32_t number[SIMD_MAX_BIT_INDICES])
{
    __m512i some = _mm512_maskz_compress_epi32((__mmask16)block, i32v_iota(0));
    unsigned n = (unsigned)__builtin_popcount(block & 0xffff);

    if (!(block >> 32) && __builtin_popcountll(block) <= 16) { /* the common case */
        __m512i more = _mm512_maskz_compress_epi32((__mmask16)(block >> 16), i32v_iota(16));

        _mm512_store_si512(number, _mm512_mask_expand_epi32(some, (__mmask16)(0xffffu << n), more));
        return;
    }
    _mm512_store_si512(number, some);
    for (int32_t i = 16; (block >>= 16); i += 16) {
        some = _mm512_maskz_compress_epi32((__mmask16)block, i32v_iota(i));
        _mm512_storeu_si512(number + n, some);
        n += (unsigned)__builtin_popcount(block & 0xffff);
    }
    _mm512_storeu_si512(number + n, _mm512_setzero_si512());
}

/* As simd_bit_indices, for processors with byte vectors (cpu_has_avx512_vbmi). It stores whole
 * vectors, so that later loads can be forwarded. */
#define SIMD_VBMI2_CODE __attribute__((target("avx512vbmi2")))

SIMD_VBMI2_CODE static inline void simd_bit_indices_vbmi2(uint64_t block,
                                                          int32_t number[SIMD_MAX_BIT_INDICES])
{
    const __m512i all = _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928,
                                         0x2726252423222120, 0x1f1e1d1c1b1a1918, 0x1716151413121110,
                                         0x0f0e0d0c0b0a0908, 0x0706050403020100);
    __m512i bytes = _mm512_maskz_compress_epi8(block, all);
    int n = __builtin_popcountll(block);

    _mm512_store_si512(number, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes)));
    if (n > 16)
        _mm512_store_si512(number + 16, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, 1)));
    if (n > 32) {
        _mm512_store_si512(number + 32, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, 2)));
        _mm512_store_si512(number + 48, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(bytes, 3)));
    }
}

#elif SIMD_LANES == 8

/* Loads eight bytes. */
SIMD_INLINE simde__m128i simd_bytes_of(uint64_t bytes)
{
    return simde_mm_set_epi64x(0, (int64_t)bytes);
}

SIMD_INLINE bool simd_claim_block(uint64_t rows[8], uint64_t block, unsigned right)
{
    simde__m128i by = simde_mm_cvtsi32_si128((int)right);
    i32v upper = simde_mm256_cvtepu8_epi64(simd_bytes_of(block)), used;
    i32v lower = simde_mm256_cvtepu8_epi64(simd_bytes_of(block >> 32)), also;

    upper = simde_mm256_sll_epi64(upper, by);
    lower = simde_mm256_sll_epi64(lower, by);
    used = i32v_loadu((const int32_t *)(const void *)rows);
    also = i32v_loadu((const int32_t *)(const void *)(rows + 4));
    if (!simde_mm256_testz_si256(upper, used) || !simde_mm256_testz_si256(lower, also))
        return false;
    i32v_storeu((int32_t *)(void *)rows, i32v_or(upper, used));
    i32v_storeu((int32_t *)(void *)(rows + 4), i32v_or(lower, also));
    return true;
}

/* Returns the index of the lowest set bit, or 64. */
SIMD_INLINE uint64_t simd_lowest_bit(uint64_t bits)
{
#ifdef __x86_64__
    return _tzcnt_u64(bits); /* gcc compiles the alternative to a branch */
#else
    return bits ? (uint64_t)__builtin_ctzll(bits) : 64;
#endif
}

/* Removes the lowest eight set bits and returns their indices, one per byte; 64 for each missing
 * bit. Branch-free, because the bit count is unpredictable. */
SIMD_INLINE uint64_t simd_take_8_bit_indices(uint64_t *bits)
{
    uint64_t some = *bits, numbers = 0;

    UNROLL
    for (unsigned i = 0; i < 8; i++, some &= some - 1)
        numbers |= simd_lowest_bit(some) << 8 * i;
    *bits = some;
    return numbers;
}

SIMD_INLINE void simd_bit_indices(uint64_t block, int32_t number[SIMD_MAX_BIT_INDICES])
{
    const uint64_t numbers = UINT64_C(0x3f3f3f3f3f3f3f3f);

    for (; block; number += 8)
        i32v_store(number, simde_mm256_cvtepu8_epi32(
                               simd_bytes_of(simd_take_8_bit_indices(&block) & numbers)));
}

SIMD_INLINE unsigned simd_mask_quads(uint64_t block, int32_t x, int32_t y, int32_t across[16],
                                     int32_t down[16], uint8_t pixels[16])
{
    const uint64_t rows = UINT64_C(0x00ff00ff00ff00ff), fours = UINT64_C(0x0f0f0f0f0f0f0f0f);
    const uint64_t pairs = UINT64_C(0x3333333333333333), firsts = UINT64_C(0x1111111111111111);
    uint64_t upper = block & rows, lower = block >> 8 & rows, some;
    unsigned found;
    simde__m128i quads;

    /* Four bits per quad, quads in row order. */
    upper = (upper | upper << 4) & fours;
    lower = (lower | lower << 4) & fours;
    upper = ((upper | upper << 2) & pairs) | ((lower | lower << 2) & pairs) << 2;
    some = upper | upper >> 1;
    some = (some | some >> 2) & firsts;
    found = (unsigned)__builtin_popcountll(some);
    quads = simde_mm_unpacklo_epi8(simd_bytes_of(upper & fours), simd_bytes_of(upper >> 4 & fours));
    for (; some; across += 8, down += 8, pixels += 8) {
        simde__m128i number = simd_bytes_of(simd_take_8_bit_indices(&some) >> 2 & fours);
        i32v wide = simde_mm256_cvtepu8_epi32(number);
        i32v column = i32v_sll(i32v_and(wide, i32v_set1(3)), 1);
        i32v row = i32v_and(i32v_srl(wide, 1), i32v_set1(6));

        i32v_storeu(across, i32v_add(column, i32v_set1(x)));
        i32v_storeu(down, i32v_add(row, i32v_set1(y)));
        simde_mm_storel_epi64((simde__m128i *)(void *)pixels, simde_mm_shuffle_epi8(quads, number));
    }
    return found;
}

#else

SIMD_INLINE void simd_bit_indices(uint64_t block, int32_t number[SIMD_MAX_BIT_INDICES])
{
    unsigned n = 0;

    for (; block; block &= block - 1)
        number[n++] = __builtin_ctzll(block);
    while (n % SIMD_LANES)
        number[n++] = 0;
}

SIMD_INLINE bool simd_claim_block(uint64_t rows[8], uint64_t block, unsigned right)
{
    uint64_t rest = block, used = 0;

    for (unsigned y = 0; rest; y++, rest >>= 8)
        used |= rows[y] & (rest & 0xff) << right;
    if (used)
        return false;
    for (unsigned y = 0; block; y++, block >>= 8)
        rows[y] |= (block & 0xff) << right;
    return true;
}

SIMD_INLINE unsigned simd_mask_quads(uint64_t block, int32_t x, int32_t y, int32_t across[16],
                                     int32_t down[16], uint8_t pixels[16])
{
    uint64_t some = block | block >> 1;
    unsigned n = 0;

    some = (some | some >> 8) & UINT64_C(0x0055005500550055);
    for (; some; some &= some - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(some);

        across[n] = x + (int32_t)(bit & 7);
        down[n] = y + (int32_t)(bit >> 3);
        pixels[n++] = (uint8_t)((block >> bit & 3) | (block >> bit >> 6 & 12));
    }
    return n;
}

#endif
#endif
