/* Pixels of four bytes in vectors, one word a lane. For kernels alone. */
#ifndef UTIL_SIMD_BYTES_H
#define UTIL_SIMD_BYTES_H

#include "util/simd.h"

/* Of both halves: the high 16 bits of products without signs; the lesser, with signs. */
#if SIMD_LANES == 1
static inline i32v i32v_min_halves(i32v a, i32v b)
{
    int32_t low = (int16_t)a < (int16_t)b ? a : b, high = a >> 16 < b >> 16 ? a : b;

    return i32v_low_high(low, high);
}
static inline i32v i32v_mul_high_halves(i32v a, i32v b)
{
    uint32_t low = ((uint32_t)a & 0xffff) * ((uint32_t)b & 0xffff);
    uint32_t high = ((uint32_t)a >> 16) * ((uint32_t)b >> 16);

    return (i32v)(low >> 16 | (high & 0xffff0000));
}
#elif SIMD_LANES == 16
static inline i32v i32v_min_halves(i32v a, i32v b)
{
    return i32v_min_short(a, b);
}
static inline i32v i32v_mul_high_halves(i32v a, i32v b)
{
    return _mm512_mulhi_epu16(a, b);
}
#else
static inline i32v i32v_min_halves(i32v a, i32v b)
{
    return i32v_min_short(a, b);
}
static inline i32v i32v_mul_high_halves(i32v a, i32v b)
{
    return SIMD_P(mulhi_epu16)(a, b);
}
#endif

/* The four bytes of a word by 255, lowest first, correctly rounded. Three times a code is a whole
 * number, and its product with 1/765 rounds as the quotient does, which was tried for all 256. */
SIMD_INLINE void i32v_unorm_bytes(i32v word, f32v out[4])
{
    const i32v bytes = i32v_set1(0x00ff00ff), low = i32v_set1(3), high = i32v_set1(3 << 16);
    i32v even = i32v_and(word, bytes), odd = i32v_srl_halves(word, 8);
    f32v scale = f32v_set1(1.0f / 765.0f), scale_high = f32v_set1(1.0f / (765.0f * 65536.0f));

    out[0] = f32v_mul_loose(i32v_to_f32(i32v_mul_halves(even, low)), scale);
    out[1] = f32v_mul_loose(i32v_to_f32(i32v_mul_halves(odd, low)), scale);
    out[2] = f32v_mul_loose(i32v_to_f32(i32v_mul_halves(even, high)), scale_high);
    out[3] = f32v_mul_loose(i32v_to_f32(i32v_mul_halves(odd, high)), scale_high);
}

#endif
