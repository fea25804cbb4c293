/* Level functions of a sampler: selects kernels by texel kind and filter, and the copies that they
 * read. */
#include "tex/sample/kernels.h"
#include "tex/sample/sampler.h"

#include <string.h>

enum { MAX_TAPS = 16 };

/* A D3DSAMP_MIPMAPLODBIAS of 'GET4' enables Fetch4. */
static bool wants_gather(const struct tex_sampler_private *s, float lod_bias)
{
    uint32_t bits;

    memcpy(&bits, &lod_bias, 4);
    return bits == TEX_FMT_GET4 && s->shape == TEX_2D;
}

/* ATI1 also has one channel, but hardware does not gather it (reference: texture/fetch4). */
static bool can_gather(const struct tex_format *f)
{
    switch ((uint32_t)f->d3d) {
    case D3DFMT_L8:
    case D3DFMT_L16:
    case D3DFMT_A8:
    case D3DFMT_R16F:
    case D3DFMT_R32F:
        return true;
    default:
        return tex_is_plain_depth(f);
    }
}

/* RGBA8, the most common kind, has specialised functions. */
static void set_rgba8_filters(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    const struct tex_sample_rgba8_kern *kern = KERN_PICK(tex_sample_rgba8_kern);

    if (s->kind != TEXEL_RGBA8)
        return;
    if (s->shape == TEX_VOLUME_MAP) {
        if (tex_is_linear(state->mag_filter))
            s->magnify = kern->volume;
        if (tex_is_linear(state->min_filter))
            s->minify = kern->volume;
        return;
    }
    s->magnify = tex_is_linear(state->mag_filter) ? kern->linear : kern->point;
    s->minify = tex_is_linear(state->min_filter) ? kern->linear : kern->point;
    if (!tex_is_linear(state->min_filter)) {
        s->minify_levels = kern->point_levels;
        return;
    }
    if (tex_has_border(s))
        return;
    s->minify_levels = kern->levels;
    s->minify_taps = kern->taps;
}

/* The kernel of sRGB texels for this processor, or NULL. */
static const struct tex_sample_srgb_kern *srgb_kern(void)
{
    const struct tex_sample_srgb_kern *kern = KERN_PICK(tex_sample_srgb_kern);

    return kern->linear && cpu_has_avx512_vbmi() ? kern : NULL;
}

/* Points of kinds besides RGBA8. */
static void set_points(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    const struct tex_sample_srgb_kern *srgb = s->kind == TEXEL_RGBA8_SRGB ? srgb_kern() : NULL;
    const struct tex_sample_point_kern *kern = KERN_PICK(tex_sample_point_kern);

    if (!kern->point[s->kind] || s->shape == TEX_VOLUME_MAP ||
        (s->kind == TEXEL_RGBA8_SRGB && !s->srgb))
        return;
    if (!tex_is_linear(state->mag_filter))
        s->magnify = srgb ? srgb->point : kern->point[s->kind];
    if (tex_is_linear(state->min_filter))
        return;
    s->minify = srgb ? srgb->point : kern->point[s->kind];
    s->minify_levels = srgb ? NULL : kern->levels[s->kind];
}

/* Texels of four floats. */
static void set_wide_filters(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    const struct tex_sample_srgb_kern *srgb =
        s->kind == TEXEL_RGBA8_SRGB && !tex_has_border(s) ? srgb_kern() : NULL;
    const struct tex_sample_wide_kern *kern = KERN_PICK(tex_sample_wide_kern);
    tex_level_fn *linear = srgb ? srgb->linear : kern->linear[s->kind];

    if (!linear || s->shape == TEX_VOLUME_MAP || (s->kind == TEXEL_RGBA8_SRGB && !s->srgb))
        return;
    if (tex_is_linear(state->mag_filter))
        s->magnify = linear;
    if (!tex_is_linear(state->min_filter))
        return;
    s->minify = linear;
    s->minify_levels = srgb ? srgb->levels : kern->levels[s->kind];
}

/* PYRAMIDALQUAD and GAUSSIANQUAD. Volumes filter as LINEAR (reference: texture/filters). */
static tex_level_fn *quad_filter(const struct tex_sampler_private *s, unsigned filter)
{
    const struct tex_sample_quad_filter_kern *kern = KERN_PICK(tex_sample_quad_filter_kern);

    if (s->shape == TEX_VOLUME_MAP)
        return NULL;
    return filter == D3DTEXF_PYRAMIDALQUAD  ? kern->pyramidal
           : filter == D3DTEXF_GAUSSIANQUAD ? kern->gaussian
                                            : NULL;
}

static void set_quad_filters(struct tex_sampler_private *s, tex_level_fn *point,
                             const struct tex_sampler_state *state)
{
    tex_level_fn *minify = quad_filter(s, state->min_filter);
    tex_level_fn *magnify = quad_filter(s, state->mag_filter);

    s->point = point;
    if (magnify)
        s->magnify = magnify;
    if (!minify)
        return;
    s->minify = minify; /* the code stays: the compiled function of the other filter may run it */
    s->minify_levels = NULL;
    s->minify_taps = NULL;
}

static void set_level_functions(struct tex_sampler_private *s, const struct tex_image *image,
                                const struct tex_sampler_state *state)
{
    tex_level_fn *const *fn = KERN_PICK(tex_sample_kern)->fn[s->kind];
    enum tex_filter point = s->shape == TEX_VOLUME_MAP ? TEX_POINT_3D : TEX_POINT_2D;

    if (!fn[point]) /* kinds of depth formats have no 3D kernels; the first slice is sampled */
        point = TEX_POINT_2D;
    s->minify = fn[tex_is_linear(state->min_filter) ? point + 1 : point];
    s->magnify = fn[tex_is_linear(state->mag_filter) ? point + 1 : point];
    set_rgba8_filters(s, state);
    set_points(s, state);
    set_wide_filters(s, state);
    tex_set_compiled(s, image, state);
    set_quad_filters(s, fn[TEX_POINT_2D], state);
    s->max_taps = 1.0f;
    if (state->min_filter == D3DTEXF_ANISOTROPIC && state->max_anisotropy > 1)
        s->max_taps = state->max_anisotropy < MAX_TAPS ? state->max_anisotropy : MAX_TAPS;
    s->needs_lod = s->minify != s->magnify || s->mip_filter != D3DTEXF_NONE || s->max_taps > 1.0f;
    if (wants_gather(s, state->lod_bias) && can_gather(image->format) && fn[TEX_GATHER_2D]) {
        s->minify = s->magnify = fn[TEX_GATHER_2D];
        s->minify_levels = NULL;
        s->minify_taps = NULL;
        s->max_taps = 1.0f;
        s->mip_filter = D3DTEXF_NONE;
        s->needs_lod = false;
    }
}

/* The bilinear function that reads quad texels, or NULL. A border must be a texel. Quad addresses
 * set weights to 0 at an edge that repeats its texel. The sum of such texels rounds for floats, so
 * sRGB reads quads only if both axes wrap. */
static tex_level_fn *linear_of_quad_texels(const struct tex_sampler_private *s)
{
    const struct tex_sample_rgba8_kern *rgba8 = KERN_PICK(tex_sample_rgba8_kern);
    const struct tex_sample_srgb_kern *srgb = srgb_kern();

    if (s->kind == TEXEL_RGBA8 && tex_has_border(s) && !s->border_is_codes)
        return NULL;
    if (s->kind == TEXEL_RGBA8 && rgba8->uses_quad_texels)
        return s->shape == TEX_VOLUME_MAP ? rgba8->volume : rgba8->linear;
    if (s->kind != TEXEL_RGBA8_SRGB || !srgb || s->shape != TEX_2D ||
        s->address[0] != D3DTADDRESS_WRAP || s->address[1] != D3DTADDRESS_WRAP)
        return NULL;
    return srgb->linear;
}

/* Shared memory may change at any time, so it gets no quad texels. */
static void set_quad_texels(struct tex_sampler_private *s, struct tex_image *image)
{
    const struct tex_sample_rgba8_kern *rgba8 = KERN_PICK(tex_sample_rgba8_kern);
    tex_level_fn *linear = linear_of_quad_texels(s);

    if (!linear || s->decode_cache || image->shared || image->user_memory ||
        (s->minify != linear && s->magnify != linear))
        return;
    s->quad_texels = tex_quad_texels_get(image, s->level);
    if (!s->quad_texels || s->minify != rgba8->linear)
        return;
    s->minify_levels = rgba8->levels;
    s->minify_taps = rgba8->taps;
}

static void minify_on_demand(const struct tex_sampler_private *s, const struct tex_level *level,
                             const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_require_texels(s, level, 1, at, NULL, lanes);
    s->decoded_minify(s, level, at, lanes, out);
}

static void magnify_on_demand(const struct tex_sampler_private *s, const struct tex_level *level,
                              const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_require_texels(s, level, 1, at, NULL, lanes);
    s->decoded_magnify(s, level, at, lanes, out);
}

static void set_decode_on_demand(struct tex_sampler_private *s)
{
    if (!s->decode_cache)
        return;
    s->decoded_minify = s->minify;
    s->decoded_magnify = s->magnify;
    s->minify = minify_on_demand;
    s->magnify = magnify_on_demand;
}

void tex_set_filters(struct tex_sampler_private *s, struct tex_image *image,
                     const struct tex_sampler_state *state)
{
    set_level_functions(s, image, state);
    set_quad_texels(s, image);
    set_decode_on_demand(s);
}
