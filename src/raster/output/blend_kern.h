/* Blend kernel of solid fills for RGBA8 targets: blends areas in place. One table per instruction
 * set; all give the same bits as raster_output_kern. */
#ifndef RASTER_OUTPUT_BLEND_KERN_H
#define RASTER_OUTPUT_BLEND_KERN_H

#include "raster/state/params.h"
#include "util/cpu.h"

struct solid_blend_u8;

struct raster_blend_kern {
    /* One colour over width x height pixels, both multiples of 8. */
    void (*solid)(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch, unsigned width,
                  unsigned height, const float colour[4]);
    void (*solid_u8)(const struct solid_blend_u8 *coeffs, uint8_t *rows, size_t pitch,
                     unsigned width, unsigned height);
};
KERN_DECLARE(struct raster_blend_kern, raster_blend_kern);

#endif
