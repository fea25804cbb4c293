/* Coverage kernel: finds the pixels and blocks that lie inside three edges. One table per
 * instruction set; all give the same bits. */
#ifndef RASTER_PRIM_COVERAGE_KERN_H
#define RASTER_PRIM_COVERAGE_KERN_H

#include "raster/scene/blocks.h"
#include "util/cpu.h"

#include <stdint.h>

/* Edge functions over a tile; E(x, y) = E(0, 0) + x * a + y * b. */
struct raster_tile_edges {
    int32_t least[3], most[3]; /* minimum and maximum in the first block, over all samples */
    int32_t a[3], b[3];
    int32_t at[MAX_SAMPLES][3]; /* E(0, 0) of each sample */
    unsigned samples;
};

struct raster_coverage_kern {
    /* For the blocks `wanted` of a tile, bit y * 8 + x: *some: those that may have pixels inside
     * all edges; *whole: those that lie inside entirely. */
    void (*cover_blocks)(const struct raster_tile_edges *edges, uint64_t wanted, uint64_t *some,
                         uint64_t *whole);
    /* Finds the pixels of these blocks inside all edges, E >= 0, in linear order: of sample s of
     * block n, at masks[n * stride + s]. Does not read `least` and `most`. */
    void (*cover_pixels)(const struct raster_tile_edges *edges, uint64_t wanted, uint64_t *masks,
                         unsigned stride);
};
KERN_DECLARE(struct raster_coverage_kern, raster_coverage_kern);

#endif
