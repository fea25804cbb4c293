/* Vector conversion between binary16 and binary32, for kernels. util/half.h has the scalar form. */
#ifndef UTIL_SIMD_HALF_H
#define UTIL_SIMD_HALF_H

#include "util/simd/simd.h"

#if SIMD_LANES == 16

/* Convert the low and the high 16 bits of each lane. The instruction does not flush denormals. */
SIMD_INLINE void halves_to_f32(i32v w, f32v *low, f32v *high)
{
    *low = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(w));
    *high = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(i32v_srl(w, 16)));
}

#elif SIMD_LANES == 8

/* Convert the low and the high 16 bits of each lane. The instruction does not flush denormals. */
SIMD_INLINE void halves_to_f32(i32v w, f32v *low, f32v *high)
{
    i32v halves = simde_mm256_packus_epi32(i32v_and(w, i32v_set1(0xffff)), i32v_srl(w, 16));

    halves = simde_mm256_permute4x64_epi64(halves, 0xd8);
    *low = simde_mm256_cvtph_ps(simde_mm256_castsi256_si128(halves));
    *high = simde_mm256_cvtph_ps(simde_mm256_extracti128_si256(halves, 1));
}

#endif

#if SIMD_LANES >= 8

/* Converts the low 16 bits of each lane and ignores the others. */
static inline f32v half_to_f32(i32v h)
{
    f32v low, high;

    halves_to_f32(h, &low, &high);
    return low;
}

#else

/* Converts the low 16 bits of each lane and ignores the others. */
static inline f32v half_to_f32(i32v h)
{
    const int32_t rebias = 112 << 23;
    i32v magnitude = i32v_and(h, i32v_set1(0x7fff));
    i32v sign = i32v_sll(i32v_and(h, i32v_set1(0x8000)), 16);
    i32v normal = i32v_add(i32v_sll(magnitude, 13), i32v_set1(rebias));
    f32v denormal = f32v_mul_ftz_any(i32v_to_f32(magnitude), f32v_set1(0x1p-24f));

    normal = i32v_select(i32v_lt(i32v_set1(0x7bff), magnitude), i32v_add(normal, i32v_set1(rebias)),
                         normal);
    normal = i32v_select(i32v_lt(magnitude, i32v_set1(0x400)), f32v_bits(denormal), normal);
    return i32v_as_f32(i32v_or(normal, sign));
}

/* Converts the low and the high 16 bits of each lane. */
SIMD_INLINE void halves_to_f32(i32v w, f32v *low, f32v *high)
{
    *low = half_to_f32(w);
    *high = half_to_f32(i32v_srl(w, 16));
}

#endif

/* Convert to the low 16 bits of each lane, rounding to nearest even. Values from 65520 on become
 * infinity; NaN becomes 0x7e00. */
#if SIMD_LANES >= 8

static inline i32v half_from_f32(f32v x)
{
    f32v number = f32v_select(f32v_isnan(x), i32v_as_f32(i32v_set1(0x7fc00000)), x);

#if SIMD_LANES == 16
    return _mm512_cvtepu16_epi32(_mm512_cvtps_ph(number, 0));
#else
    return simde_mm256_cvtepu16_epi32(simde_mm256_cvtps_ph(number, 0));
#endif
}

#else

static inline i32v half_from_f32(f32v x)
{
    i32v bits = f32v_bits(x), magnitude = i32v_and(bits, i32v_set1(INT32_MAX));
    i32v sign = i32v_and(i32v_srl(bits, 16), i32v_set1(0x8000));
    i32v odd = i32v_and(i32v_srl(magnitude, 13), i32v_set1(1));
    i32v h = i32v_add(i32v_add(magnitude, i32v_set1(0xfff - (112 << 23))), odd);
    /* The last place of a float in [1/2, 1) is that of a denormal half, so the addition rounds. */
    f32v shifted = f32v_add(i32v_as_f32(magnitude), f32v_set1(0.5f));
    i32v small = i32v_sub(f32v_bits(shifted), f32v_bits(f32v_set1(0.5f)));

    h = i32v_srl(h, 13);
    h = i32v_select(i32v_lt(magnitude, i32v_set1(0x38800000)), small, h);
    h = i32v_select(i32v_lt(i32v_set1(0x477fefff), magnitude), i32v_set1(0x7c00), h);
    h = i32v_or(h, sign);
    return i32v_select(i32v_lt(i32v_set1(0x7f800000), magnitude), i32v_set1(0x7e00), h);
}

#endif

/* Packs two halves per lane, the first in the low bits. */
static inline i32v halves_from_f32(f32v low, f32v high)
{
    return i32v_or(half_from_f32(low), i32v_sll(half_from_f32(high), 16));
}

/* --- Arrays of halves ------------------------------------------------------------------------- */

/* Converts SIMD_LANES consecutive halves. */
static inline f32v halves_load(const uint16_t *halves)
{
#if SIMD_LANES == 16
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)halves));
#elif SIMD_LANES == 8
    return simde_mm256_cvtph_ps(simde_mm_loadu_si128((const simde__m128i *)(const void *)halves));
#elif SIMD_LANES == 4
    i32v four = simde_mm_loadl_epi64((const simde__m128i *)(const void *)halves);

    return half_to_f32(simde_mm_unpacklo_epi16(four, simde_mm_setzero_si128()));
#else
    return half_to_f32(*halves);
#endif
}

static inline void halves_store(uint16_t *halves, f32v value)
{
#if SIMD_LANES == 1
    *halves = (uint16_t)half_from_f32(value);
#elif SIMD_LANES == 4
    i32v words = half_from_f32(value);

    words = simde_mm_srai_epi32(i32v_sll(words, 16), 16);
    simde_mm_storel_epi64((simde__m128i *)(void *)halves, simde_mm_packs_epi32(words, words));
#else
    f32v number = f32v_select(f32v_isnan(value), i32v_as_f32(i32v_set1(0x7fc00000)), value);

#if SIMD_LANES == 16
    _mm256_storeu_si256((__m256i *)(void *)halves, _mm512_cvtps_ph(number, 0));
#else
    simde_mm_storeu_si128((simde__m128i *)(void *)halves, simde_mm256_cvtps_ph(number, 0));
#endif
#endif
}

#endif
