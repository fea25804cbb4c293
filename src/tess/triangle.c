/* Meshes of triangle patches: Bernstein polynomials of the weights of the corners.
 * Tested by tests/unit/tess/test_patch.c and tests/unit/tess/test_holes.c. */
#include "tess/evaluate.h"
#include "tess/pattern.h"

#include <string.h>

enum { ROW = TESS_MAX_DEGREE + 1 };

/* The control point with i steps from the first corner to the second and j to the third: row i + j
 * starts on the side of the third (reference: tessellation/parameters). */
static unsigned point_at(unsigned i, unsigned j)
{
    return (i + j) * (i + j + 1) / 2 + i;
}

/* Raises Bernstein polynomials of a triangle from degree d - 1 to d: w[j][i] is that of
 * point_at(i, j). */
static void raise_degree(double w[ROW][ROW], unsigned d, double u, double v, double at_first)
{
    for (unsigned j = d + 1; j-- > 0;)
        for (unsigned i = d - j + 1; i-- > 0;) {
            double sum = i + j < d ? at_first * w[j][i] : 0.0;

            sum += i ? u * w[j][i - 1] : 0.0;
            sum += j ? v * w[j - 1][i] : 0.0;
            w[j][i] = sum;
        }
}

static void find_weights(struct tess_weights *out, unsigned degree, double u, double v,
                         double at_first)
{
    double w[ROW][ROW] = {{1.0}};
    unsigned n = 0;

    for (unsigned d = 1; d < degree; d++)
        raise_degree(w, d, u, v, at_first);
    for (unsigned j = 0; j <= degree; j++)
        for (unsigned i = 0; i <= degree - j; i++, n++) {
            double here = i + j < degree ? w[j][i] : 0.0;

            out->point[n] = point_at(i, j);
            out->du[n] = degree * ((i ? w[j][i - 1] : 0.0) - here);
            out->dv[n] = degree * ((j ? w[j - 1][i] : 0.0) - here);
        }
    out->n = n;
    raise_degree(w, degree, u, v, at_first);
    n = 0;
    for (unsigned j = 0; j <= degree; j++)
        for (unsigned i = 0; i <= degree - j; i++)
            out->value[n++] = w[j][i];
}

/* w: the weights of the corners. */
static void make_vertex(float (*out)[4], const struct tess_patch *patch,
                        const struct tess_points *points, const double w[3])
{
    struct tess_weights weights;

    find_weights(&weights, (unsigned)patch->degree, w[1], w[2], w[0]);
    tess_evaluate(out, points, &weights, w[1], w[2]);
}

/* --- Triangles -------------------------------------------------------------------------------- */

enum status tess_triangle(struct tess_mesh *out, const struct tess_patch *patch,
                          const struct tess_points *points)
{
    struct tess_pattern pattern = {0};
    enum status st = tess_pattern_make(&pattern, patch->segments, patch->edge_style);

    if (!st)
        st = tess_mesh_resize(out, points->n_elements, pattern.n_points, pattern.n_indices);
    for (uint32_t i = 0; !st && i < pattern.n_points; i++)
        make_vertex(out->vertex + (size_t)i * out->n_elements, patch, points, pattern.point[i]);
    if (!st)
        memcpy(out->index, pattern.index, pattern.n_indices * sizeof(*out->index));
    tess_pattern_fini(&pattern);
    return st;
}
