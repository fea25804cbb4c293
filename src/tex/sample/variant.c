/* Variant renderers: samplers that quantise texture coordinates to fewer bits (util/variant.h). */
#include "tex/sample/sampler.h"

#include "util/variant.h"

#include <math.h>

/* Expected error of interpolated coordinates, in quantisation steps, before they are quantised. */
#define SLACK 0x1p-4

/* Rounds a normalised coordinate to a multiple of 1/steps of a texel, in direction `round`. */
static float rounded(float coordinate, uint32_t size, float steps, unsigned round)
{
    double scale = (double)size * steps, at = coordinate * scale;

    if (!(fabs(at) < 0x1p31))
        return coordinate;
    at = round == VARIANT_NEAREST ? nearbyint(at)
         : round == VARIANT_DOWN  ? floor(at - SLACK)
                                  : ceil(at + SLACK);
    return (float)(at / scale);
}

static void round_axis(float out[TEX_LANES], const float *in, uint32_t size, unsigned round)
{
    for (unsigned i = 0; i < TEX_LANES; i++)
        out[i] = rounded(in[i], size, variant_current->texel_steps, round);
}

static void sample(tex_level_fn *exact, const struct tex_sampler_private *s,
                   const struct tex_level *level, const struct tex_coords *at, uint64_t lanes,
                   float *const out[4])
{
    _Alignas(64) float axis[3][TEX_LANES];
    struct tex_coords moved = *at;
    uint32_t size[3] = {level->width, level->height, level->depth};

    for (unsigned a = 0; a < (s->shape == TEX_VOLUME_MAP ? 3u : 2u); a++) {
        round_axis(axis[a], at->axis[a], size[a], variant_current->texel_round[a > 0]);
        moved.axis[a] = axis[a];
    }
    exact(s, level, &moved, lanes, out);
}

static void minify(const struct tex_sampler_private *s, const struct tex_level *level,
                   const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    sample(s->exact_minify, s, level, at, lanes, out);
}

static void magnify(const struct tex_sampler_private *s, const struct tex_level *level,
                    const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    sample(s->exact_magnify, s, level, at, lanes, out);
}

void tex_sampler_apply_variant(struct tex_sampler_private *s)
{
    s->exact_minify = s->minify;
    s->exact_magnify = s->magnify;
    s->minify = minify;
    s->magnify = magnify;
    s->minify_levels = NULL;
    s->minify_taps = NULL;
}
