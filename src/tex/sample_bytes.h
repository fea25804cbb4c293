/* Bilinear filtering of texels of four bytes, what most textures are: a batch's places first, then
 * its texels, all in whole numbers. A byte times weights of 1/256 along x fits 16 bits, and along y
 * 24, so nothing is lost here nor would be in floats: results are those of sample_kern.c's own. For
 * it alone. */
#ifndef TEX_SAMPLE_BYTES_H
#define TEX_SAMPLE_BYTES_H

#include "tex/sample_fetch.h"

#include "util/simd_math.h"

/* Of each lane: words from the level's start to the left texels of both rows; words from left to
 * right ones; weights of the right and the lower ones in 1/256. */
struct byte_places {
    _Alignas(64) int32_t row[2][TEX_LANES];
    _Alignas(64) int32_t step[TEX_LANES];
    _Alignas(64) int32_t right[TEX_LANES];
    _Alignas(64) int32_t lower[TEX_LANES];
};

INLINE void place_columns(struct byte_places *p, const float *u, uint32_t width, unsigned mode)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        struct axis x = linear_axis(f32v_load(u + i), width, mode);

        i32v_store(p->row[0] + i, x.index[0]);
        i32v_store(p->step + i, i32v_sub(x.index[1], x.index[0]));
        i32v_store(p->right + i, x.fraction);
    }
}

INLINE void place_rows(struct byte_places *p, const float *v, const int32_t *face_word,
                       const struct tex_level *level, unsigned mode)
{
    i32v pitch = i32v_set1((int32_t)(level->row_pitch / 4));

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        struct axis y = linear_axis(f32v_load(v + i), level->height, mode);
        i32v column = i32v_load(p->row[0] + i);

        if (face_word)
            column = i32v_add(column, i32v_load(face_word + i));
        i32v_store(p->row[0] + i, i32v_add(column, i32v_mul(y.index[0], pitch)));
        i32v_store(p->row[1] + i, i32v_add(column, i32v_mul(y.index[1], pitch)));
        i32v_store(p->lower + i, y.fraction);
    }
}

/* The usual address mode is compiled for itself. */
INLINE void find_places(struct byte_places *p, const struct tex_sampler_private *s,
                        const struct tex_level *level, const struct tex_coords *at)
{
    if (s->address[0] == D3DTADDRESS_WRAP)
        place_columns(p, at->axis[0], level->width, D3DTADDRESS_WRAP);
    else
        place_columns(p, at->axis[0], level->width, s->address[0]);
    if (s->address[1] == D3DTADDRESS_WRAP)
        place_rows(p, at->axis[1], at->face_word, level, D3DTADDRESS_WRAP);
    else
        place_rows(p, at->axis[1], at->face_word, level, s->address[1]);
}

/* A row's texels, weighed: bytes 0 and 2 of each, and 1 and 3, in 16 bits. */
INLINE void weigh_row(const struct byte_places *p, const int32_t *base, unsigned row, unsigned i,
                      i32v *even, i32v *odd)
{
    const i32v bytes = i32v_set1(0x00ff00ff);
    i32v right_weight = i32v_load(p->right + i), left_weight, left, right;
    i32v step = i32v_load(p->step + i);

    right_weight = i32v_or(right_weight, i32v_sll(right_weight, 16));
    left_weight = i32v_sub(i32v_set1(256 << 16 | 256), right_weight);
    i32v_load_pairs(base, p->row[row] + i, &left, &right);
    if (!m32v_every(i32v_eq(step, i32v_set1(1))))
        right = i32v_gather(base, i32v_add(i32v_load(p->row[row] + i), step));
    *even = i32v_add(i32v_mul_halves(i32v_and(left, bytes), left_weight),
                     i32v_mul_halves(i32v_and(right, bytes), right_weight));
    *odd = i32v_add(i32v_mul_halves(i32v_and(i32v_srl(left, 8), bytes), left_weight),
                    i32v_mul_halves(i32v_and(i32v_srl(right, 8), bytes), right_weight));
}

INLINE void filter_bytes(const struct byte_places *p, const int32_t *base, unsigned i, f32v out[4])
{
    const i32v low = i32v_set1(0xffff), sign = i32v_set1((int32_t)0x80008000);
    i32v lower = i32v_load(p->lower + i), even[2], odd[2], sum[4];
    i32v weight = i32v_or(i32v_sub(i32v_set1(256), lower), i32v_sll(lower, 16));

    UNROLL
    for (unsigned row = 0; row < 2; row++) {
        weigh_row(p, base, row, i, &even[row], &odd[row]);
        even[row] = i32v_xor(even[row], sign); /* less 32768, as products are signed */
        odd[row] = i32v_xor(odd[row], sign);
    }
    sum[0] = i32v_or(i32v_and(even[0], low), i32v_sll(even[1], 16));
    sum[1] = i32v_or(i32v_and(odd[0], low), i32v_sll(odd[1], 16));
    sum[2] = i32v_or(i32v_srl(even[0], 16), i32v_andnot(low, even[1]));
    sum[3] = i32v_or(i32v_srl(odd[0], 16), i32v_andnot(low, odd[1]));
    UNROLL
    for (int c = 0; c < 4; c++) {
        sum[c] = i32v_add(i32v_dot_halves(sum[c], weight), i32v_set1(32768 * 256));
        out[c] = f32v_div(i32v_to_f32(sum[c]), f32v_set1(255.0f * 65536.0f));
    }
}

#endif
