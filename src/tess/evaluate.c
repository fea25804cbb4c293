/* Evaluates the elements of a vertex from weighted control points (reference:
 * tessellation/methods).
 *
 * Tested by tests/unit/tess/test_patch.c. */
#include "tess/evaluate.h"

#include <math.h>

/* The weights of a sum that are not 0. */
struct terms {
    unsigned n;
    uint32_t point[TESS_MAX_WEIGHTS];
    double weight[TESS_MAX_WEIGHTS];
};

static void collect(struct terms *out, const struct tess_weights *weights, const double *weight)
{
    out->n = 0;
    for (unsigned i = 0; i < weights->n; i++)
        if (weight[i] != 0.0) {
            out->point[out->n] = weights->point[i];
            out->weight[out->n++] = weight[i];
        }
}

/* Adds terms in pairs from both ends inwards: a sum does not depend on the direction of a row. */
static void add(double out[4], const struct terms *terms, const struct tess_points *points,
                uint32_t element)
{
    const float(*vector)[4] = points->vector + element;

    out[0] = out[1] = out[2] = out[3] = 0.0;
    for (unsigned i = 0; i < (terms->n + 1) / 2; i++) {
        unsigned k = terms->n - 1 - i;
        const float *a = vector[(size_t)terms->point[i] * points->n_elements];
        const float *b = vector[(size_t)terms->point[k] * points->n_elements];

        for (unsigned c = 0; c < 4; c++) {
            double pair = terms->weight[i] * a[c];

            if (i != k)
                pair += terms->weight[k] * b[c];
            out[c] += pair;
        }
    }
}

static void normal(double out[4], const double u[4], const double v[4])
{
    double square, length;

    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
    out[3] = 0.0;
    square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
    length = sqrt(square);
    for (unsigned c = 0; c < 3; c++)
        out[c] = length > 0.0 ? out[c] / length : 0.0;
}

void tess_evaluate(float (*out)[4], const struct tess_points *points,
                   const struct tess_weights *weights, double u, double v)
{
    struct terms value, du, dv;
    double sum[4], other[4], cross[4];

    collect(&value, weights, weights->value);
    collect(&du, weights, weights->du);
    collect(&dv, weights, weights->dv);
    for (uint32_t e = 0; e < points->n_elements; e++) {
        const double *from = sum;

        switch (points->method[e]) {
        case D3DDECLMETHOD_PARTIALU:
            add(sum, &du, points, e);
            break;
        case D3DDECLMETHOD_PARTIALV:
            add(sum, &dv, points, e);
            break;
        case D3DDECLMETHOD_CROSSUV:
            add(sum, &du, points, e);
            add(other, &dv, points, e);
            normal(cross, sum, other);
            from = cross;
            break;
        case D3DDECLMETHOD_UV:
            sum[0] = u;
            sum[1] = v;
            sum[2] = sum[3] = 0.0;
            break;
        default:
            add(sum, &value, points, e);
            break;
        }
        for (unsigned c = 0; c < 4; c++)
            out[e][c] = (float)from[c];
    }
}
