/* Texture address generation along one axis: applies address modes and computes indices and weights
 * of point and linear texels (reference: texture/point, texture/linear, texture/address). Included
 * by sample kernels. */
#ifndef TEX_SAMPLE_ADDRESS_H
#define TEX_SAMPLE_ADDRESS_H

#include "tex/sample/sample.h"

#include "util/simd/simd.h"

#define INLINE SIMD_INLINE

/* Two neighbouring texels along one axis, clamped into the level, and their weights. */
struct axis {
    i32v index[2];
    i32v fraction; /* weight[1] in 1/256; set by linear_axis */
    f32v weight[2];
    m32v outside[2]; /* valid only with D3DTADDRESS_BORDER */
};

/* Converts a coordinate to 1/256 texels, rounded to nearest even. The result is in 0 … size * 256,
 * except with BORDER. */
INLINE i32v fixed_position(f32v t, uint32_t size, unsigned mode)
{
    f32v top = f32v_set1((float)size * 256.0f), low = f32v_zero(), high = top;
    f32v two = f32v_set1(2.0f), half = f32v_set1(0.5f), margin = f32v_set1(512.0f);

    switch (mode) {
    case D3DTADDRESS_WRAP:
        t = f32v_sub(t, f32v_floor(t));
        break;
    case D3DTADDRESS_MIRROR:
        t = f32v_sub(t, f32v_mul_ftz_any(two, f32v_floor(f32v_mul_ftz_any(t, half))));
        t = f32v_min(t, f32v_sub(two, t));
        break;
    case D3DTADDRESS_MIRRORONCE:
        t = f32v_abs(t);
        break;
    case D3DTADDRESS_BORDER:
        low = f32v_neg(margin);
        high = f32v_add(top, margin);
        break;
    }
    /* f32v_max returns its second operand for a NaN, so the result is always bounded. */
    return f32v_to_i32_round(f32v_min(f32v_max(f32v_mul_ftz_any(t, top), low), high));
}

INLINE i32v wrap_or_clamp(i32v index, uint32_t size, unsigned mode, m32v *outside)
{
    i32v zero = i32v_set1(0), last = i32v_set1((int32_t)size - 1);

    if (mode == D3DTADDRESS_WRAP) {
        index = i32v_select(i32v_lt(last, index), zero, index);
        return i32v_select(i32v_lt(index, zero), last, index);
    }
    if (mode == D3DTADDRESS_BORDER)
        *outside = m32v_or(i32v_lt(index, zero), i32v_lt(last, index));
    return i32v_max(i32v_min(index, last), zero);
}

INLINE struct axis point_axis(f32v t, uint32_t size, unsigned mode)
{
    struct axis a;
    i32v index = i32v_sra(fixed_position(t, size, mode), 8);

    a.outside[0] = a.outside[1] = m32v_none();
    a.weight[0] = a.weight[1] = f32v_zero();
    a.fraction = i32v_set1(0);
    a.index[0] = wrap_or_clamp(index, size, mode, &a.outside[0]);
    if (mode == D3DTADDRESS_WRAP) /* position `size` wraps to texel 0: its neighbour is 1 */
        index = a.index[0];
    a.index[1] = wrap_or_clamp(i32v_add(index, i32v_set1(1)), size, mode, &a.outside[1]);
    return a;
}

INLINE struct axis linear_axis(f32v t, uint32_t size, unsigned mode)
{
    struct axis a;
    i32v position = i32v_sub(fixed_position(t, size, mode), i32v_set1(128));
    i32v index = i32v_sra(position, 8);

    a.fraction = i32v_and(position, i32v_set1(255));
    a.outside[0] = a.outside[1] = m32v_none();
    /* Both weights are exact. */
    a.weight[1] = f32v_mul_ftz_any(i32v_to_f32(a.fraction), f32v_set1(1.0f / 256.0f));
    a.weight[0] = f32v_sub(f32v_set1(1.0f), a.weight[1]);
    if (mode == D3DTADDRESS_WRAP) { /* index in -1 … size - 1: each neighbour wraps at one end */
        i32v last = i32v_set1((int32_t)size - 1), next = i32v_add(index, i32v_set1(1));

        a.index[0] = i32v_select(m32v_from_i32(index), last, index);
        a.index[1] = i32v_select(i32v_lt(last, next), i32v_set1(0), next);
        return a;
    }
    a.index[0] = wrap_or_clamp(index, size, mode, &a.outside[0]);
    a.index[1] = wrap_or_clamp(i32v_add(index, i32v_set1(1)), size, mode, &a.outside[1]);
    return a;
}

#endif
