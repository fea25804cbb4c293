/* Texel address generation for a batch of samples. It computes all addresses before the first load,
 * so that index loads do not stall on recent stores. Included by sample kernels. */
#ifndef TEX_SAMPLE_TEXEL_ADDR_H
#define TEX_SAMPLE_TEXEL_ADDR_H

#include "tex/sample/address.h"

/* Addresses of the four texels of each lane. Offsets are in words, weights in 1/256. */
struct texel_addr {
    /* Offsets of the left texels of the upper and lower row from the level's start. */
    _Alignas(64) int32_t row[2][TEX_LANES];
    _Alignas(64) int32_t step[TEX_LANES];  /* offset from left to right texels */
    _Alignas(64) int32_t right[TEX_LANES]; /* weight of right texels, in both halves of the word */
    /* Low half: weight of upper texels. High half: weight of lower texels. */
    _Alignas(64) int32_t below[TEX_LANES];
};

/* As struct axis, in integers and without a border: both texels, and the position in 1/256. */
struct axis_addr {
    i32v index, next, position;
};

INLINE struct axis_addr linear_axis_addr(f32v t, uint32_t size, unsigned mode)
{
    i32v last = i32v_set1((int32_t)size - 1), zero = i32v_set1(0), one = i32v_set1(1), index;
    struct axis_addr s;

    s.position = i32v_sub(fixed_position(t, size, mode), i32v_set1(128));
    index = i32v_sra(s.position, 8);
    s.next = i32v_add(index, one); /* 0 … size */
    if (mode == D3DTADDRESS_WRAP) {
        s.index = i32v_unless_negative(index, last);
        s.next = i32v_andnot(m32v_as_i32(i32v_eq(index, last)), s.next);
        return s;
    }
    s.index = i32v_max_short(index, zero);
    s.next = i32v_min_short(s.next, last);
    return s;
}

/* Constants of a level for address generation. */
struct addr_params {
    const struct tex_level *level;
    f32v width, height;  /* in 1/256 texels */
    i32v pitch;          /* in words */
    i32v last_x, last_y; /* last texel; linear: last that has a right or lower neighbour */
    bool wrap[2];
};

INLINE struct addr_params linear_addr_params(const struct tex_sampler_private *s,
                                             const struct tex_level *level)
{
    struct addr_params params = {.level = level};

    params.width = f32v_set1((float)level->width * 256.0f);
    params.height = f32v_set1((float)level->height * 256.0f);
    params.pitch = i32v_set1((int32_t)(level->row_pitch / 4));
    params.last_x = i32v_set1((int32_t)level->width - 2);
    params.last_y = i32v_set1((int32_t)level->height - 2);
    params.wrap[0] = s->address[0] == D3DTADDRESS_WRAP;
    params.wrap[1] = s->address[1] == D3DTADDRESS_WRAP;
    return params;
}

/* Returns 256 - fraction, for the upper texels, in the low half and the fraction, for the lower
 * texels, in the high half. */
INLINE i32v vertical_weights(i32v position)
{
    const i32v low = i32v_set1(0xffff), rest = i32v_set1((int32_t)0xffff0101);

    return i32v_add(i32v_xor(i32v_broadcast_byte_16(position), low),
                    rest); /* the low half always carries */
}

/* Computes addresses for positions anywhere, but not with a border colour. */
INLINE void address_outer(struct texel_addr *p, unsigned slot, const struct tex_sampler_private *s,
                          const struct tex_level *level, f32v u, f32v v, i32v face_offset)
{
    struct axis_addr x = linear_axis_addr(u, level->width, s->address[0]);
    struct axis_addr y = linear_axis_addr(v, level->height, s->address[1]);
    i32v column = i32v_add(x.index, face_offset),
         pitch = i32v_set1((int32_t)(level->row_pitch / 4));

    i32v_store(p->step + slot, i32v_sub(x.next, x.index));
    i32v_store(p->right + slot, i32v_broadcast_byte_16(x.position));
    i32v_store(p->below + slot, vertical_weights(y.position));
    i32v_store(p->row[0] + slot, i32v_add(column, i32v_mul_short(y.index, pitch)));
    i32v_store(p->row[1] + slot, i32v_add(column, i32v_mul_short(y.next, pitch)));
}

/* Converts a coordinate inside the level to 1/256 texels. Only WRAP changes such coordinates. */
INLINE i32v inner_position(f32v t, f32v top, bool wrap)
{
    if (wrap)
        t = f32v_sub(t, f32v_floor(t));
    return f32v_to_i32_round(f32v_mul_ftz_any(t, top));
}

/* Computes addresses of texels that are all inside the level, where the lower row is one pitch
 * below the upper. The result is not 0 in lanes with a texel outside. For levels of at least 2x2
 * texels. */
INLINE i32v address_inner(struct texel_addr *p, unsigned slot, const struct addr_params *params,
                          f32v u, f32v v, i32v face_offset)
{
    i32v half = i32v_set1(128), x, y;

    x = i32v_sub(inner_position(u, params->width, params->wrap[0]), half);
    y = i32v_sub(inner_position(v, params->height, params->wrap[1]), half);
    i32v_store(p->right + slot, i32v_broadcast_byte_16(x));
    i32v_store(p->below + slot, vertical_weights(y));
    x = i32v_sra(x, 8);
    y = i32v_sra(y, 8);
    i32v_store(p->row[0] + slot,
               i32v_add(i32v_add(x, face_offset), i32v_mul_short(y, params->pitch)));
    return i32v_or(i32v_excess(x, params->last_x), i32v_excess(y, params->last_y));
}

INLINE bool has_interior(const struct tex_level *level)
{
    return level->width > 1 && level->height > 1;
}

INLINE struct addr_params point_addr_params(const struct tex_sampler_private *s,
                                            const struct tex_level *level)
{
    struct addr_params params = linear_addr_params(s, level);

    params.last_x = i32v_set1((int32_t)level->width - 1);
    params.last_y = i32v_set1((int32_t)level->height - 1);
    return params;
}

/* Computes the word index of a point sample's texel. The result is not 0 in lanes outside the
 * level. */
INLINE i32v address_point(int32_t *index, const struct addr_params *params, f32v u, f32v v,
                          i32v face_offset)
{
    i32v x = i32v_sra(inner_position(u, params->width, params->wrap[0]), 8);
    i32v y = i32v_sra(inner_position(v, params->height, params->wrap[1]), 8);

    i32v_store(index, i32v_add(i32v_add(x, i32v_mul_short(y, params->pitch)), face_offset));
    return i32v_or(i32v_excess(x, params->last_x), i32v_excess(y, params->last_y));
}

#endif
