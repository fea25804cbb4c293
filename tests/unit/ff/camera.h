/* Camera space after the Direct3D 9 documentation ("Camera Space Transformations"), in bounded
 * numbers: the reference for lighting and generated coordinates. */
#ifndef TESTS_FF_CAMERA_H
#define TESTS_FF_CAMERA_H

#include "bounded.h"
#include "ff_run.h"

struct camera {
    double position[4][4]; /* world * view */
    double normal[4][4];   /* its inverse transpose, or the identity if it is singular */
};

static inline void camera_product(double out[4][4], const D3DMATRIX *a, const D3DMATRIX *b)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            out[i][j] = 0.0;
            for (int k = 0; k < 4; k++)
                out[i][j] += (double)a->m[i][k] * b->m[k][j];
        }
    }
}

/* Gauss-Jordan elimination with the largest pivot of each column; false if there is none. */
static inline bool camera_invert(double out[4][4], const double in[4][4])
{
    double a[4][8] = {{0}};

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            a[i][j] = in[i][j];
        a[i][4 + i] = 1.0;
    }
    for (int c = 0; c < 4; c++) {
        int pivot = c;

        for (int r = c + 1; r < 4; r++)
            pivot = fabs(a[r][c]) > fabs(a[pivot][c]) ? r : pivot;
        if (fabs(a[pivot][c]) < 1e-12) /* entries have magnitude about 1 */
            return false;
        for (int j = 0; j < 8; j++) {
            double t = a[c][j];

            a[c][j] = a[pivot][j];
            a[pivot][j] = t;
        }
        for (int r = 0; r < 4; r++) {
            double k = a[r][c] / a[c][c];

            for (int j = 0; j < 8 && r != c; j++)
                a[r][j] -= k * a[c][j];
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            out[i][j] = a[i][4 + j] / a[i][i];
    }
    return true;
}

static inline void camera_init(struct camera *c, const D3DMATRIX *world, const D3DMATRIX *view)
{
    double inverse[4][4];
    bool invertible;

    camera_product(c->position, world, view);
    invertible = camera_invert(inverse, c->position);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            c->normal[i][j] = invertible ? inverse[j][i] : i == j;
    }
}

/* A matrix entry as the program holds it: summed in double precision and rounded once. */
static inline struct num camera_entry(double v)
{
    return num_rounded(v, 1e-10);
}

/* The first three components of v * m. */
static inline struct num3 camera_through(const double v[4], const double m[4][4])
{
    struct num3 out;

    for (int j = 0; j < 3; j++) {
        out.c[j] = num_exact(0.0);
        for (int i = 0; i < 4; i++)
            out.c[j] = num_add(out.c[j], num_mul(num_exact(v[i]), camera_entry(m[i][j])));
    }
    return out;
}

static inline void camera_input(const struct test_run *run, unsigned usage, unsigned index,
                                unsigned lane, double out[4])
{
    const struct test_attr *a = test_has(&run->in, usage, index);

    for (unsigned c = 0; c < 4; c++)
        out[c] = a->v[c][lane];
}

static inline struct num3 camera_position(const struct camera *c, const struct test_run *run,
                                          unsigned lane)
{
    double v[4];

    camera_input(run, VM_USAGE_POSITION, 0, lane, v);
    return camera_through(v, c->position);
}

/* Zero if the vertex has no normal. */
static inline struct num3 camera_normal(const struct camera *c, const struct test_state *t,
                                        const struct test_run *run, unsigned lane)
{
    double v[4] = {0};
    struct num3 n;

    if (t->s.inputs & FF_IN_NORMAL)
        camera_input(run, VM_USAGE_NORMAL, 0, lane, v);
    v[3] = 0.0;
    n = camera_through(v, c->normal);
    return t->render[D3DRS_NORMALIZENORMALS] ? num3_unit(n) : n;
}

/* --- Random states --------------------------------------------------------------------------- */

static inline void random_affine(D3DMATRIX *m, uint32_t *seed)
{
    matrix_identity(m);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++)
            m->m[i][j] = test_float(seed, -1.0f, 1.0f) + (i == j ? 1.5f : 0.0f);
    }
}

/* Sometimes the world matrix flattens everything, along an axis of the model or of the world: its
 * product with the view is singular, although its determinant may differ from 0. */
static inline void random_camera(struct test_state *t, uint32_t *seed)
{
    unsigned flat = test_random(seed) % 16;

    random_affine(&t->world[0], seed);
    random_affine(&t->view, seed);
    for (unsigned i = 0; i < 4 && flat < 2; i++) {
        if (flat)
            t->world[0].m[i][1] = 0.0f;
        else
            t->world[0].m[1][i] = 0.0f;
    }
}

static inline void random_components(struct test_run *run, unsigned usage, unsigned index,
                                     uint32_t *seed, float low, float high, unsigned components)
{
    struct test_attr *a = test_attr(&run->in, usage, index);

    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned c = 0; c < 4; c++)
            a->v[c][lane] = c < components ? test_float(seed, low, high) : c == 3;
    }
}

#endif
