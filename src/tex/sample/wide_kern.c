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
    /* Byte offsets of the texels [lower][right] from the level's start. If all texels are inside
     * the level, only the first is set, and the others are at constant distances from it. */
    _Alignas(64) uint32_t at[2][2][TEX_LANES];
    _Alignas(64) float right[TEX_LANES], below[TEX_LANES]; /* weights of right and lower texels */
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

INLINE void store_weights(struct wide_addr *p, unsigned i, i32v x, i32v y)
{
    f32v_store(p->right + i, weight_of(x));
    f32v_store(p->below + i, weight_of(y));
}

/* Returns false if a lane reads texels outside the level. */
INLINE bool address_wide_inner(struct wide_addr *p, enum texel_kind kind,
                               const struct addr_params *params, const struct tex_coords *at,
                               uint64_t lanes)
{
    unsigned log2_bytes = log2_texel_bytes(kind);
    i32v pitch = i32v_set1((int32_t)(params->level->row_pitch >> log2_bytes));
    i32v half = i32v_set1(128), outside = i32v_set1(0);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v u = f32v_load(at->axis[0] + i), v = f32v_load(at->axis[1] + i);
        i32v x = i32v_sub(inner_position(u, params->width, params->wrap[0]), half), column;
        i32v y = i32v_sub(inner_position(v, params->height, params->wrap[1]), half), row;

        if (!lanes_at(lanes, i))
            continue;
        store_weights(p, i, x, y);
        column = i32v_sra(x, 8);
        row = i32v_sra(y, 8);
        outside = i32v_or(outside, i32v_or(i32v_excess(column, params->last_x),
                                           i32v_excess(row, params->last_y)));
        column = i32v_add(column, i32v_mul_short(row, pitch));
        i32v_store((int32_t *)p->at[0][0] + i,
                   i32v_add(i32v_sll(column, log2_bytes), i32v_sll(face_at(at, i), 2)));
    }
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

/* The common address mode gets specialised code. */
INLINE bool try_address_wide_inner(struct wide_addr *p, enum texel_kind kind,
                                   const struct tex_sampler_private *s,
                                   const struct tex_level *level, const struct tex_coords *at,
                                   uint64_t lanes)
{
    const struct tex_coords one_face = {.axis = {at->axis[0], at->axis[1]}};
    struct addr_params params = linear_addr_params(s, level);

    if (!has_interior(level))
        return false;
    if (params.wrap[0] && params.wrap[1] && !at->face_offset) {
        params.wrap[0] = params.wrap[1] = true;
        return address_wide_inner(p, kind, &params, &one_face, lanes);
    }
    return address_wide_inner(p, kind, &params, at, lanes);
}

INLINE void address_wide_outer(struct wide_addr *p, enum texel_kind kind,
                               const struct tex_sampler_private *s, const struct tex_level *level,
                               const struct tex_coords *at, uint64_t lanes)
{
    unsigned log2_bytes = log2_texel_bytes(kind);
    i32v pitch = i32v_set1((int32_t)(level->row_pitch >> log2_bytes));

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        struct axis_addr x, y;
        i32v face = i32v_sll(face_at(at, i), 2); /* to bytes */

        if (!lanes_at(lanes, i))
            continue;
        x = linear_axis_addr(f32v_load(at->axis[0] + i), level->width, s->address[0]);
        y = linear_axis_addr(f32v_load(at->axis[1] + i), level->height, s->address[1]);
        store_weights(p, i, x.position, y.position);
        UNROLL
        for (unsigned j = 0; j < 2; j++) {
            i32v row = i32v_mul_short(j ? y.next : y.index, pitch);

            UNROLL
            for (unsigned k = 0; k < 2; k++) {
                i32v texel = i32v_add(row, k ? x.next : x.index);

                i32v_store((int32_t *)p->at[j][k] + i, i32v_add(i32v_sll(texel, log2_bytes), face));
            }
        }
    }
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

INLINE void put_wide(enum texel_kind kind, const f32v pixel[4], unsigned i, uint64_t lanes,
                     const struct channel_results *results)
{
    f32v value[4];

    simd_transpose(pixel, value);
    if (kind == TEXEL_RGBA16)
        for (unsigned c = 0; c < 4; c++)
            value[c] = f32v_div_by(value[c], 65535.0f);
    if (kind == TEXEL_RGBA8_SRGB)
        value[3] = f32v_div_by(value[3], 255.0f);
    put_results(results, value, i, lanes_at(lanes, i));
}

INLINE void filter_wide(const struct tex_sampler_private *s, const struct tex_level *level,
                        enum texel_kind kind, const struct wide_addr *p, bool inner, uint64_t lanes,
                        const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v pixel[4], texel[2][2];

        if (!lanes_at(lanes, i))
            continue;
        UNROLL
        for (unsigned k = 0; k < 4; k++) {
            const struct wide_row row[2] = {wide_row(level, p, 0, inner, i + k),
                                            wide_row(level, p, 1, inner, i + k)};

            if (kind == TEXEL_RGBA8_SRGB) {
                fetch_srgb(s->srgb, row, inner, texel);
            } else {
                fetch_row(kind, row[0], inner, texel[0]);
                fetch_row(kind, row[1], inner, texel[1]);
            }
            pixel[k] = filter_fourth(kind, p, texel, i, k);
        }
        put_wide(kind, pixel, i, lanes, results);
    }
}

INLINE void sample_wide(const struct tex_sampler_private *s, enum texel_kind kind,
                        const struct tex_level *level, const struct tex_coords *at, uint64_t lanes,
                        float *const out[4])
{
    struct channel_results results;
    struct wide_addr p;
    bool inner = try_address_wide_inner(&p, kind, s, level, at, lanes);

    if (!inner)
        address_wide_outer(&p, kind, s, level, at, lanes);
    route_results(s, out, lanes, &results);
    if (inner && !~lanes)
        filter_wide(s, level, kind, &p, true, ~UINT64_C(0), &results);
    else if (inner)
        filter_wide(s, level, kind, &p, true, lanes, &results);
    else
        filter_wide(s, level, kind, &p, false, lanes, &results);
}

/* --- Instances -------------------------------------------------------------------------------- */

#define WIDE_KINDS(X) X(RGBA8_SRGB) X(RGBA16) X(RGBA16F) X(RGBA32F)
#define WIDE_FN(kind)                                                                              \
    static void sample_##kind(const struct tex_sampler_private *s, const struct tex_level *level,  \
                              const struct tex_coords *at, uint64_t lanes, float *const out[4])    \
    {                                                                                              \
        sample_wide(s, TEXEL_##kind, level, at, lanes, out);                                       \
    }
#define WIDE_ENTRY(kind) [TEXEL_##kind] = sample_##kind,

WIDE_KINDS(WIDE_FN)

const struct tex_sample_wide_kern KERN_NAME(tex_sample_wide_kern) = {
    .linear = {WIDE_KINDS(WIDE_ENTRY)},
};

#else

const struct tex_sample_wide_kern KERN_NAME(tex_sample_wide_kern);

#endif
