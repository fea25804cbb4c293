/* Colour kernel: fog, clamping and blending of float colours (reference: blend/factors). */
#include "raster/output/colour_kern.h"

#include "raster/output/blend_lanes.h"
#include "raster/prim/kern_lanes.h"
#include "util/simd/math.h"

static f32v fog_factor(const struct raster_fog_params *fog, f32v coord)
{
    const float minus_log2_e = -1.44269504f;
    f32v t = f32v_mul(coord, f32v_set1(fog->density));

    switch (fog->mode) {
    case RASTER_FOG_LINEAR: /* start == end: an infinite or NaN quotient makes a step at start */
        return f32v_sat(f32v_div(f32v_sub(f32v_set1(fog->end), coord), f32v_set1(fog->range)));
    case RASTER_FOG_EXP2:
        t = f32v_mul(t, t); /* fallthrough */
    case RASTER_FOG_EXP:
        return f32v_sat(f32v_exp2(f32v_mul(t, f32v_set1(minus_log2_e))));
    default:
        return f32v_sat(coord);
    }
}

static void fog(const struct raster_fog_params *fog, const float *coord, const float *const rgb[3],
                float *const out[3])
{
    EACH_VECTOR(i)
    {
        f32v f = fog_factor(fog, f32v_loadu(coord + i));
        f32v rest = f32v_sub(f32v_set1(1.0f), f);

        for (int c = 0; c < 3; c++)
            f32v_store(out[c] + i, f32v_add(f32v_mul(f, f32v_loadu(rgb[c] + i)),
                                            f32v_mul(rest, f32v_set1(fog->colour[c]))));
    }
}

static void saturate(const float *in, float *out)
{
    EACH_VECTOR(i)
    f32v_store(out + i, f32v_sat(f32v_loadu(in + i)));
}

SIMD_INLINE void blend_with(const struct raster_blend *rgb, const struct raster_blend *alpha,
                            const float *factor, const float *const src[4],
                            const float *const dst[4], float *const out[4])
{
    EACH_VECTOR(i)
    {
        struct blend_lane in = {.sa = f32v_loadu(src[3] + i), .da = f32v_loadu(dst[3] + i)};

        for (int c = 0; c < 3; c++) {
            in.s = f32v_loadu(src[c] + i);
            in.d = f32v_loadu(dst[c] + i);
            in.k = f32v_set1(factor[c]);
            f32v_store(out[c] + i, blend_channel(rgb, &in));
        }
        in.s = in.sa;
        in.d = in.da;
        in.k = f32v_set1(factor[3]);
        in.alpha = true;
        f32v_store(out[3] + i, blend_channel(alpha, &in));
    }
}

/* Specialises the common blends; the others branch for every vector. */
static void blend(const struct raster_blend_params *blend, const float *const src[4],
                  const float *const dst[4], float *const out[4])
{
    BLEND_DISPATCH(blend, blend_with, blend->factor, src, dst, out);
}

const struct raster_colour_kern KERN_NAME(raster_colour_kern) = {
    .fog = fog,
    .saturate = saturate,
    .blend = blend,
};
