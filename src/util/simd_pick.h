/* Rows of 16 values of which every lane picks one. For kernels alone. */
#ifndef UTIL_SIMD_PICK_H
#define UTIL_SIMD_PICK_H

#include "util/simd.h"

/* A row, as it is kept while vectors pick from it. index: 0 to 15. */
#if SIMD_LANES == 16
typedef f32v simd_row;
SIMD_INLINE simd_row simd_load_row(const float row[16])
{
    return f32v_load(row);
}
SIMD_INLINE f32v simd_pick(simd_row row, i32v index)
{
    return _mm512_permutexvar_ps(index, row);
}
/* A byte a lane. */
SIMD_INLINE i32v simd_widen_bytes(const uint8_t *p)
{
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
#elif SIMD_LANES == 8
typedef const float *simd_row;
SIMD_INLINE simd_row simd_load_row(const float row[16])
{
    return row;
}
SIMD_INLINE f32v simd_pick(simd_row row, i32v index)
{
    f32v low = simde_mm256_permutevar8x32_ps(f32v_load(row), index);
    f32v high = simde_mm256_permutevar8x32_ps(f32v_load(row + 8), index);

    return simde_mm256_blendv_ps(low, high, i32v_as_f32(i32v_sll(index, 28)));
}
SIMD_INLINE i32v simd_widen_bytes(const uint8_t *p)
{
    return simde_mm256_cvtepu8_epi32(simde_mm_loadl_epi64((const simde__m128i *)(const void *)p));
}
#else
typedef const float *simd_row;
SIMD_INLINE simd_row simd_load_row(const float row[16])
{
    return row;
}
SIMD_INLINE f32v simd_pick(simd_row row, i32v index)
{
    return f32v_gather(row, index);
}
SIMD_INLINE i32v simd_widen_bytes(const uint8_t *p)
{
    _Alignas(64) int32_t wide[SIMD_LANES];

    for (unsigned i = 0; i < SIMD_LANES; i++)
        wide[i] = p[i];
    return i32v_load(wide);
}
#endif

#endif
