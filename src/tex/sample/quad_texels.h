/* Bilinear sampling from quad texels (cache/quad_texels.c): one load per lane fetches all four
 * texels, even at a level's edge. A vector holds the quads of every fourth lane. Sorted by channel
 * and transposed, they yield one vector a channel: a lane's word holds that byte of its four
 * texels, which two multiply-adds of bytes and halves weigh. Results equal those of rgba8.h.
 * Included by sample kernels. */
#ifndef TEX_SAMPLE_QUAD_TEXELS_H
#define TEX_SAMPLE_QUAD_TEXELS_H

#include "tex/sample/batch.h"

#include "util/simd/fourths.h"

#include <string.h>

enum { MAX_QUAD_TEXTURES = 4 }; /* that share addresses and weights */

#define HAVE_QUAD_TEXELS (SIMD_LANES >= 8)

/* The quad texels and the results of a group of n samplers. `level` is the sampled level, or the
 * first of two. */
struct quad_texel_samples {
    const struct tex_quad_texels_level *level[MAX_QUAD_TEXTURES];
    const struct tex_byte_divisors *divisors[MAX_QUAD_TEXTURES];
    const struct channel_results *results[MAX_QUAD_TEXTURES];
    unsigned n;
};

#if HAVE_QUAD_TEXELS

/* --- Quad addresses --------------------------------------------------------------------------- */

enum { MAX_QUAD_SLICES = 2 };

/* Address and weights of each lane's quad, or of its two in a volume. Places, weights and masks are
 * bytes of a word in the order upper left, upper right, lower left, lower right. */
struct quad_addr {
    /* byte offsets from the level's start */
    _Alignas(64) uint32_t column[MAX_QUAD_SLICES][TEX_LANES];
    /* Places of the texels among those of four lanes. If the right texels have no weight, they are
     * those of the left ones. */
    _Alignas(64) int32_t texels[TEX_LANES];
    _Alignas(64) int32_t across[TEX_LANES]; /* weights of left and right texels in 1/256 */
    _Alignas(64) int32_t below[TEX_LANES];  /* weights as in struct texel_addr */
    _Alignas(64) int32_t inside[MAX_QUAD_SLICES][TEX_LANES]; /* with a border: masks */
};

/* Constants of an axis of a level: from coordinates to 1/256 texels, and bounds. */
struct quad_axis {
    f32v scale, low, high;
    i32v last; /* last texel */
};

/* Constants of a level. */
struct quad_level {
    struct quad_axis x, y;
    i32v strides; /* columns from texel to texel and from row to row */
};

/* The faces or slices that a vector reads. Textures without them have none. */
struct quad_slices {
    unsigned n;
    i32v offset[MAX_QUAD_SLICES]; /* bytes from the level's start */
    i32v inside[MAX_QUAD_SLICES]; /* with a border: masks of lanes */
};

INLINE struct quad_axis quad_axis(uint32_t size, unsigned mode)
{
    float top = (float)size * 256.0f;
    struct quad_axis a = {.scale = f32v_set1(top), .last = i32v_set1((int32_t)size - 1)};

    a.low = f32v_set1(mode == D3DTADDRESS_BORDER ? -512.0f : 128.0f);
    a.high = f32v_set1(mode == D3DTADDRESS_BORDER ? top + 512.0f : top - 128.0f);
    return a;
}

INLINE struct quad_level quad_level(const struct tex_level *level, const uint8_t mode[2])
{
    return (struct quad_level){quad_axis(level->width, mode[0]), quad_axis(level->height, mode[1]),
                               i32v_set1((int32_t)((level->width + 1) << 16 | 1))};
}

/* Applies the address mode, but no bounds. The result is the same for all levels. */
INLINE f32v fold_coordinate(f32v t, unsigned mode)
{
    f32v two = f32v_set1(2.0f), half = f32v_set1(0.5f);

    switch (mode) {
    case D3DTADDRESS_WRAP:
        return f32v_sub(t, f32v_floor(t));
    case D3DTADDRESS_MIRROR:
        t = f32v_sub(t, f32v_mul_ftz_any(two, f32v_floor(f32v_mul_ftz_any(t, half))));
        return f32v_min(t, f32v_sub(two, t));
    case D3DTADDRESS_MIRRORONCE:
        return f32v_abs(t);
    default:
        return t;
    }
}

/* Position of the left or upper texel in 1/256. t comes from fold_coordinate. Beyond an edge that
 * repeats its texel, that texel has all the weight. With WRAP, the texel of NaN is below 0. */
INLINE i32v quad_position(const struct quad_axis *a, unsigned mode, f32v t)
{
    t = f32v_mul_ftz_any(t, a->scale);
    if (mode != D3DTADDRESS_WRAP)
        t = f32v_min(f32v_max(t, a->low), a->high);
    return i32v_sub(f32v_to_i32_round(t), i32v_set1(128));
}

/* Stores places and weights along x. A weight of 256 does not fit a byte. If the right texel has no
 * weight, both weights (255 and 1) therefore apply to the left texel. */
INLINE void address_across(struct quad_addr *p, unsigned slot, i32v x)
{
    const i32v left = i32v_broadcast_128(0x02020000, 0x06060404, 0x0a0a0808, 0x0e0e0c0c);
    const i32v ones = i32v_constant(0x01010101), right = i32v_constant(0x01000100);
    i32v fraction = i32v_broadcast_byte(x, 0);

    i32v_store(p->texels + slot, i32v_add_8(left, i32v_min_u8(fraction, right)));
    i32v_store(p->across + slot, i32v_negate_even_bytes(i32v_max_u8(fraction, ones)));
}

/* Returns `first` in lanes whose texel is in the level, and `second` in those whose next one is. */
INLINE i32v inside_along(const struct quad_axis *a, unsigned mode, i32v position, int32_t first,
                         int32_t second)
{
    i32v texel = i32v_sra(position, 8), next = i32v_add(texel, i32v_set1(1)), zero = i32v_set1(0);
    m32v single = i32v_eq(i32v_and(position, i32v_set1(255)), zero);

    if (mode == D3DTADDRESS_WRAP)
        return i32v_set1(-1);
    next = i32v_select(single, texel, next);
    return i32v_or(i32v_select(i32v_ge_u32(a->last, texel), i32v_set1(first), zero),
                   i32v_select(i32v_ge_u32(a->last, next), i32v_set1(second), zero));
}

INLINE i32v inside_level(const struct quad_level *level, const uint8_t mode[2], i32v x, i32v y)
{
    return i32v_and(inside_along(&level->x, mode[0], x, 0x00ff00ff, (int32_t)0xff00ff00),
                    inside_along(&level->y, mode[1], y, 0x0000ffff, (int32_t)0xffff0000));
}

/* u and v come from fold_coordinate. The texel before the first is the last one, whose right
 * neighbour is the first. A border covers other texels outside the level. */
INLINE void address_quad(struct quad_addr *p, unsigned slot, const struct quad_level *level,
                         const uint8_t mode[2], bool border, const struct quad_slices *slices,
                         f32v u, f32v v)
{
    i32v x = quad_position(&level->x, mode[0], u), y = quad_position(&level->y, mode[1], v);
    i32v column = i32v_unless_negative(i32v_sra(x, 8), level->x.last);
    i32v row = i32v_unless_negative(i32v_sra(y, 8), level->y.last);
    i32v inside = i32v_set1(-1);

    address_across(p, slot, x);
    i32v_store(p->below + slot, vertical_weights(y));
    column = i32v_madd_16(i32v_or(column, i32v_sll(row, 16)), level->strides);
    column = i32v_sll(column, 3);
    if (border)
        inside = inside_level(level, mode, x, y);
    if (!slices->n) {
        i32v_store((int32_t *)p->column[0] + slot, column);
        if (border)
            i32v_store(p->inside[0] + slot, inside);
        return;
    }
    for (unsigned k = 0; k < slices->n; k++) {
        i32v_store((int32_t *)p->column[k] + slot, i32v_add(column, slices->offset[k]));
        if (border)
            i32v_store(p->inside[k] + slot, i32v_and(inside, slices->inside[k]));
    }
}

/* The face of each lane of a cube map. */
INLINE struct quad_slices quad_face(const struct tex_sampler_private *s,
                                    const struct tex_coords *at, unsigned i)
{
    struct quad_slices slices = {.n = at->face_offset ? 1 : 0};
    f32v face;

    if (!at->face_offset)
        return slices;
    face = f32v_div(i32v_to_f32(i32v_load(at->face_offset + i)), f32v_set1((float)s->face_pitch));
    slices.offset[0] =
        i32v_mul(f32v_to_i32_round(face), i32v_set1((int32_t)s->quad_texels->face_bytes));
    slices.inside[0] = i32v_set1(-1);
    return slices;
}

INLINE void address_quads(struct quad_addr *p, const struct tex_sampler_private *s,
                          const struct tex_level *level, unsigned levels, const uint8_t mode[2],
                          bool border, const struct tex_coords *at, uint64_t lanes)
{
    struct quad_level first = quad_level(level, mode), second = first;

    if (levels > 1)
        second = quad_level(level + 1, mode);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        struct quad_slices face;
        f32v u, v;

        if (!lanes_at(lanes, i))
            continue;
        u = fold_coordinate(f32v_load(at->axis[0] + i), mode[0]);
        v = fold_coordinate(f32v_load(at->axis[1] + i), mode[1]);
        face = quad_face(s, at, i);
        address_quad(&p[0], i, &first, mode, border, &face, u, v);
        if (levels > 1)
            address_quad(&p[1], i, &second, mode, border, &face, u, v);
    }
}

/* Computes addresses in one level, or in it and the next. Common address modes get specialised
 * code. */
static void address_quads_of(struct quad_addr *p, const struct tex_sampler_private *s,
                             const struct tex_level *level, unsigned levels,
                             const struct tex_coords *at, uint64_t lanes)
{
    static const uint8_t wrap[2] = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP};
    static const uint8_t mirror[2] = {D3DTADDRESS_MIRROR, D3DTADDRESS_MIRROR};
    static const uint8_t clamp[2] = {D3DTADDRESS_CLAMP, D3DTADDRESS_CLAMP};
    const struct tex_coords no_face = {.axis = {at->axis[0], at->axis[1]}};

    if (at->face_offset)
        address_quads(p, s, level, levels, clamp, false, at, lanes);
    else if (!memcmp(s->address, wrap, sizeof(wrap)))
        address_quads(p, s, level, levels, wrap, false, &no_face, lanes);
    else if (!memcmp(s->address, clamp, sizeof(clamp)))
        address_quads(p, s, level, levels, clamp, false, &no_face, lanes);
    else if (!memcmp(s->address, mirror, sizeof(mirror)))
        address_quads(p, s, level, levels, mirror, false, &no_face, lanes);
    else if (tex_has_border(s))
        address_quads(p, s, level, levels, s->address, true, &no_face, lanes);
    else
        address_quads(p, s, level, levels, s->address, false, &no_face, lanes);
}

/* --- Filtering -------------------------------------------------------------------------------- */

/* The texels of a vector. Four lanes have 16 texels; plane[c] has byte c of each, minus 128. */
struct quad_bytes {
    i32v plane[4], texels, across, below, inside;
};

INLINE void load_quads(struct quad_bytes *q, const struct tex_quad_texels_level *level,
                       const struct quad_addr *p, unsigned slice, unsigned slot)
{
    /* Sorts texels by channel. Columns come before rows. */
    const i32v order = i32v_broadcast_128(0x0c040800, 0x0d050901, 0x0e060a02, 0x0f070b03);
    f32v words[4], planes[4];

    UNROLL
    for (unsigned k = 0; k < 4; k++) {
        words[k] = simd_load_fourths((const char *)level->column, p->column[slice] + slot + k);
        words[k] = i32v_as_f32(i32v_shuffle_bytes(f32v_bits(words[k]), order));
    }
    simd_transpose(words, planes);
    UNROLL
    for (unsigned c = 0; c < 4; c++)
        q->plane[c] = f32v_bits(planes[c]);
    q->texels = i32v_load(p->texels + slot);
    q->across = i32v_load(p->across + slot);
    q->below = i32v_load(p->below + slot);
    q->inside = i32v_load(p->inside[slice] + slot);
}

/* Returns the weighted sum of channel c in 1/65536. `border`: NULL, or the border's codes. */
INLINE f32v sum_quads(const struct quad_bytes *q, unsigned c, const int32_t *border)
{
    i32v bytes = i32v_shuffle_bytes(q->plane[c], q->texels), sum;

    if (border) {
        int32_t code = (int32_t)(((uint32_t)*border >> 8 * c & 255) ^ 128) * 0x01010101;

        bytes = i32v_or(i32v_and(bytes, q->inside), i32v_andnot(q->inside, i32v_set1(code)));
    }
    sum = i32v_madd_16(i32v_maddubs_16(q->across, bytes), q->below);
    return i32v_to_f32(i32v_add(sum, i32v_constant(32768 * 256)));
}

/* Filters a vector of one sampler. `weight`: those of the next level, or NULL. */
INLINE void filter_quads_at(const struct tex_quad_texels_level *level, const struct quad_addr *p,
                            unsigned i, const float *weight, const int32_t *border,
                            const struct tex_byte_divisors *d,
                            const struct channel_results *results, unsigned active)
{
    f32v second = f32v_zero(), first = f32v_zero();
    struct quad_bytes fine, coarse;

    load_quads(&fine, level, &p[0], 0, i);
    if (weight) {
        load_quads(&coarse, level + 1, &p[1], 0, i);
        second = f32v_load(weight + i);
        first = f32v_sub(f32v_set1(1.0f), second);
    }
    UNROLL
    for (unsigned c = 0; c < 4; c++) {
        f32v value;

        if (!has_result(results, c))
            continue;
        value = divide_sum(sum_quads(&fine, c, border), d, c);
        if (weight)
            value = mix(value, divide_sum(sum_quads(&coarse, c, border), d, c), first, second);
        put(results->to[c] + i, value, active);
    }
}

INLINE void filter_quads(const struct quad_texel_samples *s, const struct quad_addr *p,
                         const float *weight, const int32_t *border, uint64_t lanes)
{
    for (unsigned t = 0; t < s->n; t++) {
        const struct tex_byte_divisors d = *s->divisors[t];

        for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
            if (lanes_at(lanes, i))
                filter_quads_at(s->level[t], p, i, weight, border, &d, s->results[t],
                                lanes_at(lanes, i));
    }
}

/* --- Sampling --------------------------------------------------------------------------------- */

/* Samples one level, or two if `weight` is not NULL. `sampler` is any sampler of the group. A group
 * of several has no border. */
INLINE void sample_quad_texels(const struct quad_texel_samples *samples,
                               const struct tex_sampler_private *sampler,
                               const struct tex_level *level, const struct tex_coords *at,
                               const float *weight, uint64_t lanes)
{
    const int32_t border = sampler->border_codes;
    struct quad_addr p[2];

    address_quads_of(p, sampler, level, weight ? 2 : 1, at, lanes);
    if (tex_has_border(sampler))
        filter_quads(samples, p, weight, &border, lanes);
    else if (weight)
        filter_quads(samples, p, weight, NULL, lanes);
    else
        filter_quads(samples, p, NULL, NULL, lanes);
}

#else

/* Without 8-lane vectors no sampler has quad texels. */
INLINE void sample_quad_texels(const struct quad_texel_samples *samples,
                               const struct tex_sampler_private *sampler,
                               const struct tex_level *level, const struct tex_coords *at,
                               const float *weight, uint64_t lanes)
{
    (void)samples, (void)sampler, (void)level, (void)at, (void)weight, (void)lanes;
}

#endif

#endif
