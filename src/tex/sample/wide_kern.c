/* Bilinear sampling, and points of sRGB, of 2D and cube textures whose texels decode to four
 * floats: four 16-bit channels, halves or floats, and sRGB bytes (reference: texture/linear,
 * texture/srgb). Vectors hold whole texels, of every fourth lane, until all are blended; a
 * transpose of four such vectors then yields one vector per channel. So a lane's two texels of a
 * row are one load, and texels decode as they lie in memory. Results equal those of sample_kern.c.
 * Tested by tests/kernel/tex/sample/test_sample_kern.c
 * and tests/unit/tex/sample/test_sampler_oracle.c. */
#include "tex/codec/codec.h"
#include "tex/sample/batch.h"
#include "tex/sample/fetch.h"
#include "tex/sample/kernels.h"

#if SIMD_LANES > 1

#include "util/simd/fourths.h"

/* --- Texel addresses -------------------------------------------------------------------------- */

struct wide_addr {
    /* Byte offsets of the texels [lower][right] from the level's start. */
    _Alignas(64) uint32_t at[2][2][TEX_LANES];
    _Alignas(64) float right[TEX_LANES], below[TEX_LANES]; /* weights of right and lower texels */
    bool adjacent; /* each right texel follows its left one in memory */
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

INLINE void address_wide(struct wide_addr *p, enum texel_kind kind, const uint8_t mode[2],
                         const struct tex_level *level, const struct tex_coords *at, uint64_t lanes)
{
    unsigned log2_bytes = log2_texel_bytes(kind);
    i32v pitch = i32v_set1((int32_t)(level->row_pitch >> log2_bytes)), one = i32v_set1(1);
    i32v apart = i32v_set1(0);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        struct axis_addr x, y;
        i32v face, left, right;

        if (!lanes_at(lanes, i))
            continue;
        x = linear_axis_addr(f32v_load(at->axis[0] + i), level->width, mode[0]);
        y = linear_axis_addr(f32v_load(at->axis[1] + i), level->height, mode[1]);
        face = i32v_sll(face_at(at, i), 2); /* to bytes */
        left = i32v_add(i32v_sll(x.index, log2_bytes), face);
        right = i32v_add(i32v_sll(x.next, log2_bytes), face);
        apart = i32v_or(apart, i32v_xor(i32v_sub(x.next, x.index), one));
        UNROLL
        for (unsigned j = 0; j < 2; j++) {
            i32v row = i32v_sll(i32v_mul_short(j ? y.next : y.index, pitch), log2_bytes);

            i32v_store((int32_t *)p->at[j][0] + i, i32v_add(row, left));
            i32v_store((int32_t *)p->at[j][1] + i, i32v_add(row, right));
        }
        f32v_store(p->right + i, weight_of(x.position));
        f32v_store(p->below + i, weight_of(y.position));
    }
    p->adjacent = m32v_every(i32v_eq(apart, i32v_set1(0)));
}

/* The common address mode gets specialised code. */
INLINE void address_wide_of(struct wide_addr *p, enum texel_kind kind,
                            const struct tex_sampler_private *s, const struct tex_level *level,
                            const struct tex_coords *at, uint64_t lanes)
{
    static const uint8_t wrap[2] = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP};
    const struct tex_coords one_face = {.axis = {at->axis[0], at->axis[1]}};

    if (s->address[0] == D3DTADDRESS_WRAP && s->address[1] == D3DTADDRESS_WRAP)
        address_wide(p, kind, wrap, level, &one_face, lanes); /* cube maps clamp */
    else
        address_wide(p, kind, s->address, level, at, lanes);
}

/* --- Fetch ------------------------------------------------------------------------------------ */

INLINE void fetch_row(const char *base, enum texel_kind kind, const struct wide_addr *p,
                      unsigned row, bool adjacent, unsigned slot, f32v out[2])
{
    const uint32_t *left = p->at[row][0] + slot, *right = p->at[row][1] + slot;
    f32v both;

    if (kind == TEXEL_RGBA32F) {
        out[0] = float_texel(f32v_bits(simd_load_fourths(base, left)));
        out[1] = float_texel(f32v_bits(simd_load_fourths(base, right)));
        return;
    }
    both = adjacent ? simd_load_fourths(base, left) : simd_load_fourth_pairs(base, left, right);
    if (kind == TEXEL_RGBA16F)
        halves_to_fourths(both, out);
    else
        uint16_to_fourths(both, out);
}

INLINE void fetch_srgb(const char *base, const struct tex_srgb_lookup *srgb,
                       const struct wide_addr *p, bool adjacent, unsigned slot, f32v out[2][2])
{
    uint64_t pair[2][SIMD_QUADS];
    f32v alpha;

    UNROLL
    for (unsigned row = 0; row < 2; row++) {
        const uint32_t *left = p->at[row][0] + slot, *right = p->at[row][1] + slot;

        if (adjacent)
            simd_load_pairs_at(base, left, pair[row]);
        else
            simd_load_apart_at(base, left, right, pair[row]);
        out[row][0] = simd_lookup_fourths(srgb->linear, pair[row], 0);
        out[row][1] = simd_lookup_fourths(srgb->linear, pair[row], 4);
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
                        enum texel_kind kind, const struct wide_addr *p, bool adjacent,
                        uint64_t lanes, const struct channel_results *results)
{
    const char *base = (const char *)level->data;

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v pixel[4], texel[2][2];

        if (!lanes_at(lanes, i))
            continue;
        UNROLL
        for (unsigned k = 0; k < 4; k++) {
            if (kind == TEXEL_RGBA8_SRGB) {
                fetch_srgb(base, s->srgb, p, adjacent, i + k, texel);
            } else {
                fetch_row(base, kind, p, 0, adjacent, i + k, texel[0]);
                fetch_row(base, kind, p, 1, adjacent, i + k, texel[1]);
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

    address_wide_of(&p, kind, s, level, at, lanes);
    route_results(s, out, lanes, &results);
    if (p.adjacent && !~lanes)
        filter_wide(s, level, kind, &p, true, ~UINT64_C(0), &results);
    else
        filter_wide(s, level, kind, &p, p.adjacent, lanes, &results);
}

/* --- Points ----------------------------------------------------------------------------------- */

static void sample_srgb_points(const struct tex_sampler_private *s, const struct tex_level *level,
                               const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    const int32_t *base = (const int32_t *)(const void *)level->data;
    _Alignas(64) int32_t index[TEX_LANES];
    struct channel_results results;

    if (!address_points(index, s, level, false, at, lanes)) {
        KERN_NAME(tex_sample_kern).fn[TEXEL_RGBA8_SRGB][TEX_POINT_2D](s, level, at, lanes, out);
        return;
    }
    route_results(s, out, lanes, &results);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        f32v pixel[4], value[4];

        if (!lanes_at(lanes, i))
            continue;
        UNROLL
        for (unsigned k = 0; k < 4; k++) {
            uint64_t word[SIMD_QUADS];

            UNROLL
            for (unsigned j = 0; j < SIMD_QUADS; j++)
                word[j] = (uint32_t)base[index[i + k + 4 * j]];
            pixel[k] = simd_lookup_fourths(s->srgb->linear, word, 0);
        }
        simd_transpose(pixel, value);
        value[3] = i32v_to_f32(i32v_srl(i32v_load_words(base, index + i), 24));
        value[3] = f32v_div_by(value[3], 255.0f);
        put_results(&results, value, i, lanes_at(lanes, i));
    }
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
    .srgb_point = sample_srgb_points,
};

#else

const struct tex_sample_wide_kern KERN_NAME(tex_sample_wide_kern);

#endif
