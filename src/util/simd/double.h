/* Double-precision vectors with as many lanes as an f32v, for the few places that need them.
 * Included by kernels; the same bits for every SIMD_LANES and processor, as in simd.h. */
#ifndef UTIL_SIMD_DOUBLE_H
#define UTIL_SIMD_DOUBLE_H

#include "util/math.h"
#include "util/simd/simd.h"

/* d64h is one register of a vector. A vector has two registers, or one with a single lane. */
#if SIMD_LANES == 1
typedef double d64h;
#define D64_OP(op, a, b) D64_OP_##op(a, b)
#define D64_OP_add(a, b) ((a) + (b))
#define D64_OP_sub(a, b) ((a) - (b))
#define D64_OP_mul(a, b) ((a) * (b))
#define D64_OP_div(a, b) ((a) / (b))
#define D64_OP_min(a, b) ((a) < (b) ? (a) : (b))
#define D64_OP_max(a, b) ((a) > (b) ? (a) : (b))
#define D64_SET1(x) (x)
#elif SIMD_LANES == 4
typedef simde__m128d d64h;
#define D64_OP(op, a, b) simde_mm_##op##_pd(a, b)
#define D64_SET1(x) simde_mm_set1_pd(x)
#elif SIMD_LANES == 8
typedef simde__m256d d64h;
#define D64_OP(op, a, b) simde_mm256_##op##_pd(a, b)
#define D64_SET1(x) simde_mm256_set1_pd(x)
#else
typedef __m512d d64h;
#define D64_OP(op, a, b) _mm512_##op##_pd(a, b)
#define D64_SET1(x) _mm512_set1_pd(x)
#endif

static inline d64h d64h_mul(d64h a, d64h b)
{
    return D64_OP(mul, a, b);
}

enum { D64_HALVES = SIMD_LANES == 1 ? 1 : 2 };
typedef struct {
    d64h half[D64_HALVES];
} d64v;

#define D64_FUNCTION(op)                                                                           \
    SIMD_INLINE d64v d64v_##op(d64v a, d64v b)                                                     \
    {                                                                                              \
        UNROLL                                                                                     \
        for (int i = 0; i < D64_HALVES; i++)                                                       \
            a.half[i] = D64_OP(op, a.half[i], b.half[i]);                                          \
        return a;                                                                                  \
    }
D64_FUNCTION(add)
D64_FUNCTION(sub)
D64_FUNCTION(mul)
D64_FUNCTION(div)
D64_FUNCTION(min) /* a < b ? a : b */
D64_FUNCTION(max) /* a > b ? a : b */

SIMD_INLINE d64v d64v_set1(double x)
{
    d64v a;

    UNROLL
    for (int i = 0; i < D64_HALVES; i++)
        a.half[i] = D64_SET1(x);
    return a;
}

/* Both halves are `half`. */
SIMD_INLINE d64v d64v_repeat(d64h half)
{
    d64v a;

    UNROLL
    for (int i = 0; i < D64_HALVES; i++)
        a.half[i] = half;
    return a;
}

/* f32v_widen converts to double. d64v_narrow converts back with one rounding, as math_narrowf does.
 * d64v_round rounds values below 2^31 to integers, ties to even. d64v_ge is false with a NaN. */
#if SIMD_LANES == 1
static inline d64v f32v_widen(f32v a)
{
    return (d64v){{a}};
}
static inline f32v d64v_narrow(d64v a)
{
    return math_narrowf(a.half[0]);
}
static inline i32v d64v_round(d64v a)
{
    double sum = a.half[0] + 0x1.8p52;
    uint64_t bits;

    memcpy(&bits, &sum, sizeof(bits));
    return (i32v)(uint32_t)bits;
}
static inline m32v d64v_ge(d64v a, d64v b)
{
    return -(a.half[0] >= b.half[0]);
}
#elif SIMD_LANES == 4
#ifdef SIMD_NEON
static inline d64v f32v_widen(f32v a)
{
    return (d64v){{vcvt_f64_f32(vget_low_f32(a)), vcvt_high_f64_f32(a)}};
}
static inline f32v d64v_narrow(d64v a)
{
    return neon_narrow(a.half[0], a.half[1]);
}
#else
static inline d64v f32v_widen(f32v a)
{
    return (d64v){{simde_mm_cvtps_pd(a), simde_mm_cvtps_pd(simde_mm_movehl_ps(a, a))}};
}
static inline f32v d64v_narrow(d64v a)
{
    return simde_mm_movelh_ps(simde_mm_cvtpd_ps(a.half[0]), simde_mm_cvtpd_ps(a.half[1]));
}
#endif
/* Collects the low word of each lane. */
static inline i32v d64v_low_words(simde__m128d a, simde__m128d b)
{
    return SIMD_CASTI(simde_mm_shuffle_ps(simde_mm_castpd_ps(a), simde_mm_castpd_ps(b), 0x88));
}
static inline i32v d64v_round(d64v a)
{
    a = d64v_add(a, d64v_set1(0x1.8p52));
    return d64v_low_words(a.half[0], a.half[1]);
}
static inline m32v d64v_ge(d64v a, d64v b)
{
    return d64v_low_words(simde_mm_cmpge_pd(a.half[0], b.half[0]),
                          simde_mm_cmpge_pd(a.half[1], b.half[1]));
}
#elif SIMD_LANES == 8
static inline d64v f32v_widen(f32v a)
{
    return (d64v){{simde_mm256_cvtps_pd(simde_mm256_castps256_ps128(a)),
                   simde_mm256_cvtps_pd(simde_mm256_extractf128_ps(a, 1))}};
}
static inline f32v d64v_narrow(d64v a)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm256_cvtpd_ps(a.half[0])),
                                     simde_mm256_cvtpd_ps(a.half[1]), 1);
}
static inline i32v d64v_round(d64v a)
{
    return simde_mm256_inserti128_si256(
        simde_mm256_castsi128_si256(simde_mm256_cvtpd_epi32(a.half[0])),
        simde_mm256_cvtpd_epi32(a.half[1]), 1);
}
static inline i32v d64v_low_words(simde__m256d a, simde__m256d b)
{
    f32v words = simde_mm256_shuffle_ps(simde_mm256_castpd_ps(a), simde_mm256_castpd_ps(b), 0x88);

    return simde_mm256_permute4x64_epi64(SIMD_CASTI(words), 0xd8);
}
static inline m32v d64v_ge(d64v a, d64v b)
{
    return d64v_low_words(simde_mm256_cmp_pd(a.half[0], b.half[0], SIMDE_CMP_GE_OQ),
                          simde_mm256_cmp_pd(a.half[1], b.half[1], SIMDE_CMP_GE_OQ));
}
#else
static inline d64v f32v_widen(f32v a)
{
    return (d64v){{_mm512_cvtps_pd(_mm512_castps512_ps256(a)),
                   _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1))}};
}
static inline f32v d64v_narrow(d64v a)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a.half[0])),
                              _mm512_cvtpd_ps(a.half[1]), 1);
}
static inline i32v d64v_round(d64v a)
{
    return _mm512_inserti32x8(_mm512_castsi256_si512(_mm512_cvtpd_epi32(a.half[0])),
                              _mm512_cvtpd_epi32(a.half[1]), 1);
}
static inline m32v d64v_ge(d64v a, d64v b)
{
    return (m32v)(_mm512_cmp_pd_mask(a.half[0], b.half[0], _CMP_GE_OQ) |
                  (unsigned)_mm512_cmp_pd_mask(a.half[1], b.half[1], _CMP_GE_OQ) << 8);
}
#endif

/* d64v_words splits doubles into their low and high words, d64v_of_words joins them. */
#if SIMD_LANES == 1
static inline void d64v_words(d64v a, f32v *low, f32v *high)
{
    uint64_t bits;

    memcpy(&bits, &a.half[0], sizeof(bits));
    *low = i32v_as_f32((i32v)(uint32_t)bits);
    *high = i32v_as_f32((i32v)(uint32_t)(bits >> 32));
}
static inline d64v d64v_of_words(f32v low, f32v high)
{
    uint64_t bits = (uint32_t)f32v_bits(low) | (uint64_t)(uint32_t)f32v_bits(high) << 32;
    d64v a;

    memcpy(&a.half[0], &bits, sizeof(bits));
    return a;
}
#elif SIMD_LANES == 4
static inline void d64v_words(d64v a, f32v *low, f32v *high)
{
    f32v first = simde_mm_castpd_ps(a.half[0]), second = simde_mm_castpd_ps(a.half[1]);

    *low = simde_mm_shuffle_ps(first, second, 0x88);
    *high = simde_mm_shuffle_ps(first, second, 0xdd);
}
static inline d64v d64v_of_words(f32v low, f32v high)
{
    return (d64v){{simde_mm_castps_pd(simde_mm_unpacklo_ps(low, high)),
                   simde_mm_castps_pd(simde_mm_unpackhi_ps(low, high))}};
}
#elif SIMD_LANES == 8
static inline f32v d64v_in_order(f32v words)
{
    return simde_mm256_castpd_ps(simde_mm256_permute4x64_pd(simde_mm256_castps_pd(words), 0xd8));
}
static inline void d64v_words(d64v a, f32v *low, f32v *high)
{
    f32v first = simde_mm256_castpd_ps(a.half[0]), second = simde_mm256_castpd_ps(a.half[1]);

    *low = d64v_in_order(simde_mm256_shuffle_ps(first, second, 0x88));
    *high = d64v_in_order(simde_mm256_shuffle_ps(first, second, 0xdd));
}
static inline d64v d64v_of_words(f32v low, f32v high)
{
    f32v even = simde_mm256_unpacklo_ps(low, high), odd = simde_mm256_unpackhi_ps(low, high);

    return (d64v){{simde_mm256_castps_pd(simde_mm256_permute2f128_ps(even, odd, 0x20)),
                   simde_mm256_castps_pd(simde_mm256_permute2f128_ps(even, odd, 0x31))}};
}
#else
static inline void d64v_words(d64v a, f32v *low, f32v *high)
{
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    f32v first = _mm512_castpd_ps(a.half[0]), second = _mm512_castpd_ps(a.half[1]);

    *low = _mm512_permutex2var_ps(first, even, second);
    *high = _mm512_permutex2var_ps(first, _mm512_or_si512(even, _mm512_set1_epi32(1)), second);
}
static inline d64v d64v_of_words(f32v low, f32v high)
{
    const __m512i pairs = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i after = _mm512_add_epi32(pairs, _mm512_set1_epi32(8));

    return (d64v){{_mm512_castps_pd(_mm512_permutex2var_ps(low, pairs, high)),
                   _mm512_castps_pd(_mm512_permutex2var_ps(low, after, high))}};
}
#endif

/* Lanes of `a` where the mask is set, else of `b`. */
static inline d64v d64v_select(m32v mask, d64v a, d64v b)
{
#if SIMD_LANES == 1
    return mask ? a : b;
#elif SIMD_LANES == 4
    i32v m = m32v_as_i32(mask);
    simde__m128d first = simde_mm_castsi128_pd(simde_mm_unpacklo_epi32(m, m));
    simde__m128d second = simde_mm_castsi128_pd(simde_mm_unpackhi_epi32(m, m));

    return (d64v){
        {simde_mm_or_pd(simde_mm_and_pd(first, a.half[0]), simde_mm_andnot_pd(first, b.half[0])),
         simde_mm_or_pd(simde_mm_and_pd(second, a.half[1]),
                        simde_mm_andnot_pd(second, b.half[1]))}};
#elif SIMD_LANES == 8
    i32v m = m32v_as_i32(mask);
    simde__m256d first =
        simde_mm256_castsi256_pd(simde_mm256_cvtepi32_epi64(simde_mm256_castsi256_si128(m)));
    simde__m256d second =
        simde_mm256_castsi256_pd(simde_mm256_cvtepi32_epi64(simde_mm256_extracti128_si256(m, 1)));

    return (d64v){{simde_mm256_blendv_pd(b.half[0], a.half[0], first),
                   simde_mm256_blendv_pd(b.half[1], a.half[1], second)}};
#else
    return (d64v){{_mm512_mask_mov_pd(b.half[0], (__mmask8)mask, a.half[0]),
                   _mm512_mask_mov_pd(b.half[1], (__mmask8)(mask >> 8), a.half[1])}};
#endif
}

/* Largest unsigned integers that are not above values in [0, 2^32). */
static inline i32v d64v_floor_uint32(d64v a)
{
#if SIMD_LANES == 1
    return (i32v)(uint32_t)a.half[0];
#elif SIMD_LANES == 16
    return _mm512_inserti32x8(_mm512_castsi256_si512(_mm512_cvttpd_epu32(a.half[0])),
                              _mm512_cvttpd_epu32(a.half[1]), 1);
#else
    d64v shift = d64v_set1(0x1p52), sum = d64v_add(a, shift); /* to nearest: may lie above */
    m32v above = m32v_not(d64v_ge(a, d64v_sub(sum, shift)));

    return i32v_add(d64v_low_words(sum.half[0], sum.half[1]), m32v_as_i32(above));
#endif
}

/* A float vector with the lanes of one register of a d64v: of the first half of an f32v.
 * f32v_first_half takes it; d64h_narrow rounds as d64v_narrow does; f32h_clear_below sets lanes of
 * `a` to 0 where the magnitude of `sum` is below `least`. */
#if SIMD_LANES == 1
typedef f32v f32h;
static inline f32h f32v_first_half(f32v a)
{
    return a;
}
static inline f32h d64h_narrow(d64h a)
{
    return math_narrowf(a);
}
static inline f32h f32h_clear_below(f32h a, f32h sum, float least)
{
    return f32v_select(f32v_lt(f32v_abs(sum), least), f32v_zero(), a);
}
static inline f32h f32h_sub(f32h a, f32h b)
{
    return a - b;
}
static inline void f32h_storeu(float *p, f32h a)
{
    *p = a;
}
#elif SIMD_LANES == 4
typedef f32v f32h; /* two lanes */
static inline f32h f32v_first_half(f32v a)
{
    return a;
}
static inline f32h d64h_narrow(d64h a)
{
    return d64v_narrow((d64v){{a, a}});
}
static inline f32h f32h_clear_below(f32h a, f32h sum, float least)
{
    return f32v_select(f32v_lt(f32v_abs(sum), f32v_set1(least)), f32v_zero(), a);
}
static inline f32h f32h_sub(f32h a, f32h b)
{
    return f32v_sub(a, b);
}
static inline void f32h_storeu(float *p, f32h a)
{
    simde_mm_storel_epi64((simde__m128i *)(void *)p, SIMD_CASTI(a));
}
#elif SIMD_LANES == 8
typedef simde__m128 f32h;
static inline f32h f32v_first_half(f32v a)
{
    return simde_mm256_castps256_ps128(a);
}
static inline f32h d64h_narrow(d64h a)
{
    return simde_mm256_cvtpd_ps(a);
}
static inline f32h f32h_clear_below(f32h a, f32h sum, float least)
{
    f32h size = simde_mm_andnot_ps(simde_mm_set1_ps(-0.0f), sum);

    return simde_mm_andnot_ps(simde_mm_cmplt_ps(size, simde_mm_set1_ps(least)), a);
}
static inline f32h f32h_sub(f32h a, f32h b)
{
    return simde_mm_sub_ps(a, b);
}
static inline void f32h_storeu(float *p, f32h a)
{
    simde_mm_storeu_ps(p, a);
}
#else
typedef __m256 f32h;
static inline f32h f32v_first_half(f32v a)
{
    return _mm512_castps512_ps256(a);
}
static inline f32h d64h_narrow(d64h a)
{
    return _mm512_cvtpd_ps(a);
}
static inline f32h f32h_clear_below(f32h a, f32h sum, float least)
{
    f32h size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), sum);

    return _mm256_maskz_mov_ps(_mm256_cmp_ps_mask(size, _mm256_set1_ps(least), _CMP_NLT_UQ), a);
}
static inline f32h f32h_sub(f32h a, f32h b)
{
    return _mm256_sub_ps(a, b);
}
static inline void f32h_storeu(float *p, f32h a)
{
    _mm256_storeu_ps(p, a);
}
#endif

/* Stores d64v_narrow(a). */
SIMD_INLINE void d64v_store_narrow(float *p, d64v a)
{
#if SIMD_LANES >= 8
    UNROLL
    for (int i = 0; i < D64_HALVES; i++) /* registers need not be joined */
        f32h_storeu(p + i * SIMD_LANES / D64_HALVES, d64h_narrow(a.half[i]));
#else
    f32v_store(p, d64v_narrow(a));
#endif
}

/* Divides floats, or integers of up to 25 bits, by one nonzero divisor, with the bits of a true
 * division. With 16 lanes it refines an approximate reciprocal. Quotients of so few bits are never
 * close enough to a rounding midpoint for an error of 2^-90 to matter, and exponents are far from
 * the limits. */
struct d64_divisor {
    d64v value;
#if SIMD_LANES == 16
    d64v inverse; /* relative error at most 2^-50 */
#endif
};

SIMD_INLINE struct d64_divisor d64v_divisor(d64v value)
{
    struct d64_divisor out = {.value = value};

#if SIMD_LANES == 16
    UNROLL
    for (int i = 0; i < D64_HALVES; i++) {
        d64h w = value.half[i], one = _mm512_set1_pd(1.0), y = _mm512_rcp14_pd(w);

        y = _mm512_fmadd_pd(y, _mm512_fnmadd_pd(w, y, one), y);
        out.inverse.half[i] = _mm512_fmadd_pd(y, _mm512_fnmadd_pd(w, y, one), y);
    }
#endif
    return out;
}

SIMD_INLINE d64v d64v_over(d64v a, const struct d64_divisor *divisor)
{
#if SIMD_LANES == 16
    UNROLL
    for (int i = 0; i < D64_HALVES; i++) {
        d64h y = divisor->inverse.half[i], quotient = _mm512_mul_pd(a.half[i], y), excess;

        excess = _mm512_fmsub_pd(quotient, divisor->value.half[i], a.half[i]); /* exact */
        a.half[i] = _mm512_fnmadd_pd(excess, y, quotient);
    }
    return a;
#else
    return d64v_div(a, divisor->value);
#endif
}

#endif
