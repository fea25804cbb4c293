/* Kernels that apply the functions of util/simd/math.h to arrays. */
#include "util/simd/math_kern.h"

#include "util/simd/double.h"
#include "util/simd/math.h"

/* Compares m32v_any and m32v_every of a mask, and of one without a true lane, with its lanes. */
static f32v math_any(m32v mask, m32v none)
{
    f32v if_true = f32v_set1(m32v_any(mask) && m32v_every(m32v_not(none)) ? 1.0f : 2.0f);
    f32v if_false = f32v_set1(m32v_every(mask) || m32v_any(none) ? 3.0f : 1.0f);

    return f32v_select(mask, if_true, if_false);
}

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
