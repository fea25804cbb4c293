/* Colours of pixels that no other kernel blends: with two source colours, or before dithering. One
 * function for all formats, slower than the others. raster_output_kern stores the results. */
#ifndef RASTER_OUTPUT_GENERAL_KERN_H
#define RASTER_OUTPUT_GENERAL_KERN_H

#include "raster/state/params.h"
#include "util/cpu.h"

/* Arrays of a source colour: red, green, blue and alpha. If how->general there are more: the second
 * colour, if how->two_sources, and what dithering adds to each pixel, in steps of the format, if
 * how->dithers. */
enum { RASTER_SOURCE_SECOND = 4, RASTER_SOURCE_DITHER = 8, RASTER_SOURCES };

struct raster_general_kern {
    /* Blends the colours with the stored pixels of `lanes`, and adds what dithering asks for.
     * Pixels and lanes are those of raster_output_kern; how->blend may be NULL. */
    void (*colours)(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                    const float *const *source, uint64_t lanes, float out[4][RASTER_LANES]);
};
KERN_DECLARE(struct raster_general_kern, raster_general_kern);

#endif
