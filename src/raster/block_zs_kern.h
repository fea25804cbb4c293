/* Tests of depth and stencil of blocks of 8x8 pixels where they lie, many at a time. One table an
 * instruction set; every table gives the same bits. */
#ifndef RASTER_BLOCK_ZS_KERN_H
#define RASTER_BLOCK_ZS_KERN_H

#include "raster/depth_kern.h"

/* 8x8 such blocks of one sample, bit y * 8 + x each in masks. */
struct raster_test_blocks {
    const struct raster_interp_plane *z;
    float dx, dy, offset; /* of the first block's first pixel from the plane's anchor; to add to
                             each depth */
    uint8_t *base;        /* of that pixel */
    size_t pitch;
    bool write;             /* as ds says; else nothing */
    uint64_t passes, fails; /* by depth, as a whole, which is known; they write no depth */
    uint64_t *lanes;        /* of the first block, the others stride apart: pixels to be tested, and
                               then those that pass */
    unsigned stride;
};

struct raster_block_test_kern {
    /* Plane, code and test in one, of the blocks in `wanted`. Words of 32 bits; rows without lanes
     * need not be there. No depth test with RASTER_DEPTH_UNORM32. */
    void (*test)(const struct raster_depth_stencil *ds, const struct raster_test_blocks *blocks,
                 uint64_t wanted);
};
KERN_DECLARE(struct raster_block_test_kern, raster_block_test_kern);

#endif
