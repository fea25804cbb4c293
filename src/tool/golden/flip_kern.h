/* The inner loops of FLIP: filters over rows, and from filtered rows to errors. */
#ifndef TOOL_GOLDEN_FLIP_KERN_H
#define TOOL_GOLDEN_FLIP_KERN_H

#include "util/cpu.h"

#include <stddef.h>

enum { FLIP_STEP = 32 }; /* rows are as many floats long as a multiple of this */

/* One picture's row after filtering. X, Y, Z are relative to white: Y is luminance, cx = X - Y,
 * cz = Y - Z, whose filter is the sum of two. Edges and points: slope and bend of luminance. */
struct flip_rows {
    const float *y, *cx, *cz1, *cz2;
    const float *edge_x, *edge_y, *point_x, *point_y;
};

struct flip_constants {
    float to_rgb[9], to_xyz[9]; /* row by row; XYZ relative to white */
    float colour_max;           /* of a colour difference, the power taken */
};

/* How a filter's two halves go together, so that nothing is left of a flat picture's derivatives.
 */
enum flip_shape {
    FLIP_MEAN,  /* w[0] * centre + sum of w[t] * (right + left) */
    FLIP_SLOPE, /* sum of w[t] * (right - left) */
    FLIP_BEND   /* sum of w[t] * (right + left - 2 * centre) */
};

struct flip_filter {
    enum flip_shape shape;
    unsigned reach;
    float *weights; /* of the centre and of reach steps to either side */
};

struct flip_kern {
    /* centre: of out[0]; taps are stride floats apart; n as FLIP_STEP says. */
    void (*filter)(float *out, const float *centre, ptrdiff_t stride, const struct flip_filter *f,
                   size_t n);
    void (*errors)(float *out, const struct flip_rows *a, const struct flip_rows *b,
                   const struct flip_constants *c, size_t n);
};

KERN_DECLARE(struct flip_kern, flip_kern);

#endif
