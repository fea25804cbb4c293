/* Ceiling kernel: the throughput that shares are relative to. Loads two values, multiplies and
 * stores over rows in the L1 cache, compiled with the flags of other kernels.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/ceiling.h"
#include "util/simd/simd.h"

enum { UNROLLED = 4 };
_Static_assert(CEILING_LANES % (UNROLLED * SIMD_LANES) == 0, "whole rounds of the loop");

/* Without restrict, so that compilers do not vectorise the scalar variant. */
static void multiply(float *d, const float *a, const float *b)
{
    for (unsigned i = 0; i < CEILING_LANES; i += UNROLLED * SIMD_LANES)
        UNROLL
    for (unsigned k = 0; k < UNROLLED; k++) {
        unsigned at = i + k * SIMD_LANES;

        f32v_store(d + at, f32v_mul(f32v_load(a + at), f32v_load(b + at)));
    }
}

static void run(float *rows, unsigned passes)
{
    while (passes--) {
        for (unsigned r = 0; r < 4; r++)
            multiply(rows + (8 + r) * CEILING_STRIDE, rows + 2 * r * CEILING_STRIDE,
                     rows + (2 * r + 1) * CEILING_STRIDE);
        __asm__ volatile("" : : : "memory"); /* keeps every pass */
    }
}

const struct ceiling_kern KERN_NAME(ceiling_kern) = {run};
