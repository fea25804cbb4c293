/* SIMD kernels of scale.c, one set per instruction set. */
#ifndef PRESENT_MONITOR_SCALE_KERN_H
#define PRESENT_MONITOR_SCALE_KERN_H

#include "util/cpu.h"

#include <stdint.h>

enum { SCALE_STEP = 16, SCALE_BITS = 7 }; /* pixels of a step; fraction bits of a weight */

struct scale_kern {
    /* Mixes pixels in[a] and in[b] of n columns, a multiple of SCALE_STEP. out: three planes of n
     * values, red, green and blue, times 128. weights: 128 - w, and w in the upper half. */
    void (*columns)(uint16_t *out, const uint32_t *in, const int32_t *a, const int32_t *b,
                    const int32_t *weights, uint32_t n);
    /* Mixes two such rows with 128 - weight and weight, and rounds to the nearest 8-bit value. */
    void (*rows)(uint32_t *out, const uint16_t *above, const uint16_t *below, uint32_t weight,
                 uint32_t n, uint32_t plane);
};
KERN_DECLARE(struct scale_kern, scale_kern);

#endif
