/* Gradient fills: evaluate colour planes times constants straight to pixels, for gradients and
 * additive glows whose shader does nothing else. */
#ifndef RASTER_OUTPUT_GRADIENT_FILL_H
#define RASTER_OUTPUT_GRADIENT_FILL_H

#include "raster/prim/plane.h"
#include "raster/raster.h"

enum { GRADIENT_WIDTH = 64 }; /* pixels along a row */

/* Affine planes times factors for red, green, blue and alpha. All values are finite. */
struct gradient_fill {
    float anchor_x, anchor_y;
    struct raster_interp_plane plane[4];
    float factor[4];
    unsigned const_channels; /* bits of channels with the constant value plane.a0 */
    bool saturated;
};

/* A rectangle to fill: width and height are multiples of 8, width is at most GRADIENT_WIDTH. */
struct gradient_area {
    float x, y; /* first pixel */
    uint8_t *rows;
    size_t pitch;
    unsigned width, height;
};

#endif
