/* Vector helper for sRGB writes: from a linear colour to the code of a byte. For the rasteriser's
 * kernels only. */
#ifndef RASTER_OUTPUT_SRGB_LANES_H
#define RASTER_OUTPUT_SRGB_LANES_H

#include "util/simd/bytes.h"
#include "util/simd/estimate.h"
#include "util/simd/math.h"
#include "util/simd/table_lookup.h"

enum { SRGB_DOUBT = 16 }; /* in 1/65536 codes */

/* Rounds to nearest in 0 … 255, halves up; saturates above. Values below 0 and NaN give a negative
 * code. */
SIMD_INLINE i32v unorm8_code(f32v value)
{
    f32v scaled = f32v_mul(f32v_min(f32v_set1(1.0f), value), f32v_set1(255.0f));

    return f32v_to_i32_trunc(f32v_add(scaled, f32v_set1(0.5f)));
}

/* The sRGB transfer function, as tex_linear_to_srgb computes it. */
SIMD_INLINE f32v srgb_of_linear(f32v c)
{
    f32v power = f32v_pow(c, f32v_set1(1.0f / 2.4f)), low = f32v_mul(c, f32v_set1(12.92f));
    f32v high = f32v_sub(f32v_mul(f32v_set1(1.055f), power), f32v_set1(0.055f));

    return f32v_select(f32v_le(c, f32v_set1(0.0031308f)), low, high);
}

/* Approximates 65536 * (255 * srgb_of_linear(c) + 1/2) + SRGB_DOUBT for c in [0, 1]. c is m * 2^e
 * with m in [1, 2), so c^(1/2.4) is 2^(5/12 e), from a table, times a polynomial of m. */
SIMD_INLINE i32v srgb_estimate(f32v c)
{
    /* 65536 * 255 * 1.055 * 2^(5/12 e), indexed by the low bits of the biased exponent, for e from
     * -15 */
    static const _Alignas(64) float scale[16] = {
        0x1.c471bep+17f, 0x1.2df86ap+18f, 0x1.931502p+18f, 0x1.0d0666p+19f,
        0x1.671af4p+19f, 0x1.df591ap+19f, 0x1.3fed2cp+20f, 0x1.ab0cf2p+20f,
        0x1.1d05a6p+21f, 0x1.7c7574p+21f, 0x1.fbdap+21f,   0x1.52f344p+22f,
        0x1.c471bep+22f, 0x1.2df86ap+23f, 0x1.931502p+23f, 0x1.0d0666p+24f,
    };
    const f32v unit = f32v_set1(65536.0f * 255.0f), half = f32v_set1(32768.0f + SRGB_DOUBT);
    i32v index = i32v_srl(f32v_bits(c), 23);
    struct simd_lookup_index exponent = {
        .index = SIMD_LANES < 8 ? i32v_and(index, i32v_set1(15)) : index, .half = false};
    i32v fraction = i32v_and(f32v_bits(c), i32v_set1(0x007fffff));
    f32v m = i32v_as_f32(i32v_or(fraction, i32v_set1(0x3f800000)));
    f32v t = f32v_sub(m, f32v_set1(1.5f)), q = f32v_set1(-0x1.60c89ep-9f), linear;

    q = f32v_mul_add_any(q, t, f32v_set1(0x1.571c1cp-8f));
    q = f32v_mul_add_any(q, t, f32v_set1(-0x1.3c0f1p-7f));
    q = f32v_mul_add_any(q, t, f32v_set1(0x1.6f6564p-6f));
    q = f32v_mul_add_any(q, t, f32v_set1(-0x1.05f58cp-4f));
    q = f32v_mul_add_any(q, t, f32v_set1(0x1.50ccccp-2f));
    q = f32v_mul_add_any(q, t, f32v_set1(0x1.2f1e22p+0f));
    q = f32v_mul_add_any(q, simd_lookup(scale, &exponent),
                         f32v_set1(-0.055f * 65536.0f * 255.0f + 32768.0f + SRGB_DOUBT));
    linear = f32v_mul_add_any(c, f32v_mul(unit, f32v_set1(12.92f)), half);
    return f32v_to_i32_trunc(f32v_select(f32v_le(c, f32v_set1(0.0031308f)), linear, q));
}

static __attribute__((noinline)) void srgb_codes_exact(const f32v value[3], i32v code[3])
{
    for (unsigned i = 0; i < 3; i++)
        code[i] = unorm8_code(srgb_of_linear(value[i]));
}

/* Codes of three channels: unorm8_code(srgb_of_linear(c)). Estimates decide unless one is closer to
 * the border of two codes than its error may be. */
SIMD_INLINE void srgb_codes(const f32v value[3], i32v code[3])
{
    const i32v fraction = i32v_set1(0xffff);
    i32v least = fraction;

    UNROLL
    for (unsigned i = 0; i < 3; i++) {
        i32v estimate = srgb_estimate(f32v_sat(value[i]));

        code[i] = i32v_srl(estimate, 16);
        least = i32v_min_u16(least, estimate);
    }
    least = i32v_and(least, fraction);
    if (__builtin_expect(m32v_any(i32v_lt(least, i32v_set1(2 * SRGB_DOUBT))), 0))
        srgb_codes_exact(value, code);
}

#endif
