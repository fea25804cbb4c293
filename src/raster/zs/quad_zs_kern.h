/* Depth kernel for quads: tests 16 quads, each with its own primitive. One table per instruction
 * set; all give the same bits. */
#ifndef RASTER_ZS_QUAD_ZS_KERN_H
#define RASTER_ZS_QUAD_ZS_KERN_H

#include "raster/state/params.h"
#include "raster/worker/batch.h"
#include "util/cpu.h"

/* Depth test without stencil or bounds, on a surface of 32-bit or 16-bit pixels. */
struct raster_quad_depth {
    const struct raster_quads *quads;
    uint8_t *base; /* of the surface, which contains every pixel of the quads */
    size_t pitch;
    bool write; /* store depths if ds->depth_write */
};

struct raster_quad_zs_kern {
    /* Returns those of `lanes` that pass. No pixel may occur twice. */
    uint64_t (*test)(const struct raster_depth_stencil *ds, const struct raster_quad_depth *depth,
                     uint64_t lanes);
};
KERN_DECLARE(struct raster_quad_zs_kern, raster_quad_zs_kern);

#endif
