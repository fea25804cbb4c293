/* Coverage kernel: finds the pixels and blocks that lie inside three edges. One table per
 * instruction set; all give the same bits. */
#ifndef RASTER_PRIM_COVERAGE_KERN_H
#define RASTER_PRIM_COVERAGE_KERN_H

#include "util/cpu.h"

#include <stdint.h>

/* Edge functions over a tile; E(x, y) = E(0, 0) + x * a + y * b. */
struct raster_tile_edges {
    int32_t least[3], most[3]; /* minimum and maximum in the first block */
    int32_t a[3], b[3];
};

struct raster_coverage_kern {
    /* Returns the pixels of 8x8 that have e + x * a + y * b >= 0 for all three edges, in linear
     * order. */
    uint64_t (*cover)(const int32_t e[3], const int32_t a[3], const int32_t b[3]);
    /* For the blocks `wanted` of a tile, bit y * 8 + x: *some: those that may have pixels inside
     * all edges; *whole: those that lie inside entirely. */
    void (*cover_blocks)(const struct raster_tile_edges *edges, uint64_t wanted, uint64_t *some,
                         uint64_t *whole);
};
KERN_DECLARE(struct raster_coverage_kern, raster_coverage_kern);

#endif
