/* Points of a batch: the addresses of the texels of all lanes, for every address mode, and how
 * their words become results (reference: texture/point, texture/address, texture/border). Included
 * by sample kernels. */
#ifndef TEX_SAMPLE_POINTS_H
#define TEX_SAMPLE_POINTS_H

#include "tex/sample/lanes.h"
#include "tex/sample/results.h"
#include "tex/sample/rgba8.h"

INLINE unsigned lanes_at(uint64_t lanes, unsigned i)
{
    return (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS;
}

INLINE i32v face_at(const struct tex_coords *at, unsigned i)
{
    return at->face_offset ? i32v_load(at->face_offset + i) : i32v_set1(0);
}

/* --- Addresses -------------------------------------------------------------------------------- */

struct point_addr {
    /* Words from the level's start; texels of four words: bytes. */
    _Alignas(64) int32_t at[TEX_LANES];
    uint64_t outside; /* lanes that take the border colour */
};

/* Constants of a level. */
struct point_params {
    f32v size[2];   /* in 1/256 texels */
    i32v last[2];   /* texel */
    i32v pitch;     /* in texels */
    unsigned shift; /* texels to words; of four words: to bytes */
    bool bytes;
};

INLINE f32v mirrored(f32v t)
{
    f32v two = f32v_set1(2.0f), half = f32v_set1(0.5f);

    t = f32v_sub(t, f32v_mul_ftz_any(two, f32v_floor(f32v_mul_ftz_any(t, half))));
    return f32v_min(t, f32v_sub(two, t));
}

/* The texel of a coordinate, as point_axis has it. Conversions of NaN and of what is too large give
 * INT32_MIN, which lies outside. */
INLINE i32v point_texel(f32v t, f32v size, i32v last, unsigned mode, m32v *outside)
{
    i32v texel;

    switch (mode) {
    case D3DTADDRESS_WRAP:
        t = f32v_sub(t, f32v_floor(t));
        break;
    case D3DTADDRESS_MIRROR:
        t = mirrored(t);
        break;
    case D3DTADDRESS_MIRRORONCE:
        t = f32v_abs(t);
        break;
    }
    t = f32v_mul_ftz_any(t, size);
    if (mode == D3DTADDRESS_WRAP || mode == D3DTADDRESS_BORDER) {
        m32v beyond;

        texel = i32v_srl(f32v_to_i32_round(t), 8);
        beyond = i32v_lt(last, texel);
        if (mode == D3DTADDRESS_BORDER)
            *outside = m32v_or(*outside, beyond);
        return i32v_select(beyond, i32v_set1(0), texel);
    }
    /* f32v_max returns its second operand for a NaN. */
    t = f32v_min(f32v_max(t, f32v_zero()), size);
    return i32v_min_short(i32v_sra(f32v_to_i32_round(t), 8), last);
}

/* Stores the address of texel (x, y) of the lanes from i on. */
INLINE void put_address(struct point_addr *p, const struct point_params *params,
                        const struct tex_coords *at, unsigned i, i32v x, i32v y)
{
    x = i32v_sll(i32v_add(x, i32v_mul_short(y, params->pitch)), params->shift);
    if (at->face_offset) {
        i32v face = i32v_load(at->face_offset + i);

        x = i32v_add(x, params->bytes ? i32v_sll(face, 2) : face);
    }
    i32v_store(p->at + i, x);
}

/* Coordinates inside the level, which only WRAP changes. Returns false if others are among them. */
INLINE bool address_inside(struct point_addr *p, const struct point_params *params,
                           const bool wrap[2], const struct tex_coords *at, uint64_t lanes)
{
    i32v outside = i32v_set1(0);

    UNROLL
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v x, y;

        if (!lanes_at(lanes, i))
            continue;
        x = i32v_sra(inner_position(f32v_load(at->axis[0] + i), params->size[0], wrap[0]), 8);
        y = i32v_sra(inner_position(f32v_load(at->axis[1] + i), params->size[1], wrap[1]), 8);
        put_address(p, params, at, i, x, y);
        outside = i32v_or(
            outside, i32v_or(i32v_excess(x, params->last[0]), i32v_excess(y, params->last[1])));
    }
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

/* The common address modes get specialised code. */
INLINE bool try_address_inside(struct point_addr *p, const struct point_params *params,
                               const unsigned mode[2], const struct tex_coords *at, uint64_t lanes)
{
    const struct tex_coords one_face = {.axis = {at->axis[0], at->axis[1]}};
    const bool wrap[2] = {mode[0] == D3DTADDRESS_WRAP, mode[1] == D3DTADDRESS_WRAP};

    if (wrap[0] != wrap[1] || at->face_offset)
        return address_inside(p, params, wrap, at, lanes);
    if (wrap[0])
        return address_inside(p, params, (bool[]){true, true}, &one_face, lanes);
    return address_inside(p, params, (bool[]){false, false}, &one_face, lanes);
}

INLINE void address_anywhere(struct point_addr *p, const struct point_params *params,
                             const unsigned mode[2], const struct tex_coords *at, uint64_t lanes)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v outside = m32v_none();
        i32v x, y;

        if (!lanes_at(lanes, i))
            continue;
        x = point_texel(f32v_load(at->axis[0] + i), params->size[0], params->last[0], mode[0],
                        &outside);
        y = point_texel(f32v_load(at->axis[1] + i), params->size[1], params->last[1], mode[1],
                        &outside);
        put_address(p, params, at, i, x, y);
        p->outside |= (uint64_t)m32v_bits(outside) << i;
    }
}

/* Computes the addresses of texels of 2^log2_words words. */
INLINE void address_points_inline(struct point_addr *p, const struct tex_sampler_private *s,
                                  const struct tex_level *level, unsigned log2_words,
                                  const struct tex_coords *at, uint64_t lanes)
{
    const unsigned mode[2] = {s->address[0], s->address[1]};
    struct point_params params = {.shift = log2_words == 2 ? 4 : log2_words,
                                  .bytes = log2_words == 2};

    params.size[0] = f32v_set1((float)level->width * 256.0f);
    params.size[1] = f32v_set1((float)level->height * 256.0f);
    params.last[0] = i32v_set1((int32_t)level->width - 1);
    params.last[1] = i32v_set1((int32_t)level->height - 1);
    params.pitch = i32v_set1((int32_t)(level->row_pitch >> (log2_words + 2)));
    p->outside = 0;
    if (!try_address_inside(p, &params, mode, at, lanes))
        address_anywhere(p, &params, mode, at, lanes);
}

#if SIMD_LANES == 16
#define POINT_ADDRESSES static __attribute__((noinline, unused))
#else
#define POINT_ADDRESSES INLINE
#endif

/* A function of its own with 16 lanes, so that the addresses lie in memory: a load takes less time
 * than a word of a vector. */
POINT_ADDRESSES void address_points(struct point_addr *p, const struct tex_sampler_private *s,
                                    const struct tex_level *level, unsigned log2_words,
                                    const struct tex_coords *at, uint64_t lanes)
{
    address_points_inline(p, s, level, log2_words, at, lanes);
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Gives the border colour to lanes that take it. `code`: bit c is set if channel c is a code. */
INLINE void put_border_points(const struct point_addr *p, const struct tex_sampler_private *s,
                              unsigned code, unsigned i, f32v value[4])
{
    m32v outside;

    if (!lanes_at(p->outside, i))
        return;
    outside = m32v_from_bits(lanes_at(p->outside, i));
    for (unsigned c = 0; c < 4; c++) {
        float border = s->border[c];

        if (code >> c & 1)
            border /= s->divisor[c];
        value[c] = f32v_select(outside, f32v_set1(border), value[c]);
    }
}

/* Divides the four bytes of a word, lowest first, correctly rounded. */
INLINE void unpack_codes(i32v word, const struct tex_byte_divisors *d, f32v out[4])
{
    const i32v low = i32v_set1(TEX_CODE_FACTOR), high = i32v_set1(TEX_CODE_FACTOR << 16);
    i32v even = i32v_and(word, i32v_set1(0x00ff00ff)), odd = i32v_srl_16(word, 8);
    const i32v code[4] = {i32v_mullo_16(even, low), i32v_mullo_16(odd, low),
                          i32v_mullo_16(even, high), i32v_mullo_16(odd, high)};

    UNROLL
    for (unsigned c = 0; c < 4; c++)
        out[c] = f32v_mul_ftz_any(i32v_to_f32(code[c]), f32v_set1(d->scale[c]));
}

/* Blends the values of a level and the next. A weight of 0 returns the first one bit by bit. */
INLINE void blend_levels(f32v value[4], const f32v coarse[4], f32v weight)
{
    f32v rest = f32v_sub(f32v_set1(1.0f), weight);
    m32v none = f32v_eq(weight, f32v_zero());

    UNROLL
    for (unsigned c = 0; c < 4; c++)
        value[c] = f32v_select(none, value[c],
                               f32v_add(f32v_mul(value[c], rest), f32v_mul(coarse[c], weight)));
}

#endif
