/* Vector exp2, log2, pow, sin, cos and reciprocals for *_kern.c files
 * (reference: numbers/transcendental). Polynomials in a fixed order give the same bits for every
 * instruction set, compiler and word size. util/math.h has the same functions for one float.
 *
 * docs/reference.md states the accuracy of each, checked over all arguments (numbers/accuracy).
 * exp2 of integers, log2 of powers of two and rsq of powers of four are exact. NaN gives NaN; sin
 * and cos of an infinity are NaN. Denormal arguments count as zero. */
#ifndef UTIL_SIMD_MATH_H
#define UTIL_SIMD_MATH_H

#include "util/simd/simd.h"

#include <stdbool.h>

/* Returns a * b, where a zero factor gives zero even against infinity and NaN (reference:
 * numbers/zero-rule). Lanes whose plain product is a number keep it, including the sign of zero;
 * replaced lanes are +0. */
static inline f32v f32v_mul_zero(f32v a, f32v b)
{
    f32v zero = f32v_zero(), product = f32v_mul(a, b);
    m32v rescued = m32v_and(f32v_isnan(product), m32v_or(f32v_eq(a, zero), f32v_eq(b, zero)));

    return f32v_select(rescued, zero, product);
}

/* 1 / x by division. */
static inline f32v f32v_rcp_plain(f32v x)
{
    return f32v_div(f32v_set1(1.0f), x);
}

/* 1 / sqrt(|x|). The square root comes last, because it halves the relative error of its argument.
 * 4 / |x| is normal for all x except the smallest normal number, which gets its result directly. */
static inline f32v f32v_rsq_plain(f32v x)
{
    f32v a = f32v_abs(x), root = f32v_sqrt(f32v_div(f32v_set1(4.0f), a));

    return f32v_select(f32v_eq(a, f32v_set1(0x1p-126f)), f32v_set1(0x1p63f),
                       f32v_mul_ftz_any(root, f32v_set1(0.5f)));
}

#if SIMD_LANES == 16

/* Faster reciprocals with the same bits, by Newton iteration with fused multiply-adds. A guess
 * within one unit in the last place and its exact residual give the correctly rounded result
 * (Markstein 1990). The largest mantissa needs a guess that is not too small. Near the limits of
 * the exponent, intermediate results would be flushed. */

/* True if 2^low <= a < 2^high in all lanes. */
SIMD_INLINE bool f32v_all_within(f32v a, int low, int high)
{
    i32v above = i32v_sub(f32v_bits(a), i32v_set1((int32_t)((uint32_t)(low + 127) << 23)));

    return _mm512_cmplt_epu32_mask(above, i32v_set1((high - low) << 23)) == 0xffff;
}

/* 1 / a for positive a, from a guess of 14 bits. */
SIMD_INLINE f32v f32v_refine_rcp(f32v a, f32v guess)
{
    f32v one = f32v_set1(1.0f);

    guess = _mm512_fmadd_round_ps(guess, _mm512_fnmadd_ps(a, guess, one), guess,
                                  _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    return _mm512_fmadd_ps(guess, _mm512_fnmadd_ps(a, guess, one), guess);
}

/* 1 / x: infinity of the same sign for zero. */
SIMD_INLINE f32v f32v_rcp(f32v x)
{
    f32v a = f32v_abs(x), y;

    if (__builtin_expect(!f32v_all_within(a, -125, 125), 0))
        return f32v_rcp_plain(x);
    y = f32v_refine_rcp(a, _mm512_rcp14_ps(a));
    return i32v_as_f32(i32v_or(f32v_bits(y), i32v_and(f32v_bits(x), i32v_set1(INT32_MIN))));
}

/* 1 / sqrt(|x|): +infinity for zero, 0 for infinity. */
SIMD_INLINE f32v f32v_rsq(f32v x)
{
    f32v a = f32v_abs(x), half = f32v_set1(0.5f), quotient, root, inverse, lacks;

    if (__builtin_expect(!f32v_all_within(a, -123, 77), 0))
        return f32v_rsq_plain(x);
    root = _mm512_rsqrt14_ps(a);
    inverse = f32v_mul_ftz_any(f32v_mul_ftz_any(a, root), half); /* half of 1 / root */
    quotient = f32v_refine_rcp(a, f32v_mul_ftz_any(root, root));
    lacks = _mm512_fnmadd_ps(root, inverse, half);
    root = _mm512_fmadd_ps(root, lacks, root);
    inverse = _mm512_fmadd_ps(inverse, lacks, inverse);
    return _mm512_fmadd_ps(_mm512_fnmadd_ps(root, root, quotient), inverse, root);
}

#else

/* 1 / x: infinity of the same sign for zero. */
static inline f32v f32v_rcp(f32v x)
{
    return f32v_rcp_plain(x);
}

/* 1 / sqrt(|x|): +infinity for zero, 0 for infinity. */
static inline f32v f32v_rsq(f32v x)
{
    return f32v_rsq_plain(x);
}

#endif

/* One Horner step of a polynomial. */
static inline f32v f32v_step(f32v q, f32v x, float coefficient)
{
    return f32v_add(f32v_mul_ftz_any(q, x), f32v_set1(coefficient));
}

/* exp2, log2 and pow are long dependency chains. The _several forms compute up to this many vectors
 * at once, interleaved, to hide the latency. */
enum { SIMD_SEVERAL = 4 };

SIMD_INLINE void f32v_steps(f32v *q, const f32v *x, unsigned n, float coefficient)
{
    UNROLL
    for (unsigned i = 0; i < n; i++)
        q[i] = f32v_step(q[i], x[i], coefficient);
}

/* 2^x: 0 below -126 (the result would be denormal), +infinity from 128 on. */
SIMD_INLINE void f32v_exp2_several(f32v *x, unsigned n)
{
    f32v f[SIMD_SEVERAL], q[SIMD_SEVERAL];
    i32v whole[SIMD_SEVERAL];

    UNROLL
    for (unsigned i = 0; i < n; i++) {
        /* f32v_min and f32v_max return the second operand for a NaN, so it propagates to the
         * result. */
        f32v bounded = f32v_min(f32v_set1(128.0f), f32v_max(f32v_set1(-126.5f), x[i]));

        whole[i] = f32v_to_i32_round(bounded);
        f[i] = f32v_sub(bounded, i32v_to_f32(whole[i])); /* exact, in [-1/2, 1/2] */
        q[i] = f32v_set1(0x1.40f6bep-13f);
    }
    /* 2^f = 1 + f / 2 + f * q(f). f / 2 is exact. The smaller f * q(f) is, the smaller are its
     * rounding errors. */
    f32v_steps(q, f, n, 0x1.5f310ap-10f);
    f32v_steps(q, f, n, 0x1.3b2edcp-7f);
    f32v_steps(q, f, n, 0x1.c6af0ep-5f);
    f32v_steps(q, f, n, 0x1.ebfbdap-3f);
    f32v_steps(q, f, n, 0x1.8b90c2p-3f);
    UNROLL
    for (unsigned i = 0; i < n; i++) {
        f32v half = f32v_mul_ftz_any(f[i], f32v_set1(0.5f));

        q[i] = f32v_add(half, f32v_mul_ftz_any(f[i], q[i]));
        q[i] = f32v_add(q[i], f32v_set1(1.0f));
        /* Scales by 2^n in the exponent bits: 1 * 2^128 is the bit pattern of infinity. Results
         * below 2^-126 are denormal, and the addition flushes them to 0. */
        q[i] = i32v_as_f32(i32v_add(f32v_bits(q[i]), i32v_sll(whole[i], 23)));
        x[i] = f32v_add(q[i], f32v_zero());
    }
}

SIMD_INLINE f32v f32v_exp2(f32v x)
{
    f32v_exp2_several(&x, 1);
    return x;
}

/* log2 |x|: -infinity for zero. */
SIMD_INLINE void f32v_log2_several(f32v *x, unsigned n)
{
    enum {
        SQRT_HALF = 0x3f3504f3,
        EXPONENT = ~0x7fffff,
        INF_BITS = 0x7f800000,
        MIN_BITS = 0x800000
    };
    f32v infinite = i32v_as_f32(i32v_set1(INF_BITS));
    f32v e[SIMD_SEVERAL], r[SIMD_SEVERAL], q[SIMD_SEVERAL];
    i32v bits[SIMD_SEVERAL];

    /* |x| = m * 2^e with m in [sqrt(1/2), sqrt(2)); r = m - 1 is exact. log2 m = 3/2 r + r * q(r),
     * where q = (-3/4 r - 0.0573) + r * p(r). 3/2 r and the bracket are also exact (r < 0.4143; if
     * negative, -r < 0.293), so the largest terms do not round. */
    UNROLL
    for (unsigned i = 0; i < n; i++) {
        i32v above;

        bits[i] = i32v_and(f32v_bits(x[i]), i32v_set1(INT32_MAX));
        above = i32v_sub(bits[i], i32v_set1(SQRT_HALF));
        e[i] = i32v_to_f32(i32v_sra(above, 23));
        above = i32v_and(above, i32v_set1(EXPONENT));
        r[i] = f32v_sub(i32v_as_f32(i32v_sub(bits[i], above)), f32v_set1(1.0f));
        q[i] = f32v_set1(-0x1.c673b8p-4f);
    }
    f32v_steps(q, r, n, 0x1.812262p-3f);
    f32v_steps(q, r, n, -0x1.886172p-3f);
    f32v_steps(q, r, n, 0x1.a26cb2p-3f);
    f32v_steps(q, r, n, -0x1.ea803ep-3f);
    f32v_steps(q, r, n, 0x1.2780f6p-2f);
    f32v_steps(q, r, n, -0x1.715bfap-2f);
    f32v_steps(q, r, n, 0x1.ec709p-2f);
    f32v_steps(q, r, n, 0x1.d5721ap-6f);
    UNROLL
    for (unsigned i = 0; i < n; i++) {
        f32v part = f32v_sub(f32v_set1(-0x1.d5713p-5f), f32v_mul_ftz_any(r[i], f32v_set1(0.75f)));
        f32v most = f32v_mul_ftz_any(r[i], f32v_set1(1.5f));

        q[i] = f32v_add(part, f32v_mul_ftz_any(q[i], r[i]));
        q[i] = f32v_add(most, f32v_mul_ftz_any(r[i], q[i]));
        q[i] = f32v_add(e[i], q[i]);
        q[i] = f32v_select(i32v_lt(bits[i], i32v_set1(MIN_BITS)), f32v_neg(infinite), q[i]);
        x[i] = f32v_select(i32v_lt(bits[i], i32v_set1(INF_BITS)), q[i], i32v_as_f32(bits[i]));
    }
}

SIMD_INLINE f32v f32v_log2(f32v x)
{
    f32v_log2_several(&x, 1);
    return x;
}

/* |x|^y as Direct3D 9 defines it: exp2(y * log2 |x|), with the zero rule in the product, so that
 * x^0 is 1 for every x. */
SIMD_INLINE void f32v_pow_several(f32v *x, const f32v *y, unsigned n)
{
    f32v_log2_several(x, n);
    UNROLL
    for (unsigned i = 0; i < n; i++)
        x[i] = f32v_mul_zero(y[i], x[i]);
    f32v_exp2_several(x, n);
}

SIMD_INLINE f32v f32v_pow(f32v x, f32v y)
{
    f32v_pow_several(&x, &y, 1);
    return x;
}

/* Computes x = quadrant * pi/2 + rest and returns the rest, in [-pi/4, pi/4] up to rounding. pi/2
 * is split into parts of 8 bits, whose products with a quadrant below 2^16 are exact. */
static inline f32v f32v_quadrant(f32v x, i32v *quadrant)
{
    i32v n = f32v_to_i32_round(f32v_mul_ftz_any(x, f32v_set1(0x1.45f306p-1f)));
    f32v k = i32v_to_f32(n), bound = f32v_set1(0.8125f), nan = f32v_mul_ftz_any(x, f32v_zero());

    *quadrant = n;
    x = f32v_sub(x, f32v_mul_ftz_any(k, f32v_set1(0x1.92p0f)));
    x = f32v_sub(x, f32v_mul_ftz_any(k, f32v_set1(0x1.fap-12f)));
    x = f32v_sub(x, f32v_mul_ftz_any(k, f32v_set1(0x1.54p-20f)));
    x = f32v_sub(x, f32v_mul_ftz_any(k, f32v_set1(0x1.10b462p-30f)));
    /* Beyond 2^16 quadrants the rest is noise and may be large; the clamp keeps the series
     * valid. */
    x = f32v_min(bound, f32v_max(f32v_neg(bound), x));
    return f32v_add(x, nan); /* nan is zero unless x is infinite or NaN */
}

static inline void f32v_sincos(f32v x, f32v *sine, f32v *cosine)
{
    i32v quadrant, one = i32v_set1(1);
    f32v r = f32v_quadrant(x, &quadrant), z = f32v_mul_ftz_any(r, r), s, c;
    m32v swap;

    s = f32v_step(f32v_set1(-0x1.9ab2e0p-13f), z, 0x1.110be4p-7f);
    s = f32v_step(s, z, -0x1.555552p-3f);
    s = f32v_add(r, f32v_mul_ftz_any(r, f32v_mul_ftz_any(z, s)));
    c = f32v_step(f32v_set1(0x1.9bc64ep-16f), z, -0x1.6c129cp-10f);
    c = f32v_step(c, z, 0x1.555554p-5f);
    c = f32v_sub(f32v_mul_ftz_any(f32v_mul_ftz_any(z, z), c), f32v_mul_ftz_any(z, f32v_set1(0.5f)));
    c = f32v_add(c, f32v_set1(1.0f));

    swap = i32v_eq(i32v_and(quadrant, one), one);
    r = f32v_select(swap, c, s);
    c = f32v_select(swap, s, c);
    /* Signs: sine is negative in quadrants 2 and 3, cosine in 1 and 2. */
    *sine = i32v_as_f32(i32v_xor(f32v_bits(r), i32v_sll(i32v_and(quadrant, i32v_set1(2)), 30)));
    quadrant = i32v_add(quadrant, one);
    *cosine = i32v_as_f32(i32v_xor(f32v_bits(c), i32v_sll(i32v_and(quadrant, i32v_set1(2)), 30)));
}

static inline f32v f32v_sin(f32v x)
{
    f32v s, c;

    f32v_sincos(x, &s, &c);
    return s;
}

static inline f32v f32v_cos(f32v x)
{
    f32v s, c;

    f32v_sincos(x, &s, &c);
    return c;
}

#endif
