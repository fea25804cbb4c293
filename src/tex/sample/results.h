/* Routes stored channels of samples to the r, g, b, a outputs. Included by sample kernels. */
#ifndef TEX_SAMPLE_RESULTS_H
#define TEX_SAMPLE_RESULTS_H

#include "tex/sample/address.h"

INLINE void put(float *out, f32v value, unsigned lanes)
{
    if (!out)
        return;
    if (lanes != (unsigned)SIMD_ALL_BITS)
        value = f32v_select(m32v_from_bits(lanes), value, f32v_load(out));
    f32v_store(out, value);
}

/* Destination of each stored channel. At most one result takes a channel; channels that no result
 * takes go to `nowhere`. */
struct channel_results {
    float *to[4];
    _Alignas(64) float nowhere[TEX_LANES];
};

INLINE void put_constant(float *out, f32v value, uint64_t lanes)
{
    UNROLL
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES)
        put(out + i, value, (unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
}

/* Sets up the routing and writes, for all lanes, the results that the format does not store. */
INLINE void route_results(const struct tex_sampler_private *s, float *const out[4], uint64_t lanes,
                          struct channel_results *r)
{
    UNROLL
    for (int c = 0; c < 4; c++)
        r->to[c] = r->nowhere;
    UNROLL
    for (int c = 0; c < 4; c++) {
        f32v value = f32v_set1(s->swizzle[c] == TEX_SWIZZLE_ONE ? 1.0f : 0.0f);

        if (!out[c])
            continue;
        if (s->swizzle[c] < TEX_SWIZZLE_ZERO)
            r->to[s->swizzle[c]] = out[c];
        else if (!~lanes)
            put_constant(out[c], value, ~UINT64_C(0));
        else
            put_constant(out[c], value, lanes);
    }
}

/* False if no result takes channel c, which then need not be computed. */
INLINE bool has_result(const struct channel_results *r, unsigned c)
{
    return r->to[c] != r->nowhere;
}

/* Takes all channels at once, so that the compiler computes shared work once. */
INLINE void put_results(const struct channel_results *r, const f32v value[4], unsigned i,
                        unsigned lanes)
{
    if (lanes == (unsigned)SIMD_ALL_BITS) {
        UNROLL
        for (int c = 0; c < 4; c++)
            f32v_store(r->to[c] + i, value[c]);
        return;
    }
    UNROLL
    for (int c = 0; c < 4; c++)
        put(r->to[c] + i, value[c], lanes);
}

#endif
