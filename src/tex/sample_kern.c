/* Samples one level of a texture: addressing, fetching and filtering of texels (reference:
 * textures/addressing, textures/filtering).
 *
 * Each kind of texel times each filter is one function, made from the always-inline parts below
 * with constant arguments. */
#include "tex/sample_private.h"

#include "util/simd.h"

#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 4")
#endif

/* --- Addressing ------------------------------------------------------------------------------------- */

/* Two neighbouring texels along one axis, inside the level, and their weights. */
struct axis {
    i32v index[2];
    f32v weight[2];
    m32v outside[2]; /* meaningful with D3DTADDRESS_BORDER only */
};

/* The coordinate in 1/256 texels, rounded to nearest even; 0 … size * 256 except with BORDER. */
INLINE i32v fixed_position(f32v t, uint32_t size, unsigned mode)
{
    f32v top = f32v_set1((float)size * 256.0f), low = f32v_zero(), high = top;
    f32v two = f32v_set1(2.0f), half = f32v_set1(0.5f), margin = f32v_set1(512.0f);

    switch (mode) {
    case D3DTADDRESS_WRAP:
        t = f32v_sub(t, f32v_floor(t));
        break;
    case D3DTADDRESS_MIRROR:
        t = f32v_sub(t, f32v_mul(two, f32v_floor(f32v_mul(t, half))));
        t = f32v_min(t, f32v_sub(two, t));
        break;
    case D3DTADDRESS_MIRRORONCE:
        t = f32v_abs(t);
        break;
    case D3DTADDRESS_BORDER:
        low = f32v_neg(margin);
        high = f32v_add(top, margin);
        break;
    }
    /* f32v_max yields its second operand for a NaN: nothing unbounded comes through. */
    return f32v_to_i32_round(f32v_min(f32v_max(f32v_mul(t, top), low), high));
}

INLINE i32v bring_inside(i32v index, uint32_t size, unsigned mode, m32v *outside)
{
    i32v zero = i32v_set1(0), last = i32v_set1((int32_t)size - 1);

    if (mode == D3DTADDRESS_WRAP) {
        index = i32v_select(i32v_lt(last, index), zero, index);
        return i32v_select(i32v_lt(index, zero), last, index);
    }
    if (mode == D3DTADDRESS_BORDER)
        *outside = m32v_or(i32v_lt(index, zero), i32v_lt(last, index));
    return i32v_max(i32v_min(index, last), zero);
}

INLINE struct axis point_axis(f32v t, uint32_t size, unsigned mode)
{
    struct axis a;
    i32v index = i32v_sra(fixed_position(t, size, mode), 8);

    a.outside[0] = a.outside[1] = m32v_none();
    a.weight[0] = a.weight[1] = f32v_zero();
    a.index[0] = bring_inside(index, size, mode, &a.outside[0]);
    a.index[1] = bring_inside(i32v_add(index, i32v_set1(1)), size, mode, &a.outside[1]);
    return a;
}

INLINE struct axis linear_axis(f32v t, uint32_t size, unsigned mode)
{
    struct axis a;
    i32v position = i32v_sub(fixed_position(t, size, mode), i32v_set1(128));
    i32v index = i32v_sra(position, 8);
    f32v fraction = i32v_to_f32(i32v_and(position, i32v_set1(255)));

    a.outside[0] = a.outside[1] = m32v_none();
    a.weight[1] = f32v_mul(fraction, f32v_set1(1.0f / 256.0f)); /* exact, and so is 1 - it */
    a.weight[0] = f32v_sub(f32v_set1(1.0f), a.weight[1]);
    a.index[0] = bring_inside(index, size, mode, &a.outside[0]);
    a.index[1] = bring_inside(i32v_add(index, i32v_set1(1)), size, mode, &a.outside[1]);
    return a;
}

/* --- Fetching --------------------------------------------------------------------------------------- */

/* Where texels come from: a row of words, and what to put for those outside. */
struct source {
    const struct tex_sampler_private *s;
    const int32_t *base;
    f32v reference;
    bool border;
};

struct raw {
    f32v c[4];
};

INLINE int raw_channels(enum tex_kind kind)
{
    switch (kind) {
    case TEX_KIND_HALF1:
    case TEX_KIND_FLOAT1:
    case TEX_KIND_SHADOW16:
    case TEX_KIND_SHADOW32:
    case TEX_KIND_SHADOW_FLOAT32:
    case TEX_KIND_SHADOW_FLOAT24:
        return 1;
    case TEX_KIND_HALF2:
    case TEX_KIND_FLOAT2:
        return 2;
    default:
        return 4;
    }
}

/* Raw channels that are values already, not codes to be divided. */
INLINE bool is_float(enum tex_kind kind)
{
    return kind >= TEX_KIND_HALF1 && kind <= TEX_KIND_FLOAT4;
}
INLINE bool is_shadow(enum tex_kind kind)
{
    return kind >= TEX_KIND_SHADOW16;
}

INLINE m32v bit_is_set(i32v x, int32_t bit)
{
    return i32v_eq(i32v_and(x, i32v_set1(bit)), i32v_set1(bit));
}

/* The texel in the low bits; bits above it are those of its neighbours. */
INLINE i32v narrow_texel(const int32_t *base, i32v row, i32v x, int bytes)
{
    i32v w;

    if (bytes == 4)
        return i32v_gather(base, i32v_add(row, x));
    if (bytes == 2) {
        w = i32v_gather(base, i32v_add(row, i32v_srl(x, 1)));
        return i32v_select(bit_is_set(x, 1), i32v_srl(w, 16), w);
    }
    w = i32v_gather(base, i32v_add(row, i32v_srl(x, 2)));
    w = i32v_select(bit_is_set(x, 2), i32v_srl(w, 16), w);
    return i32v_select(bit_is_set(x, 1), i32v_srl(w, 8), w);
}

INLINE int texel_bytes(enum tex_kind kind)
{
    switch (kind) {
    case TEX_KIND_WORD8:
    case TEX_KIND_WORD8_SRGB:
    case TEX_KIND_PALETTE8:
        return 1;
    case TEX_KIND_WORD16:
    case TEX_KIND_WORD16_SRGB:
    case TEX_KIND_SIGNED16:
    case TEX_KIND_HALF1:
    case TEX_KIND_PALETTE16:
    case TEX_KIND_SHADOW16:
        return 2;
    default:
        return 4;
    }
}

INLINE void split_8888(i32v w, struct raw *out)
{
    i32v mask = i32v_set1(255);

    out->c[0] = i32v_to_f32(i32v_and(w, mask));
    out->c[1] = i32v_to_f32(i32v_and(i32v_srl(w, 8), mask));
    out->c[2] = i32v_to_f32(i32v_and(i32v_srl(w, 16), mask));
    out->c[3] = i32v_to_f32(i32v_srl(w, 24));
}

INLINE void split_8888_srgb(const struct tex_sampler_private *s, i32v w, struct raw *out)
{
    i32v mask = i32v_set1(255);

    out->c[0] = f32v_gather(s->linear[0], i32v_and(w, mask));
    out->c[1] = f32v_gather(s->linear[1], i32v_and(i32v_srl(w, 8), mask));
    out->c[2] = f32v_gather(s->linear[2], i32v_and(i32v_srl(w, 16), mask));
    out->c[3] = i32v_to_f32(i32v_srl(w, 24));
}

INLINE void split_word(const struct tex_sampler_private *s, i32v w, bool srgb, struct raw *out)
{
    UNROLL
    for (int c = 0; c < 4; c++) {
        i32v code = i32v_and(i32v_srl(w, s->shift[c]), i32v_set1(s->mask[c]));

        if (!s->mask[c])
            continue;
        out->c[c] = srgb && c < 3 ? f32v_gather(s->linear[c], code) : i32v_to_f32(code);
    }
}

INLINE void split_signed(const struct tex_sampler_private *s, i32v w, struct raw *out)
{
    UNROLL
    for (int c = 0; c < 4; c++) {
        i32v code = i32v_and(i32v_srl(w, s->shift[c]), i32v_set1(s->mask[c]));

        if (!s->mask[c])
            continue;
        if (s->signed_mask >> c & 1)
            code = i32v_sra(i32v_sll(w, s->up[c]), s->down[c]);
        out->c[c] = f32v_max(i32v_to_f32(code), f32v_set1(-s->divisor[c]));
    }
}

INLINE f32v half_to_f32(i32v h)
{
    const int32_t rebias = 112 << 23;
    i32v magnitude = i32v_and(h, i32v_set1(0x7fff));
    i32v sign = i32v_sll(i32v_and(h, i32v_set1(0x8000)), 16);
    i32v normal = i32v_add(i32v_sll(magnitude, 13), i32v_set1(rebias));
    f32v denormal = f32v_mul(i32v_to_f32(magnitude), f32v_set1(0x1p-24f));

    normal = i32v_select(i32v_lt(i32v_set1(0x7bff), magnitude),
                         i32v_add(normal, i32v_set1(rebias)), normal);
    normal = i32v_select(i32v_lt(magnitude, i32v_set1(0x400)), f32v_bits(denormal), normal);
    return i32v_as_f32(i32v_or(normal, sign));
}

INLINE f32v float24_to_f32(i32v code)
{
    i32v exponent = i32v_srl(code, 20), fraction = i32v_and(code, i32v_set1(0xfffff));
    i32v normal = i32v_or(i32v_sll(i32v_add(exponent, i32v_set1(112)), 23), i32v_sll(fraction, 3));
    f32v denormal = f32v_mul(i32v_to_f32(fraction), f32v_set1(0x1p-34f));

    return f32v_select(i32v_eq(exponent, i32v_set1(0)), denormal, i32v_as_f32(normal));
}

INLINE f32v unsigned_to_f32(i32v code)
{
    f32v high = f32v_mul(i32v_to_f32(i32v_srl(code, 16)), f32v_set1(65536.0f));

    return f32v_add(high, i32v_to_f32(i32v_and(code, i32v_set1(0xffff))));
}

INLINE f32v lit(const struct source *src, enum tex_kind kind, i32v w)
{
    const struct tex_sampler_private *s = src->s;
    i32v code = i32v_and(i32v_srl(w, s->shift[0]), i32v_set1(s->mask[0]));
    f32v depth;

    if (kind == TEX_KIND_SHADOW_FLOAT32)
        depth = i32v_as_f32(w);
    else if (kind == TEX_KIND_SHADOW_FLOAT24)
        depth = float24_to_f32(code);
    else
        depth = f32v_div(unsigned_to_f32(code), f32v_set1(s->divisor[0]));
    return f32v_where(f32v_le(src->reference, depth), f32v_set1(1.0f));
}

INLINE i32v wide_texel(const int32_t *base, i32v row, i32v x, int log2_words, int word)
{
    return i32v_gather(base + word, i32v_add(row, i32v_sll(x, log2_words)));
}

INLINE void split_16_16(i32v w, f32v *low, f32v *high)
{
    *low = i32v_to_f32(i32v_and(w, i32v_set1(0xffff)));
    *high = i32v_to_f32(i32v_srl(w, 16));
}

INLINE void split_halves(i32v w, f32v *low, f32v *high)
{
    *low = half_to_f32(w);
    *high = half_to_f32(i32v_srl(w, 16));
}

INLINE void fetch_wide(const int32_t *base, enum tex_kind kind, i32v row, i32v x, struct raw *out)
{
    switch (kind) {
    case TEX_KIND_WORD64:
        split_16_16(wide_texel(base, row, x, 1, 0), &out->c[0], &out->c[1]);
        split_16_16(wide_texel(base, row, x, 1, 1), &out->c[2], &out->c[3]);
        break;
    case TEX_KIND_HALF4:
        split_halves(wide_texel(base, row, x, 1, 0), &out->c[0], &out->c[1]);
        split_halves(wide_texel(base, row, x, 1, 1), &out->c[2], &out->c[3]);
        break;
    case TEX_KIND_FLOAT2:
        out->c[0] = i32v_as_f32(wide_texel(base, row, x, 1, 0));
        out->c[1] = i32v_as_f32(wide_texel(base, row, x, 1, 1));
        break;
    default:
        UNROLL
        for (int c = 0; c < 4; c++)
            out->c[c] = i32v_as_f32(wide_texel(base, row, x, 2, c));
    }
}

INLINE void fetch_narrow(const struct source *src, enum tex_kind kind, i32v w, struct raw *out)
{
    const struct tex_sampler_private *s = src->s;
    i32v colour;

    switch (kind) {
    case TEX_KIND_BYTES:
        split_8888(w, out);
        break;
    case TEX_KIND_BYTES_SRGB:
        split_8888_srgb(s, w, out);
        break;
    case TEX_KIND_WORD8:
    case TEX_KIND_WORD16:
    case TEX_KIND_WORD32:
        split_word(s, w, false, out);
        break;
    case TEX_KIND_WORD8_SRGB:
    case TEX_KIND_WORD16_SRGB:
        split_word(s, w, true, out);
        break;
    case TEX_KIND_SIGNED16:
    case TEX_KIND_SIGNED32:
        split_signed(s, w, out);
        break;
    case TEX_KIND_HALF1:
        out->c[0] = half_to_f32(w);
        break;
    case TEX_KIND_HALF2:
        split_halves(w, &out->c[0], &out->c[1]);
        break;
    case TEX_KIND_FLOAT1:
        out->c[0] = i32v_as_f32(w);
        break;
    case TEX_KIND_PALETTE8:
    case TEX_KIND_PALETTE16:
        colour = i32v_gather((const int32_t *)(const void *)s->palette, i32v_and(w, i32v_set1(255)));
        split_8888(colour, out);
        if (kind == TEX_KIND_PALETTE16)
            out->c[3] = i32v_to_f32(i32v_and(i32v_srl(w, 8), i32v_set1(255)));
        break;
    default:
        out->c[0] = lit(src, kind, w);
    }
}

INLINE struct raw fetch(const struct source *src, enum tex_kind kind, i32v row, i32v x, m32v outside)
{
    struct raw out = {{f32v_zero(), f32v_zero(), f32v_zero(), f32v_zero()}};
    int n = raw_channels(kind);

    if (kind == TEX_KIND_WORD64 || kind == TEX_KIND_HALF4 || kind == TEX_KIND_FLOAT2 ||
        kind == TEX_KIND_FLOAT4)
        fetch_wide(src->base, kind, row, x, &out);
    else
        fetch_narrow(src, kind, narrow_texel(src->base, row, x, texel_bytes(kind)), &out);
    if (!src->border)
        return out;
    for (int c = 0; c < n; c++) {
        f32v border = f32v_set1(src->s->border[c]);

        if (is_shadow(kind))
            border = f32v_where(f32v_le(src->reference, border), f32v_set1(1.0f));
        out.c[c] = f32v_select(outside, border, out.c[c]);
    }
    return out;
}

/* --- Filtering -------------------------------------------------------------------------------------- */

/* A texel of no weight does not count, even if it is an infinity or NaN. */
INLINE f32v weigh(enum tex_kind kind, f32v value, f32v weight)
{
    f32v product = f32v_mul(value, weight);

    if (!is_float(kind))
        return product;
    return f32v_where(f32v_ne(weight, f32v_zero()), product);
}

INLINE void blend(enum tex_kind kind, struct raw *a, const struct raw *b, const f32v weight[2])
{
    UNROLL
    for (int c = 0; c < 4; c++)
        if (c < raw_channels(kind))
            a->c[c] = f32v_add(weigh(kind, a->c[c], weight[0]), weigh(kind, b->c[c], weight[1]));
}

INLINE struct raw bilinear(const struct source *src, enum tex_kind kind, const i32v row[2],
                           const struct axis *x, const struct axis *y, m32v outside)
{
    struct raw top, bottom, right;
    m32v out[2][2];

    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            out[j][i] = m32v_or(outside, m32v_or(y->outside[j], x->outside[i]));
    top = fetch(src, kind, row[0], x->index[0], out[0][0]);
    right = fetch(src, kind, row[0], x->index[1], out[0][1]);
    blend(kind, &top, &right, x->weight);
    bottom = fetch(src, kind, row[1], x->index[0], out[1][0]);
    right = fetch(src, kind, row[1], x->index[1], out[1][1]);
    blend(kind, &bottom, &right, x->weight);
    blend(kind, &top, &bottom, y->weight);
    return top;
}

INLINE i32v times(i32v index, uint32_t words)
{
    return i32v_mul(index, i32v_set1((int32_t)words));
}

INLINE struct raw trilinear_3d(const struct source *src, enum tex_kind kind,
                               const struct tex_level *level, const struct axis a[3])
{
    struct raw slice[2];

    UNROLL
    for (int k = 0; k < 2; k++) {
        i32v plane = times(a[2].index[k], level->slice_pitch / 4), row[2];

        row[0] = i32v_add(plane, times(a[1].index[0], level->row_pitch / 4));
        row[1] = i32v_add(plane, times(a[1].index[1], level->row_pitch / 4));
        slice[k] = bilinear(src, kind, row, &a[0], &a[1], a[2].outside[k]);
    }
    blend(kind, &slice[0], &slice[1], a[2].weight);
    return slice[0];
}

/* Fetch4: the four texels of a footprint, of the one channel there is (reference: textures/fetch4). */
INLINE struct raw gather_4(const struct source *src, enum tex_kind kind, const i32v row[2],
                           const struct axis *x, const struct axis *y)
{
    static const uint8_t across[4] = {1, 0, 1, 0}, down[4] = {0, 1, 1, 0}; /* r, g, b, a */
    int channel = src->s->from[0] < TEX_RAW_ZERO ? src->s->from[0] : src->s->from[3];
    struct raw out;

    for (int c = 0; c < 4; c++) {
        m32v outside = m32v_or(x->outside[across[c]], y->outside[down[c]]);
        struct raw texel = fetch(src, kind, row[down[c]], x->index[across[c]], outside);

        out.c[c] = texel.c[channel];
        if (!is_float(kind))
            out.c[c] = f32v_div(out.c[c], f32v_set1(src->s->divisor[channel]));
    }
    return out;
}

/* --- Results ---------------------------------------------------------------------------------------- */

INLINE void put(float *out, f32v value, unsigned lanes)
{
    if (!out)
        return;
    if (lanes != (unsigned)SIMD_ALL_BITS)
        value = f32v_select(m32v_from_bits(lanes), value, f32v_load(out));
    f32v_store(out, value);
}

INLINE void put_channels(const struct tex_sampler_private *s, enum tex_kind kind,
                         const struct raw *raw, unsigned i, unsigned lanes, float *const out[4])
{
    f32v value[6];

    value[TEX_RAW_ZERO] = f32v_zero();
    value[TEX_RAW_ONE] = f32v_set1(1.0f);
    UNROLL
    for (int c = 0; c < 4; c++) {
        if (c >= raw_channels(kind))
            continue;
        value[c] = raw->c[c];
        if (!is_float(kind) && !is_shadow(kind))
            value[c] = f32v_div(value[c], f32v_set1(s->divisor[c]));
    }
    for (int c = 0; c < 4; c++)
        if (out[c])
            put(out[c] + i, value[s->from[c]], lanes);
}

INLINE struct raw sample_2d(const struct source *src, enum tex_kind kind, enum tex_filter filter,
                            const struct tex_level *level, const struct tex_coords *at, unsigned i)
{
    const uint8_t *mode = src->s->address;
    f32v u = f32v_load(at->axis[0] + i), v = f32v_load(at->axis[1] + i);
    i32v plane = at->face_word ? i32v_load(at->face_word + i) : i32v_set1(0), row[2];
    struct axis x, y;

    if (filter == TEX_LINEAR_2D) {
        x = linear_axis(u, level->width, mode[0]);
        y = linear_axis(v, level->height, mode[1]);
    } else {
        x = point_axis(u, level->width, mode[0]);
        y = point_axis(v, level->height, mode[1]);
    }
    row[0] = i32v_add(plane, times(y.index[0], level->row_pitch / 4));
    row[1] = i32v_add(plane, times(y.index[1], level->row_pitch / 4));
    if (filter == TEX_LINEAR_2D)
        return bilinear(src, kind, row, &x, &y, m32v_none());
    if (filter == TEX_GATHER_2D)
        return gather_4(src, kind, row, &x, &y);
    return fetch(src, kind, row[0], x.index[0], m32v_or(x.outside[0], y.outside[0]));
}

INLINE struct raw sample_3d(const struct source *src, enum tex_kind kind, enum tex_filter filter,
                            const struct tex_level *level, const struct tex_coords *at, unsigned i)
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

INLINE void sample_level(enum tex_kind kind, enum tex_filter filter,
                         const struct tex_sampler_private *s, const struct tex_level *level,
                         const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    bool is_3d = filter == TEX_POINT_3D || filter == TEX_LINEAR_3D;
    struct source src = {.s = s, .base = (const int32_t *)(const void *)level->data};

    src.border = s->address[0] == D3DTADDRESS_BORDER || s->address[1] == D3DTADDRESS_BORDER ||
                 (is_3d && s->address[2] == D3DTADDRESS_BORDER);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned some = (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS;
        struct raw raw;

        if (!some)
            continue;
        src.reference = is_shadow(kind) ? f32v_load(at->reference + i) : f32v_zero();
        raw = is_3d ? sample_3d(&src, kind, filter, level, at, i)
                    : sample_2d(&src, kind, filter, level, at, i);
        if (filter == TEX_GATHER_2D) {
            for (int c = 0; c < 4; c++)
                put(out[c] ? out[c] + i : NULL, raw.c[c], some);
        } else {
            put_channels(s, kind, &raw, i, some, out);
        }
    }
}

/* --- All kinds times all filters -------------------------------------------------------------------- */

#define LEVEL_FN(kind, filter)                                                                     \
    static void kind##_##filter(const struct tex_sampler_private *s,                               \
                                const struct tex_level *level, const struct tex_coords *at,        \
                                uint64_t lanes, float *const out[4])                               \
    {                                                                                              \
        sample_level(TEX_KIND_##kind, TEX_##filter, s, level, at, lanes, out);                     \
    }
#define LEVEL_FNS_2D(kind) LEVEL_FN(kind, POINT_2D) LEVEL_FN(kind, LINEAR_2D)
#define LEVEL_FNS(kind) LEVEL_FNS_2D(kind) LEVEL_FN(kind, POINT_3D) LEVEL_FN(kind, LINEAR_3D)

/* Kinds of textures that may be volumes, and those that may not. */
#define KINDS_3D(X)                                                                                \
    X(BYTES) X(BYTES_SRGB) X(WORD8) X(WORD16) X(WORD32) X(WORD8_SRGB) X(WORD16_SRGB) X(SIGNED16)     \
    X(SIGNED32) X(WORD64) X(HALF1) X(HALF2) X(HALF4) X(FLOAT1) X(FLOAT2) X(FLOAT4) X(PALETTE8)     \
    X(PALETTE16)
#define KINDS_2D(X) X(SHADOW16) X(SHADOW32) X(SHADOW_FLOAT32) X(SHADOW_FLOAT24)
/* Kinds of textures with one channel. */
#define KINDS_GATHER(X) X(BYTES) X(WORD8) X(WORD16) X(WORD32) X(HALF1) X(FLOAT1)
#define GATHER_FN(kind) LEVEL_FN(kind, GATHER_2D)

KINDS_3D(LEVEL_FNS)
KINDS_2D(LEVEL_FNS_2D)
KINDS_GATHER(GATHER_FN)

#define ENTRY_2D(kind)                                                                             \
    [TEX_KIND_##kind][TEX_POINT_2D] = kind##_POINT_2D,                                             \
    [TEX_KIND_##kind][TEX_LINEAR_2D] = kind##_LINEAR_2D,
#define ENTRY_3D(kind)                                                                             \
    ENTRY_2D(kind)[TEX_KIND_##kind][TEX_POINT_3D] = kind##_POINT_3D,                               \
                   [TEX_KIND_##kind][TEX_LINEAR_3D] = kind##_LINEAR_3D,
#define ENTRY_GATHER(kind) [TEX_KIND_##kind][TEX_GATHER_2D] = kind##_GATHER_2D,

const struct tex_level_kern KERN_NAME(tex_level_kern) = {
    .fn = {KINDS_3D(ENTRY_3D) KINDS_2D(ENTRY_2D) KINDS_GATHER(ENTRY_GATHER)},
};
