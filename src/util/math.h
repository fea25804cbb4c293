/* The functions of util/simd_math.h for one float, with the same bits, for code that is no kernel.
 * Call them in the mode of util/fpenv.h; accuracy and special values stand in util/simd_math.h. */
#ifndef UTIL_MATH_H
#define UTIL_MATH_H

float math_exp2f(float x);
float math_log2f(float x); /* of |x| */
float math_powf(float x, float y);
float math_sinf(float x);
float math_cosf(float x);
float math_rcpf(float x);
float math_rsqf(float x);

/* To single precision, and a product of it, with the same bits on every processor: like x86, others
 * give FLT_MIN where rounding reaches it (util/simd.h, f32v_mul). */
static inline float math_narrowf(double x)
{
#if defined(__aarch64__)
    double magnitude = __builtin_fabs(x);

    if (magnitude < 0x1p-126 && magnitude >= 0x1p-126 - 0x1p-151)
        return __builtin_copysignf(0x1p-126f, (float)x);
#endif
    return (float)x;
}

static inline float math_mulf(float a, float b)
{
#if defined(__aarch64__)
    return math_narrowf((double)a * b);
#else
    return a * b;
#endif
}

#endif
