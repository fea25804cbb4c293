/* The functions of util/simd_math.h over arrays, for tests, benchmarks and long tables. */
#ifndef UTIL_MATH_KERN_H
#define UTIL_MATH_KERN_H

#include "util/cpu.h"

#include <stddef.h>

/* n is a multiple of 16. out may be an input. */
struct math_kern {
    void (*exp2)(float *out, const float *a, size_t n);
    void (*log2)(float *out, const float *a, size_t n);
    void (*sin)(float *out, const float *a, size_t n);
    void (*cos)(float *out, const float *a, size_t n);
    void (*rcp)(float *out, const float *a, size_t n);
    void (*rsq)(float *out, const float *a, size_t n);
    void (*pow)(float *out, const float *a, const float *b, size_t n);
};

KERN_DECLARE(struct math_kern, math_kern);

#endif
