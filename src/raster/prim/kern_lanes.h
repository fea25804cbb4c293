/* Vector helpers for the rasteriser's kernels: loops over lanes, lane masks and plane
 * evaluation. */
#ifndef RASTER_PRIM_KERN_LANES_H
#define RASTER_PRIM_KERN_LANES_H

#include "raster/prim/plane.h"
#include "raster/raster.h"

#include "util/simd/double.h"
#include "util/simd/simd.h"

#define EACH_VECTOR(i) for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES)

static inline m32v lanes_at(uint64_t mask, unsigned first)
{
    return m32v_from_bits((unsigned)(mask >> first) & SIMD_ALL_BITS);
}

static inline uint64_t bits_at(m32v m, unsigned first)
{
    return (uint64_t)m32v_bits(m) << first;
}

/* Rounds an attribute's sum once and clears what is only a rounding error (reference:
 * raster/interpolation). */
SIMD_INLINE f32v attr_of_sum(d64v sum, f32v tiny)
{
    f32v value = d64v_narrow(sum);

    return f32v_select(f32v_lt(f32v_abs(value), tiny), f32v_zero(), value);
}

/* The same for a sum over w (reference: raster/perspective). */
SIMD_INLINE f32v attr_of_sum_over_w(d64v sum, d64v w, f32v tiny)
{
    f32v value = d64v_narrow(d64v_mul(sum, w));

    return f32v_select(f32v_lt(f32v_abs(d64v_narrow(sum)), tiny), f32v_zero(), value);
}

/* w from the sum of the plane of 1/w. */
SIMD_INLINE d64v w_of_sum(d64v rhw)
{
    return d64v_div(d64v_set1(1.0), rhw);
}

/* An attribute's sum at distances from its anchor (reference: raster/interpolation). */
SIMD_INLINE d64v attr_sum_at(const struct raster_attr_plane *plane, d64v dx, d64v dy)
{
    d64v across = d64v_mul(d64v_set1(plane->dadx), dx), down = d64v_mul(d64v_set1(plane->dady), dy);

    return d64v_add(d64v_add(d64v_set1(plane->a0), down), across);
}

/* Evaluates depth at distances from its anchor (reference: depth/interpolation). */
static inline f32v plane_at(const struct raster_interp_plane *plane, f32v dx, f32v dy)
{
    f32v across = f32v_mul(f32v_set1(plane->dadx), dx), down = f32v_mul(f32v_set1(plane->dady), dy);

    return f32v_add(f32v_set1(plane->a0), f32v_add(across, down));
}

#endif
