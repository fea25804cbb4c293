/* Colours that are planes times factors, over rows of pixels. A vector holds the four channels of
 * one or more pixels, one after another. For kernels of the rasteriser alone. */
#ifndef RASTER_GRADIENT_FILL_LANES_H
#define RASTER_GRADIENT_FILL_LANES_H

#include "raster/gradient_fill.h"

#include "util/simd.h"

/* One lane takes the channels in turn. */
enum {
    RAMP_PARTS = SIMD_LANES < 4 ? 4 : 1,
    RAMP_STEP = SIMD_LANES < 4 ? 1 : SIMD_LANES / 4, /* pixels */
};

/* What all pixels have in common, and all of a column. */
struct ramp_lanes {
    f32v a[RAMP_PARTS], factor[RAMP_PARTS], right[RAMP_PARTS], down[RAMP_PARTS];
    m32v steady[RAMP_PARTS];
    f32v across[RAMP_WIDTH / RAMP_STEP][RAMP_PARTS];
};

/* The channels' values in turn. */
SIMD_INLINE void ramp_spread(const float value[4], f32v out[RAMP_PARTS])
{
    _Alignas(64) float lanes[RAMP_PARTS * SIMD_LANES];

    for (unsigned i = 0; i < RAMP_PARTS * SIMD_LANES; i++)
        lanes[i] = value[i % 4];
    for (unsigned i = 0; i < RAMP_PARTS; i++)
        out[i] = f32v_load(lanes + i * SIMD_LANES);
}

/* Bits of channels as lanes. */
static inline m32v ramp_mask(unsigned channels, unsigned part)
{
    return m32v_from_bits((SIMD_LANES == 1 ? channels >> part & 1 : channels * 0x1111) &
                          SIMD_ALL_BITS);
}

/* Where a channel is the same everywhere its slopes count for -0, which changes no number. */
SIMD_INLINE f32v ramp_slope(const struct ramp_lanes *lanes, unsigned part, f32v slope,
                            f32v distance)
{
    return f32v_select(lanes->steady[part], f32v_set1(-0.0f), f32v_mul(slope, distance));
}

SIMD_INLINE void ramp_begin(const struct raster_ramp *ramp, const struct raster_ramp_area *area,
                            struct ramp_lanes *lanes)
{
    static const _Alignas(64) float pixel[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    float coefficient[3][4];

    for (unsigned c = 0; c < 4; c++) {
        coefficient[0][c] = ramp->plane[c].a;
        coefficient[1][c] = ramp->plane[c].b;
        coefficient[2][c] = ramp->plane[c].c;
    }
    ramp_spread(coefficient[0], lanes->a);
    ramp_spread(coefficient[1], lanes->right);
    ramp_spread(coefficient[2], lanes->down);
    ramp_spread(ramp->factor, lanes->factor);
    for (unsigned i = 0; i < RAMP_PARTS; i++)
        lanes->steady[i] = ramp_mask(ramp->steady, i);
    for (unsigned x = 0; x < area->width / RAMP_STEP; x++) {
        f32v at = f32v_add(f32v_set1(area->x + (float)(x * RAMP_STEP)), f32v_load(pixel));
        f32v distance = f32v_sub(at, f32v_set1(ramp->anchor_x));

        UNROLL
        for (unsigned i = 0; i < RAMP_PARTS; i++)
            lanes->across[x][i] = ramp_slope(lanes, i, lanes->right[i], distance);
    }
}

SIMD_INLINE void ramp_row(const struct ramp_lanes *lanes, float distance, f32v down[RAMP_PARTS])
{
    UNROLL
    for (unsigned i = 0; i < RAMP_PARTS; i++)
        down[i] = ramp_slope(lanes, i, lanes->down[i], f32v_set1(distance));
}

SIMD_INLINE void ramp_colours(const struct ramp_lanes *lanes, const f32v across[RAMP_PARTS],
                              const f32v down[RAMP_PARTS], bool saturated, f32v value[RAMP_PARTS])
{
    UNROLL
    for (unsigned i = 0; i < RAMP_PARTS; i++) {
        f32v plane = f32v_add(lanes->a[i], f32v_add(across[i], down[i]));

        value[i] = f32v_mul(plane, lanes->factor[i]);
        if (saturated)
            value[i] = f32v_sat(value[i]);
    }
}

#endif
