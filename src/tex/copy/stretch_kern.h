/* Kernel table and shared state of StretchRect. stretch.c selects the path of each copy. */
#ifndef TEX_COPY_STRETCH_KERN_H
#define TEX_COPY_STRETCH_KERN_H

#include "tex/tex_private.h"
#include "util/cpu.h"

/* Column arrays are padded with zeros to a multiple of the widest vector. */
enum { STRETCH_LANES = 16 };

/* Linear filter taps along an axis: `first` and the next pixel, whose weight is `weight` / 256. The
 * weight is 0 if there is no next pixel. */
struct stretch_tap {
    uint32_t first, weight;
};

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
    /* Averages each byte over `samples` samples, a power of two up to 16, rounding half up. Samples
     * are sample_bytes apart. */
    void (*average_samples)(uint32_t *out, const uint32_t *in, size_t sample_bytes,
                            uint32_t samples, uint32_t n);
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

/* --- State of one StretchRect ----------------------------------------------------------------- */

struct stretch {
    const struct tex_format *dst_format, *src_format;
    const struct tex_level *dst, *src;
    struct tex_box to, from;
    uint32_t width, height, src_width, src_height; /* of the boxes */
    uint32_t copies;                               /* number of samples of the destination */
    bool linear, src_padded;                       /* memory past the source's end is readable */
    struct stretch_columns column;                 /* one entry per destination column */
};

/* Computes the tap of destination pixel i along an axis. */
struct stretch_tap tex_stretch_tap(uint32_t i, uint32_t dst_size, uint32_t src_size, bool linear);
/* Returns the bytes of a row of the destination box. */
size_t tex_stretch_row_bytes(const struct stretch *s);
/* Copies the row of the first sample to all samples of the destination. y is relative to the
 * box. */
void tex_stretch_to_samples(const struct stretch *s, uint32_t y);

/* In stretch_argb.c: for sources whose rows decode to A8R8G8B8, and 8-bit RGB or YUV
 * destinations. */
bool tex_stretch_can_use_argb(const struct stretch *s);
MUST_CHECK enum status tex_stretch_argb(const struct stretch *s);
/* In stretch_float.c: for all other readable and packable formats. */
MUST_CHECK enum status tex_stretch_floats(const struct stretch *s);

/* Rounds n up to whole vectors. */
static inline size_t tex_stretch_padded(uint32_t n)
{
    return ((size_t)n + STRETCH_LANES - 1) / STRETCH_LANES * STRETCH_LANES;
}

#endif
