/* Operations on arrays of small integers, 16 bytes at a time for all instruction sets. Included by
 * kernels. */
#ifndef UTIL_SIMD_SMALL_INTS_H
#define UTIL_SIMD_SMALL_INTS_H

#include "util/simd/simd.h"

/* Widens eight unaligned 16-bit integers to 32 bits, without signs. */
SIMD_INLINE void simd_widen_8_uint16(const void *from, uint32_t to[8])
{
    const simde__m128i zero = simde_mm_setzero_si128();
    simde__m128i v = simde_mm_loadu_si128(from);

    simde_mm_storeu_si128((simde__m128i *)(void *)to, simde_mm_unpacklo_epi16(v, zero));
    simde_mm_storeu_si128((simde__m128i *)(void *)(to + 4), simde_mm_unpackhi_epi16(v, zero));
}

/* Sum of bytes: begin with byte_sum_zero, add 16 unaligned bytes at a time. */
typedef simde__m128i byte_sum;

SIMD_INLINE byte_sum byte_sum_zero(void)
{
    return simde_mm_setzero_si128();
}

SIMD_INLINE byte_sum byte_sum_add_16(byte_sum sum, const void *bytes)
{
    return simde_mm_add_epi64(
        sum, simde_mm_sad_epu8(simde_mm_loadu_si128(bytes), simde_mm_setzero_si128()));
}

SIMD_INLINE uint64_t byte_sum_total(byte_sum sum)
{
    uint64_t half[2];

    simde_mm_storeu_si128((simde__m128i *)(void *)half, sum);
    return half[0] + half[1];
}

#endif
