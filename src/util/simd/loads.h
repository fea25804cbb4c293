/* Gathers of words at non-negative indices, one per lane. Kernels include it
 * through util/simd/simd.h. */
#ifndef UTIL_SIMD_LOADS_H
#define UTIL_SIMD_LOADS_H

#include "util/simd/vector.h"

#include <stddef.h>

#if SIMD_LANES > 1

/* Loads two words from each of two addresses, without MMX. Where compilers lack MMX, as for
 * Windows, SIMDe emulates the alternatives lane by lane. */
SIMD_INLINE simde__m128 simd_two_pairs(const void *low, const void *high)
{
    simde__m128i pair = simde_mm_loadl_epi64((const simde__m128i *)low);

    return simde_mm_castpd_ps(simde_mm_loadh_pd(simde_mm_castsi128_pd(pair), (const double *)high));
}

#endif

#if SIMD_LANES >= 8

/* --- Loads per lane --------------------------------------------------------------------------- */

SIMD_INLINE simde__m256 simd_four_pairs(const int32_t *base, const int32_t *i)
{
    return simde_mm256_insertf128_ps(
        simde_mm256_castps128_ps256(simd_two_pairs(base + i[0], base + i[1])),
        simd_two_pairs(base + i[4], base + i[5]), 1);
}
/* Loads pairs for lanes 0, 1, 4, 5, 8 …; with i + 2 for lanes 2, 3, 6, 7, 10 … */
SIMD_INLINE f32v simd_half_of_pairs(const int32_t *base, const int32_t *i)
{
#if SIMD_LANES == 8
    return simd_four_pairs(base, i);
#else
    return _mm512_insertf32x8(_mm512_castps256_ps512(simd_four_pairs(base, i)),
                              simd_four_pairs(base, i + 8), 1);
#endif
}
SIMD_INLINE i32v simd_words_by_lanes(const int32_t *base, const int32_t *i)
{
    f32v even = simd_half_of_pairs(base, i), odd = simd_half_of_pairs(base, i + 2);

    return f32v_bits(SIMD_P(shuffle_ps)(even, odd, 0x88));
}
SIMD_INLINE void simd_pairs_by_lanes(const int32_t *base, const int32_t *i, i32v *first,
                                     i32v *second)
{
    f32v even = simd_half_of_pairs(base, i), odd = simd_half_of_pairs(base, i + 2);

    *first = f32v_bits(SIMD_P(shuffle_ps)(even, odd, 0x88));
    *second = f32v_bits(SIMD_P(shuffle_ps)(even, odd, 0xdd));
}
/* Loads the upper and the lower row in turn, so that each index is loaded once. */
SIMD_INLINE void simd_2x2_by_lanes(const int32_t *upper, const int32_t *lower, const int32_t *i,
                                   i32v out[4])
{
    f32v even[2], odd[2];

    even[0] = simd_half_of_pairs(upper, i);
    even[1] = simd_half_of_pairs(lower, i);
    odd[0] = simd_half_of_pairs(upper, i + 2);
    odd[1] = simd_half_of_pairs(lower, i + 2);
    out[0] = f32v_bits(SIMD_P(shuffle_ps)(even[0], odd[0], 0x88));
    out[1] = f32v_bits(SIMD_P(shuffle_ps)(even[0], odd[0], 0xdd));
    out[2] = f32v_bits(SIMD_P(shuffle_ps)(even[1], odd[1], 0x88));
    out[3] = f32v_bits(SIMD_P(shuffle_ps)(even[1], odd[1], 0xdd));
}

#endif

/* --- Fastest variants ------------------------------------------------------------------------- */

#if SIMD_LANES == 8

SIMD_INLINE void i32v_gather_pair(const int32_t *base, i32v index, i32v *first, i32v *second)
{
    int32_t i[8];

    i32v_storeu(i, index);
    simd_pairs_by_lanes(base, i, first, second); /* on many processors a gather is slower */
}

#endif

#if SIMD_LANES < 8

/* Loads the word at each index. Also reads the word after it. */
SIMD_INLINE i32v i32v_load_words(const int32_t *base, const int32_t *i)
{
#ifdef SIMD_NEON
    return f32v_bits(neon_load_four(base + i[0], base + i[1], base + i[2], base + i[3]));
#elif SIMD_LANES == 4
    return simde_mm_setr_epi32(base[i[0]], base[i[1]], base[i[2]], base[i[3]]);
#else
    return base[*i];
#endif
}
/* Loads the words at each index and at index + 1. */
SIMD_INLINE void i32v_load_pairs(const int32_t *base, const int32_t *i, i32v *first, i32v *second)
{
    i32v_gather_pair(base, i32v_loadu(i), first, second);
}
/* Loads such pairs from an upper and a lower row, the upper one first. */
SIMD_INLINE void i32v_load_2x2(const int32_t *upper, const int32_t *lower, const int32_t *i,
                               i32v out[4])
{
    i32v_load_pairs(upper, i, &out[0], &out[1]);
    i32v_load_pairs(lower, i, &out[2], &out[3]);
}

#else

/* True if gathers are faster than loads per lane. */
static inline int simd_gathers(void)
{
#if SIMD_LANES == 16
    return cpu_fast_gathers;
#else
    return 0;
#endif
}
SIMD_INLINE i32v i32v_load_words(const int32_t *base, const int32_t *i)
{
    if (simd_gathers())
        return i32v_gather(base, i32v_loadu(i));
    return simd_words_by_lanes(base, i);
}
SIMD_INLINE void i32v_load_pairs(const int32_t *base, const int32_t *i, i32v *first, i32v *second)
{
    if (simd_gathers())
        i32v_gather_pair(base, i32v_loadu(i), first, second);
    else
        simd_pairs_by_lanes(base, i, first, second);
}
SIMD_INLINE void i32v_load_2x2(const int32_t *upper, const int32_t *lower, const int32_t *i,
                               i32v out[4])
{
    if (simd_gathers()) {
        i32v_gather_pair(upper, i32v_loadu(i), &out[0], &out[1]);
        i32v_gather_pair(lower, i32v_loadu(i), &out[2], &out[3]);
        return;
    }
    simd_2x2_by_lanes(upper, lower, i, out);
}

#endif

/* Loads the word at each byte offset from base, without alignment, and reads nothing else. */
SIMD_INLINE int32_t simd_word_at(const char *base, ptrdiff_t at)
{
    int32_t word;

    memcpy(&word, base + at, sizeof(word));
    return word;
}
#if SIMD_LANES >= 8
SIMD_INLINE simde__m256i simd_eight_words_at(const char *base, const int32_t *at)
{
    return simde_mm256_setr_epi32(simd_word_at(base, at[0]), simd_word_at(base, at[1]),
                                  simd_word_at(base, at[2]), simd_word_at(base, at[3]),
                                  simd_word_at(base, at[4]), simd_word_at(base, at[5]),
                                  simd_word_at(base, at[6]), simd_word_at(base, at[7]));
}
#endif
SIMD_INLINE i32v i32v_load_words_at(const char *base, const int32_t *at)
{
#if SIMD_LANES == 16
    return _mm512_inserti64x4(_mm512_castsi256_si512(simd_eight_words_at(base, at)),
                              simd_eight_words_at(base, at + 8), 1);
#elif SIMD_LANES == 8
    return simd_eight_words_at(base, at);
#elif defined(SIMD_NEON)
    return f32v_bits(neon_load_four(base + at[0], base + at[1], base + at[2], base + at[3]));
#elif SIMD_LANES == 4
    return simde_mm_setr_epi32(simd_word_at(base, at[0]), simd_word_at(base, at[1]),
                               simd_word_at(base, at[2]), simd_word_at(base, at[3]));
#else
    return simd_word_at(base, at[0]);
#endif
}

/* i32v_load_pairs for floats. */
SIMD_INLINE void f32v_load_pairs(const float *base, const int32_t *i, f32v *first, f32v *second)
{
#if SIMD_LANES == 1
    *first = base[*i];
    *second = base[*i + 1];
#else
    i32v a, b;

    i32v_load_pairs((const int32_t *)(const void *)base, i, &a, &b);
    *first = i32v_as_f32(a);
    *second = i32v_as_f32(b);
#endif
}

/* Loads the float at each index. May read the word before it, too. */
SIMD_INLINE f32v f32v_load_words(const float *base, const int32_t *i)
{
#if SIMD_LANES >= 8
    f32v before, value;

    if (simd_gathers())
        return f32v_gather(base, i32v_loadu(i));
    f32v_load_pairs(base - 1, i, &before, &value);
    return value;
#else
    return f32v_gather(base, i32v_loadu(i));
#endif
}

#endif
