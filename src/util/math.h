/* Scalar versions of the functions of util/simd/math.h, with the same bits, for code outside
 * kernels. Call them in the mode of util/fpenv.h. util/simd/math.h states accuracy and special
 * values. */
#ifndef UTIL_MATH_H
#define UTIL_MATH_H

float math_exp2f(float x);
float math_log2f(float x);         /* log2 |x| */
float math_powf(float x, float y); /* |x|^y */
float math_sinf(float x);
float math_cosf(float x);
float math_rcpf(float x);
float math_rsqf(float x);

/* Round to single precision, or multiply, with the same bits on every processor. Like x86, they
 * return FLT_MIN if rounding reaches it (util/simd/generic.h, f32v_mul). */
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
