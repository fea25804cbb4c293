/* Converts rows of pixels from any back-buffer format to X8R8G8B8. Private to present. */
#ifndef PRESENT_MONITOR_PIXELS_H
#define PRESENT_MONITOR_PIXELS_H

#include "present/monitor/pixels_kern.h"
#include "present/monitor/view.h"

enum { PIXEL_TABLE_BITS = 10 }; /* widest channel that uses a lookup table */

struct pixel_reader {
    const struct tex_format *format;
    const struct view_gamma *gamma; /* borrowed; NULL: none */
    pixels_fn *fast;                /* SIMD kernel for whole steps of a row; NULL: none */
    enum { PIXELS_COPY, PIXELS_LOOKUP, PIXELS_UNPACK } conversion;
    uint32_t table[3][1 << PIXEL_TABLE_BITS]; /* channel value, shifted into place */
};

/* Channels of n bits are rounded to the nearest 8-bit value. Floats are clamped to 0 … 1, and NaN
 * becomes 0. Returns ST_UNSUPPORTED if the format lacks red, green or blue. */
MUST_CHECK enum status pixels_begin(struct pixel_reader *reader, const struct tex_format *format,
                                    const struct view_gamma *gamma);
void pixels_row(const struct pixel_reader *reader, const uint8_t *row, uint32_t n, uint32_t *out);

#endif
