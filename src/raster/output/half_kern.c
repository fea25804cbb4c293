/* Gradient kernel for A16B16G16R16F: evaluates, blends and stores half-float pixels in registers
 * (reference: blend/factors). */
#include "raster/output/half_kern.h"

#include "raster/output/blend_lanes.h"
#include "raster/output/gradient_fill_lanes.h"

#include "util/simd/half.h"

/* Each pixel's alpha, in all of its lanes. */
SIMD_INLINE f32v alpha_of(const f32v value[GRADIENT_PARTS])
{
#if SIMD_LANES == 1
    return value[3];
#else
    return SIMD_P(shuffle_ps)(value[0], value[0], 0xff);
#endif
}

/* value: the source, then the result. */
SIMD_INLINE void blend_gradient(const struct raster_blend *rgb, const struct raster_blend *alpha,
                                const f32v factor[GRADIENT_PARTS],
                                const f32v stored[GRADIENT_PARTS], f32v value[GRADIENT_PARTS])
{
    const f32v sa = alpha_of(value), da = alpha_of(stored);

    UNROLL
    for (unsigned i = 0; i < GRADIENT_PARTS; i++) {
        struct blend_lane in = {value[i], stored[i], sa, da, factor[i], false};
        f32v colour = blend_channel(rgb, &in);

        in.alpha = true;
        value[i] = rgb == alpha
                       ? colour
                       : f32v_select(gradient_mask(8, i), blend_channel(alpha, &in), colour);
    }
}

/* rgb NULL: no blending. */
SIMD_INLINE void gradient_area(const struct raster_blend *rgb, const struct raster_blend *alpha,
                               const float k[4], const struct gradient_fill *gradient,
                               const struct gradient_area *area, bool saturated)
{
    struct gradient_lanes lanes;
    f32v factor[GRADIENT_PARTS];
    d64v down[GRADIENT_PARTS];

    gradient_begin(gradient, area, &lanes);
    gradient_spread(k, factor);
    for (unsigned y = 0; y < area->height; y++) {
        uint16_t *at = (uint16_t *)(void *)(area->rows + y * area->pitch);

        gradient_row(&lanes, (area->y + (float)y) - gradient->anchor_y, down);
        for (unsigned x = 0; x < area->width / GRADIENT_STEP; x++, at += 4 * GRADIENT_STEP) {
            f32v value[GRADIENT_PARTS], stored[GRADIENT_PARTS];

            gradient_colours(&lanes, lanes.across[x], down, saturated, value);
            UNROLL
            for (unsigned i = 0; rgb && i < GRADIENT_PARTS; i++)
                stored[i] = halves_load(at + i);
            if (rgb)
                blend_gradient(rgb, alpha, factor, stored, value);
            UNROLL
            for (unsigned i = 0; i < GRADIENT_PARTS; i++)
                halves_store(at + i, value[i]);
        }
    }
}

static void gradient(const struct raster_blend_params *params, const struct gradient_fill *gradient,
                     const struct gradient_area *area)
{
    static const float none[4];

    if (!params && gradient->saturated)
        gradient_area(NULL, NULL, none, gradient, area, true);
    else if (!params)
        gradient_area(NULL, NULL, none, gradient, area, false);
    else if (gradient->saturated)
        BLEND_DISPATCH(params, gradient_area, params->factor, gradient, area, true);
    else
        BLEND_DISPATCH(params, gradient_area, params->factor, gradient, area, false);
}

const struct raster_half_kern KERN_NAME(raster_half_kern) = {
    .gradient = gradient,
};
