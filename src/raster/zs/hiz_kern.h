/* Hierarchical Z kernel: depth tests of whole 8x8 blocks, all blocks of a tile in one call. One
 * table per instruction set; all give the same bits. */
#ifndef RASTER_ZS_HIZ_KERN_H
#define RASTER_ZS_HIZ_KERN_H

#include "raster/prim/plane.h"
#include "raster/state/params.h"
#include "raster/worker/worker.h"
#include "util/cpu.h"

struct hiz_plane {
    const struct raster_interp_plane *z;
    float dx, dy, offset; /* distance of the tile's first pixel from the plane's anchor; depth
                             offset */
    float margin;         /* largest distance of a sample from its pixel's centre */
};

/* The tile's pixels of 32 or 16 bits; base points to the first. */
struct hiz_surface {
    const uint8_t *base;
    size_t pitch, sample_pitch;
    unsigned samples;
};

struct raster_hiz_kern {
    /* Computes zmin and zmax of the blocks. */
    void (*read_zrange)(const struct raster_depth_stencil *ds, const struct hiz_surface *words,
                        uint64_t blocks, struct hiz *hiz);
    /* Computes prim_zmin, prim_zmax, passes and fails of the blocks in `wanted`, which must be
     * valid. Requires a one-sided depth function and finite depths. */
    void (*test)(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                 uint64_t wanted, struct hiz *hiz);
};
KERN_DECLARE(struct raster_hiz_kern, raster_hiz_kern);

#endif
