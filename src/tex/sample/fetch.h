/* Texel fetch: loads a vector of texels and splits them into stored channels. Each layout has an
 * always-inline function, selected by a constant texel kind. Included by sample kernels. */
#ifndef TEX_SAMPLE_FETCH_H
#define TEX_SAMPLE_FETCH_H

#include "tex/sample/address.h"
#include "util/simd/gather_local.h"
#include "util/simd/half.h"

/* Inputs of a fetch besides addresses: the level's memory, the sampler with its border colour, and
 * the reference depth of shadow maps. */
struct texel_source {
    const struct tex_sampler_private *s;
    const int32_t *base;
    f32v reference;
    float divisor[4]; /* copied from the sampler, so that stores cannot alias it */
    bool border;
};

struct stored_texel {
    f32v c[4];
};

INLINE int stored_channels(enum texel_kind kind)
{
    switch (kind) {
    case TEXEL_R16F:
    case TEXEL_R32F:
    case TEXEL_SHADOW16:
    case TEXEL_SHADOW32:
    case TEXEL_SHADOW_FLOAT32:
    case TEXEL_SHADOW_FLOAT24:
        return 1;
    case TEXEL_RG16F:
    case TEXEL_RG32F:
        return 2;
    default:
        return 4;
    }
}

/* True if stored channels are values. Otherwise they are codes, which a division converts. */
INLINE bool is_float(enum texel_kind kind)
{
    return kind >= TEXEL_R16F && kind <= TEXEL_RGBA32F;
}
INLINE bool is_shadow(enum texel_kind kind)
{
    return kind >= TEXEL_SHADOW16;
}

INLINE m32v bit_is_set(i32v x, int32_t bit)
{
    return i32v_eq(i32v_and(x, i32v_set1(bit)), i32v_set1(bit));
}

/* Loads texels of one, two or four bytes into the low bits; the bits above hold neighbouring
 * texels. */
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

INLINE int texel_bytes(enum texel_kind kind)
{
    switch (kind) {
    case TEXEL_PALETTE8:
        return 1;
    case TEXEL_PACKED16:
    case TEXEL_PACKED16_SIGNED:
    case TEXEL_R16F:
    case TEXEL_PALETTE16:
    case TEXEL_SHADOW16:
        return 2;
    default:
        return 4;
    }
}

INLINE void split_8888(i32v w, struct stored_texel *out)
{
    i32v mask = i32v_set1(255);

    out->c[0] = i32v_to_f32(i32v_and(w, mask));
    out->c[1] = i32v_to_f32(i32v_and(i32v_srl(w, 8), mask));
    out->c[2] = i32v_to_f32(i32v_and(i32v_srl(w, 16), mask));
    out->c[3] = i32v_to_f32(i32v_srl(w, 24));
}

INLINE void split_8888_srgb(const struct tex_sampler_private *s, i32v w, struct stored_texel *out)
{
    i32v mask = i32v_set1(255);

    out->c[0] = f32v_gather(s->srgb_to_linear[0], i32v_and(w, mask));
    out->c[1] = f32v_gather(s->srgb_to_linear[1], i32v_and(i32v_srl(w, 8), mask));
    out->c[2] = f32v_gather(s->srgb_to_linear[2], i32v_and(i32v_srl(w, 16), mask));
    out->c[3] = i32v_to_f32(i32v_srl(w, 24));
}

INLINE void split_word(const struct tex_sampler_private *s, i32v w, struct stored_texel *out)
{
    UNROLL
    for (int c = 0; c < 4; c++) {
        i32v code = i32v_and(i32v_srl(w, s->shift[c]), i32v_set1(s->mask[c]));

        if (s->mask[c])
            out->c[c] = i32v_to_f32(code);
    }
}

INLINE void split_signed(const struct tex_sampler_private *s, i32v w, struct stored_texel *out)
{
    UNROLL
    for (int c = 0; c < 4; c++) {
        i32v code = i32v_and(i32v_srl(w, s->shift[c]), i32v_set1(s->mask[c]));

        if (!s->mask[c])
            continue;
        if (s->signed_mask >> c & 1)
            code = i32v_sra(i32v_sll(w, s->shl[c]), s->sra[c]);
        out->c[c] = f32v_max(i32v_to_f32(code), f32v_set1(-s->divisor[c]));
    }
}

INLINE f32v float24_to_f32(i32v code)
{
    i32v exponent = i32v_srl(code, 20), fraction = i32v_and(code, i32v_set1(0xfffff));
    i32v normal = i32v_or(i32v_sll(i32v_add(exponent, i32v_set1(112)), 23), i32v_sll(fraction, 3));
    f32v denormal = f32v_mul_ftz_any(i32v_to_f32(fraction), f32v_set1(0x1p-34f));

    return f32v_select(i32v_eq(exponent, i32v_set1(0)), denormal, i32v_as_f32(normal));
}

INLINE f32v unsigned_to_f32(i32v code, uint32_t largest)
{
    f32v high;

    if (largest < 1 << 24)
        return i32v_to_f32(code);
    high = f32v_mul_ftz_any(i32v_to_f32(i32v_srl(code, 16)), f32v_set1(65536.0f));
    return f32v_add(high, i32v_to_f32(i32v_and(code, i32v_set1(0xffff))));
}

INLINE f32v shadow_compare(const struct texel_source *src, enum texel_kind kind, i32v w)
{
    const struct tex_sampler_private *s = src->s;
    i32v code = i32v_and(i32v_srl(w, s->shift[0]), i32v_set1(s->mask[0]));
    f32v depth;

    if (kind == TEXEL_SHADOW_FLOAT32)
        depth = i32v_as_f32(w);
    else if (kind == TEXEL_SHADOW_FLOAT24)
        depth = float24_to_f32(code);
    else
        depth = f32v_div_by(unsigned_to_f32(code, (uint32_t)s->mask[0]), src->divisor[0]);
    return f32v_where(f32v_le(src->reference, depth), f32v_set1(1.0f));
}

/* Flushes denormals to zero. It works on the bits, because compilers may remove arithmetic that
 * flushes them, such as adding zero. */
INLINE f32v float_texel(i32v w)
{
    m32v denormal = i32v_eq(i32v_and(w, i32v_set1(0x7f800000)), i32v_set1(0));

    return i32v_as_f32(i32v_select(denormal, i32v_and(w, i32v_set1(INT32_MIN)), w));
}

INLINE void split_16_16(i32v w, f32v *low, f32v *high)
{
    *low = i32v_to_f32(i32v_and(w, i32v_set1(0xffff)));
    *high = i32v_to_f32(i32v_srl(w, 16));
}

/* Loads words `word` and `word` + 1 of texels of 2^log2_words words. */
INLINE void multiword_pair(const int32_t *base, i32v row, i32v x, int log2_words, int word,
                           i32v *first, i32v *second)
{
    if (log2_words == 1)
        i32v_gather_pair_local(base, i32v_add(row, i32v_sll(x, 1)), first, second);
    else
        i32v_gather_pair(base + word, i32v_add(row, i32v_sll(x, log2_words)), first, second);
}

INLINE void fetch_multiword(const int32_t *base, enum texel_kind kind, i32v row, i32v x,
                            struct stored_texel *out)
{
    i32v w[4];

    multiword_pair(base, row, x, kind == TEXEL_RGBA32F ? 2 : 1, 0, &w[0], &w[1]);
    if (kind == TEXEL_RGBA32F)
        multiword_pair(base, row, x, 2, 2, &w[2], &w[3]);
    switch (kind) {
    case TEXEL_RGBA16:
        split_16_16(w[0], &out->c[0], &out->c[1]);
        split_16_16(w[1], &out->c[2], &out->c[3]);
        break;
    case TEXEL_RGBA16F:
        halves_to_f32(w[0], &out->c[0], &out->c[1]);
        halves_to_f32(w[1], &out->c[2], &out->c[3]);
        break;
    default:
        UNROLL
        for (int c = 0; c < 4; c++)
            if (c < stored_channels(kind))
                out->c[c] = float_texel(w[c]);
    }
}

INLINE void fetch_narrow(const struct texel_source *src, enum texel_kind kind, i32v w,
                         struct stored_texel *out)
{
    const struct tex_sampler_private *s = src->s;
    i32v colour;

    switch (kind) {
    case TEXEL_RGBA8:
        split_8888(w, out);
        break;
    case TEXEL_RGBA8_SRGB:
        split_8888_srgb(s, w, out);
        break;
    case TEXEL_PACKED16:
    case TEXEL_PACKED32:
        split_word(s, w, out);
        break;
    case TEXEL_PACKED16_SIGNED:
    case TEXEL_PACKED32_SIGNED:
        split_signed(s, w, out);
        break;
    case TEXEL_R16F:
        out->c[0] = half_to_f32(w);
        break;
    case TEXEL_RG16F:
        halves_to_f32(w, &out->c[0], &out->c[1]);
        break;
    case TEXEL_R32F:
        out->c[0] = float_texel(w);
        break;
    case TEXEL_PALETTE8:
    case TEXEL_PALETTE16:
        colour =
            i32v_gather((const int32_t *)(const void *)s->palette, i32v_and(w, i32v_set1(255)));
        split_8888(colour, out);
        if (kind == TEXEL_PALETTE16)
            out->c[3] = i32v_to_f32(i32v_and(i32v_srl(w, 8), i32v_set1(255)));
        break;
    default:
        out->c[0] = shadow_compare(src, kind, w);
    }
}

INLINE bool is_multiword(enum texel_kind kind)
{
    return kind == TEXEL_RGBA16 || kind == TEXEL_RGBA16F || kind == TEXEL_RG32F ||
           kind == TEXEL_RGBA32F;
}

INLINE void put_border(const struct texel_source *src, enum texel_kind kind, m32v outside,
                       struct stored_texel *out)
{
    if (!src->border)
        return;
    UNROLL
    for (int c = 0; c < 4; c++) {
        f32v border = f32v_set1(src->s->border[c]);

        if (c >= stored_channels(kind))
            continue;
        if (is_shadow(kind))
            border = f32v_where(f32v_le(src->reference, border), f32v_set1(1.0f));
        out->c[c] = f32v_select(outside, border, out->c[c]);
    }
}

INLINE struct stored_texel no_texel(void)
{
    return (struct stored_texel){{f32v_zero(), f32v_zero(), f32v_zero(), f32v_zero()}};
}

INLINE struct stored_texel fetch(const struct texel_source *src, enum texel_kind kind, i32v row,
                                 i32v x, m32v outside)
{
    struct stored_texel out = no_texel();

    if (is_multiword(kind))
        fetch_multiword(src->base, kind, row, x, &out);
    else
        fetch_narrow(src, kind, narrow_texel(src->base, row, x, texel_bytes(kind)), &out);
    put_border(src, kind, outside, &out);
    return out;
}

/* Loads the texels at x and x + 1 with one load; their upper bits are as in narrow_texel. May read
 * one word past the row. */
INLINE void narrow_pair(const int32_t *base, i32v row, i32v x, int bytes, i32v *left, i32v *right)
{
    i32v first, second, both;

    if (bytes == 4) {
        i32v_gather_pair(base, i32v_add(row, x), left, right);
        return;
    }
    i32v_gather_pair(base, i32v_add(row, i32v_srl(x, bytes == 2 ? 1 : 2)), &first, &second);
    both = i32v_or(i32v_srl(first, 16), i32v_sll(second, 16));
    if (bytes == 2) {
        *left = i32v_select(bit_is_set(x, 1), both, first);
        *right = i32v_select(bit_is_set(x, 1), second, both);
        return;
    }
    both = i32v_select(bit_is_set(x, 2), both, first);
    *left = i32v_select(bit_is_set(x, 1), i32v_srl(both, 8), both);
    *right = i32v_select(bit_is_set(x, 1), i32v_srl(both, 16), i32v_srl(both, 8));
}

/* Loads two neighbours along x. At an edge, where they are not adjacent, the second texel needs its
 * own load. */
INLINE void fetch_pair(const struct texel_source *src, enum texel_kind kind, i32v row,
                       const i32v x[2], const m32v outside[2], struct stored_texel out[2])
{
    i32v left, right;

    if (is_multiword(kind)) {
        out[0] = fetch(src, kind, row, x[0], outside[0]);
        out[1] = fetch(src, kind, row, x[1], outside[1]);
        return;
    }
    narrow_pair(src->base, row, x[0], texel_bytes(kind), &left, &right);
    if (!m32v_every(i32v_eq(x[1], i32v_add(x[0], i32v_set1(1)))))
        right = narrow_texel(src->base, row, x[1], texel_bytes(kind));
    out[0] = out[1] = no_texel();
    fetch_narrow(src, kind, left, &out[0]);
    fetch_narrow(src, kind, right, &out[1]);
    put_border(src, kind, outside[0], &out[0]);
    put_border(src, kind, outside[1], &out[1]);
}

#endif
