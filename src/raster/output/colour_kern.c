/* Colour kernel: fog (reference: fog/table). */
#include "raster/output/colour_kern.h"

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

const struct raster_colour_kern KERN_NAME(raster_colour_kern) = {
    .fog = fog,
};
