/* Compression: packs the lanes or bytes that a mask chooses to the front. Only for 16 lanes, where
 * processors do it in one instruction. */
#ifndef UTIL_SIMD_COMPRESS_H
#define UTIL_SIMD_COMPRESS_H

#include "util/simd/blocks.h"

#if SIMD_LANES == 16

/* The lanes whose bits are set, packed; 0 in the lanes after them. */
SIMD_INLINE i32v i32v_compress(i32v v, unsigned bits)
{
    return _mm512_maskz_compress_epi32((__mmask16)bits, v);
}

/* Stores the lowest byte of each lane. */
SIMD_INLINE void i32v_store_low_bytes(uint8_t *to, i32v v)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtepi32_epi8(v));
}

/* Stores 64-bit words whose halves are lanes of two vectors. */
SIMD_INLINE void i32v_store_pairs(uint64_t *to, i32v lower, i32v upper)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));

    _mm512_storeu_si512(to, _mm512_permutex2var_epi32(lower, low, upper));
    _mm512_storeu_si512(to + 8, _mm512_permutex2var_epi32(lower, high, upper));
}

/* The union of `word`, shifted left by each lane whose bit is set. */
SIMD_INLINE uint64_t simd_union_of_shifts(uint64_t word, i32v by, unsigned bits)
{
    const __m512i words = _mm512_set1_epi64((long long)word);
    __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(by));
    __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(by, 1));

    low = _mm512_maskz_sllv_epi64((__mmask8)bits, words, low);
    high = _mm512_maskz_sllv_epi64((__mmask8)(bits >> 8), words, high);
    return (uint64_t)_mm512_reduce_or_epi64(_mm512_or_si512(low, high));
}

/* Stores the n bytes from[i] + add for which bit i of `mask` is set, and `label` as often. Writes
 * up to 64 bytes of both. For processors with byte vectors (cpu_has_avx512_vbmi). */
SIMD_VBMI2_CODE SIMD_INLINE void simd_store_chosen_bytes(uint64_t mask, unsigned n,
                                                         const uint8_t from[64], uint8_t add,
                                                         uint8_t *to, uint8_t label,
                                                         uint8_t *labels)
{
    __m512i bytes = _mm512_maskz_compress_epi8(mask, _mm512_load_si512(from));

    bytes = _mm512_add_epi8(bytes, _mm512_set1_epi8((char)add));
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_castsi512_si128(bytes));
    _mm_storeu_si128((__m128i *)(void *)labels, _mm_set1_epi8((char)label));
    if (n > 16) {
        _mm512_storeu_si512(to, bytes);
        _mm512_storeu_si512(labels, _mm512_set1_epi8((char)label));
    }
}

#endif

#endif
