/* Samples whole blocks that lie in a window of a level (sample_reg_tile.h): of primitives without
 * perspective, where that is known before (reference: texture/linear). Results are those of
 * sample_rgba8_kern.c. */
#include "tex/sample_reg_tile.h"

#include <math.h>

#if SIMD_LANES == 16

/* Texels of windows each way: those of 8x8 and of 11x11 fill one and two registers. */
enum { LESS = 8, MORE = 11 };

/* --- Sampling --------------------------------------------------------------------------------- */

/* Samples that are alike, of which a texture may still have to be decoded. */
struct sampler_group {
    const struct tex_sampler_private *const *sampler;
    const struct sample *sample;
    unsigned n;
};

WINDOW_INLINE void filter_group(const struct sampler_group *group, const struct window *w,
                                unsigned level, unsigned side)
{
    struct channel_results results;

    for (unsigned k = 0; k < group->n; k++) {
        const struct tex_sampler_private *s = group->sampler[k];
        uint64_t lanes = group->sample->lanes;

        route_results(s, group->sample[k].texel, lanes, &results);
        if (!~lanes)
            filter_window(w, &s->level[level], side, ~UINT64_C(0), &results);
        else
            filter_window(w, &s->level[level], side, lanes, &results);
    }
}

WINDOW_INLINE bool sample_square(const struct sampler_group *group,
                                 const struct tex_const_lod *const_lod, unsigned side)
{
    unsigned level = (unsigned)const_lod->lod_and_filter & (TEX_CONST_LOD_MAGNIFY - 1);
    struct window w;

    for (unsigned k = 1; k < group->n; k++)
        if (group->sampler[k]->decode_cache)
            return false;
    if (!find_window(&w, const_lod, side, group->sample->coord))
        return false;
    filter_group(group, &w, level, side);
    return true;
}

WINDOW_CODE static bool sample_less(const struct tex_sampler_private *const *samplers,
                                    const struct tex_const_lod *const_lod,
                                    const struct sample *samples, unsigned n)
{
    const struct sampler_group group = {samplers, samples, n};

    return sample_square(&group, const_lod, LESS);
}

WINDOW_CODE static bool sample_more(const struct tex_sampler_private *const *samplers,
                                    const struct tex_const_lod *const_lod,
                                    const struct sample *samples, unsigned n)
{
    const struct sampler_group group = {samplers, samples, n};

    return sample_square(&group, const_lod, MORE);
}

/* --- Which samples ---------------------------------------------------------------------------- */

/* Texels from the first of 8x8 pixels to the last. */
static double extent(const struct tex_gradients *gradients, unsigned axis, uint32_t size)
{
    const double *step = gradients->step[axis];

    return 7.0 * size * (fabs(step[0]) + fabs(step[1]) + 2.0 * gradients->error_bound[axis]);
}

/* A block of so many texels from its first pixel to its last has one place more, or two, as things
 * round, and texels one more than places. A few blocks that do not fit cost less than all without a
 * window. */
static uint8_t side_for(double most)
{
    return most < 6.125 ? LESS : most < 9.125 ? MORE : 0;
}

static void set_axis(struct tex_const_lod *const_lod, unsigned axis,
                     const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                     uint32_t size)
{
    enum { RIGHT = 13, DOWN = 50 }; /* the lanes of corners */
    bool wraps = s->address[axis] == D3DTADDRESS_WRAP;

    const_lod->corner[axis] = (uint8_t)((gradients->step[axis][0] < 0.0 ? RIGHT : 0) +
                                        (gradients->step[axis][1] < 0.0 ? DOWN : 0));
    const_lod->top[axis] = (float)size * 256.0f;
    const_lod->wraps[axis] = -wraps;
    const_lod->wrap[axis] = wraps ? (int32_t)size * 256 : 0;
    const_lod->last[axis] = (int32_t)size - const_lod->side;
    const_lod->latest[axis] = wraps ? (int32_t)size - 1 : const_lod->last[axis];
}

static void choose(const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                   struct tex_const_lod *const_lod)
{
    const struct tex_level *level =
        &s->level[const_lod->lod_and_filter & (TEX_CONST_LOD_MAGNIFY - 1)];
    double wide = extent(gradients, 0, level->width), high = extent(gradients, 1, level->height);
    tex_level_fn *filter =
        const_lod->lod_and_filter & TEX_CONST_LOD_MAGNIFY ? s->magnify : s->minify;
    uint8_t side = side_for(wide > high ? wide : high);

    if (filter != KERN_NAME(tex_sample_rgba8_kern).linear || !side || !cpu_has_byte_vectors() ||
        level->width < side || level->height < side)
        return;
    const_lod->side = side;
    const_lod->window = side == LESS ? sample_less : sample_more;
    set_axis(const_lod, 0, s, gradients, level->width);
    set_axis(const_lod, 1, s, gradients, level->height);
}

#else

static void choose(const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                   struct tex_const_lod *const_lod)
{
    (void)s, (void)gradients, (void)const_lod;
}

#endif

const struct tex_window_kern KERN_NAME(tex_window_kern) = {.choose = choose};
