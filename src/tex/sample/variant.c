/* Variant renderers: samplers that quantise texture coordinates to fewer bits, or compute the
 * LOD and anisotropic taps in another way (util/variant.h).
 *
 * Tested by tests/unit/tex/sample/test_variant.c. */
#include "tex/sample/sampler.h"

#include "util/variant.h"

#include <math.h>
#include <string.h>

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

/* --- Level of detail -------------------------------------------------------------------------- */

static float length_of_two(float a, float b)
{
    float most = fmaxf(fabsf(a), fabsf(b)), least = fminf(fabsf(a), fabsf(b));
    float exact = (float)sqrt((double)a * a + (double)b * b), octagon = most + 0x1.6p-2f * least;

    switch (variant_current->length) {
    case VARIANT_OCTAGON:
    case VARIANT_ELLIPSE:
        return octagon;
    case VARIANT_MIRRORED:
        return octagon > 0.0f ? exact * exact / octagon : exact;
    default:
        return exact;
    }
}

/* The pixel's circle covers an ellipse of a 2D texture. Replaces the derivatives by its longer and
 * its shorter axis: the eigenvectors of the products of the derivatives, and the roots of the
 * eigenvalues. */
static void ellipse_axes(float d[2][3])
{
    double uu = (double)d[0][0] * d[0][0] + (double)d[1][0] * d[1][0];
    double vv = (double)d[0][1] * d[0][1] + (double)d[1][1] * d[1][1];
    double uv = (double)d[0][0] * d[0][1] + (double)d[1][0] * d[1][1];
    double middle = (uu + vv) / 2, half = (uu - vv) / 2, apart = sqrt(half * half + uv * uv);
    double axis[2] = {half + apart, uv}, length, longer, shorter;

    if (half < 0) {
        axis[0] = uv;
        axis[1] = apart - half;
    }
    length = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
    if (!(length > 0.0))
        return; /* a circle */
    longer = sqrt(middle + apart) / length;
    shorter = sqrt(fmax(middle - apart, 0.0)) / length;
    for (unsigned a = 0; a < 2; a++) {
        d[0][a] = (float)(axis[a] * longer);
        d[1][a] = (float)((a ? axis[0] : -axis[1]) * shorter);
    }
}

/* How a LOD group is sampled. */
struct footprint {
    float lod;     /* without the sampler's bias */
    float taps;    /* number of taps */
    float ratio;   /* of the axes, limited; what the taps' weights add up to */
    float step[3]; /* in coordinates: the line of taps */
};

/* Derivatives of the coordinates in texels: d[0] along screen x, d[1] along y. */
static struct footprint footprint(const struct tex_sampler_private *s, const float d[2][3])
{
    struct footprint f = {.taps = 1.0f, .ratio = 1.0f};
    float length[2], area, ratio;
    unsigned longer;

    for (unsigned k = 0; k < 2; k++)
        length[k] = length_of_two(length_of_two(d[k][0], d[k][1]), d[k][2]);
    longer = length[1] > length[0];
    if (s->max_taps == 1.0f || !(length[longer] > 1.0f)) {
        f.lod = log2f(length[longer]);
        return f;
    }
    /* The shorter axis of the footprint follows from its area. It is at least one texel. */
    area = fabsf(d[0][0] * d[1][1] - d[0][1] * d[1][0]);
    ratio = fminf(length[longer] / fmaxf(area / length[longer], 1.0f), s->max_taps);
    f.lod = log2f(length[longer] / ratio);
    f.taps = fmaxf(ceilf(ratio * variant_current->probes - 0x1p-8f), 1.0f);
    f.ratio = f.taps;
    if (variant_current->probe_pairs && ratio > 1.0f) {
        f.taps = 2.0f * ceilf(ratio / 2.0f - 0x1p-8f);
        f.ratio = ratio;
    }
    for (unsigned a = 0; a < 3; a++)
        f.step[a] = variant_current->probe_line * d[longer][a] / s->size[a];
    return f;
}

/* Projects a derivative of a direction to the cube map's face that the direction `at` selects, in
 * texels. */
static void project(const struct tex_sampler_private *s, const float at[3], float d[3])
{
    unsigned m = fabsf(at[2]) >= fabsf(at[0]) && fabsf(at[2]) >= fabsf(at[1]) ? 2
                 : fabsf(at[1]) >= fabsf(at[0])                               ? 1
                                                                              : 0;
    float result[3] = {0};
    unsigned n = 0;

    for (unsigned a = 0; a < 3; a++)
        if (a != m)
            result[n++] = (d[a] - at[a] / at[m] * d[m]) / at[m] * 0.5f * s->size[0];
    memcpy(d, result, sizeof(result));
}

/* The footprint of a lane: that of its quad, or of the gradients that the shader supplies. */
static struct footprint footprint_at(const struct tex_sampler_private *s, const struct sample *in,
                                     unsigned lane)
{
    unsigned axes = s->shape == TEX_2D ? 2 : 3, first = lane & ~3u;
    float d[2][3] = {{0}}, at[3] = {0};

    for (unsigned a = 0; a < axes && in->coord[a]; a++) {
        const float *c = in->coord[a];
        bool given = in->lod_mode == LOD_GRADIENT;

        at[a] = given ? c[lane] : c[first];
        d[0][a] = given ? (in->ddx[a] ? in->ddx[a][lane] : 0.0f) : c[first + 1] - c[first];
        d[1][a] = given ? (in->ddy[a] ? in->ddy[a][lane] : 0.0f) : c[first + 2] - c[first];
        if (s->shape != TEX_CUBE_MAP) {
            d[0][a] *= s->size[a];
            d[1][a] *= s->size[a];
        }
    }
    if (s->shape == TEX_CUBE_MAP)
        for (unsigned k = 0; k < 2; k++)
            project(s, at, d[k]);
    if (variant_current->length == VARIANT_ELLIPSE && s->shape != TEX_VOLUME_MAP)
        ellipse_axes(d);
    return footprint(s, d);
}

/* The weight of tap p. The inner taps have weight 1. */
static float tap_weight(const struct footprint *f, unsigned p)
{
    bool outer = p == 0 || (float)p == f->taps - 1.0f;
    float weight = outer && f->taps > 1.0f ? (f->ratio - (f->taps - 2.0f)) / 2.0f : 1.0f;

    return weight / f->ratio;
}

/* Averages taps of lanes with lods of their own. */
static void sample_taps(const struct tex_sampler_private *s, const struct sample *in,
                        const struct footprint f[TEX_LANES], struct sample *one)
{
    _Alignas(64) float axis[3][TEX_LANES], texel[4][TEX_LANES];
    unsigned axes = s->shape == TEX_VOLUME_MAP ? 3 : 2;
    uint64_t left = in->lanes;

    for (unsigned c = 0; c < 4; c++)
        one->texel[c] = in->texel[c] ? texel[c] : NULL;
    for (unsigned p = 0; left; p++) {
        for (unsigned i = 0; i < TEX_LANES; i++) {
            if ((float)p >= f[i].taps)
                left &= ~(UINT64_C(1) << i);
            for (unsigned a = 0; a < axes; a++)
                axis[a][i] = in->coord[a][i] +
                             f[i].step[a] * (((float)p + 0.5f - f[i].taps / 2.0f) / f[i].ratio);
        }
        for (unsigned a = 0; a < axes; a++)
            one->coord[a] = axis[a];
        one->lanes = left;
        s->exact_sample(s, one);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; in->texel[c] && i < TEX_LANES; i++)
                if (left >> i & 1)
                    in->texel[c][i] =
                        (p ? in->texel[c][i] : 0.0f) + texel[c][i] * tap_weight(&f[i], p);
    }
}

/* Computes LODs as the variant does, and samples with them. */
static void sample_with_lods(const struct tex_sampler_private *s, const struct sample *in)
{
    _Alignas(64) float lod[TEX_LANES];
    struct footprint f[TEX_LANES];
    struct sample one = *in;
    bool anisotropic = false;

    if (in->lod_mode == LOD_EXPLICIT) {
        s->exact_sample(s, in);
        return;
    }
    for (unsigned i = 0; i < TEX_LANES; i++) {
        f[i] = footprint_at(s, in, i);
        lod[i] = f[i].lod + (in->lod_mode == LOD_BIAS ? in->lod[i] : 0.0f);
        anisotropic |= f[i].taps > 1.0f;
        /* lanes with several taps minify, whatever their LOD */
        if (f[i].taps > 1.0f)
            lod[i] = fmaxf(lod[i], (float)s->base_level - s->lod_bias + 0x1p-8f);
    }
    one.lod_mode = LOD_EXPLICIT;
    one.lod = lod;
    if (anisotropic)
        sample_taps(s, in, f, &one);
    else
        s->exact_sample(s, &one);
}

/* --- Set-up ----------------------------------------------------------------------------------- */

static void replace_level_functions(struct tex_sampler_private *s)
{
    s->exact_minify = s->minify;
    s->exact_magnify = s->magnify;
    s->minify = minify;
    s->magnify = magnify;
    s->minify_levels = NULL;
    s->minify_taps = NULL;
}

void tex_sampler_apply_variant(struct tex_sampler_private *s)
{
    if (variant_current->texel_steps > 0.0f)
        replace_level_functions(s);
    s->exact_sample = s->sample;
    if (!s->needs_lod ||
        (!variant_current->length && (s->max_taps == 1.0f || variant_current->probes == 0.0f)))
        return;
    s->sample = sample_with_lods;
    s->lod_scale2 = NAN; /* no shortcut selects the level */
}
