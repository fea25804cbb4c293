/* Ceiling kernel: what load, load, multiply, store reach on rows in the first-level cache. */
#ifndef TOOL_BENCH_CEILING_H
#define TOOL_BENCH_CEILING_H

#include "util/cpu.h"

/* Per pass, 4 rows of CEILING_LANES products of two other rows each. The layout avoids loads that
 * share the low 12 address bits with a preceding store (4K aliasing). */
enum {
    CEILING_LANES = 256,
    CEILING_STRIDE = CEILING_LANES + 48,
    CEILING_ROWS = 12,
    CEILING_OPS = 4 * CEILING_LANES
};
struct ceiling_kern {
    void (*run)(float *rows, unsigned passes);
};
KERN_DECLARE(struct ceiling_kern, ceiling_kern);

#endif
