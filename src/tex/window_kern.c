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

/* A block of so many texels from its first pixel to its last has one place more, or two, as things
 * round, and texels one more than places. A few blocks that do not fit cost less than all without a
 * window. */
static unsigned side_for(double most)
{
    return most < 6.125 ? TEX_WINDOW_LESS : most < 9.125 ? TEX_WINDOW_MORE : 0;
}

static int choose(const struct tex_sampler_private *s, const struct tex_slopes *slopes, int way)
{
    const struct tex_level *level = &s->level[way & (TEX_WAY_MAGNIFY - 1)];
    double wide = extent(slopes, 0, level->width), high = extent(slopes, 1, level->height);
    unsigned side;

    if (filter_of(s, way) != KERN_NAME(tex_bytes_kern).linear || !cpu_permutes_bytes() ||
        !(side = side_for(wide > high ? wide : high)))
        return way;
    if (level->width < side || level->height < side)
        return way;
    return way | corners(slopes) | (int)side << TEX_WINDOW_SIDE;
}

/* --- Sampling --------------------------------------------------------------------------------- */

/* Samples that are alike, of which a texture may still have to be decoded. */
struct alike {
    const struct tex_sampler_private *const *sampler;
    const struct sample *sample;
    unsigned n;
};

WINDOW_INLINE bool sample_square(const struct alike *a, int way, unsigned side)
{
    unsigned first = (unsigned)way & (TEX_WAY_MAGNIFY - 1);
    const struct sample *in = a->sample;
    struct plane plane = plane_of(a->sampler[0], &a->sampler[0]->level[first]);
    struct raw_results results;
    struct window w;

    if (!find_window(&w, &plane, way, side, in->coord[0], in->coord[1]))
        return false;
    for (unsigned k = 0; k < a->n; k++) {
        const struct tex_sampler_private *s = a->sampler[k];

        direct_results(s, in[k].texel, in->lanes, &results);
        if (!~in->lanes)
            filter_window(&w, &s->level[first], side, ~UINT64_C(0), &results);
        else
            filter_window(&w, &s->level[first], side, in->lanes, &results);
    }
    return true;
}

WINDOW_CODE static bool sample(const struct tex_sampler_private *const *samplers, int way,
                               const struct sample *samples, unsigned n)
{
    const struct alike a = {samplers, samples, n};

    for (unsigned k = 1; k < n; k++)
        if (samplers[k]->shadow)
            return false;
    if (tex_window_side(way) == TEX_WINDOW_LESS)
        return sample_square(&a, way, TEX_WINDOW_LESS);
    return sample_square(&a, way, TEX_WINDOW_MORE);
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
