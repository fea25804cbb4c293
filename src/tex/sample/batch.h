/* Batch sampling of RGBA8 levels: computes the texel addresses of all lanes, then loads, filters
 * and writes the results. Batches that cross an edge use sample_kern.c if the sampler has a border
 * colour, and otherwise the slower addressing of this file. Included by sample kernels. */
#ifndef TEX_SAMPLE_BATCH_H
#define TEX_SAMPLE_BATCH_H

#include "tex/sample/lanes.h"
#include "tex/sample/rgba8.h"
#include "tex/sample/results.h"

INLINE unsigned lanes_at(uint64_t lanes, unsigned i)
{
    return (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS;
}

INLINE i32v face_at(const struct tex_coords *at, unsigned i)
{
    return at->face_offset ? i32v_load(at->face_offset + i) : i32v_set1(0);
}

/* --- Point sampling --------------------------------------------------------------------------- */

INLINE bool address_all_points(int32_t index[TEX_LANES], const struct addr_params *params,
                               const struct tex_coords *at, uint64_t lanes)
{
    i32v outside = i32v_set1(0);

    UNROLL
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        if (lanes_at(lanes, i))
            outside = i32v_or(outside, address_point(index + i, params, f32v_load(at->axis[0] + i),
                                                     f32v_load(at->axis[1] + i), face_at(at, i)));
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

/* Computes word indices of all lanes. `pairs`: texels of two words. Returns false if a lane is
 * outside the level. The common address modes and pairs get specialised code. */
INLINE bool address_points(int32_t index[TEX_LANES], const struct tex_sampler_private *s,
                           const struct tex_level *level, bool pairs, const struct tex_coords *at,
                           uint64_t lanes)
{
    struct addr_params params = point_addr_params(s, level, pairs);
    struct tex_coords one_face = {.axis = {at->axis[0], at->axis[1]}};

    if (params.wrap[0] != params.wrap[1] || at->face_offset)
        return address_all_points(index, &params, at, lanes);
    if (params.wrap[0]) {
        params.wrap[0] = params.wrap[1] = true;
        return address_all_points(index, &params, &one_face, lanes);
    }
    params.wrap[0] = params.wrap[1] = false;
    return address_all_points(index, &params, &one_face, lanes);
}

/* Computes word indices of lanes anywhere, but not with a border colour. */
INLINE void address_outer_points(int32_t index[TEX_LANES], const struct tex_sampler_private *s,
                                 const struct tex_level *level, const struct tex_coords *at,
                                 uint64_t lanes)
{
    i32v pitch = i32v_set1((int32_t)(level->row_pitch / 4));

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v x, y;

        if (!lanes_at(lanes, i))
            continue;
        x = point_axis(f32v_load(at->axis[0] + i), level->width, s->address[0]).index[0];
        y = point_axis(f32v_load(at->axis[1] + i), level->height, s->address[1]).index[0];
        i32v_store(index + i, i32v_add(i32v_add(x, face_at(at, i)), i32v_mul_short(y, pitch)));
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

INLINE void load_points(const int32_t *base, const int32_t *index,
                        const struct tex_byte_divisors *d, uint64_t lanes,
                        const struct channel_results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        struct simd_local_index local;
        f32v value[4];

        if (!active)
            continue;
        local = simd_local_index_of(index + i, false);
        unpack_codes(i32v_gather_local(base, &local), d, value);
        put_results(results, value, i, active);
    }
}

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
        value[c] = f32v_add(f32v_mul_ftz_any(value[c], rest), f32v_mul_ftz_any(coarse[c], weight));
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
