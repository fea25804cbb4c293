/* Queries about samplers, and selection of the packed and axis-aligned kernels, which write
 * A8R8G8B8 pixels directly.
 * Tested by tests/kernel/tex/shortcut/test_packed_kern.c. */
#include "tex/shortcut/kernels.h"

#include "util/variant.h"

/* True if texels are pixels: their bytes are blue, green, red and alpha of 8 bits, lowest first, as
 * in A8R8G8B8, X8R8G8B8 and the decoded texels of L8. */
static bool has_pixels(const struct tex_sampler_private *s)
{
    static const uint8_t byte[4] = {2, 1, 0, 3};

    if (s->kind != TEXEL_RGBA8)
        return false;
    for (int c = 0; c < 4; c++)
        if ((s->swizzle[c] != byte[c] || s->divisor[byte[c]] != 255.0f) &&
            (c < 3 || s->swizzle[c] != TEX_SWIZZLE_ONE))
            return false;
    return true;
}

/* Point or linear; not Fetch4 and not a convolution. */
static bool is_common(tex_level_fn *filter)
{
    const struct tex_sample_rgba8_kern *rgba8 = KERN_PICK(tex_sample_rgba8_kern);

    return filter == rgba8->point || filter == rgba8->linear;
}

bool tex_sampler_needs_lod(const struct tex_sampler *sampler)
{
    return tex_sampler_private(sampler)->needs_lod;
}

bool tex_sampler_is_2d(const struct tex_sampler *sampler)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);

    return s->level && s->shape == TEX_2D && s->kind < TEXEL_SHADOW16; /* shadow maps read w, too */
}

tex_sample_packed_fn *tex_sampler_packed(const struct tex_sampler *sampler)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);
    const struct tex_sample_rgba8_kern *rgba8 = KERN_PICK(tex_sample_rgba8_kern);
    const struct tex_sample_packed_kern *packed = KERN_PICK(tex_sample_packed_kern);

    if (!tex_sampler_is_2d(sampler) || s->needs_lod || !has_pixels(s))
        return NULL;
    if (s->magnify == rgba8->point)
        return packed->point;
    return s->magnify == rgba8->linear ? packed->linear : NULL;
}

tex_axis_aligned_fn *tex_sampler_axis_aligned(const struct tex_sampler *sampler)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);

    if (!tex_sampler_is_2d(sampler) || !has_pixels(s) || variant_current || tex_has_border(s) ||
        !is_common(tex_decoded_minify(s)) || !is_common(tex_decoded_magnify(s)))
        return NULL;
    return KERN_PICK(tex_axis_aligned_kern)->sample;
}
