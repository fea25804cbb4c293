/* General sampling kernels of one level: every texel kind with every filter
 * (reference: texture/linear, texture/volume, texture/fetch4).
 *
 * Each combination is one function, specialised from always-inline parts by constant arguments.
 * address.h computes addresses, fetch.h loads texels, this file filters. */
#include "tex/sample/fetch.h"
#include "tex/sample/kernels.h"
#include "tex/sample/results.h"

/* --- Filtering -------------------------------------------------------------------------------- */

/* Weighs a texel's channel. A texel with weight 0 does not contribute, even if it is infinite or
 * NaN. */
INLINE f32v weigh(enum texel_kind kind, f32v value, f32v weight)
{
    if (!is_float(kind))
        return f32v_mul_ftz_any(value, weight); /* products are 0 or far above FLT_MIN */
    return f32v_where(f32v_ne(weight, f32v_zero()), f32v_mul(value, weight));
}

/* Blends b into a. The first weight is never 0. */
INLINE void blend(enum texel_kind kind, struct stored_texel *a, const struct stored_texel *b,
                  const f32v weight[2])
{
    UNROLL
    for (int c = 0; c < 4; c++)
        if (c < stored_channels(kind))
            a->c[c] = f32v_add(f32v_mul(a->c[c], weight[0]), weigh(kind, b->c[c], weight[1]));
}

INLINE struct stored_texel bilinear(const struct texel_source *src, enum texel_kind kind,
                                    const i32v row[2], const struct axis *x, const struct axis *y,
                                    m32v outside)
{
    struct stored_texel pair[2][2];
    m32v out[2][2];

    UNROLL
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++)
            out[j][i] = m32v_or(outside, m32v_or(y->outside[j], x->outside[i]));
        fetch_pair(src, kind, row[j], x->index, out[j], pair[j]);
        blend(kind, &pair[j][0], &pair[j][1], x->weight);
    }
    blend(kind, &pair[0][0], &pair[1][0], y->weight);
    return pair[0][0];
}

INLINE i32v times(i32v index, uint32_t words)
{
    return i32v_mul(index, i32v_set1((int32_t)words));
}

INLINE struct stored_texel trilinear_3d(const struct texel_source *src, enum texel_kind kind,
                                        const struct tex_level *level, const struct axis a[3])
{
    struct stored_texel slice[2];

    UNROLL
    for (int k = 0; k < 2; k++) {
        i32v slice_offset = times(a[2].index[k], level->slice_pitch / 4), row[2];

        row[0] = i32v_add(slice_offset, times(a[1].index[0], level->row_pitch / 4));
        row[1] = i32v_add(slice_offset, times(a[1].index[1], level->row_pitch / 4));
        slice[k] = bilinear(src, kind, row, &a[0], &a[1], a[2].outside[k]);
    }
    blend(kind, &slice[0], &slice[1], a[2].weight);
    return slice[0];
}

/* Fetch4: returns the four texels of a footprint from the format's only channel
 * (reference: texture/fetch4). */
INLINE struct stored_texel gather_4(const struct texel_source *src, enum texel_kind kind,
                                    const i32v row[2], const struct axis *x, const struct axis *y)
{
    static const uint8_t across[4] = {1, 0, 1, 0}, down[4] = {0, 1, 1, 0}; /* r, g, b, a */
    int channel = src->s->swizzle[0] < TEX_SWIZZLE_ZERO ? src->s->swizzle[0] : src->s->swizzle[3];
    struct stored_texel out;

    for (int c = 0; c < 4; c++) {
        m32v outside = m32v_or(x->outside[across[c]], y->outside[down[c]]);
        struct stored_texel texel = fetch(src, kind, row[down[c]], x->index[across[c]], outside);

        out.c[c] = texel.c[channel];
        if (!is_float(kind))
            out.c[c] = f32v_div_by(out.c[c], src->divisor[channel]);
    }
    return out;
}

/* --- Results ---------------------------------------------------------------------------------- */

INLINE void put_channels(const struct texel_source *src, enum texel_kind kind,
                         const struct stored_texel *stored, unsigned i, unsigned lanes,
                         float *const out[4])
{
    f32v value[6];

    value[TEX_SWIZZLE_ZERO] = f32v_zero();
    value[TEX_SWIZZLE_ONE] = f32v_set1(1.0f);
    UNROLL
    for (int c = 0; c < 4; c++) {
        if (c >= stored_channels(kind))
            continue;
        value[c] = stored->c[c];
        if (!is_float(kind) && !is_shadow(kind))
            value[c] = f32v_div_by(value[c], src->divisor[c]);
    }
    for (int c = 0; c < 4; c++)
        if (out[c])
            put(out[c] + i, value[src->s->swizzle[c]], lanes);
}

INLINE struct stored_texel sample_2d(const struct texel_source *src, enum texel_kind kind,
                                     enum tex_filter filter, const struct tex_level *level,
                                     const struct tex_coords *at, unsigned i)
{
    const uint8_t *mode = src->s->address;
    f32v u = f32v_load(at->axis[0] + i), v = f32v_load(at->axis[1] + i);
    i32v slice_offset = at->face_offset ? i32v_load(at->face_offset + i) : i32v_set1(0), row[2];
    struct axis x, y;

    if (filter == TEX_LINEAR_2D) {
        x = linear_axis(u, level->width, mode[0]);
        y = linear_axis(v, level->height, mode[1]);
    } else {
        x = point_axis(u, level->width, mode[0]);
        y = point_axis(v, level->height, mode[1]);
    }
    row[0] = i32v_add(slice_offset, times(y.index[0], level->row_pitch / 4));
    row[1] = i32v_add(slice_offset, times(y.index[1], level->row_pitch / 4));
    if (filter == TEX_LINEAR_2D)
        return bilinear(src, kind, row, &x, &y, m32v_none());
    if (filter == TEX_GATHER_2D)
        return gather_4(src, kind, row, &x, &y);
    return fetch(src, kind, row[0], x.index[0], m32v_or(x.outside[0], y.outside[0]));
}

INLINE struct stored_texel sample_3d(const struct texel_source *src, enum texel_kind kind,
                                     enum tex_filter filter, const struct tex_level *level,
                                     const struct tex_coords *at, unsigned i)
{
    const uint32_t size[3] = {level->width, level->height, level->depth};
    struct axis a[3];
    i32v row;

    for (int k = 0; k < 3; k++) {
        f32v t = f32v_load(at->axis[k] + i);

        a[k] = filter == TEX_LINEAR_3D ? linear_axis(t, size[k], src->s->address[k])
                                       : point_axis(t, size[k], src->s->address[k]);
    }
    if (filter == TEX_LINEAR_3D)
        return trilinear_3d(src, kind, level, a);
    row = i32v_add(times(a[2].index[0], level->slice_pitch / 4),
                   times(a[1].index[0], level->row_pitch / 4));
    return fetch(src, kind, row, a[0].index[0],
                 m32v_or(a[2].outside[0], m32v_or(a[0].outside[0], a[1].outside[0])));
}

INLINE void sample_level(enum texel_kind kind, enum tex_filter filter,
                         const struct tex_sampler_private *s, const struct tex_level *level,
                         const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    bool is_3d = filter == TEX_POINT_3D || filter == TEX_LINEAR_3D;
    struct texel_source src = {.s = s, .base = (const int32_t *)(const void *)level->data};

    for (int c = 0; c < 4; c++)
        src.divisor[c] = s->divisor[c];
    src.border = s->address[0] == D3DTADDRESS_BORDER || s->address[1] == D3DTADDRESS_BORDER ||
                 (is_3d && s->address[2] == D3DTADDRESS_BORDER);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS;
        struct stored_texel stored;

        if (!active)
            continue;
        src.reference = is_shadow(kind) ? f32v_load(at->reference + i) : f32v_zero();
        stored = is_3d ? sample_3d(&src, kind, filter, level, at, i)
                       : sample_2d(&src, kind, filter, level, at, i);
        if (filter == TEX_GATHER_2D) {
            for (int c = 0; c < 4; c++)
                put(out[c] ? out[c] + i : NULL, stored.c[c], active);
        } else {
            put_channels(&src, kind, &stored, i, active, out);
        }
    }
}

/* --- Instances of all kinds and filters ------------------------------------------------------- */

#define LEVEL_FN(kind, filter)                                                                     \
    static void kind##_##filter(const struct tex_sampler_private *s,                               \
                                const struct tex_level *level, const struct tex_coords *at,        \
                                uint64_t lanes, float *const out[4])                               \
    {                                                                                              \
        sample_level(TEXEL_##kind, TEX_##filter, s, level, at, lanes, out);                        \
    }
#define LEVEL_FNS_2D(kind) LEVEL_FN(kind, POINT_2D) LEVEL_FN(kind, LINEAR_2D)
#define LEVEL_FNS(kind) LEVEL_FNS_2D(kind) LEVEL_FN(kind, POINT_3D) LEVEL_FN(kind, LINEAR_3D)

/* Kinds of volumes and 2D textures, and kinds of 2D textures only. */
#define KINDS_3D(X)                                                                                \
    X(RGBA8)                                                                                       \
    X(RGBA8_SRGB)                                                                                  \
    X(PACKED16)                                                                                    \
    X(PACKED32)                                                                                    \
    X(PACKED16_SIGNED)                                                                             \
    X(PACKED32_SIGNED)                                                                             \
    X(RGBA16) X(R16F) X(RG16F) X(RGBA16F) X(R32F) X(RG32F) X(RGBA32F) X(PALETTE8) X(PALETTE16)
#define KINDS_2D(X) X(SHADOW16) X(SHADOW32) X(SHADOW_FLOAT32) X(SHADOW_FLOAT24)
/* Kinds of one-channel textures. */
#define KINDS_GATHER(X) X(RGBA8) X(RGBA8_SRGB) X(PACKED16) X(PACKED32) X(R16F) X(R32F)
#define GATHER_FN(kind) LEVEL_FN(kind, GATHER_2D)

KINDS_3D(LEVEL_FNS)
KINDS_2D(LEVEL_FNS_2D)
KINDS_GATHER(GATHER_FN)

#define ENTRY_2D(kind)                                                                             \
    [TEXEL_##kind][TEX_POINT_2D] = kind##_POINT_2D,                                                \
    [TEXEL_##kind][TEX_LINEAR_2D] = kind##_LINEAR_2D,
#define ENTRY_3D(kind)                                                                             \
    ENTRY_2D(kind)                                                                                 \
    [TEXEL_##kind][TEX_POINT_3D] = kind##_POINT_3D,                                                \
    [TEXEL_##kind][TEX_LINEAR_3D] = kind##_LINEAR_3D,
#define ENTRY_GATHER(kind) [TEXEL_##kind][TEX_GATHER_2D] = kind##_GATHER_2D,

const struct tex_sample_kern KERN_NAME(tex_sample_kern) = {
    .fn = {KINDS_3D(ENTRY_3D) KINDS_2D(ENTRY_2D) KINDS_GATHER(ENTRY_GATHER)},
};
