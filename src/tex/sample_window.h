/* Blocks of pixels that take their texels from a small square of a level, as they do where a
 * picture is shrunk little: each byte of its texels becomes a table in one or two registers, and
 * one permutation finds a lane all four of its texels. Sums are those of sample_bytes.h. For
 * vectors of 16 lanes on processors that permute bytes (cpu_permutes_bytes). For kernels of samples
 * alone. */
#ifndef TEX_SAMPLE_WINDOW_H
#define TEX_SAMPLE_WINDOW_H

#include "tex/sample_bytes.h"
#include "tex/sample_results.h"
#include "tex/sample_window_way.h"

#if SIMD_LANES == 16

#define WINDOW_CODE __attribute__((target("avx512vbmi")))
#define WINDOW_INLINE WINDOW_CODE SIMD_INLINE

/* Where the window begins, in words of the level. Of each lane: its four texels' places in the
 * window, in bytes; weights, in 1/256, of left texels, less one, and right ones in bytes, and of
 * upper and lower ones as in struct places. */
struct window {
    _Alignas(64) int32_t texels[TEX_LANES];
    _Alignas(64) int32_t across[TEX_LANES];
    _Alignas(64) int32_t below[TEX_LANES];
    int32_t first;
};

/* --- Places ----------------------------------------------------------------------------------- */

/* The first texels along x and y that some lanes need, and what wrapping takes from all. */
struct window_start {
    int32_t x, y;
    __m128 whole;
};

/* Coordinates grow or shrink evenly along rows and columns, so that those of a corner are the
 * least. Should they not be, some sample will not be in the window. */
SIMD_INLINE struct window_start find_start(const struct plane *plane, int way, const float *u,
                                           const float *v)
{
    enum { RIGHT = 13, DOWN = 50 }; /* the lanes of corners */
    unsigned at_u = (way & TEX_WINDOW_U_LEFT ? RIGHT : 0) + (way & TEX_WINDOW_U_UP ? DOWN : 0);
    unsigned at_v = (way & TEX_WINDOW_V_LEFT ? RIGHT : 0) + (way & TEX_WINDOW_V_UP ? DOWN : 0);
    __m128 least = _mm_unpacklo_ps(_mm_load_ss(u + at_u), _mm_load_ss(v + at_v));
    __m128 size = _mm_unpacklo_ps(_mm512_castps512_ps128(plane->width),
                                  _mm512_castps512_ps128(plane->height));
    __m128 wraps = _mm_castsi128_ps(_mm_setr_epi32(-plane->wrap[0], -plane->wrap[1], 0, 0));
    struct window_start start = {.whole = _mm_and_ps(_mm_floor_ps(least), wraps)};
    __m128i texel = _mm_cvtps_epi32(_mm_mul_ps(_mm_sub_ps(least, start.whole), size));

    texel = _mm_srai_epi32(_mm_sub_epi32(texel, _mm_set1_epi32(128)), 8);
    start.x = _mm_cvtsi128_si32(texel);
    start.y = _mm_extract_epi32(texel, 1);
    return start;
}

/* Positions in 1/256 texels from `first` on. The same is taken from coordinates as by wrapping one
 * by one, unless they are not within the window. */
SIMD_INLINE i32v from_first(const float *t, f32v top, __m128 whole, int32_t first)
{
    f32v inner = f32v_sub(f32v_load(t), _mm512_broadcastss_ps(whole));

    return i32v_sub(f32v_to_i32_round(f32v_mul_loose(inner, top)), i32v_set1(first * 256 + 128));
}

/* The same byte of a word four times. */
SIMD_INLINE i32v four_bytes(i32v a, int byte)
{
    const i32v all = _mm512_set4_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0);

    return _mm512_shuffle_epi8(a, i32v_or(all, i32v_set1(0x01010101 * byte)));
}

SIMD_INLINE i32v window_weights(i32v position)
{
    return i32v_xor(four_bytes(position, 0), i32v_constant(0x00ff00ff));
}

/* Places of four texels in a window of so many columns. */
SIMD_INLINE i32v window_texels(i32v x, i32v y, unsigned side)
{
    const uint64_t low = UINT64_C(0x0706050403020100) * side; /* no byte carries */
    const uint64_t high = UINT64_C(0x0706050403020100) * side + UINT64_C(0x0808080808080808) * side;
    const i32v rows = _mm512_broadcast_i32x4(_mm_set_epi64x((int64_t)high, (int64_t)low));
    const i32v square = i32v_constant((int32_t)(0x01000100 + 0x01010000 * side));
    i32v row = _mm512_shuffle_epi8(rows, four_bytes(y, 1));

    return _mm512_add_epi8(_mm512_add_epi8(row, four_bytes(x, 1)), square);
}

SIMD_INLINE int32_t window_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* False: some of the lanes are not in the window, or it does not lie inside the level. */
SIMD_INLINE bool find_window(struct window *w, const struct plane *plane, int way, unsigned side,
                             const float *u, const float *v)
{
    const struct tex_level *level = plane->level;
    struct window_start start = find_start(plane, way, u, v);
    int32_t left = window_least(start.x, (int32_t)(level->width - side));
    int32_t top = window_least(start.y, (int32_t)(level->height - side));
    __m128 down = _mm_shuffle_ps(start.whole, start.whole, 1);
    i32v most = i32v_set1(0);

    if (left < 0 || top < 0)
        return false;
    w->first = top * (int32_t)(level->row_pitch / 4) + left;
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v x = from_first(u + i, plane->width, start.whole, left);
        i32v y = from_first(v + i, plane->height, down, top);

        most = _mm512_max_epu32(most, _mm512_max_epu32(x, y));
        i32v_store(w->texels + i, window_texels(x, y, side));
        i32v_store(w->across + i, window_weights(x));
        i32v_store(w->below + i, vertical_weights(y));
    }
    return !_mm512_cmpge_epu32_mask(most, i32v_set1((int32_t)(side - 1) * 256));
}

/* --- Texels ----------------------------------------------------------------------------------- */

enum { WINDOW_PARTS = 2 }; /* registers of a byte of texels */

/* How many of them a window fills. */
SIMD_INLINE unsigned window_parts(unsigned side)
{
    return (side * side + 63) / 64;
}

/* Sixteen texels of a window whose rows lie one after another, the first of which is number n. What
 * is read past a row is part of the level, or of what may be read past its end. */
WINDOW_INLINE i32v window_words(const int32_t *first, size_t pitch, unsigned side, unsigned n)
{
    unsigned row = n / side, begin = row * side;
    i32v words = i32v_loadu(first + row * pitch + (n - begin));

    UNROLL
    for (unsigned k = 1; k < 3; k++) {
        int32_t at = (int32_t)(begin + k * side) - (int32_t)n; /* where the row begins */

        if (at < 16 && row + k < side)
            words = _mm512_mask_loadu_epi32(words, (__mmask16)(0xffffu << at),
                                            first + (row + k) * pitch - at);
    }
    return words;
}

/* Bytes of sixteen texels, one of each, then the next of each. */
WINDOW_INLINE i32v by_bytes(i32v words)
{
    const i32v order =
        _mm512_set_epi32(0x3f3b3733, 0x2f2b2723, 0x1f1b1713, 0x0f0b0703, 0x3e3a3632, 0x2e2a2622,
                         0x1e1a1612, 0x0e0a0602, 0x3d393531, 0x2d292521, 0x1d191511, 0x0d090501,
                         0x3c383430, 0x2c282420, 0x1c181410, 0x0c080400);

    return _mm512_permutexvar_epi8(order, words);
}

/* byte[c]: byte c of all texels of the window, less 128, as products are signed. */
WINDOW_INLINE void load_window(i32v byte[4][WINDOW_PARTS], const int32_t *first, size_t pitch,
                               unsigned side)
{
    const i32v sign = i32v_constant((int32_t)0x80808080);

    UNROLL
    for (unsigned part = 0; part < window_parts(side); part++) {
        i32v four[4], low[2], high[2];

        UNROLL
        for (unsigned k = 0; k < 4; k++)
            four[k] =
                i32v_xor(by_bytes(window_words(first, pitch, side, part * 64 + k * 16)), sign);
        UNROLL
        for (unsigned k = 0; k < 2; k++) {
            low[k] = _mm512_shuffle_i64x2(four[2 * k], four[2 * k + 1], 0x44);
            high[k] = _mm512_shuffle_i64x2(four[2 * k], four[2 * k + 1], 0xee);
        }
        byte[0][part] = _mm512_shuffle_i64x2(low[0], low[1], 0x88);
        byte[1][part] = _mm512_shuffle_i64x2(low[0], low[1], 0xdd);
        byte[2][part] = _mm512_shuffle_i64x2(high[0], high[1], 0x88);
        byte[3][part] = _mm512_shuffle_i64x2(high[0], high[1], 0xdd);
    }
}

WINDOW_INLINE i32v look_up(const i32v byte[WINDOW_PARTS], unsigned side, i32v texels)
{
    if (window_parts(side) == 1)
        return _mm512_permutexvar_epi8(texels, byte[0]);
    return _mm512_permutex2var_epi8(byte[0], texels, byte[1]);
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* The sum of a byte's codes in 1/65536. */
SIMD_INLINE i32v sum_square(i32v square, i32v across, i32v below)
{
    const i32v low = i32v_constant(0x00ff00ff), sign = i32v_constant(0x00800080);
    i32v left = _mm512_ternarylogic_epi32(square, sign, low, 0x28); /* (a ^ b) & c */
    i32v rows = _mm512_add_epi16(_mm512_maddubs_epi16(across, square), left);

    return i32v_add(i32v_dot_halves(rows, below), i32v_constant((32768 - 128) * 256));
}

WINDOW_INLINE void filter_window(const struct window *w, const struct tex_level *level,
                                 unsigned side, uint64_t lanes, const struct raw_results *results)
{
    const int32_t *first = (const int32_t *)(const void *)level->data + w->first;
    i32v byte[4][WINDOW_PARTS];

    load_window(byte, first, level->row_pitch / 4, side);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v texels = i32v_load(w->texels + i), across = i32v_load(w->across + i);
        f32v value[4];

        UNROLL
        for (int c = 0; c < 4; c++) {
            i32v square = look_up(byte[c], side, texels);
            i32v sum = sum_square(square, across, i32v_load(w->below + i));

            value[c] = f32v_div_codes(i32v_to_f32(sum), 255.0f * 65536.0f);
        }
        put_results(results, value, i, (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
    }
}

#endif

#endif
