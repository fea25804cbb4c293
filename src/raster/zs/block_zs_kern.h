/* Depth-stencil kernel for 8x8 blocks in place: tests the blocks of a tile in one call. One table
 * per instruction set; all give the same bits. */
#ifndef RASTER_ZS_BLOCK_ZS_KERN_H
#define RASTER_ZS_BLOCK_ZS_KERN_H

#include "raster/zs/depth_kern.h"

/* The 8x8 blocks of a tile in one sample plane. Block masks have bit y * 8 + x for block (x, y). */
struct raster_zs_blocks {
    const struct raster_interp_plane *z;
    float dx, dy, offset; /* distance of the first block's first pixel from the plane's anchor;
                             depth offset */
    uint8_t *base;        /* that pixel in memory */
    size_t pitch;
    bool write;             /* writes as ds says; else read-only */
    uint64_t passes, fails; /* blocks known to pass or fail by depth as a whole; they write no
                               depth */
    uint64_t *lanes; /* lane mask of the first block; others `stride` masks apart. In: lanes to
                        test; out: lanes that pass */
    unsigned stride;
};

struct raster_block_zs_kern {
    /* Evaluates the depth plane, encodes and tests the blocks in `wanted`. Pixels have 32 or 16
     * bits; rows without lanes need not be mapped. */
    void (*test)(const struct raster_depth_stencil *ds, const struct raster_zs_blocks *blocks,
                 uint64_t wanted);
};
KERN_DECLARE(struct raster_block_zs_kern, raster_block_zs_kern);

#endif
