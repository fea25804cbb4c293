/* Kernels of StretchRect, and what its files share. stretch.c decides which way a copy goes. */
#ifndef TEX_STRETCH_KERN_H
#define TEX_STRETCH_KERN_H

#include "tex/tex_private.h"
#include "util/cpu.h"

/* Arrays of columns end with zeros up to a whole vector of the widest kind. */
enum { STRETCH_LANES = 16 };

/* Which two source pixels make a destination pixel: `first` and the one after it, which weighs
 * `weight` 256ths, not always 0 only where there is one. */
struct stretch_tap {
    uint32_t first, weight;
};

struct stretch_columns {
    int32_t *first, *weight;
};

/* Sums of a row's pixels in 256ths, two to a word: bytes 0 and 2, bytes 1 and 3 of the pixels. */
struct stretch_sums {
    int32_t *even, *odd;
};

/* n destination pixels each. Arrays that are written, but for those of pixels, have room for whole
 * vectors and are aligned; a row of pixels may be read one pixel past its end. */
struct tex_stretch_kern {
    /* Red and blue change places, and `ones` are set; out may be in. */
    void (*swizzle)(uint32_t *out, const uint32_t *in, uint32_t n, bool swap, uint32_t ones);
    void (*pick)(uint32_t *out, const uint32_t *in, const int32_t *first, uint32_t n);
    /* The mean of two by two pixels of 2n, halves up. */
    void (*downsample_2x2)(uint32_t *out, const uint32_t *top, const uint32_t *bottom, uint32_t n);
    /* Of every byte the mean of so many samples, a power of two up to 16, halves up; samples lie
     * sample_bytes apart. */
    void (*average_samples)(uint32_t *out, const uint32_t *in, size_t sample_bytes,
                            uint32_t samples, uint32_t n);
    void (*filter_horizontal)(const struct stretch_sums *out, const uint32_t *in,
                              const struct stretch_columns *columns, uint32_t n);
    /* weight: of the lower row in 256ths; of sum / 65536 halves go up. */
    void (*filter_vertical)(uint32_t *out, const struct stretch_sums *top,
                            const struct stretch_sums *bottom, uint32_t weight, uint32_t n);
    void (*filter_horizontal_floats)(float *out, const float *in,
                                     const struct stretch_columns *columns, uint32_t n);
    void (*filter_vertical_floats)(float *out, const float *top, const float *bottom,
                                   uint32_t weight, uint32_t n);
};

KERN_DECLARE(struct tex_stretch_kern, tex_stretch_kern);

/* --- One StretchRect -------------------------------------------------------------------------- */

struct stretch {
    const struct tex_format *dst_format, *src_format;
    const struct tex_level *dst, *src;
    struct tex_box to, from;
    uint32_t width, height, src_width, src_height; /* of the boxes */
    uint32_t copies;                               /* samples of the destination */
    bool linear, src_padded;                       /* readable past the source's end */
    struct stretch_columns column;                 /* one for each destination column */
};

struct stretch_tap tex_stretch_tap(uint32_t i, uint32_t dst_size, uint32_t src_size, bool linear);
/* Of a row of the destination's box. */
size_t tex_stretch_row_bytes(const struct stretch *s);
/* Gives every sample of the destination the row that the first one has; y within the box. */
void tex_stretch_to_samples(const struct stretch *s, uint32_t y);

/* stretch_argb.c, for sources whose rows can be A8R8G8B8, and destinations of 8-bit channels. */
bool tex_stretch_can_use_argb(const struct stretch *s);
MUST_CHECK enum status tex_stretch_argb(const struct stretch *s);
/* stretch_float.c, for all else that can be read and packed. */
MUST_CHECK enum status tex_stretch_floats(const struct stretch *s);

/* n rounded up to whole vectors. */
static inline size_t tex_stretch_padded(uint32_t n)
{
    return ((size_t)n + STRETCH_LANES - 1) / STRETCH_LANES * STRETCH_LANES;
}

#endif
