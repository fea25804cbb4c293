/* The functions of util/simd/math.h compiled for one lane, callable from any code.
 * Tested by tests/kernel/util/simd/test_math_kern.c. */
#define SIMD_LANES 1
#include "util/math.h"

#include "util/simd/math.h"

float math_exp2f(float x)
{
    return f32v_exp2(x);
}

float math_log2f(float x)
{
    return f32v_log2(x);
}

float math_powf(float x, float y)
{
    return f32v_pow(x, y);
}

float math_sinf(float x)
{
    return f32v_sin(x);
}

float math_cosf(float x)
{
    return f32v_cos(x);
}

float math_rcpf(float x)
{
    return f32v_rcp(x);
}

float math_rsqf(float x)
{
    return f32v_rsq(x);
}
