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

/* f32q, d64q: the four pixels of one quad. */
#if SIMD_LANES == 1
typedef struct {
    f32v lane[4];
} f32q;
typedef struct {
    double lane[4];
} d64q;
#define QUAD_LANES(type, value)                                                                    \
    type out;                                                                                      \
    for (int i = 0; i < 4; i++)                                                                    \
        out.lane[i] = (value);                                                                     \
    return out
static inline f32q f32q_set1(float x)
{
    QUAD_LANES(f32q, x);
}
static inline f32q f32q_load(const float *p)
{
    QUAD_LANES(f32q, p[i]);
}
static inline void f32q_store(float *p, f32q a)
{
    memcpy(p, &a, sizeof(a));
}
static inline f32q f32q_add(f32q a, f32q b)
{
    QUAD_LANES(f32q, a.lane[i] + b.lane[i]);
}
static inline f32q f32q_sub(f32q a, f32q b)
{
    QUAD_LANES(f32q, a.lane[i] - b.lane[i]);
}
static inline f32q f32q_mul(f32q a, f32q b)
{
    QUAD_LANES(f32q, f32v_mul(a.lane[i], b.lane[i]));
}
static inline d64q f32q_widen(f32q a)
{
    QUAD_LANES(d64q, a.lane[i]);
}
static inline f32q d64q_narrow(d64q a)
{
    QUAD_LANES(f32q, math_narrowf(a.lane[i]));
}
static inline d64q d64q_set1(double x)
{
    QUAD_LANES(d64q, x);
}
static inline d64q d64q_add(d64q a, d64q b)
{
    QUAD_LANES(d64q, a.lane[i] + b.lane[i]);
}
static inline d64q d64q_mul(d64q a, d64q b)
{
    QUAD_LANES(d64q, a.lane[i] * b.lane[i]);
}
static inline d64q d64q_div(d64q a, d64q b)
{
    QUAD_LANES(d64q, a.lane[i] / b.lane[i]);
}
/* Sets lanes of `a` to 0 where the magnitude of `sum` is below `least`. */
static inline f32q f32q_clear_below(f32q a, f32q sum, float least)
{
    QUAD_LANES(f32q, f32v_lt(f32v_abs(sum.lane[i]), least) ? 0.0f : a.lane[i]);
}
#undef QUAD_LANES
#elif SIMD_LANES == 4
typedef f32v f32q;
typedef d64v d64q;
static inline f32q f32q_set1(float x)
{
    return f32v_set1(x);
}
static inline f32q f32q_load(const float *p)
{
    return f32v_load(p);
}
static inline void f32q_store(float *p, f32q a)
{
    f32v_store(p, a);
}
static inline f32q f32q_add(f32q a, f32q b)
{
    return f32v_add(a, b);
}
static inline f32q f32q_sub(f32q a, f32q b)
{
    return f32v_sub(a, b);
}
static inline f32q f32q_mul(f32q a, f32q b)
{
    return f32v_mul(a, b);
}
static inline d64q f32q_widen(f32q a)
{
    return f32v_widen(a);
}
static inline f32q d64q_narrow(d64q a)
{
    return d64v_narrow(a);
}
static inline d64q d64q_set1(double x)
{
    return d64v_set1(x);
}
static inline d64q d64q_add(d64q a, d64q b)
{
    return d64v_add(a, b);
}
static inline d64q d64q_mul(d64q a, d64q b)
{
    return d64v_mul(a, b);
}
static inline d64q d64q_div(d64q a, d64q b)
{
    return d64v_div(a, b);
}
static inline f32q f32q_clear_below(f32q a, f32q sum, float least)
{
    return f32v_select(f32v_lt(f32v_abs(sum), f32v_set1(least)), f32v_zero(), a);
}
#else
typedef simde__m128 f32q;
typedef simde__m256d d64q;
static inline f32q f32q_set1(float x)
{
    return simde_mm_set1_ps(x);
}
static inline f32q f32q_load(const float *p)
{
    return simde_mm_load_ps(p);
}
static inline void f32q_store(float *p, f32q a)
{
    simde_mm_store_ps(p, a);
}
static inline f32q f32q_add(f32q a, f32q b)
{
    return simde_mm_add_ps(a, b);
}
static inline f32q f32q_sub(f32q a, f32q b)
{
    return simde_mm_sub_ps(a, b);
}
static inline f32q f32q_mul(f32q a, f32q b)
{
    return simde_mm_mul_ps(a, b);
}
static inline d64q f32q_widen(f32q a)
{
    return simde_mm256_cvtps_pd(a);
}
static inline f32q d64q_narrow(d64q a)
{
    return simde_mm256_cvtpd_ps(a);
}
static inline d64q d64q_set1(double x)
{
    return simde_mm256_set1_pd(x);
}
static inline d64q d64q_add(d64q a, d64q b)
{
    return simde_mm256_add_pd(a, b);
}
static inline d64q d64q_mul(d64q a, d64q b)
{
    return simde_mm256_mul_pd(a, b);
}
static inline d64q d64q_div(d64q a, d64q b)
{
    return simde_mm256_div_pd(a, b);
}
static inline f32q f32q_clear_below(f32q a, f32q sum, float least)
{
    f32q size = simde_mm_andnot_ps(simde_mm_set1_ps(-0.0f), sum);

#if SIMD_LANES == 16
    return _mm_maskz_mov_ps(_mm_cmp_ps_mask(size, _mm_set1_ps(least), _CMP_NLT_UQ), a);
#else
    return simde_mm_andnot_ps(simde_mm_cmplt_ps(size, simde_mm_set1_ps(least)), a);
#endif
}
#endif

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

/* Exchanges lanes within quads: lane i of each quad becomes lane order >> 2 * i & 3 of the same
 * quad. */
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
