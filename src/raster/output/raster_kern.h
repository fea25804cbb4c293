/* Rasteriser kernels: coverage, fog and float blending. One table per instruction set; all give the
 * same bits. Arrays have RASTER_LANES elements and 64-byte alignment. */
#ifndef RASTER_OUTPUT_RASTER_KERN_H
#define RASTER_OUTPUT_RASTER_KERN_H

#include "raster/state/params.h"
#include "util/cpu.h"

/* Edge functions over a tile; E(x, y) = E(0, 0) + x * a + y * b. */
struct raster_tile_edges {
    int32_t least[3], most[3]; /* minimum and maximum in the first block */
    int32_t a[3], b[3];
};

struct raster_kern {
    /* Returns the pixels of 8x8 that have e + x * a + y * b >= 0 for all three edges, in linear
     * order. */
    uint64_t (*cover)(const int32_t e[3], const int32_t a[3], const int32_t b[3]);
    /* For the blocks `wanted` of a tile, bit y * 8 + x: *some: those that may have pixels inside
     * all edges; *whole: those that lie inside entirely. */
    void (*cover_blocks)(const struct raster_tile_edges *edges, uint64_t wanted, uint64_t *some,
                         uint64_t *whole);
    /* coord: the fog factor itself for RASTER_FOG_VERTEX, else z or w. */
    void (*fog)(const struct raster_fog_params *fog, const float *coord, const float *const rgb[3],
                float *const out[3]);
    void (*saturate)(const float *in, float *out);
    void (*blend)(const struct raster_blend_params *blend, const float *const src[4],
                  const float *const dst[4], float *const out[4]);
};

KERN_DECLARE(struct raster_kern, raster_kern);

#endif
