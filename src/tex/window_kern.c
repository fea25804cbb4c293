/* Samples whole blocks that lie in a window of a level (sample_window.h): of primitives without
 * perspective, where that is known before (reference: texture/linear). Results are those of
 * bytes_kern.c. */
#include "tex/sample_window.h"

#include <math.h>

#if SIMD_LANES == 16

/* --- Which samples ---------------------------------------------------------------------------- */

static tex_level_fn *filter_of(const struct tex_sampler_private *s, int way)
{
    return way & TEX_WAY_MAGNIFY ? s->magnify : s->minify;
}

/* Texels from the first of 8x8 pixels to the last. */
static double extent(const struct tex_slopes *slopes, unsigned axis, uint32_t size)
{
    const double *step = slopes->step[axis];

    return 7.0 * size * (fabs(step[0]) + fabs(step[1]) + 2.0 * slopes->slack[axis]);
}

static int corners(const struct tex_slopes *slopes)
{
    return (slopes->step[0][0] < 0.0 ? TEX_WINDOW_U_LEFT : 0) |
           (slopes->step[0][1] < 0.0 ? TEX_WINDOW_U_UP : 0) |
           (slopes->step[1][0] < 0.0 ? TEX_WINDOW_V_LEFT : 0) |
           (slopes->step[1][1] < 0.0 ? TEX_WINDOW_V_UP : 0);
}

/* At a texel a pixel there are as many places as a window has, or one more, as things round; a few
 * blocks that do not fit cost less than all without a window. */
static int choose(const struct tex_sampler_private *s, const struct tex_slopes *slopes, int way)
{
    const struct tex_level *level = &s->level[way & (TEX_WAY_MAGNIFY - 1)];
    double wide = extent(slopes, 0, level->width), high = extent(slopes, 1, level->height);
    int rows;

    if (filter_of(s, way) != KERN_NAME(tex_bytes_kern).linear || !(wide < 7.125 && high < 7.125))
        return way;
    rows = high < 3.0 ? 4 : high < 5.0 ? 6 : 8;
    if (level->width < 2 || (int)level->height <= rows)
        return way;
    return way | corners(slopes) | rows / 2 << TEX_WINDOW_ROWS;
}

/* --- Sampling --------------------------------------------------------------------------------- */

/* Samples that are alike, of which a texture may still have to be decoded. */
struct alike {
    const struct tex_sampler_private *const *sampler;
    const struct sample *sample;
    unsigned n;
};

INLINE bool sample_rows(const struct alike *a, int way, unsigned rows)
{
    unsigned first = (unsigned)way & (TEX_WAY_MAGNIFY - 1);
    const struct sample *in = a->sample;
    struct plane plane = plane_of(a->sampler[0], &a->sampler[0]->level[first]);
    struct raw_results results;
    struct window w;

    if (!find_window(&w, &plane, way, (int32_t)rows, in->coord[0], in->coord[1]))
        return false;
    for (unsigned k = 0; k < a->n; k++) {
        const struct tex_sampler_private *s = a->sampler[k];

        direct_results(s, in[k].texel, in->lanes, &results);
        if (!~in->lanes)
            filter_window(&w, &s->level[first], rows, ~UINT64_C(0), &results);
        else
            filter_window(&w, &s->level[first], rows, in->lanes, &results);
    }
    return true;
}

static bool sample(const struct tex_sampler_private *const *samplers, int way,
                   const struct sample *samples, unsigned n)
{
    const struct alike a = {samplers, samples, n};

    for (unsigned k = 1; k < n; k++)
        if (samplers[k]->shadow)
            return false;
    switch (tex_window_rows(way)) {
    case 4:
        return sample_rows(&a, way, 4);
    case 6:
        return sample_rows(&a, way, 6);
    default:
        return sample_rows(&a, way, 8);
    }
}

#else

static int choose(const struct tex_sampler_private *s, const struct tex_slopes *slopes, int way)
{
    (void)s, (void)slopes;
    return way;
}

static bool sample(const struct tex_sampler_private *const *samplers, int way,
                   const struct sample *samples, unsigned n)
{
    (void)samplers, (void)way, (void)samples, (void)n;
    return false;
}

#endif

const struct tex_window_kern KERN_NAME(tex_window_kern) = {.choose = choose, .sample = sample};
