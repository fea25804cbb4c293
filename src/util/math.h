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

#endif
