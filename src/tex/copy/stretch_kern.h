/* Kernel table of StretchRect: functions of one row of pixels. */
#ifndef TEX_COPY_STRETCH_KERN_H
#define TEX_COPY_STRETCH_KERN_H

#include "util/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Column arrays are padded with zeros to a multiple of the widest vector. */
enum { STRETCH_LANES = 16 };

struct stretch_columns {
    int32_t *first, *weight;
};

/* Weighted sums of a row's pixels in 1/256, two per word: bytes 0 and 2, and bytes 1 and 3. */
struct stretch_sums {
    int32_t *even, *odd;
};

/* Each function computes n destination pixels. Output arrays other than pixel rows are aligned and
 * padded to whole vectors. A pixel row may be read one pixel past its end. */
struct tex_stretch_kern {
    /* Swaps red and blue if `swap`, and sets the bits of `ones`. `out` may equal `in`. */
    void (*swizzle)(uint32_t *out, const uint32_t *in, uint32_t n, bool swap, uint32_t ones);
    /* Copies pixel first[i] of the source row to pixel i. */
    void (*pick)(uint32_t *out, const uint32_t *in, const int32_t *first, uint32_t n);
    /* Averages 2x2 source pixels for each of n pixels, rounding half up. Rows have 2n pixels. */
    void (*downsample_2x2)(uint32_t *out, const uint32_t *top, const uint32_t *bottom, uint32_t n);
    void (*filter_horizontal)(const struct stretch_sums *out, const uint32_t *in,
                              const struct stretch_columns *columns, uint32_t n);
    /* `weight` is that of the lower row in 1/256. Divides the sum by 65536, rounding half up. */
    void (*filter_vertical)(uint32_t *out, const struct stretch_sums *top,
                            const struct stretch_sums *bottom, uint32_t weight, uint32_t n);
    void (*filter_horizontal_floats)(float *out, const float *in,
                                     const struct stretch_columns *columns, uint32_t n);
    void (*filter_vertical_floats)(float *out, const float *top, const float *bottom,
                                   uint32_t weight, uint32_t n);
};

KERN_DECLARE(struct tex_stretch_kern, tex_stretch_kern);

/* Rounds n up to whole vectors. */
static inline size_t tex_stretch_padded(uint32_t n)
{
    return ((size_t)n + STRETCH_LANES - 1) / STRETCH_LANES * STRETCH_LANES;
}

#endif
