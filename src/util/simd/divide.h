/* Exact division by divisors that are no constants and come with reciprocals. generic.h has the
 * same for constants, and the conditions. Included by kernels. */
#ifndef UTIL_SIMD_DIVIDE_H
#define UTIL_SIMD_DIVIDE_H

#include "util/simd/simd.h"

/* As f32v_div_by; `reciprocal` is 1 / d, rounded. */
SIMD_INLINE f32v f32v_div_with(f32v a, float d, float reciprocal)
{
#if SIMD_LANES >= 8
    const f32v by = f32v_set1(d), once = f32v_set1(reciprocal);
    f32v rough = f32v_mul_ftz_any(a, once);
#endif

#if SIMD_LANES == 16
    return _mm512_fmadd_ps(_mm512_fnmadd_ps(rough, by, a), once, rough);
#elif SIMD_LANES == 8
    return simde_mm256_fmadd_ps(simde_mm256_fnmadd_ps(rough, by, a), once, rough);
#else
    (void)reciprocal;
    return f32v_div(a, f32v_set1(d));
#endif
}

#if SIMD_LANES >= 8
/* As f32v_div_split, with a divisor of its own in each lane. */
SIMD_INLINE f32v f32v_div_each(f32v a, f32v high, f32v low)
{
    f32v rest = f32v_mul_ftz_any(a, low);

#if SIMD_LANES == 16
    return _mm512_fmadd_ps(a, high, rest);
#else
    return simde_mm256_fmadd_ps(a, high, rest);
#endif
}
#endif

#endif
