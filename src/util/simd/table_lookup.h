/* Table lookup: every lane selects one of 16 floats of a row. Included by kernels. */
#ifndef UTIL_SIMD_TABLE_LOOKUP_H
#define UTIL_SIMD_TABLE_LOOKUP_H

#include "util/simd/simd.h"

#include <stdbool.h>

/* Index of each lane, 0 to 15. With `half`, eight entries starting at `from` contain all of them,
 * and indices are relative to `from`. */
struct simd_lookup_index {
    i32v index;
    unsigned from;
    bool half;
};

/* True if an 8-entry window contains indices least … most. Only 8-lane vectors, which load a row in
 * halves, use it. */
SIMD_INLINE bool simd_fits_half_row(unsigned least, unsigned most)
{
    return SIMD_LANES == 8 && (least >= 8 || most - least < 8);
}

/* All indices are at least `least`. A constant `half` specialises the code. */
SIMD_INLINE struct simd_lookup_index simd_lookup_index_of(i32v index, unsigned least, bool half)
{
    struct simd_lookup_index p = {.half = half};

    p.from = least < 8 ? least : 8; /* the window must not cross the row's end */
    p.index = half ? i32v_sub(index, i32v_set1((int32_t)p.from)) : index;
    return p;
}

#if SIMD_LANES == 16
SIMD_INLINE f32v simd_lookup(const float row[16], const struct simd_lookup_index *p)
{
    return _mm512_permutexvar_ps(p->index, f32v_load(row));
}
/* Widens one byte per lane. */
SIMD_INLINE i32v simd_widen_bytes(const uint8_t *p)
{
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
#elif SIMD_LANES == 8
SIMD_INLINE f32v simd_lookup(const float row[16], const struct simd_lookup_index *p)
{
    f32v low, high;

    if (p->half)
        return simde_mm256_permutevar8x32_ps(f32v_loadu(row + p->from), p->index);
    low = simde_mm256_permutevar8x32_ps(f32v_load(row), p->index);
    high = simde_mm256_permutevar8x32_ps(f32v_load(row + 8), p->index);
    return simde_mm256_blendv_ps(low, high, i32v_as_f32(i32v_sll(p->index, 28)));
}
SIMD_INLINE i32v simd_widen_bytes(const uint8_t *p)
{
    return simde_mm256_cvtepu8_epi32(simde_mm_loadl_epi64((const simde__m128i *)(const void *)p));
}
#else
SIMD_INLINE f32v simd_lookup(const float row[16], const struct simd_lookup_index *p)
{
    return f32v_gather(row, p->index);
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
