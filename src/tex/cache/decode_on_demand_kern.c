/* Kernels of decode on demand: compute the range of a batch's coordinates along an axis, and the
 * span of pages that this range touches.
 * Tested by tests/unit/tex/cache/test_decode_cache.c. */
#include "tex/cache/decode_on_demand_kern.h"

#include "tex/tex.h"

#include "util/simd/simd.h"

#include <math.h>

/* --- Coordinates ------------------------------------------------------------------------------ */

struct bounds {
    f32v min, max;
    m32v nan;
};

static inline void extend_bounds(struct bounds *b, f32v v)
{
    b->nan = m32v_or(b->nan, f32v_isnan(v));
    b->min = f32v_min(b->min, v);
    b->max = f32v_max(b->max, v);
}

/* Returns the range of a coordinate over the active lanes. With `step`, an anisotropic line of taps
 * extends half a step to both sides. Inactive lanes repeat an active one. */
static struct tex_coord_range coord_range(const float *at, const float *step, uint64_t lanes)
{
    f32v any_active = f32v_set1(at[__builtin_ctzll(lanes)]), half = f32v_set1(0.5f);
    struct bounds b = {any_active, any_active, f32v_isnan(any_active)};

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned on = (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS;
        f32v v = f32v_load(at + i), reach = f32v_zero();

        if (step)
            reach = f32v_mul(f32v_load(step + i), half);
        if (on != (unsigned)SIMD_ALL_BITS) {
            v = f32v_select(m32v_from_bits(on), v, any_active);
            reach = f32v_where(m32v_from_bits(on), reach);
        }
        extend_bounds(&b, step ? f32v_add(v, reach) : v);
        if (step)
            extend_bounds(&b, f32v_sub(v, reach));
    }
    return (struct tex_coord_range){f32v_reduce_min(b.min), f32v_reduce_max(b.max),
                                    !m32v_any(b.nan)};
}

/* --- Pages ------------------------------------------------------------------------------------ */

/* As fixed_position in sample/address.h, but in texels: 0 … size. NaN becomes 0. */
static inline float texel_position(float t, float size, unsigned mode)
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

static inline struct tex_page_span all_pages(uint32_t n)
{
    return (struct tex_page_span){0, n, n};
}

/* Returns the pages between two positions. A footprint at position p reads texels between p - 3/4
 * and p + 5/4, including the rounding of p. With WRAP, a texel outside the level is a texel at the
 * opposite end. crosses: the range crosses the level's end once. */
static inline struct tex_page_span page_span_between(const struct tex_page_axis *a, float low,
                                                     float high, bool crosses)
{
    int32_t n = (int32_t)a->pages, last = (int32_t)a->size - 1;
    int32_t from = (int32_t)floorf(low - 0.75f), to = (int32_t)(high + 0.25f) + 1, first, end;
    bool wraps = a->mode == D3DTADDRESS_WRAP;

    first = from >= 0 ? from >> a->shift : wraps ? -1 : 0;
    end = to <= last ? to >> a->shift : wraps ? n : n - 1;
    if (crosses)
        end += n;
    if (end - first + 1 >= n)
        return all_pages((uint32_t)n);
    return (struct tex_page_span){(uint32_t)(first < 0 ? first + n : first),
                                  (uint32_t)(end - first + 1), (uint32_t)n};
}

static inline struct tex_page_span page_span(const struct tex_page_axis *a,
                                             const struct tex_coord_range *r)
{
    float min = r->min, max = r->max, from, to;
    bool crosses = false;

    if (a->pages == 1 || !r->valid)
        return all_pages(a->pages);
    if (a->mode == D3DTADDRESS_WRAP || a->mode == D3DTADDRESS_MIRROR)
        crosses = floorf(min) < floorf(max);
    if (crosses && (a->mode == D3DTADDRESS_MIRROR || !(max - min < 1.0f)))
        return all_pages(a->pages);
    from = texel_position(min, (float)a->size, a->mode);
    to = texel_position(max, (float)a->size, a->mode);
    if (a->mode == D3DTADDRESS_MIRRORONCE && min < 0.0f && max > 0.0f)
        return page_span_between(a, 0.0f, from > to ? from : to, false);
    if (from > to && !crosses)
        return page_span_between(a, to, from, false);
    return page_span_between(a, from, to, crosses);
}

static void page_spans(const struct tex_page_axis axis[3], const struct tex_coord_range range[3],
                       struct tex_page_span span[3])
{
    for (int a = 0; a < 3; a++)
        span[a] = page_span(&axis[a], &range[a]);
}

const struct tex_decode_on_demand_kern KERN_NAME(tex_decode_on_demand_kern) = {
    .coord_range = coord_range, .page_spans = page_spans};
