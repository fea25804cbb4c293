/* Vectors of elements of four words from every fourth lane, as simd_load_fourths (vector.h) loads
 * them: four such vectors, for lanes k, k + 4, k + 8 … each, hold the elements of all lanes.
 * Included by kernels with several lanes. */
#ifndef UTIL_SIMD_FOURTHS_H
#define UTIL_SIMD_FOURTHS_H

#include "util/simd/half.h"
#include "util/simd/quads.h"

#if SIMD_LANES > 1

/* Repeats four floats across the vector. */
SIMD_INLINE f32v f32v_broadcast_128(const float four[4])
{
#if SIMD_LANES == 16
    return _mm512_broadcast_f32x4(_mm_loadu_ps(four));
#elif SIMD_LANES == 8
    return simde_mm256_broadcast_ps((const simde__m128 *)(const void *)four);
#else
    return simde_mm_loadu_ps(four);
#endif
}

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

/* Load four halves, or four unsigned 16-bit integers, for every fourth lane as floats: from word
 * at[0], at[4] … of p. */
SIMD_INLINE f32v simd_load_half_fourths(const int32_t *p, const int32_t *at)
{
#if SIMD_LANES == 16
    simde__m256 four =
        simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simd_two_pairs(p + at[0], p + at[4])),
                                  simd_two_pairs(p + at[8], p + at[12]), 1);

    return _mm512_cvtph_ps(simde_mm256_castps_si256(four));
#elif SIMD_LANES == 8
    return simde_mm256_cvtph_ps(simde_mm_castps_si128(simd_two_pairs(p + at[0], p + at[4])));
#else
    return half_to_f32(simde_mm_unpacklo_epi16(i32v_load_pair(p + at[0]), i32v_set1(0)));
#endif
}
SIMD_INLINE f32v simd_load_uint16_fourths(const int32_t *p, const int32_t *at)
{
#if SIMD_LANES == 16
    simde__m256 four =
        simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simd_two_pairs(p + at[0], p + at[4])),
                                  simd_two_pairs(p + at[8], p + at[12]), 1);

    return i32v_to_f32(_mm512_cvtepu16_epi32(simde_mm256_castps_si256(four)));
#elif SIMD_LANES == 8
    return i32v_to_f32(
        simde_mm256_cvtepu16_epi32(simde_mm_castps_si128(simd_two_pairs(p + at[0], p + at[4]))));
#else
    return i32v_to_f32(simde_mm_unpacklo_epi16(i32v_load_pair(p + at[0]), i32v_set1(0)));
#endif
}

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

/* Splits vectors of two elements, of four lanes, into the first and the second ones. */
#if SIMD_LANES == 16
SIMD_INLINE void simd_split_elements(const simde__m256 two[SIMD_QUADS], f32v out[2])
{
    f32v low = _mm512_insertf32x8(_mm512_castps256_ps512(two[0]), two[1], 1);
    f32v high = _mm512_insertf32x8(_mm512_castps256_ps512(two[2]), two[3], 1);

    out[0] = _mm512_shuffle_f32x4(low, high, 0x88);
    out[1] = _mm512_shuffle_f32x4(low, high, 0xdd);
}
#elif SIMD_LANES == 8
SIMD_INLINE void simd_split_elements(const simde__m256 two[SIMD_QUADS], f32v out[2])
{
    out[0] = simde_mm256_permute2f128_ps(two[0], two[1], 0x20);
    out[1] = simde_mm256_permute2f128_ps(two[0], two[1], 0x31);
}
#endif

/* Load two elements of four halves, integers of 16 bits or floats for every fourth lane, from
 * p + at[0], at[4] …, as floats. */
SIMD_INLINE void simd_load_two_halves(const char *p, const uint32_t *at, f32v out[2])
{
#if SIMD_LANES >= 8
    simde__m256 two[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++)
        two[i] = simde_mm256_cvtph_ps(
            simde_mm_loadu_si128((const simde__m128i *)(const void *)(p + at[4 * i])));
    simd_split_elements(two, out);
#else
    halves_to_fourths(simd_load_fourths(p, at), out);
#endif
}
SIMD_INLINE void simd_load_two_uint16(const char *p, const uint32_t *at, f32v out[2])
{
#if SIMD_LANES == 16
    simde__m256 two[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++)
        two[i] = simde_mm256_cvtepi32_ps(simde_mm256_cvtepu16_epi32(
            simde_mm_loadu_si128((const simde__m128i *)(const void *)(p + at[4 * i]))));
    simd_split_elements(two, out);
#else
    uint16_to_fourths(simd_load_fourths(p, at), out);
#endif
}
SIMD_INLINE void simd_load_two_floats(const char *p, const uint32_t *at, f32v out[2])
{
#if SIMD_LANES >= 8
    simde__m256 two[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++)
        two[i] = simde_mm256_loadu_ps((const float *)(const void *)(p + at[4 * i]));
    simd_split_elements(two, out);
#else
    out[0] = simd_load_fourths(p, at);
    out[1] = simd_load_fourths(p + 16, at);
#endif
}

/* Loads two words from p + at[0], at[4] … */
SIMD_INLINE void simd_load_pairs_at(const char *p, const uint32_t *at, uint64_t pair[SIMD_QUADS])
{
    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++)
        memcpy(&pair[i], p + at[4 * i], sizeof(pair[i]));
}

/* Loads the words of pairs from p + low[0], low[4] … and p + high[0], high[4] … */
SIMD_INLINE void simd_load_apart_at(const char *p, const uint32_t *low, const uint32_t *high,
                                    uint64_t pair[SIMD_QUADS])
{
    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++)
        pair[i] = (uint32_t)simd_word_at(p, low[4 * i]) |
                  (uint64_t)(uint32_t)simd_word_at(p, high[4 * i]) << 32;
}

/* Elements of two pairs of words. */
SIMD_INLINE f32v simd_fourths_of_pairs(const uint64_t low[SIMD_QUADS],
                                       const uint64_t high[SIMD_QUADS])
{
    simde__m128 element[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++)
        element[i] = simde_mm_castsi128_ps(simde_mm_set_epi64x((int64_t)high[i], (int64_t)low[i]));
    return simd_join_quads(element);
}

/* Looks up bytes `first`, `first` + 1 and `first` + 2 of a pair per element: words 0 and 1 of the
 * element become table[byte + 1][0 or 1], word 2 table[byte + 1][0]. So a load puts each value
 * where it belongs. Word 3 becomes any finite number. */
SIMD_INLINE f32v simd_lookup_fourths(const float table[258][2], const uint64_t pair[SIMD_QUADS],
                                     unsigned first)
{
    simde__m128 element[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        uint32_t bytes = (uint32_t)(pair[i] >> 8 * first);
        const float *one = table[(bytes & 255) + 1], *two = table[(bytes >> 8 & 255) + 1];
        const float *three = table[bytes >> 16 & 255];

#if SIMD_LANES == 4
        element[i] = simde_mm_setr_ps(one[0], two[1], three[2], 0.0f);
#else
        element[i] = simde_mm_blend_ps(simde_mm_loadu_ps(one), simde_mm_loadu_ps(two), 2);
        element[i] = simde_mm_blend_ps(element[i], simde_mm_loadu_ps(three), 4);
#endif
    }
    return simd_join_quads(element);
}

/* Sets word 3 of each element to word k of the other. */
SIMD_INLINE f32v simd_set_last_word(f32v elements, f32v other, unsigned k)
{
    f32v last = simd_broadcast_word(other, k);

#if SIMD_LANES == 16
    return f32v_select(m32v_from_bits(0x8888), last, elements);
#elif SIMD_LANES == 8
    return simde_mm256_blend_ps(elements, last, 0x88);
#else
    return f32v_select(i32v_loadu((const int32_t[]){0, 0, 0, -1}), last, elements);
#endif
}

#endif

#endif
