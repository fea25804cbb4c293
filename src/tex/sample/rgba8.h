/* Integer bilinear filtering of RGBA8 texels. A byte times a weight in 1/256 fits 16 bits after
 * filtering along x and 24 bits after filtering along y. Neither these integers nor floats lose
 * bits, so results equal those of sample_kern.c. Included by sample kernels. */
#ifndef TEX_SAMPLE_RGBA8_H
#define TEX_SAMPLE_RGBA8_H

#include "tex/sample/texel_addr.h"

#include "util/simd/bytes.h"
#include "util/simd/divide.h"
#include "util/simd/gather_local.h"

/* Blends two texels along x. `even` receives bytes 0 and 2, `odd` bytes 1 and 3, as 16-bit
 * values. */
INLINE void weigh_texels(i32v left, i32v right, i32v right_weight, i32v *even, i32v *odd)
{
    const i32v bytes = i32v_constant(0x00ff00ff), whole = i32v_constant(256 << 16 | 256);
    i32v left_weight = i32v_sub(whole, right_weight);

    *even = i32v_add(i32v_mullo_16(i32v_and(left, bytes), left_weight),
                     i32v_mullo_16(i32v_and(right, bytes), right_weight));
    *odd = i32v_add(i32v_mullo_16(i32v_srl_16(left, 8), left_weight),
                    i32v_mullo_16(i32v_srl_16(right, 8), right_weight));
}

/* Loads the left and right texels of a row, which may be apart at a level's edge. */
INLINE void load_outer_row(const struct texel_addr *p, const int32_t *base, unsigned row,
                           unsigned i, i32v texel[2])
{
    i32v step = i32v_load(p->step + i);

    i32v_load_pairs(base, p->row[row] + i, &texel[0], &texel[1]);
    if (!m32v_every(i32v_eq(step, i32v_set1(1))))
        texel[1] = i32v_gather(base, i32v_add(i32v_load(p->row[row] + i), step));
}

/* Subtracts 32768 from two weighted texels per word, because the multiply-add of sum_rows is
 * signed. */
INLINE i32v bias_to_signed_16(i32v halves)
{
    return i32v_xor(halves, i32v_constant((int32_t)0x80008000));
}

/* Weighs and sums an upper and a lower row of texels to codes in 1/65536, and adds `addend`. */
INLINE void sum_rows(const i32v even[2], const i32v odd[2], i32v weight, int32_t addend,
                     i32v sum[4])
{
    const i32v offset = i32v_constant(32768 * 256 + addend);
    i32v pair[4];

    pair[0] = i32v_blend_16(even[0], i32v_sll(even[1], 16));
    pair[1] = i32v_blend_16(odd[0], i32v_sll(odd[1], 16));
    pair[2] = i32v_blend_16(i32v_srl(even[0], 16), even[1]);
    pair[3] = i32v_blend_16(i32v_srl(odd[0], 16), odd[1]);
    UNROLL
    for (int c = 0; c < 4; c++)
        sum[c] = i32v_add(i32v_madd_16(pair[c], weight), offset);
}

/* Computes the weighted sums of the lanes at i. `local` is the index of the upper left texels; only
 * `inner` uses it. The same holds for filter_codes and filter_bytes_at. */
INLINE void sum_codes(const struct texel_addr *p, const struct simd_local_index *local,
                      const struct tex_level *level, bool inner, unsigned i, int32_t addend,
                      i32v sum[4])
{
    const int32_t *base = (const int32_t *)(const void *)level->data;
    i32v even[2], odd[2], texel[4];

    if (inner) {
        i32v_gather_local_2x2(base, base + level->row_pitch / 4, local, texel);
    } else {
        load_outer_row(p, base, 0, i, texel);
        load_outer_row(p, base, 1, i, texel + 2);
    }
    UNROLL
    for (unsigned row = 0; row < 2; row++) {
        weigh_texels(texel[2 * row], texel[2 * row + 1], i32v_load(p->right + i), &even[row],
                     &odd[row]);
        even[row] = bias_to_signed_16(even[row]);
        odd[row] = bias_to_signed_16(odd[row]);
    }
    sum_rows(even, odd, i32v_load(p->below + i), addend, sum);
}

INLINE struct simd_local_index local_index_of(const struct texel_addr *p, unsigned i)
{
    return simd_local_index_of(p->row[0] + i, false);
}

INLINE void filter_codes(const struct texel_addr *p, const struct simd_local_index *local,
                         const struct tex_level *level, bool inner, unsigned i, f32v sum[4])
{
    i32v whole[4];

    sum_codes(p, local, level, inner, i, 0, whole);
    UNROLL
    for (int c = 0; c < 4; c++)
        sum[c] = i32v_to_f32(whole[c]);
}

/* Rounds sums to bytes and packs them to a word. The caller has added 32768 to the sums. An
 * exhaustive test showed that this equals filter_bytes followed by conversion to UNORM8. */
INLINE i32v pack_sums(const i32v sum[4])
{
    const i32v second = i32v_constant(0xff00), third = i32v_constant(0xff0000);
    const i32v fourth = i32v_constant((int32_t)0xff000000);
    i32v low, high;

    low = i32v_or(i32v_srl(sum[0], 16), i32v_and(i32v_srl(sum[1], 8), second));
    high = i32v_or(i32v_and(sum[2], third), i32v_and(i32v_sll(sum[3], 8), fourth));
    return i32v_or(low, high);
}

INLINE i32v filter_packed_at(const struct texel_addr *p, const struct tex_level *level, bool inner,
                             unsigned i)
{
    struct simd_local_index local = local_index_of(p, i);
    i32v sum[4];

    sum_codes(p, &local, level, inner, i, 32768, sum);
    return pack_sums(sum);
}

/* Divides the weighted sums of channel c. */
INLINE f32v divide_sum(f32v sum, const struct tex_byte_divisors *d, unsigned c)
{
    return f32v_div_split(sum, d->of[c], d->high[c], d->low[c]);
}

/* `d` is a copy of the sampler's, so that stores cannot alias it. */
INLINE void filter_bytes_at(const struct texel_addr *p, const struct simd_local_index *local,
                            const struct tex_level *level, bool inner, unsigned i,
                            const struct tex_byte_divisors *d, f32v out[4])
{
    filter_codes(p, local, level, inner, i, out);
    UNROLL
    for (unsigned c = 0; c < 4; c++)
        out[c] = divide_sum(out[c], d, c);
}

INLINE void filter_bytes(const struct texel_addr *p, const struct tex_level *level, bool inner,
                         unsigned i, const struct tex_byte_divisors *d, f32v out[4])
{
    struct simd_local_index local = local_index_of(p, i);

    filter_bytes_at(p, &local, level, inner, i, d, out);
}

#endif
