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

/* Looks up the bytes of three vectors in a table of 256 words; plane p has byte p of each. A group
 * of four lanes has 16 bytes of index[k]; out[k][i] gets the words of bytes 4i … 4i + 3. */
SIMD_VBMI_INLINE void i32v_lookup_256_words(const uint8_t plane[4][256], const i32v index[3],
                                            i32v out[3][4])
{
    i32v byte[3][4];

    UNROLL
    for (unsigned p = 0; p < 4; p++) {
        const int32_t *table = (const int32_t *)(const void *)plane[p];
        const i32v low[2] = {i32v_load(table), i32v_load(table + 16)};
        const i32v high[2] = {i32v_load(table + 32), i32v_load(table + 48)};

        UNROLL
        for (unsigned k = 0; k < 3; k++)
            byte[k][p] = _mm512_mask_blend_epi8(_mm512_movepi8_mask(index[k]),
                                                i32v_lookup_128_bytes(low, index[k]),
                                                i32v_lookup_128_bytes(high, index[k]));
    }
    UNROLL
    for (unsigned k = 0; k < 3; k++) {
        i32v low[2], high[2];

        UNROLL
        for (unsigned p = 0; p < 2; p++) {
            low[p] = _mm512_unpacklo_epi8(byte[k][2 * p], byte[k][2 * p + 1]);
            high[p] = _mm512_unpackhi_epi8(byte[k][2 * p], byte[k][2 * p + 1]);
        }
        out[k][0] = _mm512_unpacklo_epi16(low[0], low[1]);
        out[k][1] = _mm512_unpackhi_epi16(low[0], low[1]);
        out[k][2] = _mm512_unpacklo_epi16(high[0], high[1]);
        out[k][3] = _mm512_unpackhi_epi16(high[0], high[1]);
    }
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
