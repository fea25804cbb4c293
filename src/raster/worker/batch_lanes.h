/* Vector helpers for the rows of a batch: an array of lanes for each attribute. For the
 * rasteriser's kernels only. */
#ifndef RASTER_WORKER_BATCH_LANES_H
#define RASTER_WORKER_BATCH_LANES_H

#include "raster/worker/batch.h"

#include "util/simd/double.h"
#include "util/simd/simd.h"

static inline float *raster_attr_row(const struct frag_batch *frags, const struct raster_attr *attr,
                                     unsigned n)
{
    return frags->work + attr[n].slot * RASTER_LANES;
}

/* Store a vector from lane `at` on. Another row may follow RASTER_LANES, so lanes behind them are
 * not stored. _half: the first half of a vector. */
SIMD_INLINE void raster_put_lanes(float *row, unsigned at, f32v value)
{
    if (at + SIMD_LANES <= RASTER_LANES)
        f32v_storeu(row + at, value);
    else
        f32v_store_only(row + at, value, RASTER_LANES - at);
}

SIMD_INLINE void raster_put_half(float *row, unsigned at, f32h value)
{
    enum { HALF = SIMD_LANES > 1 ? SIMD_LANES / 2 : 1 };
    float lanes[HALF];

    if (at + HALF <= RASTER_LANES) {
        f32h_storeu(row + at, value);
        return;
    }
    f32h_storeu(lanes, value);
    memcpy(row + at, lanes, (RASTER_LANES - at) * sizeof(*lanes));
}

#endif
