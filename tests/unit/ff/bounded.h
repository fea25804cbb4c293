/* Double-precision numbers with a bound of the error that single precision may have accumulated, so
 * that comparisons need no ad hoc tolerance. Each operation counts twice its rounding error,
 * because the order of summation may differ. */
#ifndef TESTS_FF_BOUNDED_H
#define TESTS_FF_BOUNDED_H

#include <math.h>
#include <stdbool.h>

struct num {
    double v, e;
};

#define NUM_STEP 0x1p-23

static inline struct num num_exact(double v)
{
    return (struct num){v, 0.0};
}

/* Results beyond the range of single precision have no bound. */
static inline struct num num_rounded(double v, double e)
{
    if (!(fabs(v) + e < 1e37))
        return (struct num){0.0, INFINITY};
    return (struct num){v, e + NUM_STEP * fabs(v)};
}

static inline struct num num_add(struct num a, struct num b)
{
    return num_rounded(a.v + b.v, a.e + b.e);
}

static inline struct num num_neg(struct num a)
{
    return (struct num){-a.v, a.e};
}

static inline struct num num_sub(struct num a, struct num b)
{
    return num_add(a, num_neg(b));
}

static inline struct num num_mul(struct num a, struct num b)
{
    return num_rounded(a.v * b.v, fabs(a.v) * b.e + fabs(b.v) * a.e + a.e * b.e);
}

/* A divisor that may be 0 makes the result unbounded. */
static inline struct num num_div(struct num a, struct num b)
{
    double v = a.v / b.v;

    if (fabs(b.v) <= 2.0 * b.e)
        return (struct num){0.0, INFINITY};
    return num_rounded(v, (a.e + fabs(v) * b.e) / (fabs(b.v) - b.e));
}

static inline struct num num_sqrt(struct num a)
{
    double v = sqrt(fmax(a.v, 0.0));

    return num_rounded(v, fmax(sqrt(fmax(a.v + a.e, 0.0)) - v, v - sqrt(fmax(a.v - a.e, 0.0))));
}

/* Power of a positive number: exp2 of a rounded product (reference: numbers/accuracy), plus the
 * effect of the error of the base. */
static inline struct num num_pow(struct num x, double y)
{
    double v, low, high, t;

    if (y == 0.0)
        return num_exact(1.0);
    if (x.v <= 2.0 * x.e)
        return (struct num){0.0, INFINITY};
    v = pow(x.v, y);
    low = pow(x.v - x.e, y);
    high = pow(x.v + x.e, y);
    t = fabs(y * log2(x.v));
    return num_rounded(v, fmax(fabs(low - v), fabs(high - v)) + v * (1.0 + 1.04 * t) * NUM_STEP);
}

/* a > b; sets `unsure` if the errors leave the comparison open. */
static inline bool num_above(struct num a, struct num b, bool *unsure)
{
    *unsure |= !(fabs(a.v - b.v) > a.e + b.e);
    return a.v > b.v;
}

static inline struct num num_not_below_0(struct num a)
{
    return a.v < -a.e ? num_exact(0.0) : (struct num){fmax(a.v, 0.0), a.e};
}

static inline struct num num_saturated(struct num a)
{
    if (a.v - a.e >= 1.0 || a.v + a.e <= 0.0)
        a.e = 0.0;
    return (struct num){fmin(fmax(a.v, 0.0), 1.0), a.e};
}

/* --- Vectors --------------------------------------------------------------------------------- */

struct num3 {
    struct num c[3];
};

static inline struct num num3_dot(struct num3 a, struct num3 b)
{
    return num_add(num_add(num_mul(a.c[0], b.c[0]), num_mul(a.c[1], b.c[1])),
                   num_mul(a.c[2], b.c[2]));
}

/* a + b k */
static inline struct num3 num3_add(struct num3 a, struct num3 b, struct num k)
{
    struct num3 out;

    for (int i = 0; i < 3; i++)
        out.c[i] = num_add(a.c[i], num_mul(b.c[i], k));
    return out;
}

static inline struct num num3_length(struct num3 a)
{
    return num_sqrt(num3_dot(a, a));
}

/* Zero stays zero. */
static inline struct num3 num3_unit(struct num3 a)
{
    struct num length = num3_length(a);

    for (int i = 0; i < 3 && length.v > 0.0; i++)
        a.c[i] = num_div(a.c[i], length);
    return a;
}

#endif
