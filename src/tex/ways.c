/* Shorter ways to samples: those of one level, and those of several textures at once. */
#include "tex/sample_private.h"
#include "tex/sample_window_way.h"

#include "util/vary.h"

static const struct tex_sampler_private *inside(const struct tex_sampler *sampler)
{
    return (const struct tex_sampler_private *)(const void *)sampler->opaque;
}

int tex_sampler_way(const struct tex_sampler *sampler, const struct tex_slopes *slopes)
{
    const struct tex_sampler_private *s = inside(sampler);
    int way;

    if (!tex_sampler_is_2d(sampler))
        return -1;
    way = KERN_PICK(tex_sample_kern)->find_way(s, slopes);
    return way < 0 ? way : KERN_PICK(tex_window_kern)->choose(s, slopes, way);
}

/* Blocks that lie close together in a texture. False: nothing was done. */
static bool sample_window(const struct tex_sampler_private *const *s, int way,
                          const struct sample *samples, unsigned n)
{
    return tex_window_side(way) && KERN_PICK(tex_window_kern)->sample(s, way, samples, n);
}

void tex_sample_way(const struct tex_sampler *sampler, int way, const struct sample *sample)
{
    const struct tex_sampler_private *s = inside(sampler);
    struct tex_coords at = {.axis = {sample->coord[0], sample->coord[1], sample->coord[0]},
                            .reference = sample->coord[0]};
    const struct tex_level *level = &s->level[way & (TEX_WAY_MAGNIFY - 1)];

    if (sample_window(&s, way, sample, 1))
        return;
    if (way & TEX_WAY_MAGNIFY)
        s->magnify(s, level, &at, sample->lanes, sample->texel);
    else
        s->minify(s, level, &at, sample->lanes, sample->texel);
}

bool tex_samplers_alike(const struct tex_sampler *a, const struct tex_sampler *b)
{
    return !vary_now && KERN_PICK(tex_together_kern)->alike(inside(a), inside(b));
}

void tex_sample_together(const struct tex_sampler *const samplers[], int way,
                         const struct sample *samples, unsigned n)
{
    const struct tex_together_kern *kern = KERN_PICK(tex_together_kern);
    const struct tex_sampler_private *s[TEX_TOGETHER];

    for (unsigned k = 0; k < n; k++)
        s[k] = inside(samplers[k]);
    if (way < 0)
        kern->sample(s, samples, n);
    else if (!sample_window(s, way, samples, n))
        kern->sample_way(s, way, samples, n);
}
