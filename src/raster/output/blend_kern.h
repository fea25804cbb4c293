/* Blend kernel for RGBA8 targets: blends 8x8 blocks and solid areas in place. One table per
 * instruction set; all give the same bits as unpacking with tex, blending with raster_colour_kern
 * and packing with tex. */
#ifndef RASTER_OUTPUT_BLEND_KERN_H
#define RASTER_OUTPUT_BLEND_KERN_H

#include "raster/state/params.h"
#include "util/cpu.h"

struct solid_blend_u8;

struct raster_blend_kern {
    /* 8x8 pixels, rows pitch bytes apart; from[c]: red, green, blue and alpha of a batch's lanes,
     * not clamped. */
    void (*block)(const struct raster_byte_blend *how, uint8_t *rows, size_t pitch,
                  const float *const from[4]);
    /* One colour over width x height pixels, both multiples of 8. */
    void (*solid)(const struct raster_byte_blend *how, uint8_t *rows, size_t pitch, unsigned width,
                  unsigned height, const float colour[4]);
    void (*solid_u8)(const struct solid_blend_u8 *coeffs, uint8_t *rows, size_t pitch,
                     unsigned width, unsigned height);
};
KERN_DECLARE(struct raster_blend_kern, raster_blend_kern);

#endif
