/* Kernel table of resolves: averages of samples, a row of pixels at a time. */
#ifndef TEX_COPY_RESOLVE_KERN_H
#define TEX_COPY_RESOLVE_KERN_H

#include "tex/format.h"
#include "util/cpu.h"

/* Averages n pixels of 2, 4, 8 or 16 samples, sample_bytes apart. */
typedef void tex_average_fn(const struct tex_format *format, uint8_t *out, const uint8_t *in,
                            size_t sample_bytes, uint32_t samples, uint32_t n);

enum tex_average {
    TEX_AVERAGE_BYTES, /* tex_is_8888: the sum of each byte, rounded half up */
    TEX_AVERAGE_WORD8, /* UNORM channels of a word of these bits, as floats */
    TEX_AVERAGE_WORD16,
    TEX_AVERAGE_WORD32,
    TEX_AVERAGE_WORD64, /* no channel crosses the 32-bit halves */
    TEX_AVERAGE_HALF,
    TEX_AVERAGE_FLOAT,
    TEX_AVERAGES
};

struct tex_resolve_kern {
    tex_average_fn *average[TEX_AVERAGES];
};
KERN_DECLARE(struct tex_resolve_kern, tex_resolve_kern);

#endif
