/* Blend equation for one vector of pixels, channel by channel (reference: blend/factors). For the
 * rasteriser's kernels only. */
#ifndef RASTER_OUTPUT_BLEND_LANES_H
#define RASTER_OUTPUT_BLEND_LANES_H

#include "raster/state/params.h"
#include "util/simd/simd.h"

/* One channel: s and d are source and destination colour, sa and da their alphas, k the constant
 * factor. */
struct blend_lane {
    f32v s, d, sa, da, k;
    bool alpha;
};

SIMD_INLINE f32v blend_factor(unsigned factor, const struct blend_lane *in)
{
    f32v one = f32v_set1(1.0f);

    switch (factor) {
    case D3DBLEND_SRCCOLOR:
        return in->s;
    case D3DBLEND_INVSRCCOLOR:
        return f32v_sub(one, in->s);
    case D3DBLEND_SRCALPHA:
    case D3DBLEND_BOTHSRCALPHA:
        return in->sa;
    case D3DBLEND_INVSRCALPHA:
    case D3DBLEND_BOTHINVSRCALPHA:
        return f32v_sub(one, in->sa);
    case D3DBLEND_DESTALPHA:
        return in->da;
    case D3DBLEND_INVDESTALPHA:
        return f32v_sub(one, in->da);
    case D3DBLEND_DESTCOLOR:
        return in->d;
    case D3DBLEND_INVDESTCOLOR:
        return f32v_sub(one, in->d);
    case D3DBLEND_SRCALPHASAT:
        return in->alpha ? one : f32v_min(in->sa, f32v_sub(one, in->da));
    case D3DBLEND_BLENDFACTOR:
        return in->k;
    case D3DBLEND_INVBLENDFACTOR:
        return f32v_sub(one, in->k);
    default:
        return one;
    }
}

/* Factors zero and one skip the multiplication: a stored infinity times zero must not give NaN. */
SIMD_INLINE f32v blend_term(unsigned factor, f32v colour, const struct blend_lane *in)
{
    if (factor == D3DBLEND_ONE)
        return colour;
    if (factor == D3DBLEND_ZERO)
        return f32v_zero();
    return f32v_mul(colour, blend_factor(factor, in));
}

SIMD_INLINE f32v blend_channel(const struct raster_blend *blend, const struct blend_lane *in)
{
    f32v s, d;

    if (blend->op == D3DBLENDOP_MIN)
        return f32v_min(in->s, in->d);
    if (blend->op == D3DBLENDOP_MAX)
        return f32v_max(in->s, in->d);
    s = blend_term(blend->src, in->s, in);
    d = blend_term(blend->dst, in->d, in);
    if (blend->op == D3DBLENDOP_SUBTRACT)
        return f32v_sub(s, d);
    if (blend->op == D3DBLENDOP_REVSUBTRACT)
        return f32v_sub(d, s);
    return f32v_add(s, d);
}

static inline bool same_blend(const struct raster_blend *a, const struct raster_blend *b)
{
    return a->src == b->src && a->dst == b->dst && a->op == b->op;
}

/* Calls fn with the colour and the alpha equation of `blend`, then the remaining arguments.
 * Specialises the common equations at compile time; the general case branches on it for every
 * vector. */
#define BLEND_DISPATCH(blend, fn, ...)                                                             \
    do {                                                                                           \
        static const struct raster_blend over_ = {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA,         \
                                                  D3DBLENDOP_ADD};                                 \
        static const struct raster_blend sum_ = {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};      \
        static const struct raster_blend layer_ = {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA,             \
                                                   D3DBLENDOP_ADD};                                \
        static const struct raster_blend tint_ = {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO,               \
                                                  D3DBLENDOP_ADD};                                 \
        bool same_ = same_blend(&(blend)->rgb, &(blend)->alpha);                                   \
                                                                                                   \
        if (same_ && same_blend(&(blend)->rgb, &over_))                                            \
            fn(&over_, &over_, __VA_ARGS__);                                                       \
        else if (same_ && same_blend(&(blend)->rgb, &sum_))                                        \
            fn(&sum_, &sum_, __VA_ARGS__);                                                         \
        else if (same_ && same_blend(&(blend)->rgb, &layer_))                                      \
            fn(&layer_, &layer_, __VA_ARGS__);                                                     \
        else if (same_ && same_blend(&(blend)->rgb, &tint_))                                       \
            fn(&tint_, &tint_, __VA_ARGS__);                                                       \
        else                                                                                       \
            fn(&(blend)->rgb, &(blend)->alpha, __VA_ARGS__);                                       \
    } while (0)

#endif
