/* Vector loads with one address per 2x2 quad of pixels, i.e. per four lanes; with a single lane,
 * one address per lane. Included by kernels; the same bits for every SIMD_LANES and processor, as
 * in simd.h. */
#ifndef UTIL_SIMD_QUADS_H
#define UTIL_SIMD_QUADS_H

#include "util/simd/double.h"
#include "util/simd/uint16.h"

/* Number of addresses per vector. */
enum { SIMD_QUADS = SIMD_LANES < 4 ? 1 : SIMD_LANES / 4 };

#if SIMD_LANES == 1

SIMD_INLINE void f32v_load_fours(const char *const *from, size_t offset, f32v out[4])
{
    memcpy(out, from[0] + offset, 4 * sizeof(*out));
}

#else

/* Concatenates four lanes per quad. */
SIMD_INLINE f32v simd_join_quads(const simde__m128 quad[SIMD_QUADS])
{
#if SIMD_LANES == 4
    return quad[0];
#elif SIMD_LANES == 8
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(quad[0]), quad[1], 1);
#else
    f32v v = _mm512_insertf32x4(_mm512_castps128_ps512(quad[0]), quad[1], 1);

    return _mm512_insertf32x4(_mm512_insertf32x4(v, quad[2], 2), quad[3], 3);
#endif
}

#if SIMD_LANES == 4
#define SIMD_SPREAD(v, k) simde_mm_shuffle_ps(v, v, (k)*0x55)
#elif SIMD_LANES == 8
#define SIMD_SPREAD(v, k) simde_mm256_permute_ps(v, (k)*0x55)
#else
#define SIMD_SPREAD(v, k) _mm512_permute_ps(v, (k)*0x55)
#endif

/* Loads four floats per address and replicates each to the four lanes of its quad. */
SIMD_INLINE void f32v_load_fours(const char *const *from, size_t offset, f32v out[4])
{
    simde__m128 quad[SIMD_QUADS];
    f32v v;

    UNROLL
    for (int i = 0; i < SIMD_QUADS; i++)
        quad[i] = simde_mm_loadu_ps((const float *)(const void *)(from[i] + offset));
    v = simd_join_quads(quad);
    out[0] = SIMD_SPREAD(v, 0);
    out[1] = SIMD_SPREAD(v, 1);
    out[2] = SIMD_SPREAD(v, 2);
    out[3] = SIMD_SPREAD(v, 3);
}

#endif

/* Loads a double per address and replicates it to the four lanes of its quad. */
SIMD_INLINE d64v d64v_load_quads(const char *const *from, size_t offset)
{
    double value[SIMD_QUADS];
    d64v out;

    UNROLL
    for (int i = 0; i < SIMD_QUADS; i++)
        memcpy(&value[i], from[i] + offset, sizeof(value[i]));
    UNROLL
    for (int i = 0; i < D64_HALVES; i++) {
#if SIMD_LANES == 16
        __m512d quad = _mm512_castpd256_pd512(_mm256_set1_pd(value[2 * i]));

        out.half[i] = _mm512_insertf64x4(quad, _mm256_set1_pd(value[2 * i + 1]), 1);
#else
        out.half[i] = D64_SET1(value[i * SIMD_QUADS / D64_HALVES]);
#endif
    }
    return out;
}

/* Loads the four pixels of each quad, one word each: two rows of two, `pitch` bytes apart. With a
 * single lane the address is that of the lane's own pixel. */
SIMD_INLINE i32v i32v_load_pairs_of_rows(const char *const *from, size_t pitch)
{
#if SIMD_LANES == 1
    i32v word;

    (void)pitch;
    memcpy(&word, from[0], sizeof(word));
    return word;
#else
    simde__m128 quad[SIMD_QUADS];

    UNROLL
    for (int i = 0; i < SIMD_QUADS; i++)
        quad[i] = simd_two_pairs(from[i], from[i] + pitch);
    return SIMD_CASTI(simd_join_quads(quad));
#endif
}

/* The same for pixels of 16-bit integers, widened without signs. */
SIMD_INLINE i32v i32v_load_uint16_pairs_of_rows(const char *const *from, size_t pitch)
{
#if SIMD_LANES == 1
    (void)pitch;
    return i32v_load_uint16(from[0]);
#else
    simde__m128 quad[SIMD_QUADS];

    UNROLL
    for (int i = 0; i < SIMD_QUADS; i++) {
        simde__m128i pixels;
        int32_t row[2];

        memcpy(&row[0], from[i], sizeof(row[0]));
        memcpy(&row[1], from[i] + pitch, sizeof(row[1]));
        pixels =
            simde_mm_unpacklo_epi32(simde_mm_cvtsi32_si128(row[0]), simde_mm_cvtsi32_si128(row[1]));
        quad[i] = simde_mm_castsi128_ps(simde_mm_unpacklo_epi16(pixels, simde_mm_setzero_si128()));
    }
    return SIMD_CASTI(simd_join_quads(quad));
#endif
}

#if SIMD_LANES >= 8

/* Exchanges lanes within quads: lane i of each quad becomes lane order >> 2 * i & 3 of the same quad. */
SIMD_INLINE i32v i32v_quad_order(uint32_t order)
{
    int32_t lane[SIMD_LANES];

    for (int i = 0; i < SIMD_LANES; i++)
        lane[i] = (int32_t)(order >> 2 * (i % 4) & 3);
    return i32v_loadu(lane);
}
SIMD_INLINE i32v i32v_permute_quads(i32v a, i32v order)
{
    return SIMD_CASTI(SIMD_P(permutevar_ps)(SIMD_CASTF(a), order));
}

#endif

#endif
