/* Pixels of any format a back buffer has as X8R8G8B8, row by row. Private to present. */
#ifndef PRESENT_PIXELS_H
#define PRESENT_PIXELS_H

#include "present/pixels_kern.h"
#include "present/view.h"

enum { PIXEL_TABLE_BITS = 10 }; /* of the widest channel that goes through a table */

struct pixel_reader {
    const struct tex_format *format;
    const struct view_gamma *gamma; /* borrowed; NULL: none */
    pixels_fn *fast;                /* for most of a row; NULL: none */
    enum { PIXELS_COPY, PIXELS_LOOKUP, PIXELS_UNPACK } conversion;
    uint32_t table[3][1 << PIXEL_TABLE_BITS]; /* a channel's value, where it stands in the result */
};

/* A channel of n bits becomes the nearest of 8 bits; floats are clamped to 0 and 1 first, and NaN
 * is 0. ST_UNSUPPORTED where the format lacks red, green or blue. */
MUST_CHECK enum status pixels_begin(struct pixel_reader *reader, const struct tex_format *format,
                                    const struct view_gamma *gamma);
void pixels_row(const struct pixel_reader *reader, const uint8_t *row, uint32_t n, uint32_t *out);

#endif
