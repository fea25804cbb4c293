/* Operations on four-byte pixels, one word per lane. Included by kernels. */
#ifndef UTIL_SIMD_BYTES_H
#define UTIL_SIMD_BYTES_H

#include "util/simd/simd.h"

/* On both 16-bit halves, unsigned. i32v_mulhi_u16: the high 16 bits of products. i32v_adds_u16:
 * sums, saturated to 65535. i32v_min_u16: minimum. i32v_sll_16: left shift. */
#if SIMD_LANES == 1
static inline i32v i32v_min_u16(i32v a, i32v b)
{
    uint32_t low = (uint32_t)a & 0xffff, low_b = (uint32_t)b & 0xffff;
    uint32_t high = (uint32_t)a >> 16, high_b = (uint32_t)b >> 16;

    return (i32v)((low < low_b ? low : low_b) | (high < high_b ? high : high_b) << 16);
}
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
static inline i32v i32v_min_u16(i32v a, i32v b)
{
    return _mm512_min_epu16(a, b);
}
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
static inline i32v i32v_min_u16(i32v a, i32v b)
{
#if SIMD_LANES == 8
    return simde_mm256_min_epu16(a, b);
#else /* SSE2 lacks it */
    return simde_mm_sub_epi16(a, simde_mm_subs_epu16(a, b));
#endif
}
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

/* On the four bytes. i32v_add_8: sums modulo 256. i32v_min_u8, i32v_max_u8: unsigned. */
#if SIMD_LANES == 1
#define SIMD_FOR_BYTES(value)                                                                      \
    uint32_t r = 0;                                                                                \
                                                                                                   \
    for (int i = 0; i < 32; i += 8) {                                                              \
        uint32_t x = (uint32_t)a >> i & 255, y = (uint32_t)b >> i & 255;                           \
                                                                                                   \
        r |= ((value)&255) << i;                                                                   \
    }                                                                                              \
    return (i32v)r
static inline i32v i32v_add_8(i32v a, i32v b)
{
    SIMD_FOR_BYTES(x + y);
}
static inline i32v i32v_min_u8(i32v a, i32v b)
{
    SIMD_FOR_BYTES(x < y ? x : y);
}
static inline i32v i32v_max_u8(i32v a, i32v b)
{
    SIMD_FOR_BYTES(x > y ? x : y);
}
#else
static inline i32v i32v_add_8(i32v a, i32v b)
{
    return SIMD_P(add_epi8)(a, b);
}
static inline i32v i32v_min_u8(i32v a, i32v b)
{
    return SIMD_P(min_epu8)(a, b);
}
static inline i32v i32v_max_u8(i32v a, i32v b)
{
    return SIMD_P(max_epu8)(a, b);
}
#endif
/* Negates bytes 0 and 2. */
static inline i32v i32v_negate_even_bytes(i32v a)
{
#if SIMD_LANES == 16
    return _mm512_mask_sub_epi8(a, UINT64_C(0x5555555555555555), i32v_set1(0), a);
#else
    i32v even = i32v_set1(0x00ff00ff), odd = i32v_set1((int32_t)0xff00ff00);
    i32v flipped = i32v_add_8(i32v_xor(a, even), i32v_set1(0x00010001));

    return i32v_or(i32v_and(flipped, even), i32v_and(a, odd));
#endif
}

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

/* Copies byte `byte` of each word to all four. */
static inline i32v i32v_broadcast_byte(i32v a, int byte)
{
#if SIMD_LANES >= 8
    const i32v words = i32v_broadcast_128(0, 0x04040404, 0x08080808, 0x0c0c0c0c);

    return i32v_shuffle_bytes(a, i32v_or(words, i32v_set1(0x01010101 * byte)));
#else
    const i32v low = i32v_set1(255);
    i32v one = byte == 0   ? i32v_and(a, low)
               : byte == 1 ? i32v_and(i32v_srl(a, 8), low)
               : byte == 2 ? i32v_and(i32v_srl(a, 16), low)
                           : i32v_srl(a, 24);
    i32v two = i32v_or(one, i32v_sll(one, 8));

    return i32v_or(two, i32v_sll(two, 16));
#endif
}

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
