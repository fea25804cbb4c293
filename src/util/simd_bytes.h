/* Pixels of four bytes in vectors, one word a lane. For kernels alone. */
#ifndef UTIL_SIMD_BYTES_H
#define UTIL_SIMD_BYTES_H

#include "util/simd.h"

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
