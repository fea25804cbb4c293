/* Kernels that apply the functions of util/simd/math.h to arrays. */
#include "util/simd/math_kern.h"

#include "util/simd/math.h"

#define M(name, expression)                                                                        \
    static void name##_n(float *out, const float *at_a, const float *at_b, size_t n)               \
    {                                                                                              \
        for (size_t i = 0; i < n; i += SIMD_LANES) {                                               \
            f32v a = f32v_loadu(at_a + i), b = f32v_loadu(at_b + i);                               \
                                                                                                   \
            (void)b;                                                                               \
            f32v_storeu(out + i, expression);                                                      \
        }                                                                                          \
    }
MATH_FUNCTIONS(M)
#undef M

#define M(name, expression) name##_n,
const struct math_kern KERN_NAME(math_kern) = {.fn = {MATH_FUNCTIONS(M)}};
