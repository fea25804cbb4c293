/* Bounds of the coordinates of a batch. */
#include "tex/footprint.h"

#include "util/simd.h"

static bool bounds(const float *at, uint64_t lanes, float *least, float *largest)
{
    float some = at[__builtin_ctzll(lanes)], low[SIMD_LANES], high[SIMD_LANES];
    f32v first = f32v_set1(some), l = first, h = first;
    m32v odd = m32v_none();

    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        m32v on = m32v_from_bits((unsigned)(lanes >> i) & (unsigned)SIMD_ALL_BITS);
        f32v v = f32v_select(on, f32v_load(at + i), first);

        odd = m32v_or(odd, f32v_isnan(v));
        l = f32v_min(l, v);
        h = f32v_max(h, v);
    }
    f32v_storeu(low, l);
    f32v_storeu(high, h);
    *least = low[0];
    *largest = high[0];
    for (unsigned i = 1; i < SIMD_LANES; i++) {
        *least = low[i] < *least ? low[i] : *least;
        *largest = high[i] > *largest ? high[i] : *largest;
    }
    return !m32v_any(odd);
}

const struct tex_footprint_kern KERN_NAME(tex_footprint_kern) = {.bounds = bounds};
