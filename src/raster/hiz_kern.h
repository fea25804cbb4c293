/* Depth tests of whole blocks of 8x8 pixels, all those of a tile at once. One table an instruction
 * set; every table gives the same bits. */
#ifndef RASTER_HIZ_KERN_H
#define RASTER_HIZ_KERN_H

#include "raster/depth_kern.h"

/* Of the 8x8 blocks of a tile, a bit each in masks. Depths are codes in their place in words. */
struct hiz {
    _Alignas(64) uint32_t zmin[64]; /* of what they hold */
    uint32_t zmax[64];
    uint32_t prim_zmin[64], prim_zmax[64]; /* of the primitive in hand */
    uint64_t valid;                        /* blocks whose least and most are right */
    uint64_t uniform_stencil;   /* blocks with `stencil` all over, as the last clear left them */
    uint32_t stencil;
    uint64_t tested;        /* low and high too */
    uint64_t passes, fails; /* as a whole, of those */
};

struct hiz_plane {
    const struct raster_interp_plane *z;
    float dx, dy, offset; /* of the tile's first pixel from the plane's anchor; to add to depths */
    float margin;         /* samples lie up to so far from pixels' centres */
};

/* Where the words of a tile's pixels lie, those of its first pixel at base. */
struct hiz_surface {
    const uint8_t *base;
    size_t pitch, sample_pitch;
    unsigned samples;
};

struct raster_hiz_kern {
    /* least and most of blocks, a bit each. */
    void (*read_zrange)(const struct raster_depth_stencil *ds, const struct hiz_surface *words,
                        uint64_t blocks, struct hiz *hiz);
    /* low, high, passes and fails of the blocks in `wanted`, all of them known, for depth functions
     * with one side and codes but RASTER_DEPTH_UNORM32; depths are finite. */
    void (*test)(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                 uint64_t wanted, struct hiz *hiz);
};
KERN_DECLARE(struct raster_hiz_kern, raster_hiz_kern);

#endif
