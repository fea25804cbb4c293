/* Kernels of pixels.c. */
#ifndef PRESENT_PIXELS_KERN_H
#define PRESENT_PIXELS_KERN_H

#include "util/cpu.h"

#include <stdint.h>

enum { PIXELS_STEP = 32 };

/* n pixels, a multiple of PIXELS_STEP, as X8R8G8B8; what they are read from is aligned to 4. */
typedef void pixels_fn(uint32_t *out, const int32_t *in, uint32_t n);
struct pixels_kern {
    pixels_fn *r5g6b5, *r5g5b5, *r10g10b10;
};
KERN_DECLARE(struct pixels_kern, pixels_kern);

#endif
