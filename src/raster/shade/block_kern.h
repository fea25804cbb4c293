/* Block kernel: interpolation of 8x8 blocks of one primitive. One table per instruction set; all
 * give the same bits. */
#ifndef RASTER_SHADE_BLOCK_KERN_H
#define RASTER_SHADE_BLOCK_KERN_H

#include "raster/raster.h"
#include "util/cpu.h"

struct raster_prim;

/* A block to interpolate. Lanes are in quad order, as in a batch: 2x2 quads, row after row. */
struct raster_block {
    const struct raster_prim *prim;
    const struct raster_attr *attr;
    unsigned n_attrs;
    float x, y;              /* first pixel */
    bool with_const_attribs; /* also store constant attributes */
    float *z, *w, *work;     /* results, as in struct raster_lanes; z, w NULL: not needed */
};

struct raster_block_kern {
    void (*interpolate)(const struct raster_block *block);
};
KERN_DECLARE(struct raster_block_kern, raster_block_kern);

#endif
