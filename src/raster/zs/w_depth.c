/* Depths of W-buffers: per pixel from 1/w, for late tests of batches (reference: depth/w-buffer).
 *
 * Tested by tests/unit/raster/zs/test_w_depth.c and tests/conformance/depth. */
#include "raster/zs/depth_stencil.h"

#include <string.h>

/* The range of w that becomes depths 0 to 1, and the biases. */
struct w_range {
    double first, scale;
    float bias, slope_bias;
};

static struct w_range range_of(const struct raster_values *values)
{
    double first = values->w_range[0], last = values->w_range[1];

    return (struct w_range){first, 1.0 / (last - first), values->depth_bias, values->slope_bias};
}

/* The slope of depth at a pixel: d/dx (w - first)·scale = -scale·w²·d/dx (1/w). */
static float slope_at(const struct w_range *range, const struct raster_prim *prim, double w)
{
    double across = fabs(prim->rhw.dadx), down = fabs(prim->rhw.dady);

    return math_narrowf(fabs(range->scale) * (w * w) * (across > down ? across : down));
}

static float depth_at(const struct w_range *range, const struct raster_prim *prim, float dx,
                      float dy)
{
    double w = raster_w_at(prim, dx, dy);
    float depth = math_narrowf((w - range->first) * range->scale) + range->bias;

    if (range->slope_bias != 0.0f)
        depth += math_mulf(range->slope_bias, slope_at(range, prim, w));
    return depth;
}

const float *raster_w_depths(struct raster_worker *worker, const struct frag_batch *batch,
                             uint64_t cover, unsigned sample)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    struct w_range range = range_of(&pipeline->s.values);
    float sx = raster_sample_x[pipeline->pattern][sample] / 16.0f;
    float sy = raster_sample_y[pipeline->pattern][sample] / 16.0f;
    bool block = batch->layout == FRAG_BLOCK;

    for (; cover; cover &= cover - 1) {
        unsigned i = (unsigned)__builtin_ctzll(cover), quad = i / 4;
        const struct raster_prim *prim = block ? batch->prim : batch->quad_prim[quad];
        int32_t x = block ? batch->block_x + (int32_t)(i % BLOCK_DIM)
                          : batch->quad_x[quad] + (int32_t)(i & 1);
        int32_t y = block ? batch->block_y + (int32_t)(i / BLOCK_DIM)
                          : batch->quad_y[quad] + (int32_t)(i >> 1 & 1);

        worker->depth[i] = depth_at(&range, prim, ((float)x + sx) - prim->anchor_x,
                                    ((float)y + sy) - prim->anchor_y);
    }
    return worker->depth;
}
