/* Evaluates N-patches. All sums have an order in which the two ends of an edge are equal, so that
 * two triangles compute the same bits on a shared edge. */
#include "tess/npatch.h"

#include "util/math.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = a[c] - b[c];
}

/* Vectors of length 0 stay 0. */
static void normalise(double v[3])
{
    double length = sqrt(dot(v, v));

    for (unsigned c = 0; c < 3 && length > 0.0; c++)
        v[c] /= length;
}

/* --- Control points --------------------------------------------------------------------------- */

/* The control point of an edge next to corner `from`: a third of the way to corner `to`, projected
 * to the tangent plane of `from`. */
static void edge_point(const double from[3], const double to[3], const double normal[3],
                       double out[3])
{
    double along[3], square = dot(normal, normal), height = 0.0;

    subtract(to, from, along);
    if (square > 0.0)
        height = dot(along, normal) / square;
    for (unsigned c = 0; c < 3; c++)
        out[c] = (2.0 * from[c] + to[c] - height * normal[c]) / 3.0;
}

static void position_points(struct tess_npatch *patch)
{
    for (unsigned e = 0; e < 3; e++) {
        unsigned a = e, b = (e + 1) % 3;

        edge_point(patch->corner[a], patch->corner[b], patch->normal[a], patch->edge[e][0]);
        edge_point(patch->corner[b], patch->corner[a], patch->normal[b], patch->edge[e][1]);
    }
    for (unsigned c = 0; c < 3; c++) {
        double corners = 0.0, edges = 0.0;

        for (unsigned e = 0; e < 3; e++) {
            corners += patch->corner[e][c];
            edges += patch->edge[e][0][c] + patch->edge[e][1][c];
        }
        patch->centre[c] = edges / 4.0 - corners / 6.0; /* E + (E - V) / 2 of the means E and V */
    }
}

/* The normal in the middle of an edge: the sum of the two, reflected at the plane across the
 * edge. */
static void middle_normal(const struct tess_npatch *patch, unsigned a, unsigned b, double out[3])
{
    double along[3], sum[3], square, reflect = 0.0;

    subtract(patch->corner[b], patch->corner[a], along);
    for (unsigned c = 0; c < 3; c++)
        sum[c] = patch->normal[a][c] + patch->normal[b][c];
    square = dot(along, along);
    if (square > 0.0)
        reflect = 2.0 * dot(along, sum) / square;
    for (unsigned c = 0; c < 3; c++)
        out[c] = sum[c] - reflect * along[c];
    normalise(out);
}

static void normal_points(struct tess_npatch *patch)
{
    for (unsigned e = 0; e < 3; e++)
        normalise(patch->normal[e]);
    for (unsigned e = 0; e < 3; e++)
        middle_normal(patch, e, (e + 1) % 3, patch->middle[e]);
}

void tess_npatch_init(struct tess_npatch *patch, const float position[3][4],
                      const float (*normal)[4], bool cubic, bool quadratic)
{
    memset(patch, 0, sizeof(*patch));
    patch->cubic = normal && cubic;
    patch->quadratic = normal && quadratic;
    for (unsigned v = 0; v < 3; v++)
        for (unsigned c = 0; c < 3; c++) {
            patch->corner[v][c] = position[v][c];
            patch->normal[v][c] = normal ? normal[v][c] : 0.0f;
        }
    if (patch->cubic)
        position_points(patch);
    if (patch->quadratic)
        normal_points(patch);
}

/* --- Evaluation ------------------------------------------------------------------------------- */

void tess_npatch_position(const struct tess_npatch *patch, const double w[3], float out[3])
{
    for (unsigned c = 0; c < 3; c++) {
        double corners = 0.0, edges = 0.0, linear = 0.0;

        for (unsigned v = 0; v < 3; v++) {
            corners += w[v] * w[v] * w[v] * patch->corner[v][c];
            linear += w[v] * patch->corner[v][c];
        }
        for (unsigned e = 0; e < 3; e++) {
            double a = w[e], b = w[(e + 1) % 3];

            edges += 3.0 * (a * b) * (a * patch->edge[e][0][c] + b * patch->edge[e][1][c]);
        }
        out[c] = math_narrowf(patch->cubic
                                  ? corners + edges + 6.0 * (w[0] * w[1] * w[2]) * patch->centre[c]
                                  : linear);
    }
}

void tess_npatch_normal(const struct tess_npatch *patch, const double w[3], float out[3])
{
    double sum[3];

    for (unsigned c = 0; c < 3; c++) {
        double corners = 0.0, edges = 0.0;

        for (unsigned v = 0; v < 3; v++)
            corners += (patch->quadratic ? w[v] * w[v] : w[v]) * patch->normal[v][c];
        for (unsigned e = 0; e < 3; e++)
            edges += w[e] * w[(e + 1) % 3] * patch->middle[e][c]; /* 0 if linear */
        sum[c] = corners + edges;
    }
    if (patch->quadratic)
        normalise(sum);
    for (unsigned c = 0; c < 3; c++)
        out[c] = math_narrowf(sum[c]);
}

void tess_blend(const float *const corner[3], const double w[3], unsigned n, float *out)
{
    for (unsigned c = 0; c < n; c++) {
        double sum = 0.0;

        for (unsigned v = 0; v < 3; v++)
            sum += w[v] * (double)corner[v][c];
        out[c] = math_narrowf(sum);
    }
}
