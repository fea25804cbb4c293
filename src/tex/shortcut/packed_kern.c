/* Integer sampling of RGBA8 textures directly to packed A8R8G8B8 pixels
 * (reference: texture/point, texture/linear, numbers/unorm). */
#include "tex/sample/rgba8.h"
#include "tex/shortcut/kernels.h"

/* Returns the bits of an absent alpha channel, which reads 1. */
INLINE i32v absent_bits(const struct tex_sampler_private *s)
{
    return i32v_set1(s->swizzle[3] == TEX_SWIZZLE_ONE ? (int32_t)0xff000000 : 0);
}

/* Rounds to 0 … 255, half up. Values are filtered texels and therefore in 0 … 1. */
INLINE i32v unorm8_of(f32v value)
{
    return f32v_to_i32_trunc(f32v_add(f32v_mul(value, f32v_set1(255.0f)), f32v_set1(0.5f)));
}

/* Fallback for samples at edges: calls the general kernel and packs its floats. */
static void sample_by_floats(const struct tex_sampler_private *s, const float *u, const float *v,
                             uint32_t *pixels)
{
    _Alignas(64) float rgba[4][TEX_LANES];
    float *const out[4] = {rgba[0], rgba[1], rgba[2], rgba[3]};
    struct tex_coords at = {.axis = {u, v, u}, .reference = u};

    s->magnify(s, &s->level[s->min_level], &at, ~UINT64_C(0), out);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        i32v r = unorm8_of(f32v_load(rgba[0] + i)), g = unorm8_of(f32v_load(rgba[1] + i));
        i32v b = unorm8_of(f32v_load(rgba[2] + i)), a = unorm8_of(f32v_load(rgba[3] + i));

        i32v_store((int32_t *)pixels + i, i32v_pack_bytes(b, g, r, a));
    }
}

/* --- Point sampling --------------------------------------------------------------------------- */

INLINE bool address_texels(int32_t index[TEX_LANES], const struct addr_params *params,
                           const float *u, const float *v)
{
    i32v outside = i32v_set1(0), none = i32v_set1(0);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        outside = i32v_or(
            outside, address_point(index + i, params, f32v_load(u + i), f32v_load(v + i), none));
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

static void sample_points(const struct tex_sampler *sampler, const float *u, const float *v,
                          uint32_t *pixels)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);
    const struct tex_level *level = &s->level[s->min_level];
    const int32_t *base = (const int32_t *)(const void *)level->data;
    _Alignas(64) int32_t index[TEX_LANES];
    struct addr_params params = point_addr_params(s, level);
    i32v absent = absent_bits(s);

    if (!address_texels(index, &params, u, v)) {
        sample_by_floats(s, u, v, pixels);
        return;
    }
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        i32v_store((int32_t *)pixels + i, i32v_or(i32v_load_words(base, index + i), absent));
}

/* --- Bilinear --------------------------------------------------------------------------------- */

INLINE bool address_inner_quads(struct texel_addr *p, const struct addr_params *params,
                                const float *u, const float *v)
{
    i32v outside = i32v_set1(0), none = i32v_set1(0);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        outside =
            i32v_or(outside, address_inner(p, i, params, f32v_load(u + i), f32v_load(v + i), none));
    return m32v_every(i32v_eq(outside, i32v_set1(0)));
}

/* Returns false if a lane reads texels outside the level. Wrapping on both axes, the common mode,
 * gets specialised code. */
INLINE bool try_address_inner(struct texel_addr *p, const struct tex_sampler_private *s,
                              const struct tex_level *level, const float *u, const float *v)
{
    struct addr_params params = linear_addr_params(s, level);

    if (!has_interior(level))
        return false;
    if (params.wrap[0] && params.wrap[1]) {
        params.wrap[0] = params.wrap[1] = true;
        return address_inner_quads(p, &params, u, v);
    }
    return address_inner_quads(p, &params, u, v);
}

INLINE void filter_packed(const struct texel_addr *p, const struct tex_sampler_private *s,
                          const struct tex_level *level, bool inner, uint32_t *pixels)
{
    i32v absent = absent_bits(s);

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        i32v_store((int32_t *)pixels + i, i32v_or(filter_packed_at(p, level, inner, i), absent));
}

static void sample_linear(const struct tex_sampler *sampler, const float *u, const float *v,
                          uint32_t *pixels)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);
    const struct tex_level *level = &s->level[s->min_level];
    struct texel_addr p;

    if (try_address_inner(&p, s, level, u, v)) {
        filter_packed(&p, s, level, true, pixels);
        return;
    }
    if (s->address[0] == D3DTADDRESS_BORDER || s->address[1] == D3DTADDRESS_BORDER) {
        sample_by_floats(s, u, v, pixels);
        return;
    }
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        address_outer(&p, i, s, level, f32v_load(u + i), f32v_load(v + i), i32v_set1(0));
    filter_packed(&p, s, level, false, pixels);
}

const struct tex_sample_packed_kern KERN_NAME(tex_sample_packed_kern) = {.point = sample_points,
                                                                         .linear = sample_linear};
