/* Deinterleaves triples of words, such as triangle indices. Included by kernels. */
#ifndef UTIL_SIMD_DEINTERLEAVE3_H
#define UTIL_SIMD_DEINTERLEAVE3_H

#include "util/simd/simd.h"

/* Loads 3 * SIMD_LANES words and separates those at 0, 3, 6 …, at 1, 4, 7 … and at 2, 5, 8 … */
SIMD_INLINE void i32v_load_deinterleave3(const int32_t *p, i32v out[3])
{
#if SIMD_LANES == 16
    /* Per output: permutation of the first two vectors, then of that result and the third. */
    static const int32_t first[3][16] __attribute__((aligned(64))) = {
        {0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30},
        {1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31},
        {2, 5, 8, 11, 14, 17, 20, 23, 26, 29}};
    static const int32_t then[3][16] __attribute__((aligned(64))) = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31}};
    i32v a = i32v_loadu(p), b = i32v_loadu(p + 16), c = i32v_loadu(p + 32);

    for (unsigned k = 0; k < 3; k++) {
        i32v two = _mm512_permutex2var_epi32(a, i32v_load(first[k]), b);

        out[k] = _mm512_permutex2var_epi32(two, i32v_load(then[k]), c);
    }
#else
    i32v triples = i32v_mul(i32v_iota(0), i32v_set1(3));

    for (unsigned k = 0; k < 3; k++)
        out[k] = i32v_gather(p + k, triples);
#endif
}

#endif
