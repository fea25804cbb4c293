/* Which samplers can be asked by shorter ways: by u and v alone, for pixels of four bytes without a
 * detour over floats. */
#include "tex/axis_aligned_kern.h"
#include "tex/sample_packed_kern.h"
#include "util/variant.h"

/* Blue, green, red and alpha, lowest first, as A8R8G8B8 and X8R8G8B8 have them. */
static bool has_usual_order(const struct tex_sampler_private *s)
{
    return s->from[0] == 2 && s->from[1] == 1 && s->from[2] == 0 &&
           (s->from[3] == 3 || s->from[3] == TEX_RAW_ONE);
}

static const struct tex_sampler_private *inside(const struct tex_sampler *sampler)
{
    return (const struct tex_sampler_private *)(const void *)sampler->opaque;
}

bool tex_sampler_has_levels(const struct tex_sampler *sampler)
{
    return inside(sampler)->needs_lod;
}

bool tex_sampler_is_2d(const struct tex_sampler *sampler)
{
    const struct tex_sampler_private *s = inside(sampler);

    return s->level && s->shape == TEX_2D && s->kind < TEX_KIND_SHADOW16; /* not compared */
}

tex_words_fn *tex_sampler_words(const struct tex_sampler *sampler)
{
    const struct tex_sampler_private *s = inside(sampler);
    const struct tex_bytes_kern *bytes = KERN_PICK(tex_bytes_kern);
    const struct tex_words_kern *words = KERN_PICK(tex_words_kern);

    if (!tex_sampler_is_2d(sampler) || s->kind != TEX_KIND_BYTES || s->needs_lod ||
        !has_usual_order(s))
        return NULL;
    if (s->magnify == bytes->point)
        return words->point;
    return s->magnify == bytes->linear ? words->linear : NULL;
}

tex_grid_fn *tex_sampler_grid(const struct tex_sampler *sampler)
{
    const struct tex_sampler_private *s = inside(sampler);

    if (!tex_sampler_is_2d(sampler) || s->kind != TEX_KIND_BYTES || !has_usual_order(s) ||
        vary_now || s->address[0] == D3DTADDRESS_BORDER || s->address[1] == D3DTADDRESS_BORDER)
        return NULL;
    return KERN_PICK(tex_grid_kern)->sample;
}
