/* Vector operations implemented once for all lane counts in terms of util/simd/vector.h.
 * Kernels include it through util/simd/simd.h. */
#ifndef UTIL_SIMD_GENERIC_H
#define UTIL_SIMD_GENERIC_H

#include "util/simd/vector.h"

enum { SIMD_ALL_BITS = (int)((1u << SIMD_LANES) - 1) };

/* A constant that stays in a register or in memory. Without the barrier, compilers rebuild it at
 * each use with three instructions. */
static inline i32v i32v_constant(int32_t x)
{
    i32v v = i32v_set1(x);
#if SIMD_LANES > 1 && (defined(__x86_64__) || defined(__i386__))
    __asm__("" : "+x"(v));
#endif
    return v;
}
/* Packs the low bytes of four vectors to words, a lowest. Values must be below 256; negative ones
 * become 0. */
static inline i32v i32v_pack_bytes(i32v a, i32v b, i32v c, i32v d)
{
#if SIMD_LANES == 16
    const i32v order = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    i32v bytes = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));

    return _mm512_shuffle_epi8(bytes, order);
#elif SIMD_LANES == 8
    const i32v order = simde_mm256_broadcastsi128_si256(
        simde_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    i32v bytes =
        simde_mm256_packus_epi16(simde_mm256_packs_epi32(a, b), simde_mm256_packs_epi32(c, d));

    return simde_mm256_shuffle_epi8(bytes, order);
#elif defined(SIMD_NEON)
    return neon_pack_bytes(a, b, c, d);
#else
    i32v low = i32v_or(i32v_andnot(i32v_sra(a, 31), a), i32v_sll(i32v_andnot(i32v_sra(b, 31), b), 8));
    i32v high = i32v_or(i32v_andnot(i32v_sra(c, 31), c), i32v_sll(i32v_andnot(i32v_sra(d, 31), d), 8));

    return i32v_or(low, i32v_sll(high, 16));
#endif
}

#ifdef SIMD_NEON
static inline int m32v_any(m32v m) { return neon_any(m); }
static inline int m32v_every(m32v m) { return neon_every(m); }
#else
static inline int m32v_any(m32v m) { return m32v_bits(m) != 0; }
static inline int m32v_every(m32v m) { return m32v_bits(m) == (unsigned)SIMD_ALL_BITS; }
#endif

static inline f32v f32v_zero(void) { return f32v_set1(0.0f); }
/* Return the minimum and the maximum of all lanes; none may be NaN. */
#if SIMD_LANES == 16
static inline float f32v_reduce_min(f32v a)
{
    return _mm512_reduce_min_ps(a);
}
static inline float f32v_reduce_max(f32v a)
{
    return _mm512_reduce_max_ps(a);
}
#elif SIMD_LANES == 1
static inline float f32v_reduce_min(f32v a)
{
    return a;
}
static inline float f32v_reduce_max(f32v a)
{
    return a;
}
#else
#if SIMD_LANES == 8
#define SIMD_TO_FOUR(op, a) \
    simde_mm_##op##_ps(simde_mm256_castps256_ps128(a), simde_mm256_extractf128_ps(a, 1))
#else
#define SIMD_TO_FOUR(op, a) (a)
#endif
static inline float f32v_reduce_min(f32v a)
{
    simde__m128 four = SIMD_TO_FOUR(min, a), two = simde_mm_min_ps(four, simde_mm_movehl_ps(four, four));

    return simde_mm_cvtss_f32(simde_mm_min_ps(two, simde_mm_shuffle_ps(two, two, 1)));
}
static inline float f32v_reduce_max(f32v a)
{
    simde__m128 four = SIMD_TO_FOUR(max, a), two = simde_mm_max_ps(four, simde_mm_movehl_ps(four, four));

    return simde_mm_cvtss_f32(simde_mm_max_ps(two, simde_mm_shuffle_ps(two, two, 1)));
}
#endif
/* Return the minimum and the maximum of all lanes as signed integers. */
#if SIMD_LANES == 16
static inline int32_t i32v_reduce_min(i32v a)
{
    return _mm512_reduce_min_epi32(a);
}
static inline int32_t i32v_reduce_max(i32v a)
{
    return _mm512_reduce_max_epi32(a);
}
#elif SIMD_LANES == 8
static inline int32_t i32v_reduce_min(i32v a)
{
    i32v four = i32v_min(a, simde_mm256_permute2x128_si256(a, a, 1));
    i32v two = i32v_min(four, simde_mm256_shuffle_epi32(four, 0x4e));

    return simde_mm_cvtsi128_si32(
        simde_mm256_castsi256_si128(i32v_min(two, simde_mm256_shuffle_epi32(two, 0xb1))));
}
static inline int32_t i32v_reduce_max(i32v a)
{
    return ~i32v_reduce_min(i32v_xor(a, i32v_set1(-1)));
}
#elif SIMD_LANES == 4
static inline int32_t i32v_reduce_min(i32v a)
{
    i32v two = i32v_min(a, simde_mm_shuffle_epi32(a, 0x4e));

    return simde_mm_cvtsi128_si32(i32v_min(two, simde_mm_shuffle_epi32(two, 0xb1)));
}
static inline int32_t i32v_reduce_max(i32v a)
{
    return ~i32v_reduce_min(i32v_xor(a, i32v_set1(-1)));
}
#else
static inline int32_t i32v_reduce_min(i32v a)
{
    return a;
}
static inline int32_t i32v_reduce_max(i32v a)
{
    return a;
}
#endif
/* Returns the first lane. */
static inline int32_t i32v_first(i32v a)
{
#if SIMD_LANES == 16
    return _mm_cvtsi128_si32(_mm512_castsi512_si128(a));
#elif SIMD_LANES == 8
    return simde_mm_cvtsi128_si32(simde_mm256_castsi256_si128(a));
#elif SIMD_LANES == 4
    return simde_mm_cvtsi128_si32(a);
#else
    return a;
#endif
}
/* On unsigned words: minimum, maximum, and whether a >= b. */
#if SIMD_LANES == 16
static inline i32v i32v_min_u32(i32v a, i32v b)
{
    return _mm512_min_epu32(a, b);
}
static inline i32v i32v_max_u32(i32v a, i32v b)
{
    return _mm512_max_epu32(a, b);
}
static inline m32v i32v_ge_u32(i32v a, i32v b)
{
    return _mm512_cmpge_epu32_mask(a, b);
}
#elif defined(SIMD_NEON)
static inline i32v i32v_min_u32(i32v a, i32v b) { return neon_min_u32(a, b); }
static inline i32v i32v_max_u32(i32v a, i32v b) { return neon_max_u32(a, b); }
static inline m32v i32v_ge_u32(i32v a, i32v b) { return neon_ge_u32(a, b); }
#else
static inline i32v simd_flip_sign(i32v a) /* orders unsigned words like signed ones */
{
    return i32v_xor(a, i32v_set1(INT32_MIN));
}
static inline i32v i32v_min_u32(i32v a, i32v b)
{
    return simd_flip_sign(i32v_min(simd_flip_sign(a), simd_flip_sign(b)));
}
static inline i32v i32v_max_u32(i32v a, i32v b)
{
    return simd_flip_sign(i32v_max(simd_flip_sign(a), simd_flip_sign(b)));
}
static inline m32v i32v_ge_u32(i32v a, i32v b)
{
    return m32v_not(i32v_lt(simd_flip_sign(a), simd_flip_sign(b)));
}
#endif
static inline m32v f32v_gt(f32v a, f32v b) { return f32v_lt(b, a); }
static inline m32v f32v_ge(f32v a, f32v b) { return f32v_le(b, a); }
/* Returns a where the mask is true, else +0. */
static inline f32v f32v_where(m32v m, f32v a) { return f32v_select(m, a, f32v_zero()); }

/* Bitwise, so that denormals and NaN pass unchanged. */
static inline f32v f32v_and_bits(f32v a, int32_t mask)
{
    return i32v_as_f32(i32v_and(f32v_bits(a), i32v_set1(mask)));
}
static inline f32v f32v_xor_bits(f32v a, int32_t mask)
{
    return i32v_as_f32(i32v_xor(f32v_bits(a), i32v_set1(mask)));
}
static inline f32v f32v_abs(f32v a) { return f32v_and_bits(a, INT32_MAX); }
static inline f32v f32v_neg(f32v a) { return f32v_xor_bits(a, INT32_MIN); }

/* Multiplies, with the same bits for products that round up to FLT_MIN. x86 tests for flushing
 * after rounding and returns FLT_MIN; ARM tests before rounding and returns 0. Scaled by 2^64, such
 * a product is 2^-62 on both, which the ARM code detects. Other operations need no such fix: sums
 * of that size are exact, and quotients and roots never come so close to FLT_MIN. f32v_mul_ftz_any
 * skips the fix, for uses where FLT_MIN and 0 are equivalent. */
static inline f32v f32v_mul(f32v a, f32v b)
{
#ifdef SIMD_NEON
    return neon_product(a, b);
#else
    f32v product = f32v_mul_ftz_any(a, b);
#if defined(__aarch64__)
    f32v scaled = f32v_abs(f32v_mul_ftz_any(f32v_mul_ftz_any(a, f32v_set1(0x1p64f)), b));
    i32v least = i32v_and(m32v_as_i32(f32v_eq(scaled, f32v_set1(0x1p-62f))), i32v_set1(0x00800000));

    product = i32v_as_f32(i32v_or(f32v_bits(product), least));
#endif
    return product;
#endif
}

/* Returns a / d, correctly rounded. a is 0 or far from overflow and underflow; d is 2^n - 1 or that
 * times a power of two. The remainder of the approximate quotient is exact and corrects it. 4-lane
 * vectors divide. */
static inline f32v f32v_div_by(f32v a, float d)
{
#if SIMD_LANES == 16
    f32v rough = f32v_mul_ftz_any(a, f32v_set1(1.0f / d));
    f32v rest = _mm512_fnmadd_ps(rough, f32v_set1(d), a);

    return _mm512_fmadd_ps(rest, f32v_set1(1.0f / d), rough);
#elif SIMD_LANES == 8
    f32v rough = f32v_mul_ftz_any(a, f32v_set1(1.0f / d));
    f32v rest = simde_mm256_fnmadd_ps(rough, f32v_set1(d), a);

    return simde_mm256_fmadd_ps(rest, f32v_set1(1.0f / d), rough);
#else
    return f32v_div(a, f32v_set1(d));
#endif
}

/* As f32v_div_by, for integers a below 2^24 and d = 2^n - 1 of at most 16 bits, or that times a
 * power of two. Such quotients are never within a relative 2^-40 of a rounding boundary, and 1/d in
 * two parts, high = 1/d rounded and low = (1 - high * d) / d, is more accurate than that. */
static inline f32v f32v_div_split(f32v a, float d, float high, float low)
{
#if SIMD_LANES >= 8
    f32v rest = f32v_mul_ftz_any(a, f32v_set1(low));

    (void)d;
#if SIMD_LANES == 16
    return _mm512_fmadd_ps(a, f32v_set1(high), rest);
#else
    return simde_mm256_fmadd_ps(a, f32v_set1(high), rest);
#endif
#else
    (void)high, (void)low;
    return f32v_div(a, f32v_set1(d));
#endif
}

/* The same for a constant d. */
static inline f32v f32v_div_codes(f32v a, float d)
{
    float high = 1.0f / d, low = (float)((1.0 - (double)high * (double)d) / (double)d);

    return f32v_div_split(a, d, high, low);
}

/* Returns the largest integer not above a. Keeps the sign of zero; infinities and NaN pass.
 * Instruction sets such as SSE2 have no floor instruction and emulate it. */
static inline f32v f32v_floor(f32v a)
{
#if SIMD_LANES == 16
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif SIMD_LANES == 8
    return simde_mm256_floor_ps(a);
#elif defined(SIMD_NEON)
    return vrndmq_f32(a);
#else
    f32v t = i32v_to_f32(f32v_to_i32_trunc(a));
    m32v small = f32v_lt(f32v_abs(a), f32v_set1(8388608.0f));

    t = f32v_sub(t, f32v_where(f32v_gt(t, a), f32v_set1(1.0f)));
    t = i32v_as_f32(i32v_or(f32v_bits(t), i32v_and(f32v_bits(a), i32v_set1(INT32_MIN))));
    return f32v_select(small, t, a);
#endif
}

/* Clamps to [0, 1]; NaN gives 0 (reference: numbers/saturate). */
static inline f32v f32v_sat(f32v a)
{
    return f32v_min(f32v_max(a, f32v_zero()), f32v_set1(1.0f));
}

/* clang shifts NEON's vectors by constants alone; these take any distance, as kernels need. */
#if defined(__aarch64__) && defined(__clang__) && SIMD_LANES == 4
#undef i32v_sll
#undef i32v_srl
#undef i32v_sra
#undef i32v_srl_16
#define i32v_sll(a, n) simde_mm_sll_epi32(a, simde_mm_cvtsi32_si128(n))
#define i32v_srl(a, n) simde_mm_srl_epi32(a, simde_mm_cvtsi32_si128(n))
#define i32v_sra(a, n) simde_mm_sra_epi32(a, simde_mm_cvtsi32_si128(n))
#define i32v_srl_16(a, n) simde_mm_srl_epi16(a, simde_mm_cvtsi32_si128(n))
#endif

#endif
