/* Vector helpers that evaluate interpolation planes: the attributes, w and the depth of the lanes
 * of a vector. For the rasteriser's kernels only.
 *
 * Kernels differ in how they load planes: one for all lanes, one a quad, or one a lane. */
#ifndef RASTER_PRIM_PLANE_LANES_H
#define RASTER_PRIM_PLANE_LANES_H

#include "raster/prim/plane.h"

#include "util/simd/double.h"
#include "util/simd/simd.h"

/* As struct raster_attr_plane. */
struct attr_lanes {
    f32v value, tiny;
    d64v a0, dadx, dady;
};

/* As struct raster_interp_plane. */
struct interp_lanes {
    f32v a0, dadx, dady;
};

SIMD_INLINE struct attr_lanes attr_of_plane(const struct raster_attr_plane *plane)
{
    return (struct attr_lanes){f32v_set1(plane->value), f32v_set1(plane->tiny),
                               d64v_set1(plane->a0), d64v_set1(plane->dadx),
                               d64v_set1(plane->dady)};
}

SIMD_INLINE struct interp_lanes interp_of_plane(const struct raster_interp_plane *plane)
{
    return (struct interp_lanes){f32v_set1(plane->a0), f32v_set1(plane->dadx),
                                 f32v_set1(plane->dady)};
}

/* The sum at distances from the anchor (reference: raster/interpolation). */
SIMD_INLINE d64v attr_sum(const struct attr_lanes *plane, d64v dx, d64v dy)
{
    return d64v_add(d64v_add(plane->a0, d64v_mul(plane->dady, dy)), d64v_mul(plane->dadx, dx));
}

/* Rounds an attribute's sum once and clears what is only a rounding error (reference:
 * raster/interpolation, raster/perspective). w NULL: no perspective division. */
SIMD_INLINE f32v attr_of_sum(d64v sum, const d64v *w, f32v tiny)
{
    f32v narrow = d64v_narrow(sum), value = w ? d64v_narrow(d64v_mul(sum, *w)) : narrow;

    return f32v_select(f32v_lt(f32v_abs(narrow), tiny), f32v_zero(), value);
}

/* The same for half a vector. */
SIMD_INLINE f32h attr_of_half_sum(d64h sum, const d64h *w, float tiny)
{
    f32h narrow = d64h_narrow(sum);

    return f32h_clear_below(w ? d64h_narrow(d64h_mul(sum, *w)) : narrow, narrow, tiny);
}

/* w from the sum of the plane of 1/w. */
SIMD_INLINE d64v w_of_sum(d64v rhw)
{
    return d64v_div(d64v_set1(1.0), rhw);
}

/* The depth (reference: depth/interpolation). */
SIMD_INLINE f32v depth_at(const struct interp_lanes *plane, f32v dx, f32v dy)
{
    f32v across = f32v_mul(plane->dadx, dx), down = f32v_mul(plane->dady, dy);

    return f32v_add(plane->a0, f32v_add(across, down));
}

#endif
