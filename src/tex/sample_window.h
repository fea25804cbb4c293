/* Blocks of pixels that take their texels from a few rows of eight, as they do where a picture is
 * not shrunk: the squares of texels from each place there on are put together once, a word for each
 * byte of texels, and a lane finds its own among words in registers, not in memory. Sums are those
 * of sample_bytes.h. For vectors of 16 lanes; narrower ones hold too few. For kernels of samples
 * alone. */
#ifndef TEX_SAMPLE_WINDOW_H
#define TEX_SAMPLE_WINDOW_H

#include "tex/sample_bytes.h"
#include "tex/sample_results.h"
#include "tex/sample_window_way.h"

#if SIMD_LANES == 16

/* Where the window begins, in words of the level; of each lane: its place there; weights, in 1/256,
 * of left texels, less one, and right ones in bytes, and of upper and lower ones as in struct
 * places. */
struct window {
    _Alignas(64) int32_t place[TEX_LANES];
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

SIMD_INLINE i32v window_weights(i32v position)
{
    const i32v all = _mm512_set4_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0);

    return i32v_xor(_mm512_shuffle_epi8(position, all), i32v_constant(0x00ff00ff));
}

/* False: some of the lanes are not in a window of so many rows, inside the level. */
SIMD_INLINE bool find_window(struct window *w, const struct plane *plane, int way, int32_t rows,
                             const float *u, const float *v)
{
    const struct tex_level *level = plane->level;
    struct window_start start = find_start(plane, way, u, v);
    int32_t wide = (int32_t)level->width - 1 - start.x;
    int32_t most = (int32_t)level->height - 1 - rows; /* so that all rows are there */
    __m128 down = _mm_shuffle_ps(start.whole, start.whole, 1);
    i32v outside = i32v_set1(0), end_x, end_y;

    if (start.x < 0 || start.y < 0 || wide <= 0)
        return false;
    start.y = start.y < most ? start.y : most;
    end_x = i32v_set1((wide < TEX_WINDOW ? wide : TEX_WINDOW) * 256 - 1);
    end_y = i32v_set1(rows * 256 - 1);
    w->first = start.y * (int32_t)(level->row_pitch / 4) + start.x;
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v x = from_first(u + i, plane->width, start.whole, start.x);
        i32v y = from_first(v + i, plane->height, down, start.y);
        i32v row = i32v_and(i32v_srl(y, 5), i32v_set1(7 * TEX_WINDOW));

        outside = i32v_or(outside, i32v_or(x, i32v_sub(end_x, x)));
        outside = i32v_or(outside, i32v_or(y, i32v_sub(end_y, y)));
        i32v_store(w->place + i, i32v_or(i32v_srl(x, 8), row));
        i32v_store(w->across + i, window_weights(x));
        i32v_store(w->below + i, vertical_weights(y));
    }
    return !m32v_bits(m32v_from_i32(outside)); /* nothing was negative */
}

/* --- Squares ---------------------------------------------------------------------------------- */

/* Two rows of eight texels with the one after each, byte by byte: bytes 0 and 2 of both, and 1 and
 * 3. Less 128, as products are signed. */
struct pairs {
    i32v even, odd;
};

SIMD_INLINE i32v two_rows(const int32_t *upper, const int32_t *lower)
{
    __m256i first = _mm256_loadu_si256((const __m256i *)(const void *)upper);

    return _mm512_inserti64x4(_mm512_castsi256_si512(first),
                              _mm256_loadu_si256((const __m256i *)(const void *)lower), 1);
}

SIMD_INLINE struct pairs pair_texels(const int32_t *upper, const int32_t *lower)
{
    const i32v low = i32v_constant(0x00ff00ff), sign = i32v_constant((int32_t)0x80808080);
    i32v left = two_rows(upper, lower), right = two_rows(upper + 1, lower + 1);
    struct pairs p;

    p.even = _mm512_ternarylogic_epi32(low, left, i32v_sll(right, 8), 0xca); /* low ? b : c */
    p.odd = _mm512_ternarylogic_epi32(low, i32v_srl(left, 8), right, 0xca);
    p.even = i32v_xor(p.even, sign);
    p.odd = i32v_xor(p.odd, sign);
    return p;
}

/* Halves of words of an upper pair and of the lower one. */
SIMD_INLINE void join_pairs(i32v upper, i32v lower, i32v *low, i32v *high)
{
    const i32v turn = _mm512_set4_epi32(0x0d0c0f0e, 0x09080b0a, 0x05040706, 0x01000302);

    *low = _mm512_mask_shuffle_epi8(upper, UINT64_C(0xcccccccccccccccc), lower, turn);
    *high = _mm512_mask_shuffle_epi8(lower, UINT64_C(0x3333333333333333), upper, turn);
}

/* square[c][n]: byte c of the four texels from each place in rows 2n and 2n + 1 on. */
SIMD_INLINE void make_squares(i32v square[4][TEX_WINDOW / 2], const int32_t *first, size_t pitch,
                              unsigned rows)
{
    struct pairs upper = pair_texels(first, first + pitch);

    UNROLL
    for (unsigned n = 0; n < rows / 2; n++) {
        const int32_t *next = first + (2 * n + 2) * pitch;
        bool last = n + 1 == rows / 2;
        struct pairs then = pair_texels(next, last ? next : next + pitch), lower;

        lower.even = _mm512_shuffle_i64x2(upper.even, then.even, 0x4e);
        lower.odd = _mm512_shuffle_i64x2(upper.odd, then.odd, 0x4e);
        join_pairs(upper.even, lower.even, &square[0][n], &square[2][n]);
        join_pairs(upper.odd, lower.odd, &square[1][n], &square[3][n]);
        upper = then;
    }
}

SIMD_INLINE i32v look_up(const i32v square[TEX_WINDOW / 2], unsigned rows, i32v place)
{
    i32v word = _mm512_permutex2var_epi32(square[0], place, square[1]);
    m32v more = _mm512_test_epi32_mask(place, i32v_set1(32));

    if (rows == 8)
        return i32v_select(more, _mm512_permutex2var_epi32(square[2], place, square[3]), word);
    return rows == 6 ? _mm512_mask_permutexvar_epi32(word, more, place, square[2]) : word;
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

SIMD_INLINE void filter_window(const struct window *w, const struct tex_level *level, unsigned rows,
                               uint64_t lanes, const struct raw_results *results)
{
    const int32_t *first = (const int32_t *)(const void *)level->data + w->first;
    i32v square[4][TEX_WINDOW / 2];

    make_squares(square, first, level->row_pitch / 4, rows);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v place = i32v_load(w->place + i), across = i32v_load(w->across + i);
        f32v value[4];

        UNROLL
        for (int c = 0; c < 4; c++) {
            i32v square_c = look_up(square[c], rows, place);
            i32v sum = sum_square(square_c, across, i32v_load(w->below + i));

            value[c] = f32v_div_codes(i32v_to_f32(sum), 255.0f * 65536.0f);
        }
        put_results(results, value, i, (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
    }
}

#endif

#endif
