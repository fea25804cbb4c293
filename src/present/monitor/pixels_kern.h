/* SIMD kernels of pixels.c, one set per instruction set. */
#ifndef PRESENT_MONITOR_PIXELS_KERN_H
#define PRESENT_MONITOR_PIXELS_KERN_H

#include "util/cpu.h"

#include <stdint.h>

enum { PIXELS_STEP = 32 };

/* Converts n pixels, a multiple of PIXELS_STEP, to X8R8G8B8; `in` is aligned to 4 bytes. */
typedef void pixels_fn(uint32_t *out, const int32_t *in, uint32_t n);
struct pixels_kern {
    pixels_fn *r5g6b5, *r5g5b5, *r10g10b10;
};
KERN_DECLARE(struct pixels_kern, pixels_kern);

#endif
