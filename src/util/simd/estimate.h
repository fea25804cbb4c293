/* Arithmetic of estimates, whose bits may differ between instruction sets: only for results that
 * are checked before they are used. Included by kernels. */
#ifndef UTIL_SIMD_ESTIMATE_H
#define UTIL_SIMD_ESTIMATE_H

#include "util/simd/simd.h"

/* Returns a * b + c, rounded once or twice. */
static inline f32v f32v_mul_add_any(f32v a, f32v b, f32v c)
{
#if SIMD_LANES == 16
    return _mm512_fmadd_ps(a, b, c);
#elif SIMD_LANES == 8
    return simde_mm256_fmadd_ps(a, b, c);
#else
    return f32v_add(f32v_mul_ftz_any(a, b), c);
#endif
}

#endif
