/* Primitives whose colour is attributes times constants, as in gradients, and glows that are added
 * up: from planes to pixels in one loop, without the shader machine. */
#ifndef RASTER_GRADIENT_FILL_H
#define RASTER_GRADIENT_FILL_H

#include "raster/raster_kern.h"

enum { GRADIENT_WIDTH = 64 }; /* pixels at a time */

/* Red, green, blue and alpha: planes without perspective, times factors. All of it are numbers. */
struct gradient_fill {
    float anchor_x, anchor_y;
    struct raster_interp_plane plane[4];
    float factor[4];
    unsigned const_channels; /* a bit a channel: the same everywhere, plane.a0 */
    bool saturated;
};

/* Width and height are multiples of 8, width at most GRADIENT_WIDTH. */
struct gradient_area {
    float x, y; /* the first pixel */
    uint8_t *rows;
    size_t pitch;
    unsigned width, height;
};

#endif
