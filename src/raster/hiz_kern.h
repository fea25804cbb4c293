/* Depth tests of whole blocks of 8x8 pixels, all those of a tile at once. One table an instruction
 * set; every table gives the same bits. */
#ifndef RASTER_HIZ_KERN_H
#define RASTER_HIZ_KERN_H

#include "raster/depth_kern.h"

/* Of the 8x8 blocks of a tile, a bit each in masks. Depths are codes in their place in words. */
struct raster_coarse {
    _Alignas(64) uint32_t least[64]; /* of what they hold */
    uint32_t most[64];
    uint32_t low[64], high[64]; /* of the primitive in hand */
    uint64_t known;             /* blocks whose least and most are right */
    uint64_t uniform_stencil;   /* blocks with `stencil` all over, as the last clear left them */
    uint32_t stencil;
    uint64_t judged;        /* low and high too */
    uint64_t passes, fails; /* as a whole, of those */
};

struct raster_coarse_plane {
    const struct raster_plane *z;
    float dx, dy, offset; /* of the tile's first pixel from the plane's anchor; to add to depths */
    float margin;         /* samples lie up to so far from pixels' centres */
};

/* Where the words of a tile's pixels lie, those of its first pixel at base. */
struct raster_coarse_words {
    const uint8_t *base;
    size_t pitch, sample_pitch;
    unsigned samples;
};

struct raster_coarse_kern {
    /* least and most of blocks, a bit each. */
    void (*extents)(const struct raster_depth_stencil *ds, const struct raster_coarse_words *words,
                    uint64_t blocks, struct raster_coarse *coarse);
    /* low, high, passes and fails of the blocks in `wanted`, all of them known, for depth functions
     * with one side and codes but RASTER_DEPTH_UNORM32; depths are finite. */
    void (*judge)(const struct raster_depth_stencil *ds, const struct raster_coarse_plane *plane,
                  uint64_t wanted, struct raster_coarse *coarse);
};
KERN_DECLARE(struct raster_coarse_kern, raster_coarse_kern);

#endif
