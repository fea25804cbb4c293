/* From the coordinates of a batch to chunks of an axis. */
#include "tex/decode_on_demand.h"

#include "util/simd.h"

#include <math.h>

/* --- Coordinates ------------------------------------------------------------------------------ */

struct bounds {
    f32v least, largest;
    m32v odd; /* NaNs */
};

static inline void widen(struct bounds *b, f32v v)
{
    b->odd = m32v_or(b->odd, f32v_isnan(v));
    b->least = f32v_min(b->least, v);
    b->largest = f32v_max(b->largest, v);
}

static struct tex_range range(const float *at, const float *step, uint64_t lanes)
{
    f32v some = f32v_set1(at[__builtin_ctzll(lanes)]), half = f32v_set1(0.5f);
    struct bounds b = {some, some, f32v_isnan(some)};

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned on = (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS;
        f32v v = f32v_load(at + i), reach = f32v_zero();

        if (step)
            reach = f32v_mul(f32v_load(step + i), half);
        if (on != (unsigned)SIMD_ALL_BITS) {
            v = f32v_select(m32v_from_bits(on), v, some);
            reach = f32v_where(m32v_from_bits(on), reach);
        }
        widen(&b, step ? f32v_add(v, reach) : v);
        if (step)
            widen(&b, f32v_sub(v, reach));
    }
    return (struct tex_range){f32v_least(b.least), f32v_largest(b.largest), !m32v_any(b.odd)};
}

/* --- Chunks ----------------------------------------------------------------------------------- */

/* As fixed_position in sample_address.h, in texels: 0 … size. A NaN is 0. */
static inline float position(float t, float size, unsigned mode)
{
    switch (mode) {
    case D3DTADDRESS_WRAP:
        t -= floorf(t);
        break;
    case D3DTADDRESS_MIRROR:
        t -= 2.0f * floorf(t * 0.5f);
        t = t < 2.0f - t ? t : 2.0f - t;
        break;
    case D3DTADDRESS_MIRRORONCE:
        t = fabsf(t);
        break;
    }
    t = t > 0.0f ? t : 0.0f;
    t *= size;
    return t < size ? t : size;
}

static inline struct tex_run whole(uint32_t n)
{
    return (struct tex_run){0, n, n};
}

/* Texels that a footprint at a position reads lie from 3/4 below it to a quarter and one above, the
 * rounding of positions included. Those outside are, with WRAP, the ones at the other end. */
static inline struct tex_run run_between(const struct tex_axis *a, float low, float high,
                                         bool crosses)
{
    int32_t n = (int32_t)a->chunks, last = (int32_t)a->size - 1;
    int32_t from = (int32_t)floorf(low - 0.75f), to = (int32_t)(high + 0.25f) + 1, first, end;
    bool wraps = a->mode == D3DTADDRESS_WRAP;

    first = from >= 0 ? from >> a->shift : wraps ? -1 : 0;
    end = to <= last ? to >> a->shift : wraps ? n : n - 1;
    if (crosses)
        end += n;
    if (end - first + 1 >= n)
        return whole((uint32_t)n);
    return (struct tex_run){(uint32_t)(first < 0 ? first + n : first), (uint32_t)(end - first + 1),
                            (uint32_t)n};
}

static inline struct tex_run run_of(const struct tex_axis *a, const struct tex_range *r)
{
    float least = r->least, largest = r->largest, from, to;
    bool crosses = false;

    if (a->chunks == 1 || !r->known)
        return whole(a->chunks);
    if (a->mode == D3DTADDRESS_WRAP || a->mode == D3DTADDRESS_MIRROR)
        crosses = floorf(least) < floorf(largest);
    if (crosses && (a->mode == D3DTADDRESS_MIRROR || !(largest - least < 1.0f)))
        return whole(a->chunks);
    from = position(least, (float)a->size, a->mode);
    to = position(largest, (float)a->size, a->mode);
    if (a->mode == D3DTADDRESS_MIRRORONCE && least < 0.0f && largest > 0.0f)
        return run_between(a, 0.0f, from > to ? from : to, false);
    if (from > to && !crosses)
        return run_between(a, to, from, false);
    return run_between(a, from, to, crosses);
}

static void runs(const struct tex_axis axis[3], const struct tex_range range[3],
                 struct tex_run run[3])
{
    for (int a = 0; a < 3; a++)
        run[a] = run_of(&axis[a], &range[a]);
}

const struct tex_footprint_kern KERN_NAME(tex_footprint_kern) = {.range = range, .runs = runs};
