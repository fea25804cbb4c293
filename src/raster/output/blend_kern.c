/* Blend kernel of solid fills for RGBA8 targets: blends on packed words in place (reference:
 * blend/factors, numbers/unorm).
 *
 * Tested by tests/unit/raster/output/test_output.c,
 * tests/kernel/raster/output/test_solid_blend_u8.c. */
#include "raster/output/blend_kern.h"

#include "raster/output/blend_lanes.h"
#include "raster/output/solid_fill.h"

#include "util/simd/bytes.h"
#include "util/simd/rows.h"

/* --- Packed pixels ---------------------------------------------------------------------------- */

/* Rounds to nearest in 0 … 255, halves up; saturates above. Values below 0 and NaN give a negative
 * code. */
SIMD_INLINE i32v encode(f32v value)
{
    f32v scaled = f32v_mul(f32v_min(f32v_set1(1.0f), value), f32v_set1(255.0f));

    return f32v_to_i32_trunc(f32v_add(scaled, f32v_set1(0.5f)));
}

/* Blends a vector of packed pixels; source colours are clamped. */
SIMD_INLINE i32v blend_words(const struct raster_pixel_write *how, const struct raster_blend *rgb,
                             const struct raster_blend *alpha, i32v old, const f32v source[4])
{
    const float *factor = how->blend->factor;
    const unsigned red = how->red_lowest ? 0 : 2;
    f32v stored[4], one = f32v_set1(1.0f);
    i32v code[4], word;
    struct blend_lane in = {.sa = source[3]};

    i32v_unpack_unorm8(old, stored);
    if (!how->red_lowest) {
        f32v blue = stored[0];

        stored[0] = stored[2];
        stored[2] = blue;
    }
    in.da = how->alpha ? stored[3] : one;
    UNROLL
    for (unsigned c = 0; c < 3; c++) {
        in.s = source[c];
        in.d = stored[c];
        in.k = f32v_set1(factor[c]);
        code[c] = encode(blend_channel(rgb, &in));
    }
    code[3] = i32v_set1(255);
    if (how->alpha) {
        in.s = in.sa;
        in.d = in.da;
        in.k = f32v_set1(factor[3]);
        in.alpha = true;
        code[3] = encode(blend_channel(alpha, &in));
    }
    word = red ? i32v_pack_bytes(code[2], code[1], code[0], code[3])
               : i32v_pack_bytes(code[0], code[1], code[2], code[3]);
    if (how->keeps) {
        i32v keep = i32v_set1((int32_t)how->keep[0]);

        word = i32v_or(i32v_andnot(keep, word), i32v_and(keep, old));
    }
    return word;
}

/* Specialises the common byte order (blue lowest). */
SIMD_INLINE i32v blend_usual(const struct raster_pixel_write *how, const struct raster_blend *rgb,
                             const struct raster_blend *alpha, i32v old, const f32v source[4])
{
    struct raster_pixel_write usual = *how;

    usual.red_lowest = false;
    return blend_words(how->red_lowest ? how : &usual, rgb, alpha, old, source);
}

/* --- One colour ------------------------------------------------------------------------------- */

SIMD_INLINE void blend_solid(const struct raster_blend *rgb, const struct raster_blend *alpha,
                             const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                             unsigned width, unsigned height, const float colour[4])
{
    f32v source[4];

    for (unsigned c = 0; c < 4; c++)
        source[c] = f32v_sat(f32v_set1(colour[c]));
    for (unsigned y = 0; y < height; y += SIMD_ROWS, rows += SIMD_ROWS * pitch)
        for (unsigned x = 0; x < width; x += SIMD_ROW_WORDS) {
            i32v words = i32v_load_rows(rows + 4 * x, pitch);

            i32v_store_rows(rows + 4 * x, pitch, blend_usual(how, rgb, alpha, words, source));
        }
}

static void solid(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch, unsigned width,
                  unsigned height, const float colour[4])
{
    BLEND_DISPATCH(how->blend, blend_solid, how, rows, pitch, width, height, colour);
}

/* 16-bit multiply-add on bytes in the upper half of each 16-bit element. The result byte lies in
 * the upper half, its fraction in the lower. */
SIMD_INLINE i32v mul_add_u8(i32v bytes, const struct solid_blend_u8 *coeffs, unsigned odd)
{
    i32v part = i32v_mulhi_u16(bytes, i32v_set1((int32_t)coeffs->scale[odd]));

    return i32v_adds_u16(part, i32v_set1((int32_t)coeffs->sum[odd]));
}

SIMD_INLINE i32v solid_words_u8(i32v old, const struct solid_blend_u8 *how)
{
    i32v upper = i32v_set1((int32_t)0xff00ff00), keep = i32v_set1((int32_t)how->keep);
    i32v even = mul_add_u8(i32v_sll_16(old, 8), how, 0);
    i32v odd = mul_add_u8(i32v_and(old, upper), how, 1);
    i32v word = i32v_or(i32v_srl_16(even, 8), i32v_and(odd, upper));

    return i32v_or(i32v_andnot(keep, word), i32v_and(keep, old));
}

static void solid_u8(const struct solid_blend_u8 *how, uint8_t *rows, size_t pitch, unsigned width,
                     unsigned height)
{
    const struct solid_blend_u8 in = *how;

    for (unsigned y = 0; y < height; y += SIMD_ROWS, rows += SIMD_ROWS * pitch)
        for (unsigned x = 0; x < width; x += SIMD_ROW_WORDS)
            i32v_store_rows(rows + 4 * x, pitch,
                            solid_words_u8(i32v_load_rows(rows + 4 * x, pitch), &in));
}

const struct raster_blend_kern KERN_NAME(raster_blend_kern) = {.solid = solid,
                                                               .solid_u8 = solid_u8};
