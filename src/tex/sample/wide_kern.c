/* Bilinear sampling of 2D and cube textures whose texels decode to four floats: four 16-bit
 * channels, halves or floats, and sRGB bytes (reference: texture/linear, texture/srgb). Vectors
 * hold whole texels, of every fourth lane, until all are blended; a transpose of four such vectors
 * then yields one vector per channel. So a lane's two texels of a row are one load, and texels
 * decode as they lie in memory. Results equal those of sample_kern.c. Tested by
 * tests/kernel/tex/sample/test_sample_kern.c and tests/unit/tex/sample/test_sampler_oracle.c. */
#include "tex/codec/codec.h"
#include "tex/sample/batch.h"
#include "tex/sample/fetch.h"
#include "tex/sample/kernels.h"

#if SIMD_LANES > 1

#include "util/simd/fourths.h"

/* --- Texel addresses -------------------------------------------------------------------------- */

struct wide_addr {
    /* Byte offsets of the texels [lower][right] from the level's start. Of vectors that are not
     * `outer` only the first is set: their texels are inside the level, at constant distances. */
    _Alignas(64) uint32_t at[2][2][TEX_LANES];
    _Alignas(64) float right[TEX_LANES], below[TEX_LANES]; /* weights of right and lower texels */
    uint64_t outer;
    uint64_t outside[2][2]; /* lanes whose texel has the border colour, of outer vectors */
};

/* Constants of a level. */
struct wide_params {
    const struct tex_level *level;
    struct addr_params inner;
    i32v pitch; /* in texels */
    unsigned log2_bytes;
};

INLINE unsigned log2_texel_bytes(enum texel_kind kind)
{
    return kind == TEXEL_RGBA32F ? 4 : kind == TEXEL_RGBA8_SRGB ? 2 : 3;
}

INLINE f32v weight_of(i32v position)
{
    return f32v_mul_ftz_any(i32v_to_f32(i32v_and(position, i32v_set1(255))),
                            f32v_set1(1.0f / 256.0f));
}

/* Two neighbouring texels along an axis. */
struct wide_axis {
    i32v index[2];
    f32v weight;     /* of the second */
    m32v outside[2]; /* set if there is a border colour */
};

INLINE struct wide_axis wide_axis(f32v t, uint32_t size, unsigned mode)
{
    struct axis_addr a;

    if (mode == D3DTADDRESS_BORDER) {
        struct axis b = linear_axis(t, size, D3DTADDRESS_BORDER);

        return (struct wide_axis){
            {b.index[0], b.index[1]}, b.weight[1], {b.outside[0], b.outside[1]}};
    }
    a = linear_axis_addr(t, size, mode);
    return (struct wide_axis){{a.index, a.next}, weight_of(a.position), {m32v_none(), m32v_none()}};
}

static __attribute__((noinline)) void address_outer_vector(struct wide_addr *p,
                                                           const struct wide_params *params,
                                                           const struct tex_sampler_private *s,
                                                           const struct tex_coords *at, unsigned i)
{
    struct wide_axis x = wide_axis(f32v_load(at->axis[0] + i), params->level->width, s->address[0]);
    struct wide_axis y =
        wide_axis(f32v_load(at->axis[1] + i), params->level->height, s->address[1]);
    i32v column[2] = {i32v_sll(x.index[0], params->log2_bytes),
                      i32v_sll(x.index[1], params->log2_bytes)};

    f32v_store(p->right + i, x.weight);
    f32v_store(p->below + i, y.weight);
    UNROLL
    for (unsigned j = 0; j < 2; j++) {
        i32v row = i32v_sll(i32v_mul_short(y.index[j], params->pitch), params->log2_bytes);

        if (at->face_offset)
            row = i32v_add(row, i32v_sll(i32v_load(at->face_offset + i), 2));
        i32v_store((int32_t *)p->at[j][0] + i, i32v_add(row, column[0]));
        i32v_store((int32_t *)p->at[j][1] + i, i32v_add(row, column[1]));
    }
    for (unsigned j = 0; tex_has_border(s) && j < 4; j++) {
        uint64_t outside = m32v_bits(m32v_or(y.outside[j / 2], x.outside[j % 2]));

        p->outside[j / 2][j % 2] |= outside << i;
    }
}

/* Addresses of vectors whose texels are all inside. The others become outer ones. */
INLINE void address_inner_vectors(struct wide_addr *p, const struct wide_params *params,
                                  const bool wrap[2], const struct tex_coords *at, uint64_t lanes)
{
    i32v half = i32v_set1(128);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v u = f32v_load(at->axis[0] + i), v = f32v_load(at->axis[1] + i);
        i32v x, y, column, row, outside;

        if (!lanes_at(lanes, i))
            continue;
        x = i32v_sub(inner_position(u, params->inner.width, wrap[0]), half);
        y = i32v_sub(inner_position(v, params->inner.height, wrap[1]), half);
        column = i32v_sra(x, 8);
        row = i32v_sra(y, 8);
        outside = i32v_or(i32v_excess(column, params->inner.last_x),
                          i32v_excess(row, params->inner.last_y));
        if (!m32v_every(i32v_eq(outside, i32v_set1(0))))
            p->outer |= (uint64_t)SIMD_ALL_BITS << i;
        f32v_store(p->right + i, weight_of(x));
        f32v_store(p->below + i, weight_of(y));
        column = i32v_sll(i32v_add(column, i32v_mul_short(row, params->pitch)), params->log2_bytes);
        i32v_store((int32_t *)p->at[0][0] + i, i32v_add(column, i32v_sll(face_at(at, i), 2)));
    }
}

/* The common address mode gets specialised code. */
INLINE void try_address_inner_vectors(struct wide_addr *p, const struct wide_params *params,
                                      const struct tex_coords *at, uint64_t lanes)
{
    const struct tex_coords one_face = {.axis = {at->axis[0], at->axis[1]}};

    if (params->inner.wrap[0] && params->inner.wrap[1] && !at->face_offset)
        address_inner_vectors(p, params, (bool[]){true, true}, &one_face, lanes);
    else
        address_inner_vectors(p, params, params->inner.wrap, at, lanes);
}

static __attribute__((noinline)) void address_wide(struct wide_addr *p, unsigned log2_bytes,
                                                   const struct tex_sampler_private *s,
                                                   const struct tex_level *level,
                                                   const struct tex_coords *at, uint64_t lanes)
{
    const struct wide_params params = {.level = level,
                                       .inner = linear_addr_params(s, level),
                                       .pitch =
                                           i32v_set1((int32_t)(level->row_pitch >> log2_bytes)),
                                       .log2_bytes = log2_bytes};

    p->outer = has_interior(level) ? 0 : ~UINT64_C(0);
    if (!p->outer)
        try_address_inner_vectors(p, &params, at, lanes);
    if (!p->outer)
        return;
    memset(p->outside, 0, sizeof(p->outside));
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        if (lanes_at(p->outer, i) && lanes_at(lanes, i))
            address_outer_vector(p, &params, s, at, i);
}

/* --- Fetch ------------------------------------------------------------------------------------ */

/* Where the lanes from `slot` read texels of a row. */
struct wide_row {
    const char *base;
    const uint32_t *left, *right; /* `right` only of lanes that are not `inner` */
};

INLINE struct wide_row wide_row(const struct tex_level *level, const struct wide_addr *p,
                                unsigned row, bool inner, unsigned slot)
{
    const char *base = (const char *)level->data;

    if (inner)
        return (struct wide_row){base + row * (size_t)level->row_pitch, p->at[0][0] + slot, NULL};
    return (struct wide_row){base, p->at[row][0] + slot, p->at[row][1] + slot};
}

INLINE void fetch_neighbours(enum texel_kind kind, struct wide_row row, f32v out[2])
{
    switch (kind) {
    case TEXEL_RGBA16F:
        simd_load_two_halves(row.base, row.left, out);
        break;
    case TEXEL_RGBA16:
        simd_load_two_uint16(row.base, row.left, out);
        break;
    default:
        simd_load_two_floats(row.base, row.left, out);
    }
}

INLINE void fetch_apart(enum texel_kind kind, struct wide_row row, f32v out[2])
{
    f32v both;

    if (kind == TEXEL_RGBA32F) {
        out[0] = simd_load_fourths(row.base, row.left);
        out[1] = simd_load_fourths(row.base, row.right);
        return;
    }
    both = simd_load_fourth_pairs(row.base, row.left, row.right);
    if (kind == TEXEL_RGBA16F)
        halves_to_fourths(both, out);
    else
        uint16_to_fourths(both, out);
}

/* Floats may be denormal: the products of their weights flush them. */
INLINE void fetch_row(enum texel_kind kind, struct wide_row row, bool inner, f32v out[2])
{
    if (inner)
        fetch_neighbours(kind, row, out);
    else
        fetch_apart(kind, row, out);
}

INLINE void fetch_srgb(const struct tex_srgb_lookup *srgb, const struct wide_row row[2], bool inner,
                       f32v out[2][2])
{
    uint64_t pair[2][SIMD_QUADS];
    f32v alpha;

    UNROLL
    for (unsigned j = 0; j < 2; j++) {
        if (inner)
            simd_load_pairs_at(row[j].base, row[j].left, pair[j]);
        else
            simd_load_apart_at(row[j].base, row[j].left, row[j].right, pair[j]);
        out[j][0] = simd_lookup_fourths(srgb->linear, pair[j], 0);
        out[j][1] = simd_lookup_fourths(srgb->linear, pair[j], 4);
    }
    alpha = i32v_to_f32(i32v_srl(f32v_bits(simd_fourths_of_pairs(pair[0], pair[1])), 24));
    UNROLL
    for (unsigned k = 0; k < 4; k++)
        out[k / 2][k % 2] = simd_set_last_word(out[k / 2][k % 2], alpha, k);
}

/* --- Filtering -------------------------------------------------------------------------------- */

/* Blends b into a; a texel of weight 0 does not count. The first weight is never 0. */
INLINE f32v blend_wide(enum texel_kind kind, f32v a, f32v b, f32v first, f32v second)
{
    if (!is_float(kind)) /* products are 0 or far above FLT_MIN */
        return f32v_add(f32v_mul_ftz_any(a, first), f32v_mul_ftz_any(b, second));
    b = f32v_where(f32v_ne(second, f32v_zero()), f32v_mul(b, second));
    return f32v_add(f32v_mul(a, first), b);
}

INLINE f32v filter_fourth(enum texel_kind kind, const struct wide_addr *p, f32v texel[2][2],
                          unsigned i, unsigned k)
{
    f32v right = simd_broadcast_word(f32v_load(p->right + i), k), one = f32v_set1(1.0f);
    f32v below = simd_broadcast_word(f32v_load(p->below + i), k), left = f32v_sub(one, right);
    f32v row[2];

    UNROLL
    for (unsigned j = 0; j < 2; j++)
        row[j] = blend_wide(kind, texel[j][0], texel[j][1], left, right);
    return blend_wide(kind, row[0], row[1], f32v_sub(one, below), below);
}

INLINE void divide_codes(enum texel_kind kind, f32v value[4])
{
    if (kind == TEXEL_RGBA16)
        for (unsigned c = 0; c < 4; c++)
            value[c] = f32v_div_by(value[c], 65535.0f);
    if (kind == TEXEL_RGBA8_SRGB)
        value[3] = f32v_div_by(value[3], 255.0f);
}

/* Lanes k, k + 4, k + 8 … of the bits of a vector, each for the four words of its texel. */
INLINE m32v words_of_lanes(unsigned bits, unsigned k)
{
    return m32v_from_bits((bits >> k & 0x1111u & (unsigned)SIMD_ALL_BITS) * 15u);
}

INLINE void put_border_texels(const struct wide_addr *p, const struct tex_sampler_private *s,
                              unsigned i, unsigned k, f32v texel[2][2])
{
    f32v border = f32v_broadcast_128(s->border);

    for (unsigned j = 0; j < 4; j++)
        texel[j / 2][j % 2] = f32v_select(words_of_lanes(lanes_at(p->outside[j / 2][j % 2], i), k),
                                          border, texel[j / 2][j % 2]);
}

INLINE void filter_vector(enum texel_kind kind, const struct tex_sampler_private *s,
                          const struct tex_level *level, const struct wide_addr *p, bool inner,
                          unsigned i, f32v value[4])
{
    f32v pixel[4];

    UNROLL
    for (unsigned k = 0; k < 4; k++) {
        const struct wide_row row[2] = {wide_row(level, p, 0, inner, i + k),
                                        wide_row(level, p, 1, inner, i + k)};
        f32v texel[2][2];

        if (kind == TEXEL_RGBA8_SRGB) {
            fetch_srgb(s->srgb, row, inner, texel);
        } else {
            fetch_row(kind, row[0], inner, texel[0]);
            fetch_row(kind, row[1], inner, texel[1]);
        }
        if (!inner && tex_has_border(s))
            put_border_texels(p, s, i, k, texel);
        pixel[k] = filter_fourth(kind, p, texel, i, k);
    }
    simd_transpose(pixel, value);
    divide_codes(kind, value);
}

/* `inner`: there are no outer vectors. */
INLINE void filter_wide(enum texel_kind kind, const struct tex_sampler_private *s,
                        const struct tex_level *level, const struct wide_addr p[2], bool inner,
                        const float *weight, uint64_t lanes, const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v value[2][4];

        if (!lanes_at(lanes, i))
            continue;
        for (unsigned l = 0; l < (weight ? 2 : 1); l++) {
            if (inner || !lanes_at(p[l].outer, i))
                filter_vector(kind, s, level + l, &p[l], true, i, value[l]);
            else
                filter_vector(kind, s, level + l, &p[l], false, i, value[l]);
        }
        if (weight)
            blend_levels(value[0], value[1], f32v_load(weight + i));
        put_results(results, value[0], i, lanes_at(lanes, i));
    }
}

/* Samples one level, or two if there are weights. */
INLINE void sample_wide(enum texel_kind kind, const struct tex_sampler_private *s,
                        const struct tex_level *level, const struct tex_coords *at,
                        const float *weight, uint64_t lanes, float *const out[4])
{
    struct channel_results results;
    struct wide_addr p[2];
    uint64_t outer = 0;

    for (unsigned l = 0; l < (weight ? 2 : 1); l++) {
        address_wide(&p[l], log2_texel_bytes(kind), s, level + l, at, lanes);
        outer |= p[l].outer;
    }
    route_results(s, out, lanes, &results);
    if (!outer)
        filter_wide(kind, s, level, p, true, weight, lanes, &results);
    else
        filter_wide(kind, s, level, p, false, weight, lanes, &results);
}

/* --- Instances -------------------------------------------------------------------------------- */

#define WIDE_KINDS(X) X(RGBA8_SRGB) X(RGBA16) X(RGBA16F) X(RGBA32F)
#define WIDE_FNS(kind)                                                                             \
    static void kind##_linear(const struct tex_sampler_private *s, const struct tex_level *level,  \
                              const struct tex_coords *at, uint64_t lanes, float *const out[4])    \
    {                                                                                              \
        sample_wide(TEXEL_##kind, s, level, at, NULL, lanes, out);                                 \
    }                                                                                              \
    static void kind##_levels(const struct tex_sampler_private *s, const struct tex_level *level,  \
                              const struct tex_coords *at, const float *weight, uint64_t lanes,    \
                              float *const out[4])                                                 \
    {                                                                                              \
        sample_wide(TEXEL_##kind, s, level, at, weight, lanes, out);                               \
    }
#define LINEAR_ENTRY(kind) [TEXEL_##kind] = kind##_linear,
#define LEVELS_ENTRY(kind) [TEXEL_##kind] = kind##_levels,

WIDE_KINDS(WIDE_FNS)

const struct tex_sample_wide_kern KERN_NAME(tex_sample_wide_kern) = {
    .linear = {WIDE_KINDS(LINEAR_ENTRY)}, .levels = {WIDE_KINDS(LEVELS_ENTRY)}};

#else

const struct tex_sample_wide_kern KERN_NAME(tex_sample_wide_kern);

#endif
