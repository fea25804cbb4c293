/* exp2, log2, pow, sin, cos and reciprocals of vectors, for *_kern.c files (reference:
 * numbers/transcendentals). Own polynomials in one fixed order, so every instruction set, compiler
 * and word size gives the same bits; util/math.h has the same functions for one float.
 *
 * Accuracy under util/fpenv.h, measured by tests/kernel/util/test_simd_math.c over every exponent:
 *   exp2       1.2 ulp; exact for whole numbers
 *   log2       1.5 ulp; exact for powers of two
 *   sin, cos   2 ulp for |x| <= pi/4, 1.5e-7 absolute for |x| <= 1e5; within [-1,1] beyond
 *   rsq        1.5 ulp; exact for powers of four
 * NaN gives NaN; sin and cos of an infinity are NaN. Denormal arguments count as zero. */
#ifndef UTIL_SIMD_MATH_H
#define UTIL_SIMD_MATH_H

#include "util/simd.h"

/* a * b, where a zero on either side wins over infinity and NaN (reference: numbers/zero-rule).
 * Lanes whose plain product is a number keep it, the sign of a zero too; rescued lanes are +0. */
static inline f32v f32v_mul_zero(f32v a, f32v b)
{
    f32v zero = f32v_zero(), product = f32v_mul(a, b);
    m32v rescued = m32v_and(f32v_isnan(product), m32v_or(f32v_eq(a, zero), f32v_eq(b, zero)));

    return f32v_select(rescued, zero, product);
}

/* 1 / x: infinity of the same sign for zero. */
static inline f32v f32v_rcp(f32v x)
{
    return f32v_div(f32v_set1(1.0f), x);
}

/* 1 / sqrt(|x|): +infinity for zero, 0 for infinity. */
static inline f32v f32v_rsq(f32v x)
{
    return f32v_div(f32v_set1(1.0f), f32v_sqrt(f32v_abs(x)));
}

/* 2^x: 0 below -126 (the result would be denormal), +infinity from 128 on. */
static inline f32v f32v_exp2(f32v x)
{
    /* min and max return the second operand for a NaN, which so comes through to the polynomial. */
    f32v bounded = f32v_min(f32v_set1(200.0f), f32v_max(f32v_set1(-200.0f), x));
    i32v n = f32v_to_i32_round(bounded);
    f32v f = f32v_sub(bounded, i32v_to_f32(n)); /* exact, in [-1/2, 1/2] */
    f32v q = f32v_set1(0x1.44175ep-13f);
    i32v half = i32v_sra(n, 1), bias = i32v_set1(127);

    q = f32v_add(f32v_mul(q, f), f32v_set1(0x1.5ef5d0p-10f));
    q = f32v_add(f32v_mul(q, f), f32v_set1(0x1.3b2a54p-7f));
    q = f32v_add(f32v_mul(q, f), f32v_set1(0x1.c6af9cp-5f));
    q = f32v_add(f32v_mul(q, f), f32v_set1(0x1.ebfbe0p-3f));
    q = f32v_add(f32v_mul(q, f), f32v_set1(0x1.62e430p-1f));
    q = f32v_add(f32v_mul(q, f), f32v_set1(1.0f));
    /* Times 2^n in two exact steps, since n reaches 200 and an exponent 127. */
    q = f32v_mul(q, i32v_as_f32(i32v_sll(i32v_add(half, bias), 23)));
    return f32v_mul(q, i32v_as_f32(i32v_sll(i32v_add(i32v_sub(n, half), bias), 23)));
}

/* log2 |x|: -infinity for zero. */
static inline f32v f32v_log2(f32v x)
{
    enum {
        SQRT_HALF = 0x3f3504f3,
        EXPONENT = ~0x7fffff,
        INF_BITS = 0x7f800000,
        MIN_BITS = 0x800000
    };
    i32v bits = i32v_and(f32v_bits(x), i32v_set1(INT32_MAX));
    i32v above = i32v_sub(bits, i32v_set1(SQRT_HALF));
    /* |x| = m * 2^e with m in [sqrt(1/2), sqrt(2)); log2 m = r + r * q(r) with r = m - 1 exact. */
    f32v e = i32v_to_f32(i32v_sra(above, 23));
    f32v m = i32v_as_f32(i32v_sub(bits, i32v_and(above, i32v_set1(EXPONENT))));
    f32v r = f32v_sub(m, f32v_set1(1.0f));
    f32v q = f32v_set1(-0x1.dce31ep-4f);
    f32v infinite = i32v_as_f32(i32v_set1(INF_BITS));

    q = f32v_add(f32v_mul(q, r), f32v_set1(0x1.856258p-3f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(-0x1.85639ep-3f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(0x1.a15e28p-3f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(-0x1.eacb76p-3f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(0x1.278ce8p-2f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(-0x1.715a9cp-2f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(0x1.ec7034p-2f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(-0x1.715470p-1f));
    q = f32v_add(f32v_mul(q, r), f32v_set1(0x1.c551dap-2f));
    q = f32v_add(e, f32v_add(r, f32v_mul(r, q)));

    q = f32v_select(i32v_lt(bits, i32v_set1(MIN_BITS)), f32v_neg(infinite), q);
    return f32v_select(i32v_lt(bits, i32v_set1(INF_BITS)), q, i32v_as_f32(bits));
}

/* |x|^y as D3D9 defines it: exp2(y * log2 |x|) with the zero rule in the product, so that x^0 is 1
 * for every x. */
static inline f32v f32v_pow(f32v x, f32v y)
{
    return f32v_exp2(f32v_mul_zero(y, f32v_log2(x)));
}

/* x = quadrant * pi/2 + rest, rest in [-pi/4, pi/4] up to rounding. pi/2 is cut in parts of 8 bits,
 * whose products with a quadrant below 2^16 are exact. */
static inline f32v f32v_quadrant(f32v x, i32v *quadrant)
{
    i32v n = f32v_to_i32_round(f32v_mul(x, f32v_set1(0x1.45f306p-1f)));
    f32v k = i32v_to_f32(n), bound = f32v_set1(0.8125f), nan = f32v_mul(x, f32v_zero());

    *quadrant = n;
    x = f32v_sub(x, f32v_mul(k, f32v_set1(0x1.92p0f)));
    x = f32v_sub(x, f32v_mul(k, f32v_set1(0x1.fap-12f)));
    x = f32v_sub(x, f32v_mul(k, f32v_set1(0x1.54p-20f)));
    x = f32v_sub(x, f32v_mul(k, f32v_set1(0x1.10b462p-30f)));
    /* Past 2^16 quadrants the rest is noise and may be large; keep it where the series hold. */
    x = f32v_min(bound, f32v_max(f32v_neg(bound), x));
    return f32v_add(x, nan); /* zero for all numbers */
}

static inline void f32v_sincos(f32v x, f32v *sine, f32v *cosine)
{
    i32v quadrant, one = i32v_set1(1);
    f32v r = f32v_quadrant(x, &quadrant), z = f32v_mul(r, r), s, c;
    m32v swap;

    s = f32v_add(f32v_mul(f32v_set1(-0x1.9ab2e0p-13f), z), f32v_set1(0x1.110be4p-7f));
    s = f32v_add(f32v_mul(s, z), f32v_set1(-0x1.555552p-3f));
    s = f32v_add(r, f32v_mul(r, f32v_mul(z, s)));
    c = f32v_add(f32v_mul(f32v_set1(0x1.9bc64ep-16f), z), f32v_set1(-0x1.6c129cp-10f));
    c = f32v_add(f32v_mul(c, z), f32v_set1(0x1.555554p-5f));
    c = f32v_sub(f32v_mul(f32v_mul(z, z), c), f32v_mul(z, f32v_set1(0.5f)));
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
