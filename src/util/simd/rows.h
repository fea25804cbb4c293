/* Rows of 8x8 blocks of 32-bit words or 16-bit integers in memory, and rounding with half up. With
 * 16 lanes a vector holds two rows, with fewer a row or a part of it. */
#ifndef UTIL_SIMD_ROWS_H
#define UTIL_SIMD_ROWS_H

#include "util/simd/uint16.h"

#include <stddef.h>

/* Rows of eight words that one vector touches, and words of each. */
enum { SIMD_ROWS = SIMD_LANES == 16 ? 2 : 1, SIMD_ROW_WORDS = SIMD_LANES / SIMD_ROWS };

/* Loads SIMD_ROWS rows, pitch bytes apart. */
SIMD_INLINE i32v i32v_load_rows(const uint8_t *row, size_t pitch)
{
#if SIMD_LANES == 16
    __m512i top = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)row));

    return _mm512_inserti64x4(top, _mm256_loadu_si256((const __m256i *)(const void *)(row + pitch)),
                              1);
#else
    (void)pitch;
    return i32v_loadu((const int32_t *)(const void *)row);
#endif
}

SIMD_INLINE void i32v_store_rows(uint8_t *row, size_t pitch, i32v words)
{
#if SIMD_LANES == 16
    _mm256_storeu_si256((__m256i *)(void *)row, _mm512_castsi512_si256(words));
    _mm256_storeu_si256((__m256i *)(void *)(row + pitch), _mm512_extracti64x4_epi64(words, 1));
#else
    (void)pitch;
    i32v_storeu((int32_t *)(void *)row, words);
#endif
}

/* The same for the lanes whose bits are set. With 16 lanes no other word is touched, and loads give
 * 0 there; with fewer all words are. */
SIMD_INLINE i32v i32v_load_rows_of(const uint8_t *row, size_t pitch, unsigned lanes)
{
#if SIMD_LANES == 16
    __m256i top = _mm256_maskz_loadu_epi32((__mmask8)lanes, row);
    __m256i below = _mm256_maskz_loadu_epi32((__mmask8)(lanes >> 8), row + pitch);

    return _mm512_inserti64x4(_mm512_castsi256_si512(top), below, 1);
#else
    (void)lanes;
    return i32v_load_rows(row, pitch);
#endif
}

SIMD_INLINE void i32v_store_rows_of(uint8_t *row, size_t pitch, unsigned lanes, i32v words)
{
#if SIMD_LANES == 16
    _mm256_mask_storeu_epi32(row, (__mmask8)lanes, _mm512_castsi512_si256(words));
    _mm256_mask_storeu_epi32(row + pitch, (__mmask8)(lanes >> 8),
                             _mm512_extracti64x4_epi64(words, 1));
#else
    (void)lanes;
    i32v_store_rows(row, pitch, words);
#endif
}

/* The same for rows of 16-bit integers: loads widen them without signs, stores drop the upper half
 * of each word, which must be 0. */
SIMD_INLINE i32v i32v_load_uint16_rows_of(const uint8_t *row, size_t pitch, unsigned lanes)
{
#if SIMD_LANES == 16
    __m128i top = _mm_maskz_loadu_epi16((__mmask8)lanes, row);
    __m128i below = _mm_maskz_loadu_epi16((__mmask8)(lanes >> 8), row + pitch);

    return _mm512_cvtepu16_epi32(_mm256_inserti128_si256(_mm256_castsi128_si256(top), below, 1));
#else
    (void)pitch, (void)lanes;
    return i32v_load_uint16(row);
#endif
}

SIMD_INLINE void i32v_store_uint16_rows_of(uint8_t *row, size_t pitch, unsigned lanes, i32v words)
{
#if SIMD_LANES == 16
    __m256i both = _mm512_cvtepi32_epi16(words);

    _mm_mask_storeu_epi16(row, (__mmask8)lanes, _mm256_castsi256_si128(both));
    _mm_mask_storeu_epi16(row + pitch, (__mmask8)(lanes >> 8), _mm256_extracti128_si256(both, 1));
#else
    (void)pitch, (void)lanes;
    i32v_store_uint16(row, words);
#endif
}

/* Stores those of eight aligned words whose bits are set; may write the others' old values back. */
SIMD_INLINE void simd_store_eight(int32_t *row, const int32_t *words, unsigned mask)
{
#if SIMD_LANES == 16
    _mm256_mask_storeu_epi32(row, (__mmask8)mask, _mm256_load_si256((const __m256i *)words));
#else
    for (unsigned x = 0; x < 8; x += SIMD_LANES) {
        m32v written = m32v_from_bits(mask >> x & SIMD_ALL_BITS);

        i32v_storeu(row + x, i32v_select(written, i32v_load(words + x), i32v_loadu(row + x)));
    }
#endif
}

/* Two rows of eight words as four 2x2 quads side by side; i32v_store_quad_rows stores them. */
SIMD_INLINE void i32v_load_quad_rows(const uint8_t *above, const uint8_t *below,
                                     i32v quads[16 / SIMD_LANES])
{
#if SIMD_LANES == 16
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    __m512i top = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)above));

    top = _mm512_inserti64x4(top, _mm256_loadu_si256((const __m256i *)(const void *)below), 1);
    quads[0] = _mm512_permutexvar_epi64(order, top);
#elif SIMD_LANES == 8
    i32v top = i32v_loadu((const int32_t *)(const void *)above);
    i32v bottom = i32v_loadu((const int32_t *)(const void *)below);

    top = simde_mm256_permute4x64_epi64(top, 0xd8);
    bottom = simde_mm256_permute4x64_epi64(bottom, 0xd8);
    quads[0] = simde_mm256_unpacklo_epi64(top, bottom);
    quads[1] = simde_mm256_unpackhi_epi64(top, bottom);
#elif SIMD_LANES == 4
    for (int i = 0; i < 2; i++) {
        i32v top = i32v_loadu((const int32_t *)(const void *)above + 4 * i);
        i32v bottom = i32v_loadu((const int32_t *)(const void *)below + 4 * i);

        quads[2 * i] = simde_mm_unpacklo_epi64(top, bottom);
        quads[2 * i + 1] = simde_mm_unpackhi_epi64(top, bottom);
    }
#else
    for (int i = 0; i < 8; i++) {
        memcpy(&quads[i / 2 * 4 + i % 2], above + 4 * i, 4);
        memcpy(&quads[i / 2 * 4 + i % 2 + 2], below + 4 * i, 4);
    }
#endif
}

/* The same for rows of eight 16-bit integers, widened without signs. */
SIMD_INLINE void i32v_load_quad_uint16_rows(const uint8_t *above, const uint8_t *below,
                                            i32v quads[16 / SIMD_LANES])
{
#if SIMD_LANES >= 4
    /* A quad's two integers of a row are one element of 32 bits. */
    simde__m128i top = simde_mm_loadu_si128((const simde__m128i *)(const void *)above);
    simde__m128i bottom = simde_mm_loadu_si128((const simde__m128i *)(const void *)below);
    simde__m128i low = simde_mm_unpacklo_epi32(top, bottom);
    simde__m128i high = simde_mm_unpackhi_epi32(top, bottom);
#endif

#if SIMD_LANES == 16
    quads[0] = _mm512_cvtepu16_epi32(_mm256_set_m128i(high, low));
#elif SIMD_LANES == 8
    quads[0] = simde_mm256_cvtepu16_epi32(low);
    quads[1] = simde_mm256_cvtepu16_epi32(high);
#elif SIMD_LANES == 4
    simde__m128i zero = simde_mm_setzero_si128();

    quads[0] = simde_mm_unpacklo_epi16(low, zero);
    quads[1] = simde_mm_unpackhi_epi16(low, zero);
    quads[2] = simde_mm_unpacklo_epi16(high, zero);
    quads[3] = simde_mm_unpackhi_epi16(high, zero);
#else
    for (int i = 0; i < 8; i++) {
        uint16_t top, bottom;

        memcpy(&top, above + 2 * i, 2);
        memcpy(&bottom, below + 2 * i, 2);
        quads[i / 2 * 4 + i % 2] = top;
        quads[i / 2 * 4 + i % 2 + 2] = bottom;
    }
#endif
}

/* Stores the lower halves of the words. */
SIMD_INLINE void i32v_store_quad_uint16_rows(uint8_t *above, uint8_t *below,
                                             const i32v quads[16 / SIMD_LANES])
{
#if SIMD_LANES == 1
    for (int i = 0; i < 8; i++) {
        uint16_t top = (uint16_t)quads[i / 2 * 4 + i % 2];
        uint16_t bottom = (uint16_t)quads[i / 2 * 4 + i % 2 + 2];

        memcpy(above + 2 * i, &top, 2);
        memcpy(below + 2 * i, &bottom, 2);
    }
#else
    simde__m128i low, high;
    simde__m128 even, odd;

#if SIMD_LANES == 16
    __m256i both = _mm512_cvtepi32_epi16(quads[0]);

    low = _mm256_castsi256_si128(both);
    high = _mm256_extracti128_si256(both, 1);
#elif SIMD_LANES == 8
    simde__m256i mask = simde_mm256_set1_epi32(0xffff);
    simde__m256i both = simde_mm256_packus_epi32(simde_mm256_and_si256(quads[0], mask),
                                                 simde_mm256_and_si256(quads[1], mask));

    both = simde_mm256_permute4x64_epi64(both, 0xd8);
    low = simde_mm256_castsi256_si128(both);
    high = simde_mm256_extracti128_si256(both, 1);
#else
    i32v word[4];

    /* With signs in place of the upper halves, the pack does not saturate. */
    for (int i = 0; i < 4; i++)
        word[i] = simde_mm_srai_epi32(simde_mm_slli_epi32(quads[i], 16), 16);
    low = simde_mm_packs_epi32(word[0], word[1]);
    high = simde_mm_packs_epi32(word[2], word[3]);
#endif
    even = simde_mm_shuffle_ps(simde_mm_castsi128_ps(low), simde_mm_castsi128_ps(high), 0x88);
    odd = simde_mm_shuffle_ps(simde_mm_castsi128_ps(low), simde_mm_castsi128_ps(high), 0xdd);
    simde_mm_storeu_si128((simde__m128i *)(void *)above, simde_mm_castps_si128(even));
    simde_mm_storeu_si128((simde__m128i *)(void *)below, simde_mm_castps_si128(odd));
#endif
}

/* The same for rows of eight pairs of words: the first and the second words of the quads. */
SIMD_INLINE void i32v_load_quad_pair_rows(const uint8_t *above, const uint8_t *below,
                                          i32v first[16 / SIMD_LANES], i32v second[16 / SIMD_LANES])
{
#if SIMD_LANES == 1
    for (int i = 0; i < 8; i++) {
        int lane = i / 2 * 4 + i % 2;

        memcpy(&first[lane], above + 8 * i, 4);
        memcpy(&second[lane], above + 8 * i + 4, 4);
        memcpy(&first[lane + 2], below + 8 * i, 4);
        memcpy(&second[lane + 2], below + 8 * i + 4, 4);
    }
#else
    UNROLL
    for (int i = 0; i < 16 / SIMD_LANES; i++) {
        const int32_t *at = (const int32_t *)(const void *)above + i * SIMD_LANES;
        const int32_t *under = (const int32_t *)(const void *)below + i * SIMD_LANES;
        f32v top = i32v_as_f32(i32v_loadu(at)), bottom = i32v_as_f32(i32v_loadu(under));

        first[i] = f32v_bits(SIMD_P(shuffle_ps)(top, bottom, 0x88));
        second[i] = f32v_bits(SIMD_P(shuffle_ps)(top, bottom, 0xdd));
    }
#endif
}

SIMD_INLINE void i32v_store_quad_pair_rows(uint8_t *above, uint8_t *below,
                                           const i32v first[16 / SIMD_LANES],
                                           const i32v second[16 / SIMD_LANES])
{
#if SIMD_LANES == 1
    for (int i = 0; i < 8; i++) {
        int lane = i / 2 * 4 + i % 2;

        memcpy(above + 8 * i, &first[lane], 4);
        memcpy(above + 8 * i + 4, &second[lane], 4);
        memcpy(below + 8 * i, &first[lane + 2], 4);
        memcpy(below + 8 * i + 4, &second[lane + 2], 4);
    }
#else
    UNROLL
    for (int i = 0; i < 16 / SIMD_LANES; i++) {
        i32v_storeu((int32_t *)(void *)above + i * SIMD_LANES,
                    SIMD_P(unpacklo_epi32)(first[i], second[i]));
        i32v_storeu((int32_t *)(void *)below + i * SIMD_LANES,
                    SIMD_P(unpackhi_epi32)(first[i], second[i]));
    }
#endif
}

/* The same for rows of eight pixels of four words: word w of the quads in words[w]. */
SIMD_INLINE void i32v_load_quad_four_rows(const uint8_t *above, const uint8_t *below,
                                          i32v words[4][16 / SIMD_LANES])
{
    UNROLL
    for (unsigned i = 0; i < 16 / SIMD_LANES; i++) {
        uint32_t at[SIMD_LANES];
        f32v row[4];

        for (unsigned k = 0; k < SIMD_LANES; k++) {
            unsigned lane = i * SIMD_LANES + k;

            at[k] = (lane / 4 * 2 + lane % 2) * 16 + (lane & 2 ? (uint32_t)(below - above) : 0);
        }
        f32v_load_rows(above, at, row);
        UNROLL
        for (unsigned w = 0; w < 4; w++)
            words[w][i] = f32v_bits(row[w]);
    }
}

SIMD_INLINE void i32v_store_quad_four_rows(uint8_t *above, uint8_t *below,
                                           const i32v words[4][16 / SIMD_LANES])
{
    UNROLL
    for (unsigned i = 0; i < 16 / SIMD_LANES; i++) {
        uint32_t at[SIMD_LANES];
        f32v row[4];

        for (unsigned k = 0; k < SIMD_LANES; k++) {
            unsigned lane = i * SIMD_LANES + k;

            at[k] = (lane / 4 * 2 + lane % 2) * 16 + (lane & 2 ? (uint32_t)(below - above) : 0);
        }
        UNROLL
        for (unsigned w = 0; w < 4; w++)
            row[w] = i32v_as_f32(words[w][i]);
        f32v_store_rows_at(above, at, row);
    }
}

/* floor(a * scale + 1/2) of a rounded product, without rounding the sum (reference: numbers/unorm),
 * for products up to 2^24. */
static inline i32v f32v_scale_round_half_up(f32v a, f32v scale)
{
#if SIMD_LANES == 16
    /* A sum rounded down does not reach the next integer. */
    return _mm512_cvttps_epi32(_mm512_add_round_ps(f32v_mul(a, scale), _mm512_set1_ps(0.5f),
                                                   _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
#else
    /* floor(x + 1/2) == (floor(2 * x) + 1) / 2 in integers. */
    i32v halves = f32v_to_i32_trunc(f32v_mul(a, f32v_add(scale, scale)));

    return i32v_srl(i32v_add(halves, i32v_set1(1)), 1);
#endif
}

#endif
