/* Declares weights of control points, and the evaluation of all elements of a vertex. Private to
 * tess. */
#ifndef TESS_EVALUATE_H
#define TESS_EVALUATE_H

#include "tess/tess.h"

enum { TESS_MAX_DEGREE = 5, TESS_MAX_WEIGHTS = (TESS_MAX_DEGREE + 1) * (TESS_MAX_DEGREE + 1) };

/* Functions of one parameter that weigh n control points from `first` on, and their derivatives. */
struct tess_basis {
    uint32_t first;
    unsigned n;
    double value[TESS_MAX_DEGREE + 1], slope[TESS_MAX_DEGREE + 1];
};

/* basis.c: The basis functions of a row of `points` control points at parameter t of 0 ... 1.
 * t1 stands for 1 - t. */
void tess_basis_at(struct tess_basis *out, D3DBASISTYPE basis, unsigned degree, uint32_t points,
                   double t, double t1);

/* The control points of a vertex, in ascending order, with the weights of the point of the surface
 * and of its partial derivatives. */
struct tess_weights {
    unsigned n;
    uint32_t point[TESS_MAX_WEIGHTS];
    double value[TESS_MAX_WEIGHTS], du[TESS_MAX_WEIGHTS], dv[TESS_MAX_WEIGHTS];
};

/* Computes a vertex at the parameters u and v. */
void tess_evaluate(float (*out)[4], const struct tess_points *points,
                   const struct tess_weights *weights, double u, double v);

/* rectangle.c and triangle.c: meshes of valid patches. */
MUST_CHECK enum status tess_rectangle(struct tess_mesh *out, const struct tess_patch *patch,
                                      const struct tess_points *points);
MUST_CHECK enum status tess_triangle(struct tess_mesh *out, const struct tess_patch *patch,
                                     const struct tess_points *points);

/* stitch.c: Joins two chains of vertices that run side by side. Vertex i of a chain is at parameter
 * t[i]. The triangles are clockwise if the inner chain is on the right of the outer one. The outer
 * chain goes first where both are equally long. */
struct tess_chain {
    uint32_t n; /* vertices */
    const uint32_t *vertex;
    const double *t;
};
/* Writes (outer->n - 1) + (inner->n - 1) triangles. Returns the index after them. */
uint32_t *tess_stitch(uint32_t *index, const struct tess_chain *outer,
                      const struct tess_chain *inner);

#endif
