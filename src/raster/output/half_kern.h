/* Gradient kernel for A16B16G16R16F: stores or blends gradient areas in place. One table per
 * instruction set; all give the same bits as raster_output_kern. */
#ifndef RASTER_OUTPUT_HALF_KERN_H
#define RASTER_OUTPUT_HALF_KERN_H

#include "raster/output/gradient_fill.h"
#include "raster/state/params.h"
#include "util/cpu.h"

struct raster_half_kern {
    /* Fills an area with a gradient; params NULL: without blending. */
    void (*gradient)(const struct raster_blend_params *params, const struct gradient_fill *gradient,
                     const struct gradient_area *area);
};
KERN_DECLARE(struct raster_half_kern, raster_half_kern);

#endif
