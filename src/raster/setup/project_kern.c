/* Vertex projection kernel: projects vertices to the screen, one per lane, with the roundings of
 * raster_project (reference: viewport/pixel-centre, clip/near). */
#include "raster/setup/project_kern.h"

#include "raster/scene/scene.h"
#include "util/simd/double.h"
#include "util/simd/math.h"

#include <stddef.h>
#include <string.h>

/* Projected vertices, one per lane. */
struct screen {
    i32v x, y, outside;
    f32v z, rhw;
};

/* --- Clip planes ------------------------------------------------------------------------------ */

SIMD_INLINE i32v unless(m32v inside, unsigned plane)
{
    return i32v_select(inside, i32v_set1(0), i32v_set1((int32_t)(1u << plane)));
}

/* Whether scaled + w * kw >= 0: inside a plane whose x or y term is `scaled`. */
SIMD_INLINE m32v on_side(d64v scaled, d64v w, float kw)
{
    return d64v_ge(d64v_add(scaled, d64v_mul(w, d64v_set1(kw))), d64v_set1(0.0));
}

/* Outcodes of the view volume. Comparing two floats gives the sign of their difference, so near and
 * far need no doubles. */
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

/* Outcodes of user clip planes. */
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

/* Outcodes of transformed positions: the guard band and 0 <= z <= 1. */
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

/* Exact without doubles: a product with 256 only changes the exponent. */
SIMD_INLINE i32v snap_float(f32v pixels)
{
    const float limit = (GUARD_BAND_PX + 1) * SUBPIXEL;
    f32v fixed = f32v_mul_ftz_any(pixels, f32v_set1(SUBPIXEL));

    return f32v_to_i32_round(f32v_min(f32v_max(fixed, f32v_set1(-limit)), f32v_set1(limit)));
}

/* Lanes outside of `there` get position 0. */
SIMD_INLINE struct screen screen_of(m32v there, i32v x, i32v y, f32v z, f32v rhw, i32v outside)
{
    i32v zero = i32v_set1(0);

    return (struct screen){.x = i32v_select(there, x, zero),
                           .y = i32v_select(there, y, zero),
                           .outside = outside,
                           .z = f32v_where(there, z),
                           .rhw = f32v_where(there, rhw)};
}

SIMD_INLINE struct screen project_clip_space(const struct raster *raster, const f32v p[4])
{
    const struct raster_viewport *v = &raster->viewport;
    f32v one = f32v_set1(1.0f);
    m32v drop =
        m32v_or(m32v_or(infinite(p[0]), infinite(p[1])), m32v_or(infinite(p[2]), infinite(p[3])));
    m32v there = m32v_andnot(drop, f32v_ge(p[3], f32v_set1((float)RASTER_LEAST_W)));
    f32v divisor = f32v_select(there, p[3], one);
    struct d64_divisor w = d64v_divisor(f32v_widen(divisor));
    d64v x = d64v_mul(d64v_over(f32v_widen(p[0]), &w), d64v_set1(v->half_w));
    d64v y = d64v_mul(d64v_over(f32v_widen(p[1]), &w), d64v_set1(v->half_h));
    d64v z = d64v_mul(d64v_over(f32v_widen(p[2]), &w), d64v_set1(v->range_z));
    i32v outside = i32v_or(view_outside(raster, p, f32v_widen(p[3])), user_outside(raster, p));

    return screen_of(there, snap(d64v_add(d64v_set1(v->centre_x), x)),
                     snap(d64v_sub(d64v_set1(v->centre_y), y)),
                     d64v_narrow(d64v_add(d64v_set1(v->min_z), z)), f32v_rcp(divisor),
                     i32v_select(drop, i32v_set1((int32_t)CLIP_DROP), outside));
}

SIMD_INLINE struct screen project_screen(const struct raster *raster, const f32v p[4])
{
    m32v drop = m32v_or(m32v_or(infinite(p[0]), infinite(p[1])), infinite(p[2]));

    f32v rhw = f32v_add(p[3], f32v_zero()); /* -0 becomes 0 */

    return screen_of(m32v_not(drop), snap_float(p[0]), snap_float(p[1]), p[2], rhw,
                     i32v_select(drop, i32v_set1((int32_t)CLIP_DROP), screen_outside(raster, p)));
}

/* --- Loads and stores ------------------------------------------------------------------------- */

/* Byte offsets of a vector's vertices; lanes past n repeat the last vertex. */
static void find_vertices(uint32_t at[SIMD_LANES], size_t stride, unsigned n)
{
    for (unsigned i = 0; i < SIMD_LANES; i++)
        at[i] = (uint32_t)((i < n ? i : n - 1) * stride * sizeof(float));
}

/* Stores all lanes. */
SIMD_INLINE void put(const struct screen *screen, const float *vertex, size_t stride,
                     struct raster_screen_vertex *out)
{
    const f32v row[4] = {i32v_as_f32(screen->x), i32v_as_f32(screen->y), screen->z, screen->rhw};
    _Alignas(64) uint32_t outside[SIMD_LANES];

    _Static_assert(offsetof(struct raster_screen_vertex, x) == 0 &&
                       offsetof(struct raster_screen_vertex, rhw) == 12,
                   "a store of four words takes x, y, z and rhw");
    i32v_store((int32_t *)outside, screen->outside);
    f32v_store_rows((float *)(void *)out, sizeof(*out) / sizeof(float), row);
    for (unsigned i = 0; i < SIMD_LANES; i++) {
        out[i].outside = outside[i];
        out[i].v = vertex + i * stride;
    }
}

SIMD_INLINE uint32_t project_all(const struct raster *raster, const float *vertex, size_t stride,
                                 uint32_t n, bool transformed, struct raster_screen_vertex *out)
{
    struct raster_screen_vertex last[SIMD_LANES];
    uint32_t at[SIMD_LANES], planes = 0;
    i32v outside = i32v_set1(0);
    _Alignas(64) int32_t some_outside[SIMD_LANES];

    find_vertices(at, stride, SIMD_LANES);
    for (uint32_t done = 0; done < n; done += SIMD_LANES) {
        const float *first = vertex + done * stride;
        unsigned some = n - done < SIMD_LANES ? n - done : SIMD_LANES;
        struct screen screen;
        f32v p[4];

        if (some < SIMD_LANES)
            find_vertices(at, stride, some);
        f32v_load_rows(first + RASTER_V_POSITION, at, p);
        screen = transformed ? project_screen(raster, p) : project_clip_space(raster, p);
        outside = i32v_or(outside, screen.outside);
        put(&screen, first, stride, some < SIMD_LANES ? last : out + done);
        if (some < SIMD_LANES)
            memcpy(out + done, last, some * sizeof(*out));
    }
    i32v_store(some_outside, outside);
    for (unsigned i = 0; i < SIMD_LANES; i++)
        planes |= (uint32_t)some_outside[i];
    return planes;
}

static uint32_t project(const struct raster *raster, const float *vertex, uint32_t stride_floats,
                        uint32_t n, struct raster_screen_vertex *out)
{
    if (raster->state->transformed)
        return project_all(raster, vertex, stride_floats, n, true, out);
    return project_all(raster, vertex, stride_floats, n, false, out);
}

const struct raster_project_kern KERN_NAME(raster_project_kern) = {.project = project};
