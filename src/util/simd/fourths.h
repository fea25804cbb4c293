/* Vectors of elements of four words from every fourth lane, as simd_load_fourths (vector.h) loads
 * them: four such vectors, for lanes k, k + 4, k + 8 … each, hold the elements of all lanes.
 * Included by kernels with several lanes. */
#ifndef UTIL_SIMD_FOURTHS_H
#define UTIL_SIMD_FOURTHS_H

#include "util/simd/half.h"
#include "util/simd/quads.h"

#if SIMD_LANES > 1

/* Replicates word k of each element. */
SIMD_INLINE f32v simd_broadcast_word(f32v words, unsigned k)
{
    switch (k) {
    case 0:
        return SIMD_P(shuffle_ps)(words, words, 0x00);
    case 1:
        return SIMD_P(shuffle_ps)(words, words, 0x55);
    case 2:
        return SIMD_P(shuffle_ps)(words, words, 0xaa);
    default:
        return SIMD_P(shuffle_ps)(words, words, 0xff);
    }
}

/* Loads elements of two pairs of words: from p + low[0], low[4] … and p + high[0], high[4] … */
SIMD_INLINE f32v simd_load_fourth_pairs(const char *p, const uint32_t *low, const uint32_t *high)
{
    simde__m128 element[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++)
        element[i] = simd_two_pairs(p + low[4 * i], p + high[4 * i]);
    return simd_join_quads(element);
}

/* Joins the first pairs of all elements, then the second pairs. */
#if SIMD_LANES >= 8
SIMD_INLINE i32v simd_split_pairs(f32v elements)
{
#if SIMD_LANES == 16
    return _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), f32v_bits(elements));
#else
    return simde_mm256_permute4x64_epi64(f32v_bits(elements), 0xd8);
#endif
}
#endif

/* Converts elements of eight halves to the first four and the last four floats. */
SIMD_INLINE void halves_to_fourths(f32v halves, f32v out[2])
{
#if SIMD_LANES == 16
    i32v split = simd_split_pairs(halves);

    out[0] = _mm512_cvtph_ps(_mm512_castsi512_si256(split));
    out[1] = _mm512_cvtph_ps(_mm512_extracti64x4_epi64(split, 1));
#elif SIMD_LANES == 8
    i32v split = simd_split_pairs(halves);

    out[0] = simde_mm256_cvtph_ps(simde_mm256_castsi256_si128(split));
    out[1] = simde_mm256_cvtph_ps(simde_mm256_extracti128_si256(split, 1));
#else
    i32v zero = i32v_set1(0);

    out[0] = half_to_f32(simde_mm_unpacklo_epi16(f32v_bits(halves), zero));
    out[1] = half_to_f32(simde_mm_unpackhi_epi16(f32v_bits(halves), zero));
#endif
}

/* The same for unsigned 16-bit integers. */
SIMD_INLINE void uint16_to_fourths(f32v integers, f32v out[2])
{
#if SIMD_LANES == 16
    i32v split = simd_split_pairs(integers);

    out[0] = i32v_to_f32(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(split)));
    out[1] = i32v_to_f32(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(split, 1)));
#elif SIMD_LANES == 8
    i32v zero = i32v_set1(0);

    out[0] = i32v_to_f32(simde_mm256_unpacklo_epi16(f32v_bits(integers), zero));
    out[1] = i32v_to_f32(simde_mm256_unpackhi_epi16(f32v_bits(integers), zero));
#else
    i32v zero = i32v_set1(0);

    out[0] = i32v_to_f32(simde_mm_unpacklo_epi16(f32v_bits(integers), zero));
    out[1] = i32v_to_f32(simde_mm_unpackhi_epi16(f32v_bits(integers), zero));
#endif
}

/* Looks up the bytes of a word per element: word w of the element becomes rows[byte w][w]. */
SIMD_INLINE f32v simd_lookup_fourths(const float rows[256][4], const uint32_t word[SIMD_QUADS])
{
    simde__m128 element[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        const float *row[4];

        UNROLL
        for (unsigned w = 0; w < 4; w++)
            row[w] = rows[word[i] >> 8 * w & 255];
#if SIMD_LANES == 4
        element[i] = simde_mm_setr_ps(row[0][0], row[1][1], row[2][2], row[3][3]);
#else
        element[i] = simde_mm_blend_ps(simde_mm_load_ps(row[0]), simde_mm_load_ps(row[1]), 2);
        element[i] = simde_mm_blend_ps(element[i], simde_mm_load_ps(row[2]), 4);
        element[i] = simde_mm_blend_ps(element[i], simde_mm_load_ps(row[3]), 8);
#endif
    }
    return simd_join_quads(element);
}

#endif

#endif
