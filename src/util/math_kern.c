/* The functions of util/simd_math.h over arrays. */
#include "util/math_kern.h"

#include "util/simd_math.h"

#define MAP1(name, fn)                                                                             \
    static void name(float *out, const float *a, size_t n)                                         \
    {                                                                                              \
        for (size_t i = 0; i < n; i += SIMD_LANES)                                                 \
            f32v_storeu(out + i, fn(f32v_loadu(a + i)));                                           \
    }

MAP1(exp2_n, f32v_exp2)
MAP1(log2_n, f32v_log2)
MAP1(sin_n, f32v_sin)
MAP1(cos_n, f32v_cos)
MAP1(rcp_n, f32v_rcp)
MAP1(rsq_n, f32v_rsq)

static void pow_n(float *out, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i += SIMD_LANES)
        f32v_storeu(out + i, f32v_pow(f32v_loadu(a + i), f32v_loadu(b + i)));
}

const struct math_kern KERN_NAME(math_kern) = {
    .exp2 = exp2_n,
    .log2 = log2_n,
    .sin = sin_n,
    .cos = cos_n,
    .rcp = rcp_n,
    .rsq = rsq_n,
    .pow = pow_n,
};
