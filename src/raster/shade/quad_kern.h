/* Quad kernel: interpolation of 16 quads, each with its own primitive. One table per instruction
 * set; all give the same bits. */
#ifndef RASTER_SHADE_QUAD_KERN_H
#define RASTER_SHADE_QUAD_KERN_H

#include "raster/worker/batch.h"
#include "util/cpu.h"

struct raster_quad_kern {
    /* Interpolates attributes and the requested inputs; may write lanes past the last quad's. */
    void (*interpolate)(const struct raster_lanes *to, const struct raster_quads *quads);
};

KERN_DECLARE(struct raster_quad_kern, raster_quad_kern);

#endif
