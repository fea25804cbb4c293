/* Operations on four-byte pixels, one word per lane. Included by kernels. */
#ifndef UTIL_SIMD_BYTES_H
#define UTIL_SIMD_BYTES_H

#include "util/simd/simd.h"

/* On both 16-bit halves, unsigned. i32v_mulhi_u16: the high 16 bits of products. i32v_adds_u16:
 * sums, saturated to 65535. i32v_sll_16: left shift. */
#if SIMD_LANES == 1
static inline i32v i32v_mulhi_u16(i32v a, i32v b)
{
    uint32_t low = ((uint32_t)a & 0xffff) * ((uint32_t)b & 0xffff);
    uint32_t high = ((uint32_t)a >> 16) * ((uint32_t)b >> 16);

    return (i32v)(low >> 16 | (high & 0xffff0000));
}
static inline i32v i32v_adds_u16(i32v a, i32v b)
{
    uint32_t low = ((uint32_t)a & 0xffff) + ((uint32_t)b & 0xffff);
    uint32_t high = ((uint32_t)a >> 16) + ((uint32_t)b >> 16);

    return (i32v)((low < 0xffff ? low : 0xffff) | (high < 0xffff ? high : 0xffff) << 16);
}
static inline i32v i32v_sll_16(i32v a, int n)
{
    return (i32v)((uint32_t)a >> 16 << n << 16 | ((uint32_t)a << n & 0xffff));
}
#elif SIMD_LANES == 16
static inline i32v i32v_mulhi_u16(i32v a, i32v b)
{
    return _mm512_mulhi_epu16(a, b);
}
static inline i32v i32v_adds_u16(i32v a, i32v b)
{
    return _mm512_adds_epu16(a, b);
}
#define i32v_sll_16(a, n) _mm512_slli_epi16(a, n)
#else
static inline i32v i32v_mulhi_u16(i32v a, i32v b)
{
    return SIMD_P(mulhi_epu16)(a, b);
}
static inline i32v i32v_adds_u16(i32v a, i32v b)
{
    return SIMD_P(adds_epu16)(a, b);
}
#define i32v_sll_16(a, n) SIMD_P(slli_epi16)(a, n)
#endif

#if SIMD_LANES >= 8

/* Repeats four words across the vector. */
SIMD_INLINE i32v i32v_broadcast_128(int32_t a, int32_t b, int32_t c, int32_t d)
{
#if SIMD_LANES == 16
    return _mm512_broadcast_i32x4(_mm_setr_epi32(a, b, c, d));
#else
    return simde_mm256_broadcastsi128_si256(simde_mm_setr_epi32(a, b, c, d));
#endif
}
/* Byte shuffle within every four lanes; `order` holds the byte indices. */
static inline i32v i32v_shuffle_bytes(i32v a, i32v order)
{
    return SIMD_P(shuffle_epi8)(a, order);
}
/* Returns in each half the sum of two byte products, a unsigned and b signed. The sum must fit. */
static inline i32v i32v_maddubs_16(i32v a, i32v b)
{
    return SIMD_P(maddubs_epi16)(a, b);
}

#endif

/* Divides the four bytes of a word by 255, lowest first, correctly rounded. The product of 3 * code
 * and 1/765 rounds like the quotient, which a test of all 256 codes confirmed. */
SIMD_INLINE void i32v_unpack_unorm8(i32v word, f32v out[4])
{
    const i32v bytes = i32v_set1(0x00ff00ff), low = i32v_set1(3), high = i32v_set1(3 << 16);
    i32v even = i32v_and(word, bytes), odd = i32v_srl_16(word, 8);
    f32v scale = f32v_set1(1.0f / 765.0f), scale_high = f32v_set1(1.0f / (765.0f * 65536.0f));

    out[0] = f32v_mul_ftz_any(i32v_to_f32(i32v_mullo_16(even, low)), scale);
    out[1] = f32v_mul_ftz_any(i32v_to_f32(i32v_mullo_16(odd, low)), scale);
    out[2] = f32v_mul_ftz_any(i32v_to_f32(i32v_mullo_16(even, high)), scale_high);
    out[3] = f32v_mul_ftz_any(i32v_to_f32(i32v_mullo_16(odd, high)), scale_high);
}

#endif
