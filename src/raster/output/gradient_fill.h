/* Gradient fills: evaluate colour planes times constants straight to pixels, for gradients and
 * additive glows whose shader does nothing else. */
#ifndef RASTER_OUTPUT_GRADIENT_FILL_H
#define RASTER_OUTPUT_GRADIENT_FILL_H

#include "raster/prim/plane.h"
#include "raster/raster.h"

struct raster_prim;
struct raster_worker;

enum { GRADIENT_WIDTH = 64 }; /* pixels along a row */

/* Affine planes times factors for red, green, blue and alpha. All values are finite. */
struct gradient_fill {
    float anchor_x, anchor_y;
    struct raster_attr_plane plane[4];
    float factor[4];
    unsigned const_channels; /* bits of channels with the plane of a constant */
    bool saturated;
};

/* A rectangle to fill: width and height are multiples of 8, width is at most GRADIENT_WIDTH. */
struct gradient_area {
    float x, y; /* first pixel */
    uint8_t *rows;
    size_t pitch;
    unsigned width, height;
};

/* Expresses the primitive's colour as a gradient; false: that is impossible. Requires
 * SHORTCUT_GRADIENT. */
bool raster_gradient_fill_find(const struct raster_prim *prim, struct gradient_fill *gradient);
/* Fills dim x dim pixels at (x, y) in all samples. */
void raster_gradient_fill_put(const struct raster_worker *worker,
                              const struct gradient_fill *gradient, int32_t x, int32_t y,
                              unsigned dim);

#endif
