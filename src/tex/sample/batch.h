/* Bilinear sampling of batches of RGBA8 texels: computes the texel addresses of all lanes, then
 * loads, filters and writes the results. Batches that cross an edge use sample_kern.c if the
 * sampler has a border colour, and otherwise the slower addressing of this file. Included by sample
 * kernels. */
#ifndef TEX_SAMPLE_BATCH_H
#define TEX_SAMPLE_BATCH_H

#include "tex/sample/points.h"

/* --- Bilinear, one level ---------------------------------------------------------------------- */

INLINE bool address_all_inner(struct texel_addr *p, const struct addr_params *params,
                              const struct tex_coords *at, uint64_t lanes)
{
    i32v outside = i32v_set1(0);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        if (lanes_at(lanes, i))
            outside = i32v_or(outside, address_inner(p, i, params, f32v_load(at->axis[0] + i),
                                                     f32v_load(at->axis[1] + i), face_at(at, i)));
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

/* Returns false if a lane reads texels outside the level. The common address modes get specialised
 * code. */
KERNEL_PART bool try_address_inner(struct texel_addr *p, const struct tex_sampler_private *s,
                                   const struct tex_level *level, const struct tex_coords *at,
                                   uint64_t lanes)
{
    struct addr_params params = linear_addr_params(s, level);

    if (!has_interior(level))
        return false;
    if (params.wrap[0] && params.wrap[1] && !at->face_offset) {
        struct tex_coords one_face = *at;

        one_face.face_offset = NULL;
        params.wrap[0] = params.wrap[1] = true;
        return address_all_inner(p, &params, &one_face, lanes);
    }
    return address_all_inner(p, &params, at, lanes);
}

KERNEL_PART void address_all_outer(struct texel_addr *p, const struct tex_sampler_private *s,
                                   const struct tex_level *level, const struct tex_coords *at,
                                   uint64_t lanes)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        if (lanes_at(lanes, i))
            address_outer(p, i, s, level, f32v_load(at->axis[0] + i), f32v_load(at->axis[1] + i),
                          face_at(at, i));
}

INLINE void filter_level(const struct texel_addr *p, const struct tex_level *level, bool inner,
                         const struct tex_byte_divisors *d, uint64_t lanes,
                         const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        f32v value[4];

        if (!active)
            continue;
        filter_bytes(p, level, inner, i, d, value);
        put_results(results, value, i, active);
    }
}

/* --- Bilinear, two levels --------------------------------------------------------------------- */

/* Products of values and weights are 0 or far above FLT_MIN. */
INLINE f32v mix(f32v a, f32v b, f32v first, f32v second)
{
    return f32v_add(f32v_mul_ftz_any(a, first), f32v_mul_ftz_any(b, second));
}

/* Blends a level and the next. A weight of 0 returns the first level's result bit by bit. */
INLINE void filter_two_at(const struct texel_addr p[2], const struct simd_local_index local[2],
                          const struct tex_level *level, bool inner, f32v weight, unsigned slot,
                          const struct tex_byte_divisors *d, f32v value[4])
{
    f32v rest = f32v_sub(f32v_set1(1.0f), weight), coarse[4];

    filter_bytes_at(&p[0], &local[0], level, inner, slot, d, value);
    filter_bytes_at(&p[1], &local[1], level + 1, inner, slot, d, coarse);
    UNROLL
    for (int c = 0; c < 4; c++)
        value[c] = mix(value[c], coarse[c], rest, weight);
}

INLINE void filter_two(const struct texel_addr p[2], const struct tex_level *level, bool inner,
                       f32v weight, unsigned slot, const struct tex_byte_divisors *d, f32v value[4])
{
    struct simd_local_index local[2];

    local[0] = local_index_of(&p[0], slot);
    local[1] = local_index_of(&p[1], slot);
    filter_two_at(p, local, level, inner, weight, slot, d, value);
}

INLINE void filter_levels(const struct texel_addr p[2], const struct tex_level *level, bool inner,
                          const float *weight, const struct tex_byte_divisors *d, uint64_t lanes,
                          const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        f32v value[4];

        if (!active)
            continue;
        filter_two(p, level, inner, f32v_load(weight + i), i, d, value);
        put_results(results, value, i, active);
    }
}

#endif
