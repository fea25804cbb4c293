/* Sampling of sRGB textures of four bytes a texel, for 16-lane vectors with AVX-512 VBMI
 * (reference: texture/point, texture/linear, texture/srgb, texture/mip-linear). The sRGB table lies
 * in registers, where all bytes of 16 texels are looked up at once. Results equal those of
 * sample_kern.c and lod_kern.c. Tested by tests/kernel/tex/sample/test_sample_kern.c and
 * tests/unit/tex/sample/test_sampler_oracle.c. */
#include "tex/codec/codec.h"
#include "tex/sample/kernels.h"
#include "tex/sample/quad_texels.h"

#if SIMD_LANES == 16

#include "util/simd/byte_lookup.h"

/* --- Texels ----------------------------------------------------------------------------------- */

/* Addresses of the texels of one level, or of two: quad texels, or texels in place. */
struct srgb_addr {
    struct quad_addr quad[2];
    struct texel_addr texel[2];
    bool inner; /* of `texel`: no lane reads texels outside the level */
};

SIMD_VBMI_INLINE f32v weight_of(i32v fraction)
{
    return f32v_mul_ftz_any(i32v_to_f32(fraction), f32v_set1(1.0f / 256.0f));
}

/* Loads the texels of the lanes at i, left before right and upper before lower, and the weights of
 * right and lower ones. The bytes of quad texels are minus 128. */
SIMD_VBMI_INLINE void load_quad_words(const struct tex_quad_texels_level *level,
                                      const struct quad_addr *p, unsigned i, i32v word[4],
                                      f32v weight[2])
{
    f32v quad[4], columns[4];
    i32v right = i32v_and(i32v_srl(i32v_load(p->across + i), 8), i32v_set1(255));
    i32v apart = i32v_and(i32v_load(p->texels + i), i32v_set1(0x100));
    m32v single = i32v_eq(apart, i32v_set1(0));

    UNROLL
    for (unsigned k = 0; k < 4; k++)
        quad[k] = simd_load_fourths((const char *)level->column, p->column[0] + i + k);
    simd_transpose(quad, columns);
    UNROLL
    for (unsigned k = 0; k < 4; k++)
        word[k] =
            i32v_xor(f32v_bits(columns[k % 2 * 2 + k / 2]), i32v_constant((int32_t)0x80808080));
    weight[0] = weight_of(i32v_select(single, i32v_set1(0), right));
    weight[1] = weight_of(i32v_srl(i32v_load(p->below + i), 16));
}

SIMD_VBMI_INLINE void load_texels(const struct tex_level *level, const struct texel_addr *p,
                                  bool inner, unsigned i, i32v word[4], f32v weight[2])
{
    const int32_t *base = (const int32_t *)(const void *)level->data;
    struct simd_local_index local;

    if (inner) {
        local = local_index_of(p, i);
        i32v_gather_local_2x2(base, base + level->row_pitch / 4, &local, word);
    } else {
        load_outer_row(p, base, 0, i, word);
        load_outer_row(p, base, 1, i, word + 2);
    }
    weight[0] = weight_of(i32v_and(i32v_load(p->right + i), i32v_set1(255)));
    weight[1] = weight_of(i32v_srl(i32v_load(p->below + i), 16));
}

/* texel[k][c]: linear red, green and blue, and the code of alpha, in the order of bytes. Alpha
 * needs no table, so its place in the first three vectors has red, green and blue of the fourth. */
SIMD_VBMI_INLINE void decode_texels(const struct tex_srgb_lookup *srgb, const i32v word[4],
                                    f32v texel[4][4])
{
    const i32v order = i32v_broadcast_128(0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703);
    f32v last = i32v_as_f32(i32v_shuffle_bytes(word[3], order));
    i32v bytes[3], linear[3][4];

    UNROLL
    for (unsigned k = 0; k < 3; k++) {
        f32v sorted = i32v_as_f32(i32v_shuffle_bytes(word[k], order));

        bytes[k] = f32v_bits(simd_set_last_word(sorted, last, k));
    }
    i32v_lookup_256_words(srgb->planes, bytes, linear);
    UNROLL
    for (unsigned k = 0; k < 3; k++) {
        UNROLL
        for (unsigned c = 0; c < 3; c++)
            texel[k][c] = i32v_as_f32(linear[k][c]);
        texel[3][k] = i32v_as_f32(linear[k][3]);
    }
    UNROLL
    for (unsigned k = 0; k < 4; k++)
        texel[k][3] = i32v_to_f32(i32v_srl(word[k], 24));
}

/* --- Filtering -------------------------------------------------------------------------------- */

/* All products are 0 or far above FLT_MIN. */
SIMD_VBMI_INLINE f32v blend(f32v a, f32v b, f32v first, f32v second)
{
    return f32v_add(f32v_mul_ftz_any(a, first), f32v_mul_ftz_any(b, second));
}

/* The texels of a vector, and the weights of left and right, upper and lower ones. */
struct srgb_texels {
    f32v texel[4][4], first[2], second[2];
};

SIMD_VBMI_INLINE void load_lanes(struct srgb_texels *t, const struct tex_sampler_private *s,
                                 const struct srgb_addr *p, const struct tex_level *level,
                                 unsigned l, bool quads, bool inner, unsigned i)
{
    f32v one = f32v_set1(1.0f);
    i32v word[4];

    if (quads)
        load_quad_words(&s->quad_texels[level + l - s->level], &p->quad[l], i, word, t->second);
    else
        load_texels(level + l, &p->texel[l], inner, i, word, t->second);
    decode_texels(s->srgb, word, t->texel);
    t->first[0] = f32v_sub(one, t->second[0]);
    t->first[1] = f32v_sub(one, t->second[1]);
}

SIMD_VBMI_INLINE f32v filter_channel(const struct srgb_texels *t, unsigned c)
{
    f32v upper = blend(t->texel[0][c], t->texel[1][c], t->first[0], t->second[0]);
    f32v lower = blend(t->texel[2][c], t->texel[3][c], t->first[0], t->second[0]);
    f32v value = blend(upper, lower, t->first[1], t->second[1]);

    return c == 3 ? f32v_div_by(value, 255.0f) : value;
}

/* Samples one level, or two if `weight` is not NULL. */
SIMD_VBMI_INLINE void filter_all(const struct tex_sampler_private *s, const struct srgb_addr *p,
                                 const struct tex_level *level, bool quads, bool inner,
                                 const float *weight, uint64_t lanes, float *const out[4])
{
    struct channel_results results;

    route_results(s, out, lanes, &results);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v part = f32v_zero(), rest = f32v_zero();
        unsigned active = lanes_at(lanes, i);
        struct srgb_texels fine, coarse;

        if (!active)
            continue;
        load_lanes(&fine, s, p, level, 0, quads, inner, i);
        if (weight) {
            load_lanes(&coarse, s, p, level, 1, quads, inner, i);
            part = f32v_load(weight + i);
            rest = f32v_sub(f32v_set1(1.0f), part);
        }
        UNROLL
        for (unsigned c = 0; c < 4; c++) {
            f32v value;

            if (!has_result(&results, c))
                continue;
            value = filter_channel(&fine, c);
            if (weight)
                value = blend(value, filter_channel(&coarse, c), rest, part);
            put(results.to[c] + i, value, active);
        }
    }
}

/* --- Points ----------------------------------------------------------------------------------- */

SIMD_VBMI static void sample_points(const struct tex_sampler_private *s,
                                    const struct tex_level *level, const struct tex_coords *at,
                                    uint64_t lanes, float *const out[4])
{
    enum { VECTORS = TEX_LANES / SIMD_LANES };
    const int32_t *base = (const int32_t *)(const void *)level->data;
    struct point_addr p;
    struct channel_results results;
    f32v texel[VECTORS][4];
    i32v word[VECTORS];

    address_points(&p, s, level, 0, at, lanes);
    route_results(s, out, lanes, &results);
    for (unsigned k = 0; k < VECTORS; k++) {
        struct simd_local_index local;

        word[k] = i32v_set1(0);
        if (!lanes_at(lanes, k * SIMD_LANES))
            continue;
        local = simd_local_index_of(p.at + k * SIMD_LANES, false);
        word[k] = i32v_gather_local(base, &local);
    }
    decode_texels(s->srgb, word, texel);
    for (unsigned k = 0; k < VECTORS; k++) {
        if (!lanes_at(lanes, k * SIMD_LANES))
            continue;
        texel[k][3] = f32v_div_by(texel[k][3], 255.0f);
        put_border_points(&p, s, 8, k * SIMD_LANES, texel[k]);
        put_results(&results, texel[k], k * SIMD_LANES, lanes_at(lanes, k * SIMD_LANES));
    }
}

/* --- Bilinear --------------------------------------------------------------------------------- */

INLINE void address_in_place(struct srgb_addr *p, const struct tex_sampler_private *s,
                             const struct tex_level *level, unsigned levels,
                             const struct tex_coords *at, uint64_t lanes)
{
    p->inner = true;
    for (unsigned l = 0; l < levels && p->inner; l++)
        p->inner = try_address_inner(&p->texel[l], s, level + l, at, lanes);
    for (unsigned l = 0; l < levels && !p->inner; l++)
        address_all_outer(&p->texel[l], s, level + l, at, lanes);
}

SIMD_VBMI_INLINE void sample_levels_of(const struct tex_sampler_private *s,
                                       const struct tex_level *level, unsigned levels,
                                       const struct tex_coords *at, const float *weight,
                                       uint64_t lanes, float *const out[4])
{
    struct srgb_addr p;

    if (s->quad_texels) {
        address_quads_of(p.quad, s, level, levels, at, lanes);
        filter_all(s, &p, level, true, true, weight, lanes, out);
        return;
    }
    address_in_place(&p, s, level, levels, at, lanes);
    if (p.inner)
        filter_all(s, &p, level, false, true, weight, lanes, out);
    else
        filter_all(s, &p, level, false, false, weight, lanes, out);
}

SIMD_VBMI static void sample_level(const struct tex_sampler_private *s,
                                   const struct tex_level *level, const struct tex_coords *at,
                                   uint64_t lanes, float *const out[4])
{
    sample_levels_of(s, level, 1, at, NULL, lanes, out);
}

SIMD_VBMI static void sample_levels(const struct tex_sampler_private *s,
                                    const struct tex_level *level, const struct tex_coords *at,
                                    const float *weight, uint64_t lanes, float *const out[4])
{
    sample_levels_of(s, level, 2, at, weight, lanes, out);
}

const struct tex_sample_srgb_kern KERN_NAME(tex_sample_srgb_kern) = {
    .point = sample_points,
    .linear = sample_level,
    .levels = sample_levels,
};

#else

const struct tex_sample_srgb_kern KERN_NAME(tex_sample_srgb_kern);

#endif
