/* Vectors of 16-bit integers in memory, widened to 32-bit words without signs. Included by kernels;
 * the same bits for every SIMD_LANES and processor, as in simd.h. */
#ifndef UTIL_SIMD_UINT16_H
#define UTIL_SIMD_UINT16_H

#include "util/simd/simd.h"

/* Loads SIMD_LANES unaligned integers. */
SIMD_INLINE i32v i32v_load_uint16(const void *from)
{
#if SIMD_LANES == 16
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)from));
#elif SIMD_LANES == 8
    return simde_mm256_cvtepu16_epi32(simde_mm_loadu_si128((const simde__m128i *)from));
#elif SIMD_LANES == 4
    return simde_mm_unpacklo_epi16(simde_mm_loadl_epi64((const simde__m128i *)from),
                                   simde_mm_setzero_si128());
#else
    uint16_t word;

    memcpy(&word, from, sizeof(word));
    return word;
#endif
}

/* Stores the lower halves of words, whose upper halves are 0. */
SIMD_INLINE void i32v_store_uint16(void *to, i32v words)
{
#if SIMD_LANES == 16
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16(words));
#elif SIMD_LANES == 8
    simde__m256i packed = simde_mm256_packus_epi32(words, words);

    packed = simde_mm256_permute4x64_epi64(packed, 0x08);
    simde_mm_storeu_si128((simde__m128i *)to, simde_mm256_castsi256_si128(packed));
#elif SIMD_LANES == 4
    /* With signs in place of the upper halves, the pack does not saturate. */
    simde__m128i word = simde_mm_srai_epi32(simde_mm_slli_epi32(words, 16), 16);

    simde_mm_storel_epi64((simde__m128i *)to, simde_mm_packs_epi32(word, word));
#else
    uint16_t word = (uint16_t)words;

    memcpy(to, &word, sizeof(word));
#endif
}

/* Loads the integer at each index. */
SIMD_INLINE i32v i32v_load_uint16_at(const uint16_t *base, const int32_t *i)
{
    uint16_t lanes[SIMD_LANES];

    UNROLL
    for (int lane = 0; lane < SIMD_LANES; lane++)
        lanes[lane] = base[i[lane]];
    return i32v_load_uint16(lanes);
}

#endif
