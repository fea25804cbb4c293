/* Output kernel for A16B16G16R16F: stores or blends 8x8 blocks and gradient areas in place. One
 * table per instruction set; all give the same bits as unpacking with tex, blending with
 * raster_colour_kern and packing with tex. */
#ifndef RASTER_OUTPUT_HALF_KERN_H
#define RASTER_OUTPUT_HALF_KERN_H

#include "raster/output/gradient_fill.h"
#include "raster/state/params.h"
#include "util/cpu.h"

/* put and blend: 8x8 pixels, rows pitch bytes apart; from[c]: red, green, blue and alpha of a
 * batch's lanes. */
struct raster_half_kern {
    void (*put)(uint8_t *rows, size_t pitch, const float *const from[4]);
    void (*blend)(const struct raster_blend_params *params, uint8_t *rows, size_t pitch,
                  const float *const from[4]);
    /* Fills an area with a gradient; params NULL: without blending. */
    void (*gradient)(const struct raster_blend_params *params, const struct gradient_fill *gradient,
                     const struct gradient_area *area);
};
KERN_DECLARE(struct raster_half_kern, raster_half_kern);

#endif
