/* Patches in double precision, evaluated in other ways than src/tess does: de Casteljau's and de
 * Boor's algorithms on the control points, and Hermite curves for the interpolating basis. */
#ifndef TESTS_TESS_ORACLE_H
#define TESTS_TESS_ORACLE_H

#include "tess/tess.h"

#include <math.h>
#include <string.h>

/* A point of a curve and its derivative. */
struct oracle_point {
    double at[3], slope[3];
};

static void oracle_blend(double out[3], const double a[3], const double b[3], double t)
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = (1.0 - t) * a[c] + t * b[c];
}

/* The point of a span by de Casteljau. */
static struct oracle_point oracle_bezier(const double (*p)[3], unsigned degree, double t)
{
    struct oracle_point out;
    double w[6][3];

    memcpy(w, p, (degree + 1) * sizeof(*w));
    for (unsigned d = degree; d > 1; d--)
        for (unsigned i = 0; i < d; i++)
            oracle_blend(w[i], w[i], w[i + 1], t);
    for (unsigned c = 0; c < 3; c++)
        out.slope[c] = degree * (w[1][c] - w[0][c]);
    oracle_blend(out.at, w[0], w[1], t);
    return out;
}

/* de Boor on knots 0, 1, 2 ...: the curve of `degree` at x of control points p. */
static void oracle_de_boor(double out[3], const double (*p)[3], unsigned degree, double x,
                           unsigned span)
{
    double d[6][3];

    memcpy(d, p + span, (degree + 1) * sizeof(*d));
    for (unsigned r = 1; r <= degree; r++)
        for (unsigned j = degree; j >= r; j--) {
            double left = (double)j + span, right = (double)j + 1 + degree - r + span;

            oracle_blend(d[j], d[j - 1], d[j], (x - left) / (right - left));
        }
    memcpy(out, d[degree], sizeof(d[degree]));
}

static struct oracle_point oracle_bspline(const double (*p)[3], unsigned degree, double t,
                                          unsigned span)
{
    struct oracle_point out;
    double difference[16][3];

    for (unsigned i = 0; i < span + degree; i++)
        for (unsigned c = 0; c < 3; c++)
            difference[i][c] = p[i + 1][c] - p[i][c];
    oracle_de_boor(out.at, p, degree, (double)degree + span + t, span);
    oracle_de_boor(out.slope, (const double(*)[3])difference, degree - 1,
                   (double)degree - 1 + span + t, span);
    return out;
}

/* The Hermite curve between points `span` and `span` + 1. */
static struct oracle_point oracle_interpolate(const double (*p)[3], uint32_t n, double t,
                                              unsigned span)
{
    struct oracle_point out;

    for (unsigned c = 0; c < 3; c++) {
        double a = p[span][c], b = p[span + 1][c];
        double before = span ? p[span - 1][c] : 2.0 * a - b;
        double behind = span + 2 < n ? p[span + 2][c] : 2.0 * b - a;
        double m0 = (b - before) / 2.0, m1 = (behind - a) / 2.0;
        double c2 = 3.0 * (b - a) - 2.0 * m0 - m1, c3 = 2.0 * (a - b) + m0 + m1;

        out.at[c] = a + t * (m0 + t * (c2 + t * c3));
        out.slope[c] = m0 + t * (2.0 * c2 + 3.0 * t * c3);
    }
    return out;
}

/* The point of a row of n control points at t of 0 ... 1. */
static struct oracle_point oracle_row(const double (*p)[3], D3DBASISTYPE basis, unsigned degree,
                                      uint32_t n, double t)
{
    unsigned spans = basis == D3DBASIS_BEZIER    ? (n - 1) / degree
                     : basis == D3DBASIS_BSPLINE ? n - degree
                                                 : n - 1;
    unsigned span = t * spans < spans ? (unsigned)(t * spans) : spans - 1;
    double local = t * spans - span;
    struct oracle_point out = basis == D3DBASIS_BEZIER
                                  ? oracle_bezier(p + (size_t)span * degree, degree, local)
                              : basis == D3DBASIS_BSPLINE ? oracle_bspline(p, degree, local, span)
                                                          : oracle_interpolate(p, n, local, span);

    for (unsigned c = 0; c < 3; c++)
        out.slope[c] *= spans;
    return out;
}

/* A point of a surface with both tangents. */
struct oracle_surface {
    double at[3], du[3], dv[3], normal[3];
};

static void oracle_normal(struct oracle_surface *s)
{
    double length = 0.0;

    for (unsigned c = 0; c < 3; c++) {
        unsigned d = (c + 1) % 3, e = (c + 2) % 3;

        s->normal[c] = s->du[d] * s->dv[e] - s->du[e] * s->dv[d];
        length += s->normal[c] * s->normal[c];
    }
    for (unsigned c = 0; c < 3; c++)
        s->normal[c] /= sqrt(length);
}

/* point: patch->width x patch->height points, at most 16 in a direction. */
static struct oracle_surface oracle_rectangle(const struct tess_patch *patch,
                                              const double (*point)[3], double u, double v)
{
    double across[16][3], along[16][3];
    struct oracle_surface out;
    struct oracle_point at;

    for (uint32_t y = 0; y < patch->height; y++) {
        at = oracle_row(point + (size_t)y * patch->width, patch->basis, (unsigned)patch->degree,
                        patch->width, u);
        memcpy(across[y], at.at, sizeof(at.at));
        memcpy(along[y], at.slope, sizeof(at.slope));
    }
    at = oracle_row((const double(*)[3])across, patch->basis, (unsigned)patch->degree,
                    patch->height, v);
    memcpy(out.at, at.at, sizeof(at.at));
    memcpy(out.dv, at.slope, sizeof(at.slope));
    at = oracle_row((const double(*)[3])along, patch->basis, (unsigned)patch->degree, patch->height,
                    v);
    memcpy(out.du, at.at, sizeof(at.at));
    oracle_normal(&out);
    return out;
}

/* de Casteljau on a triangle; u and v are the weights of the last point and of the first point of
 * the last row. */
static struct oracle_surface oracle_triangle(unsigned degree, const double (*point)[3], double u,
                                             double v)
{
    struct oracle_surface out;
    double w[6][6][3];

    for (unsigned j = 0; j <= degree; j++)
        for (unsigned i = 0; i <= degree - j; i++)
            memcpy(w[j][i], point[(i + j) * (i + j + 1) / 2 + i], sizeof(*point));
    for (unsigned d = degree; d > 1; d--)
        for (unsigned j = 0; j < d; j++)
            for (unsigned i = 0; i < d - j; i++)
                for (unsigned c = 0; c < 3; c++)
                    w[j][i][c] =
                        (1.0 - u - v) * w[j][i][c] + u * w[j][i + 1][c] + v * w[j + 1][i][c];
    for (unsigned c = 0; c < 3; c++) {
        out.du[c] = degree * (w[0][1][c] - w[0][0][c]);
        out.dv[c] = degree * (w[1][0][c] - w[0][0][c]);
        out.at[c] = (1.0 - u - v) * w[0][0][c] + u * w[0][1][c] + v * w[1][0][c];
    }
    oracle_normal(&out);
    return out;
}

#endif
