/* Inner loops of FLIP: separable filters over rows, and the error of each pixel of filtered
 * rows. */
#ifndef TOOL_IMAGE_FLIP_KERN_H
#define TOOL_IMAGE_FLIP_KERN_H

#include "util/cpu.h"

#include <stddef.h>

enum { FLIP_STEP = 32 }; /* row lengths are multiples of this many floats */

/* One row of an image after filtering. X, Y and Z are relative to white; y is luminance, cx = X -
 * Y, and cz = Y - Z, whose filter is the sum of two. Edges and points are the first and second
 * derivatives of luminance. */
struct flip_rows {
    const float *y, *cx, *cz1, *cz2;
    const float *edge_x, *edge_y, *point_x, *point_y;
};

struct flip_constants {
    float to_rgb[9], to_xyz[9]; /* row-major 3x3 matrices; XYZ relative to white */
    float colour_max;           /* largest colour difference, after the exponent */
};

/* How a filter combines its two halves. The derivatives of a constant image are exactly 0. */
enum flip_shape {
    FLIP_MEAN,  /* w[0] * centre + sum of w[t] * (right + left) */
    FLIP_SLOPE, /* sum of w[t] * (right - left) */
    FLIP_BEND   /* sum of w[t] * (right + left - 2 * centre) */
};

struct flip_filter {
    enum flip_shape shape;
    unsigned reach;
    float *weights; /* weights[0] is the centre, then `reach` taps to each side */
};

struct flip_kern {
    /* centre: input of out[0]; taps are stride floats apart; n is a multiple of FLIP_STEP. */
    void (*filter)(float *out, const float *centre, ptrdiff_t stride, const struct flip_filter *f,
                   size_t n);
    void (*errors)(float *out, const struct flip_rows *a, const struct flip_rows *b,
                   const struct flip_constants *c, size_t n);
};

KERN_DECLARE(struct flip_kern, flip_kern);

#endif
