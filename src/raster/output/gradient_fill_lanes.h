/* Vector helpers for gradient fills: evaluate colour planes along rows of pixels. A vector holds
 * the four channels of one or more pixels. For the rasteriser's kernels only. */
#ifndef RASTER_OUTPUT_GRADIENT_FILL_LANES_H
#define RASTER_OUTPUT_GRADIENT_FILL_LANES_H

#include "raster/output/gradient_fill.h"

#include "raster/prim/plane_lanes.h"
#include "util/simd/double.h"
#include "util/simd/simd.h"

/* Vectors of a pixel. With SIMD_LANES 1 each channel is a vector; else a vector holds whole
 * pixels. */
enum {
    GRADIENT_PARTS = SIMD_LANES < 4 ? 4 : 1,
    GRADIENT_STEP = SIMD_LANES < 4 ? 1 : SIMD_LANES / 4, /* pixels */
};

/* Values that all pixels share; `across`: that all pixels of a column share. */
struct gradient_lanes {
    f32v value[GRADIENT_PARTS], tiny[GRADIENT_PARTS], factor[GRADIENT_PARTS];
    d64v a[GRADIENT_PARTS], right[GRADIENT_PARTS], down[GRADIENT_PARTS];
    m32v fixed_channels[GRADIENT_PARTS];
    bool fixes, clears; /* a channel is fixed; a sum may be below `tiny` */
    d64v across[GRADIENT_WIDTH / GRADIENT_STEP][GRADIENT_PARTS];
};

/* Repeats the four channel values over the lanes. */
SIMD_INLINE void gradient_spread(const float value[4], f32v out[GRADIENT_PARTS])
{
    _Alignas(64) float lanes[GRADIENT_PARTS * SIMD_LANES];

    for (unsigned i = 0; i < GRADIENT_PARTS * SIMD_LANES; i++)
        lanes[i] = value[i % 4];
    for (unsigned i = 0; i < GRADIENT_PARTS; i++)
        out[i] = f32v_load(lanes + i * SIMD_LANES);
}

SIMD_INLINE void gradient_spread_wide(const double value[4], d64v out[GRADIENT_PARTS])
{
    float low[4], high[4];
    f32v lows[GRADIENT_PARTS], highs[GRADIENT_PARTS];

    for (unsigned c = 0; c < 4; c++) {
        memcpy(&low[c], (const char *)&value[c], sizeof(low[c]));
        memcpy(&high[c], (const char *)&value[c] + sizeof(low[c]), sizeof(high[c]));
    }
    gradient_spread(low, lows);
    gradient_spread(high, highs);
    for (unsigned i = 0; i < GRADIENT_PARTS; i++)
        out[i] = d64v_of_words(lows[i], highs[i]);
}

/* Whether a sum of the area may be below `tiny`. Sums are monotonic along both axes, also as they
 * are rounded, so the corners have the least and the most. */
static inline bool gradient_nears_zero(const struct gradient_fill *gradient,
                                       const struct gradient_area *area,
                                       const struct raster_attr_plane *plane)
{
    unsigned above = 0, below = 0;

    for (unsigned i = 0; i < 4; i++) {
        float dx = area->x + (float)(i % 2 ? area->width - 1 : 0) - gradient->anchor_x;
        float dy = area->y + (float)(i / 2 ? area->height - 1 : 0) - gradient->anchor_y;
        double sum = (plane->a0 + plane->dady * dy) + plane->dadx * dx;

        above += sum > 2.0 * (double)plane->tiny;
        below += sum < -2.0 * (double)plane->tiny;
    }
    return plane->tiny > 0.0f && above < 4 && below < 4;
}

/* The constant channels whose sums have other bits, as those of -0. */
static inline unsigned gradient_fixed_channels(const struct gradient_fill *gradient)
{
    unsigned channels = gradient->const_channels;

    for (unsigned c = 0; c < 4; c++) {
        float sum = gradient->plane[c].value + 0.0f;

        if (!memcmp(&sum, &gradient->plane[c].value, sizeof(sum)))
            channels &= ~(1u << c);
    }
    return channels;
}

/* Lane mask of a channel mask. */
static inline m32v gradient_mask(unsigned channels, unsigned part)
{
    return m32v_from_bits((SIMD_LANES == 1 ? channels >> part & 1 : channels * 0x1111) &
                          SIMD_ALL_BITS);
}

SIMD_INLINE void gradient_begin(const struct gradient_fill *gradient,
                                const struct gradient_area *area, struct gradient_lanes *lanes)
{
    static const _Alignas(64) float pixel[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    double coefficient[3][4];
    float value[2][4];
    unsigned fixed = gradient_fixed_channels(gradient);

    lanes->fixes = fixed != 0;
    lanes->clears = false;
    for (unsigned c = 0; c < 4; c++) {
        coefficient[0][c] = gradient->plane[c].a0;
        coefficient[1][c] = gradient->plane[c].dadx;
        coefficient[2][c] = gradient->plane[c].dady;
        value[0][c] = gradient->plane[c].value;
        value[1][c] = gradient->plane[c].tiny;
        lanes->clears |= gradient_nears_zero(gradient, area, &gradient->plane[c]);
    }
    gradient_spread_wide(coefficient[0], lanes->a);
    gradient_spread_wide(coefficient[1], lanes->right);
    gradient_spread_wide(coefficient[2], lanes->down);
    gradient_spread(value[0], lanes->value);
    gradient_spread(value[1], lanes->tiny);
    gradient_spread(gradient->factor, lanes->factor);
    for (unsigned i = 0; i < GRADIENT_PARTS; i++)
        lanes->fixed_channels[i] = gradient_mask(fixed, i);
    for (unsigned x = 0; x < area->width / GRADIENT_STEP; x++) {
        f32v at = f32v_add(f32v_set1(area->x + (float)(x * GRADIENT_STEP)), f32v_load(pixel));
        f32v distance = f32v_sub(at, f32v_set1(gradient->anchor_x));

        UNROLL
        for (unsigned i = 0; i < GRADIENT_PARTS; i++)
            lanes->across[x][i] = d64v_mul(lanes->right[i], f32v_widen(distance));
    }
}

SIMD_INLINE void gradient_row(const struct gradient_lanes *lanes, float distance,
                              d64v down[GRADIENT_PARTS])
{
    UNROLL
    for (unsigned i = 0; i < GRADIENT_PARTS; i++)
        down[i] = d64v_add(lanes->a[i], d64v_mul(lanes->down[i], d64v_set1(distance)));
}

SIMD_INLINE void gradient_colours(const struct gradient_lanes *lanes,
                                  const d64v across[GRADIENT_PARTS],
                                  const d64v down[GRADIENT_PARTS], bool saturated,
                                  f32v value[GRADIENT_PARTS])
{
    UNROLL
    for (unsigned i = 0; i < GRADIENT_PARTS; i++) {
        d64v sum = d64v_add(down[i], across[i]);
        f32v plane = lanes->clears ? attr_of_sum(sum, NULL, lanes->tiny[i]) : d64v_narrow(sum);

        if (lanes->fixes)
            plane = f32v_select(lanes->fixed_channels[i], lanes->value[i], plane);
        value[i] = f32v_mul(plane, lanes->factor[i]);
        if (saturated)
            value[i] = f32v_sat(value[i]);
    }
}

#endif
