/* Tables of bytes in registers, and dot products of bytes. For 16-lane vectors on processors with
 * AVX-512 VBMI and VNNI (cpu_has_avx512_vbmi); functions that use them have SIMD_VBMI. Included by
 * kernels. */
#ifndef UTIL_SIMD_BYTE_LOOKUP_H
#define UTIL_SIMD_BYTE_LOOKUP_H

#include "util/simd/bytes.h"

#if SIMD_LANES == 16

#define SIMD_VBMI __attribute__((target("avx512vbmi,avx512vnni")))
#define SIMD_VBMI_INLINE SIMD_VBMI SIMD_INLINE

/* Loads the lanes of the mask and takes the others from `rest`. Does not read the memory of other
 * lanes. */
SIMD_INLINE i32v i32v_loadu_lanes(i32v rest, m32v lanes, const int32_t *p)
{
    return _mm512_mask_loadu_epi32(rest, lanes, p);
}

/* Each byte of `index` selects one of the 64 bytes of a table; bits above the lowest 6 are
 * ignored. */
SIMD_VBMI_INLINE i32v i32v_lookup_64_bytes(i32v table, i32v index)
{
    return _mm512_permutexvar_epi8(index, table);
}
/* Each byte of `index` selects one of the 128 bytes of two registers; bit 7 is ignored. */
SIMD_VBMI_INLINE i32v i32v_lookup_128_bytes(const i32v table[2], i32v index)
{
    return _mm512_permutex2var_epi8(table[0], index, table[1]);
}

/* Transposes 16 words of four bytes to four planes of 16 bytes: byte 0 of each word, then byte 1.
 */
SIMD_VBMI_INLINE i32v i32v_byte_planes(i32v words)
{
    const i32v order =
        _mm512_set_epi32(0x3f3b3733, 0x2f2b2723, 0x1f1b1713, 0x0f0b0703, 0x3e3a3632, 0x2e2a2622,
                         0x1e1a1612, 0x0e0a0602, 0x3d393531, 0x2d292521, 0x1d191511, 0x0d090501,
                         0x3c383430, 0x2c282420, 0x1c181410, 0x0c080400);

    return _mm512_permutexvar_epi8(order, words);
}

/* Transposes a 4x4 matrix of four-word elements: out[i] has element i of each vector. */
SIMD_INLINE void i32v_transpose_fours(const i32v in[4], i32v out[4])
{
    i32v low[2], high[2];

    UNROLL
    for (unsigned k = 0; k < 2; k++) {
        low[k] = _mm512_shuffle_i64x2(in[2 * k], in[2 * k + 1], 0x44);
        high[k] = _mm512_shuffle_i64x2(in[2 * k], in[2 * k + 1], 0xee);
    }
    out[0] = _mm512_shuffle_i64x2(low[0], low[1], 0x88);
    out[1] = _mm512_shuffle_i64x2(low[0], low[1], 0xdd);
    out[2] = _mm512_shuffle_i64x2(high[0], high[1], 0x88);
    out[3] = _mm512_shuffle_i64x2(high[0], high[1], 0xdd);
}

/* Returns sum plus the signed products of both 16-bit halves, modulo 2^32. */
SIMD_VBMI_INLINE i32v i32v_add_madd_16(i32v sum, i32v a, i32v b)
{
    return _mm512_dpwssd_epi32(sum, a, b);
}

#endif

#endif
