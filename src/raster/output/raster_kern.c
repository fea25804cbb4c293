/* Rasteriser kernel: edge functions of blocks and pixels, fog and float blending. */
#include "raster/output/raster_kern.h"

#include "raster/output/blend_lanes.h"
#include "raster/prim/kern_lanes.h"
#include "raster/raster_private.h"
#include "util/simd/math.h"

/* --- Coverage --------------------------------------------------------------------------------- */

static uint64_t cover(const int32_t e[3], const int32_t a[3], const int32_t b[3])
{
    /* With 16 lanes a vector holds two rows; with fewer than 8 lanes a row takes several
     * vectors. */
    enum { ROWS = SIMD_LANES > BLOCK_DIM ? SIMD_LANES / BLOCK_DIM : 1 };
    enum { VECTORS = SIMD_LANES < BLOCK_DIM ? BLOCK_DIM / SIMD_LANES : 1 };
    uint64_t outside = 0;

    for (int v = 0; v < VECTORS; v++) {
        i32v lane = i32v_iota(v * SIMD_LANES), at[3], down[3];
        i32v x = i32v_and(lane, i32v_set1(BLOCK_DIM - 1)), y = i32v_srl(lane, 3);

        for (int i = 0; i < 3; i++) {
            i32v across = i32v_mul(x, i32v_set1(a[i]));

            at[i] = i32v_add(i32v_set1(e[i]), across);
            if (ROWS > 1)
                at[i] = i32v_add(at[i], i32v_mul(y, i32v_set1(b[i])));
            down[i] = i32v_set1(b[i] * ROWS);
        }
        for (int row = 0; row < BLOCK_DIM; row += ROWS) {
            m32v negative = m32v_from_i32(i32v_or(at[0], i32v_or(at[1], at[2])));

            outside |= bits_at(negative, (unsigned)(row * BLOCK_DIM + v * SIMD_LANES));
            for (int i = 0; i < 3; i++)
                at[i] = i32v_add(at[i], down[i]);
        }
    }
    return ~outside;
}

static void cover_blocks(const struct raster_tile_edges *edges, uint64_t wanted, uint64_t *some,
                         uint64_t *whole)
{
    uint64_t outside = 0, crossed = 0;

    EACH_VECTOR(i)
    {
        i32v x = i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1));
        i32v y = i32v_srl(i32v_iota((int32_t)i), 3), least = i32v_set1(0), most = i32v_set1(0);

        if (!(wanted >> i & SIMD_ALL_BITS))
            continue;
        for (unsigned k = 0; k < 3; k++) {
            i32v to = i32v_add(i32v_mul(x, i32v_set1(edges->a[k] * BLOCK_DIM)),
                               i32v_mul(y, i32v_set1(edges->b[k] * BLOCK_DIM)));

            most = i32v_or(most, i32v_add(to, i32v_set1(edges->most[k])));
            least = i32v_or(least, i32v_add(to, i32v_set1(edges->least[k])));
        }
        outside |= bits_at(m32v_from_i32(most), i);
        crossed |= bits_at(m32v_from_i32(least), i);
    }
    *some = wanted & ~outside;
    *whole = *some & ~crossed;
}

/* --- Colours ---------------------------------------------------------------------------------- */

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

const struct raster_kern KERN_NAME(raster_kern) = {
    .cover = cover,
    .cover_blocks = cover_blocks,
    .fog = fog,
    .saturate = saturate,
    .blend = blend,
};
