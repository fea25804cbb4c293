/* Vector helpers for gradient fills: evaluate colour planes along rows of pixels. A vector holds
 * the four channels of one or more pixels. For the rasteriser's kernels only. */
#ifndef RASTER_OUTPUT_GRADIENT_FILL_LANES_H
#define RASTER_OUTPUT_GRADIENT_FILL_LANES_H

#include "raster/output/gradient_fill.h"

#include "raster/prim/kern_lanes.h"
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
    m32v const_channels[GRADIENT_PARTS];
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

    for (unsigned c = 0; c < 4; c++) {
        coefficient[0][c] = gradient->plane[c].a0;
        coefficient[1][c] = gradient->plane[c].dadx;
        coefficient[2][c] = gradient->plane[c].dady;
        value[0][c] = gradient->plane[c].value;
        value[1][c] = gradient->plane[c].tiny;
    }
    gradient_spread_wide(coefficient[0], lanes->a);
    gradient_spread_wide(coefficient[1], lanes->right);
    gradient_spread_wide(coefficient[2], lanes->down);
    gradient_spread(value[0], lanes->value);
    gradient_spread(value[1], lanes->tiny);
    gradient_spread(gradient->factor, lanes->factor);
    for (unsigned i = 0; i < GRADIENT_PARTS; i++)
        lanes->const_channels[i] = gradient_mask(gradient->const_channels, i);
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
        f32v plane =
            attr_of_sum(d64v_add(down[i], across[i]), lanes->tiny[i]);

        plane = f32v_select(lanes->const_channels[i], lanes->value[i], plane);
        value[i] = f32v_mul(plane, lanes->factor[i]);
        if (saturated)
            value[i] = f32v_sat(value[i]);
    }
}

#endif
