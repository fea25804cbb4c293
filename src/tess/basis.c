/* Basis functions of rows of control points (reference: tessellation/bases).
 *
 * Every formula gives the same bits when the row is reversed: t and t1 = 1 - t change places, and
 * with them the weights.
 *
 * Tested by tests/unit/tess/test_patch.c. */
#include "tess/evaluate.h"

#include <string.h>

/* Raises Bernstein polynomials from degree d - 1 to d. */
static void raise_bernstein(double *w, unsigned d, double t, double t1)
{
    w[d] = 0.0;
    for (unsigned j = d; j > 0; j--)
        w[j] = t * w[j - 1] + t1 * w[j];
    w[0] = t1 * w[0];
}

/* Raises B-splines with uniform knots from degree d - 1 to d (de Boor's recurrence). */
static void raise_bspline(double *w, unsigned d, double t, double t1)
{
    w[d] = 0.0;
    for (unsigned j = d; j > 0; j--)
        w[j] = ((t + (d - j)) * w[j - 1] + (t1 + j) * w[j]) / d;
    w[0] = t1 * w[0] / d;
}

static void polynomials(struct tess_basis *out, bool bspline, unsigned degree, double t, double t1)
{
    double factor = bspline ? 1.0 : degree;
    double w[TESS_MAX_DEGREE + 1] = {1.0};

    out->n = degree + 1;
    for (unsigned d = 1; d <= degree; d++) {
        if (d == degree)
            for (unsigned j = 0; j <= degree; j++)
                out->slope[j] = factor * ((j ? w[j - 1] : 0.0) - (j < degree ? w[j] : 0.0));
        if (bspline)
            raise_bspline(w, d, t, t1);
        else
            raise_bernstein(w, d, t, t1);
    }
    memcpy(out->value, w, out->n * sizeof(*w));
}

/* --- Catmull-Rom ------------------------------------------------------------------------------ */

/* Weights of the points before, at, after and behind a span between two points. */
static void catmull_rom(double value[4], double slope[4], double t, double t1)
{
    value[0] = -0.5 * (t * (t1 * t1));
    value[1] = t1 * t1 * (1.0 + 2.0 * t) + 0.5 * (t1 * (t * t));
    value[2] = t * t * (1.0 + 2.0 * t1) + 0.5 * (t * (t1 * t1));
    value[3] = -0.5 * (t1 * (t * t));
    slope[0] = t * t1 - 0.5 * (t1 * t1);
    slope[3] = 0.5 * (t * t) - t * t1;
    slope[1] = -6.0 * (t * t1) + (t1 * t - 0.5 * (t * t));
    slope[2] = 6.0 * (t * t1) - (t * t1 - 0.5 * (t1 * t1));
}

/* The point before the first one continues the line through the first two, and likewise at the end
 * (reference: tessellation/bases). */
static void interpolate(struct tess_basis *out, uint32_t span, uint32_t points, double t, double t1)
{
    double value[4], slope[4];
    unsigned skip = span == 0, end = span + 2 == points;

    catmull_rom(value, slope, t, t1);
    if (skip) {
        value[1] += 2.0 * value[0];
        value[2] -= value[0];
        slope[1] += 2.0 * slope[0];
        slope[2] -= slope[0];
    }
    if (end) {
        value[2] += 2.0 * value[3];
        value[1] -= value[3];
        slope[2] += 2.0 * slope[3];
        slope[1] -= slope[3];
    }
    out->first = span - 1 + skip;
    out->n = 4 - skip - end;
    memcpy(out->value, value + skip, out->n * sizeof(*value));
    memcpy(out->slope, slope + skip, out->n * sizeof(*slope));
}

/* --- Spans ------------------------------------------------------------------------------------ */

static uint32_t spans_of(D3DBASISTYPE basis, unsigned degree, uint32_t points)
{
    switch (basis) {
    case D3DBASIS_BSPLINE:
        return points - degree;
    case D3DBASIS_INTERPOLATE:
        return points - 1;
    default:
        return (points - 1) / degree;
    }
}

/* Finds the span of t, and the parameter in it. Both ends are exact. */
static uint32_t find_span(uint32_t spans, double *t, double *t1)
{
    double at = *t * spans, from_end = *t1 * spans;
    uint32_t span = (uint32_t)at;

    if (spans == 1 || span >= spans) {
        span = spans - 1;
        *t = spans == 1 ? *t : 1.0 - from_end;
        *t1 = from_end;
        return span;
    }
    *t = at - span;
    *t1 = from_end - (spans - 1 - span);
    return span;
}

void tess_basis_at(struct tess_basis *out, D3DBASISTYPE basis, unsigned degree, uint32_t points,
                   double t, double t1)
{
    uint32_t spans = spans_of(basis, degree, points), span = find_span(spans, &t, &t1);

    if (basis == D3DBASIS_INTERPOLATE) {
        interpolate(out, span, points, t, t1);
    } else {
        polynomials(out, basis == D3DBASIS_BSPLINE, degree, t, t1);
        out->first = basis == D3DBASIS_BSPLINE ? span : span * degree;
    }
    for (unsigned i = 0; i < out->n; i++) /* the parameter runs through all spans */
        out->slope[i] *= spans;
}
