/* Vector helpers for the rasteriser's kernels: loops over lanes and lane masks. */
#ifndef RASTER_PRIM_KERN_LANES_H
#define RASTER_PRIM_KERN_LANES_H

#include "raster/raster.h"

#include "util/simd/simd.h"

#define EACH_VECTOR(i) for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES)

static inline m32v lanes_at(uint64_t mask, unsigned first)
{
    return m32v_from_bits((unsigned)(mask >> first) & SIMD_ALL_BITS);
}

static inline uint64_t bits_at(m32v m, unsigned first)
{
    return (uint64_t)m32v_bits(m) << first;
}

#endif
