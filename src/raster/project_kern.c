/* raster_project for a vector of vertices, with its roundings (reference: viewport/pixel-centre,
 * clip/near). */
#include "raster/project_kern.h"

#include "raster/raster_private.h"
#include "util/simd_double.h"

#include <stddef.h>

/* Vertices that are projected together: transposed four at a time. */
enum { TOGETHER = SIMD_LANES < 4 ? 4 : SIMD_LANES };

struct screen {
    _Alignas(64) int32_t x[TOGETHER];
    int32_t y[TOGETHER];
    float z[TOGETHER], rhw[TOGETHER];
    uint32_t outside[TOGETHER];
};

/* --- Planes ----------------------------------------------------------------------------------- */

SIMD_INLINE i32v unless(m32v inside, unsigned plane)
{
    return i32v_select(inside, i32v_set1(0), i32v_set1((int32_t)(1u << plane)));
}

/* Whether a * k + w * kw is at least 0. */
SIMD_INLINE m32v on_side(d64v scaled, d64v w, float kw)
{
    return d64v_ge(d64v_add(scaled, d64v_mul(w, d64v_set1(kw))), d64v_set1(0.0));
}

/* Planes of the view. Of two floats the difference has the sign of their comparison. */
SIMD_INLINE i32v view_outside(const struct raster *raster, const f32v p[4], d64v w)
{
    const float(*k)[4] = (const float(*)[4])raster->clip_planes;
    d64v x = f32v_widen(p[0]), y = f32v_widen(p[1]), zero = d64v_set1(0.0);
    i32v out = unless(f32v_ge(p[3], f32v_set1((float)RASTER_LEAST_W)), CLIP_W);

    x = d64v_mul(x, d64v_set1(k[CLIP_LEFT][0]));
    y = d64v_mul(y, d64v_set1(k[CLIP_TOP][1]));
    out = i32v_or(out, unless(f32v_ge(p[2], f32v_zero()), CLIP_NEAR));
    out = i32v_or(out, unless(f32v_ge(p[3], p[2]), CLIP_FAR));
    out = i32v_or(out, unless(on_side(x, w, k[CLIP_LEFT][3]), CLIP_LEFT));
    out = i32v_or(out, unless(on_side(d64v_sub(zero, x), w, k[CLIP_RIGHT][3]), CLIP_RIGHT));
    out = i32v_or(out, unless(on_side(y, w, k[CLIP_TOP][3]), CLIP_TOP));
    out = i32v_or(out, unless(on_side(d64v_sub(zero, y), w, k[CLIP_BOTTOM][3]), CLIP_BOTTOM));
    return i32v_and(out, i32v_set1((int32_t)raster->clip_mask));
}

/* Planes of the program. */
SIMD_INLINE i32v user_outside(const struct raster *raster, const f32v p[4])
{
    i32v out = i32v_set1(0);

    for (uint32_t planes = raster->clip_mask >> CLIP_USER << CLIP_USER; planes;
         planes &= planes - 1) {
        unsigned plane = (unsigned)__builtin_ctz(planes);
        const float *k = raster->clip_planes[plane];
        d64v term[4];

        UNROLL
        for (int c = 0; c < 4; c++)
            term[c] = d64v_mul(d64v_set1(k[c]), f32v_widen(p[c]));
        term[0] = d64v_add(d64v_add(term[0], term[1]), d64v_add(term[2], term[3]));
        out = i32v_or(out, unless(d64v_ge(term[0], d64v_set1(0.0)), plane));
    }
    return out;
}

/* Of positions on the screen, whose planes are the guard band and 0 <= z <= 1. */
SIMD_INLINE i32v screen_outside(const struct raster *raster, const f32v p[4])
{
    f32v high = f32v_set1(GUARD_BAND_PX), low = f32v_set1(-GUARD_BAND_PX);
    i32v out = unless(f32v_ge(p[0], low), CLIP_LEFT);

    out = i32v_or(out, unless(f32v_le(p[0], high), CLIP_RIGHT));
    out = i32v_or(out, unless(f32v_ge(p[1], low), CLIP_TOP));
    out = i32v_or(out, unless(f32v_le(p[1], high), CLIP_BOTTOM));
    out = i32v_or(out, unless(f32v_ge(p[2], f32v_zero()), CLIP_NEAR));
    out = i32v_or(out, unless(f32v_le(p[2], f32v_set1(1.0f)), CLIP_FAR));
    return i32v_and(out, i32v_set1((int32_t)raster->clip_mask));
}

/* --- Positions -------------------------------------------------------------------------------- */

SIMD_INLINE m32v infinite(f32v a)
{
    i32v exponent = i32v_set1(0x7f800000);

    return i32v_eq(i32v_and(f32v_bits(a), exponent), exponent);
}

SIMD_INLINE i32v snap(d64v pixels)
{
    const double limit = (GUARD_BAND_PX + 1) * SUBPIXEL;
    d64v fixed = d64v_mul(pixels, d64v_set1(SUBPIXEL));

    return d64v_round(d64v_min(d64v_max(fixed, d64v_set1(-limit)), d64v_set1(limit)));
}

/* Products with 256 are exact. */
SIMD_INLINE i32v snap_float(f32v pixels)
{
    const float limit = (GUARD_BAND_PX + 1) * SUBPIXEL;
    f32v fixed = f32v_mul_loose(pixels, f32v_set1(SUBPIXEL));

    return f32v_to_i32_round(f32v_min(f32v_max(fixed, f32v_set1(-limit)), f32v_set1(limit)));
}

/* Stores at lane `at`; where not `there`, the position is 0. */
SIMD_INLINE void store(struct screen *to, unsigned at, m32v there, i32v x, i32v y, f32v z, f32v rhw,
                       i32v outside)
{
    i32v zero = i32v_set1(0);

    i32v_store(to->x + at, i32v_select(there, x, zero));
    i32v_store(to->y + at, i32v_select(there, y, zero));
    f32v_store(to->z + at, f32v_where(there, z));
    f32v_store(to->rhw + at, f32v_where(there, rhw));
    i32v_store((int32_t *)to->outside + at, outside);
}

SIMD_INLINE void project_clip_space(const struct raster *raster, const f32v p[4], unsigned at,
                                    struct screen *to)
{
    const struct raster_viewport *v = &raster->viewport;
    f32v one = f32v_set1(1.0f);
    m32v drop =
        m32v_or(m32v_or(infinite(p[0]), infinite(p[1])), m32v_or(infinite(p[2]), infinite(p[3])));
    m32v there = m32v_andnot(drop, f32v_ge(p[3], f32v_set1((float)RASTER_LEAST_W)));
    f32v divisor = f32v_select(there, p[3], one);
    d64v w = f32v_widen(divisor);
    d64v x = d64v_mul(d64v_div(f32v_widen(p[0]), w), d64v_set1(v->half_w));
    d64v y = d64v_mul(d64v_div(f32v_widen(p[1]), w), d64v_set1(v->half_h));
    d64v z = d64v_mul(d64v_div(f32v_widen(p[2]), w), d64v_set1(v->range_z));
    i32v outside = i32v_or(view_outside(raster, p, f32v_widen(p[3])), user_outside(raster, p));

    store(to, at, there, snap(d64v_add(d64v_set1(v->centre_x), x)),
          snap(d64v_sub(d64v_set1(v->centre_y), y)), d64v_narrow(d64v_add(d64v_set1(v->min_z), z)),
          f32v_div(one, divisor), i32v_select(drop, i32v_set1((int32_t)CLIP_DROP), outside));
}

SIMD_INLINE void project_screen(const struct raster *raster, const f32v p[4], unsigned at,
                                struct screen *to)
{
    m32v drop = m32v_or(m32v_or(infinite(p[0]), infinite(p[1])), infinite(p[2]));

    store(to, at, m32v_not(drop), snap_float(p[0]), snap_float(p[1]), p[2], p[3],
          i32v_select(drop, i32v_set1((int32_t)CLIP_DROP), screen_outside(raster, p)));
}

/* --- In and out ------------------------------------------------------------------------------- */

/* Positions of n vertices as rows; lanes behind them are the last one's. */
SIMD_INLINE void load(const float *vertex, size_t stride, unsigned n, float rows[4][TOGETHER])
{
    for (unsigned i = 0; i < TOGETHER; i += 4) {
        simde__m128 v[4];

        UNROLL
        for (unsigned k = 0; k < 4; k++)
            v[k] = simde_mm_loadu_ps(vertex + (i + k < n ? i + k : n - 1) * stride +
                                     RASTER_V_POSITION);
        SIMDE_MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
        UNROLL
        for (unsigned c = 0; c < 4; c++)
            simde_mm_store_ps(&rows[c][i], v[c]);
    }
}

SIMD_INLINE void unload(const struct screen *screen, const float *vertex, size_t stride, unsigned n,
                        struct raster_screen_vertex *out)
{
    _Static_assert(offsetof(struct raster_screen_vertex, x) == 0 &&
                       offsetof(struct raster_screen_vertex, rhw) == 12,
                   "a store of four words takes x, y, z and rhw");
    for (unsigned i = 0; i < n; i += 4) {
        simde__m128 v[4] = {simde_mm_load_ps((const float *)(const void *)(screen->x + i)),
                            simde_mm_load_ps((const float *)(const void *)(screen->y + i)),
                            simde_mm_load_ps(screen->z + i), simde_mm_load_ps(screen->rhw + i)};

        SIMDE_MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
        for (unsigned k = 0; k < 4 && i + k < n; k++) {
            simde_mm_storeu_ps((float *)(void *)&out[i + k], v[k]);
            out[i + k].outside = screen->outside[i + k];
            out[i + k].v = vertex + (i + k) * stride;
        }
    }
}

SIMD_INLINE void project_all(const struct raster *raster, const float *vertex, size_t stride,
                             uint32_t n, bool transformed, struct raster_screen_vertex *out)
{
    for (uint32_t done = 0; done < n; done += TOGETHER) {
        unsigned some = n - done < TOGETHER ? n - done : TOGETHER;
        _Alignas(64) float rows[4][TOGETHER];
        struct screen screen;

        load(vertex + done * stride, stride, some, rows);
        for (unsigned i = 0; i < TOGETHER; i += SIMD_LANES) {
            f32v p[4] = {f32v_load(rows[0] + i), f32v_load(rows[1] + i), f32v_load(rows[2] + i),
                         f32v_load(rows[3] + i)};

            if (transformed)
                project_screen(raster, p, i, &screen);
            else
                project_clip_space(raster, p, i, &screen);
        }
        unload(&screen, vertex + done * stride, stride, some, out + done);
    }
}

static void project(const struct raster *raster, const float *vertex, uint32_t stride_floats,
                    uint32_t n, struct raster_screen_vertex *out)
{
    if (raster->state->transformed)
        project_all(raster, vertex, stride_floats, n, true, out);
    else
        project_all(raster, vertex, stride_floats, n, false, out);
}

const struct raster_project_kern KERN_NAME(raster_project_kern) = {.project = project};
