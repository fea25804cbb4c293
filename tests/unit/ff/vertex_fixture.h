/* Random vertices under random transforms, with eye-space positions from an independent
 * computation: double precision, matrices step by step, inverses by elimination. */
#ifndef TESTS_UNIT_FF_VERTEX_FIXTURE_H
#define TESTS_UNIT_FF_VERTEX_FIXTURE_H

#include "ff_run.h"

struct vec {
    double v[4];
};

static inline double sat(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

static inline double dot3(struct vec a, struct vec b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static inline struct vec add3(struct vec a, struct vec b, double scale)
{
    return (struct vec){
        {a.v[0] + b.v[0] * scale, a.v[1] + b.v[1] * scale, a.v[2] + b.v[2] * scale, 0.0}};
}

static inline struct vec unit3(struct vec a)
{
    double d = sqrt(dot3(a, a));

    return d > 0.0 ? add3((struct vec){{0}}, a, 1.0 / d) : (struct vec){{0}};
}

static inline struct vec through(struct vec a, const D3DMATRIX *m)
{
    struct vec out = {{0}};

    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 4; i++)
            out.v[j] += a.v[i] * m->m[i][j];
    }
    return out;
}

/* Row vector times the inverse transpose of world * view, by solving (world * view) x = n. */
static inline struct vec through_inverse_transpose(struct vec n, const D3DMATRIX *world,
                                                   const D3DMATRIX *view)
{
    double a[4][5] = {{0}};
    struct vec out;

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++)
                a[i][j] += (double)world->m[i][k] * view->m[k][j];
        }
        a[i][4] = i < 3 ? n.v[i] : 0.0;
    }
    for (int c = 0; c < 4; c++) {
        int pivot = c;

        for (int r = c + 1; r < 4; r++)
            pivot = fabs(a[r][c]) > fabs(a[pivot][c]) ? r : pivot;
        for (int j = 0; j < 5; j++) {
            double t = a[c][j];

            a[c][j] = a[pivot][j];
            a[pivot][j] = t;
        }
        for (int r = 0; r < 4; r++) {
            double k = r == c ? 0.0 : a[r][c] / a[c][c];

            for (int j = c; j < 5; j++)
                a[r][j] -= k * a[c][j];
        }
    }
    for (int i = 0; i < 4; i++)
        out.v[i] = i < 3 ? a[i][4] / a[i][i] : 0.0;
    return out;
}

static inline struct vec d3dvalue(D3DCOLORVALUE c)
{
    return (struct vec){{c.r, c.g, c.b, c.a}};
}

/* --- Fixture --------------------------------------------------------------------------------- */

struct fixture {
    struct test_state t;
    struct test_run run;
};

static inline void random_matrix(D3DMATRIX *m, uint32_t *seed, bool affine)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            m->m[i][j] = test_float(seed, -1.0f, 1.0f) + (i == j ? 2.0f : 0.0f);
    }
    if (affine) {
        m->m[0][3] = m->m[1][3] = m->m[2][3] = 0.0f;
        m->m[3][3] = 1.0f;
    }
}

static inline D3DCOLORVALUE random_value(uint32_t *seed, float high)
{
    return (D3DCOLORVALUE){test_float(seed, 0, high), test_float(seed, 0, high),
                           test_float(seed, 0, high), test_float(seed, 0, 1)};
}

static inline void random_attr(struct test_attr *a, uint32_t *seed, float low, float high,
                               unsigned components)
{
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned c = 0; c < 4; c++)
            a->v[c][lane] = c < components ? test_float(seed, low, high) : c == 3;
    }
}

static inline void random_lights(struct fixture *f, uint32_t *seed, unsigned type, unsigned n)
{
    f->t.s.n_lights = n;
    for (unsigned i = 0; i < n; i++) {
        f->t.lights[i] = (D3DLIGHT9){
            .Type = type ? type : 1 + test_random(seed) % 3,
            .Diffuse = random_value(seed, 0.5f),
            .Specular = random_value(seed, 0.5f),
            .Ambient = random_value(seed, 0.1f),
            .Position = {test_float(seed, -9, 9), test_float(seed, -9, 9), test_float(seed, -9, 9)},
            .Direction = {test_float(seed, -1, 1), test_float(seed, -1, 1),
                          test_float(seed, -1, 1)},
            .Range = test_float(seed, 5, 25),
            .Falloff = test_float(seed, 0.5f, 2.0f),
            .Attenuation0 = test_float(seed, 0.2f, 1.0f),
            .Attenuation1 = test_float(seed, 0, 0.1f),
            .Attenuation2 = test_float(seed, 0, 0.01f),
            .Theta = test_float(seed, 0.2f, 1.0f),
            .Phi = test_float(seed, 1.1f, 3.0f),
        };
    }
}

static inline struct fixture *fixture_create(uint32_t seed)
{
    struct fixture *f = mem_calloc(1, sizeof(*f));

    test_state_init(&f->t);
    for (unsigned i = 0; i < 4; i++)
        random_matrix(&f->t.world[i], &seed, true);
    random_matrix(&f->t.view, &seed, true);
    random_matrix(&f->t.projection, &seed, false);
    for (unsigned i = 0; i < FF_STAGES; i++)
        random_matrix(&f->t.texture[i], &seed, false);
    f->t.material =
        (D3DMATERIAL9){random_value(&seed, 1), random_value(&seed, 1), random_value(&seed, 1),
                       random_value(&seed, 0.2f), test_float(&seed, 1, 8)};
    f->t.render[D3DRS_AMBIENT] = 0x40102030;
    f->t.s.inputs = FF_IN_POSITION | FF_IN_NORMAL | FF_IN_DIFFUSE | FF_IN_SPECULAR;
    random_attr(test_attr(&f->run.in, VM_USAGE_POSITION, 0), &seed, -2, 2, 3);
    random_attr(test_attr(&f->run.in, VM_USAGE_NORMAL, 0), &seed, -1, 1, 3);
    random_attr(test_attr(&f->run.in, VM_USAGE_COLOR, 0), &seed, 0, 1, 4);
    random_attr(test_attr(&f->run.in, VM_USAGE_COLOR, 1), &seed, 0, 1, 4);
    for (unsigned i = 0; i < 4; i++) {
        random_attr(test_attr(&f->run.in, VM_USAGE_TEXCOORD, i), &seed, -2, 2, i + 1);
        if (i == 0) /* one component: 0, 0, 1 follow */
            memset(test_attr(&f->run.in, VM_USAGE_TEXCOORD, 0)->v[1], 0,
                   sizeof(float[2][VM_LANES]));
    }
    return f;
}

static inline struct vec input(const struct fixture *f, unsigned usage, unsigned index,
                               unsigned lane)
{
    const struct test_attr *a = test_has(&f->run.in, usage, index);

    return (struct vec){{a->v[0][lane], a->v[1][lane], a->v[2][lane], a->v[3][lane]}};
}

static inline struct vec eye_position(const struct fixture *f, unsigned lane)
{
    return through(through(input(f, VM_USAGE_POSITION, 0, lane), &f->t.world[0]), &f->t.view);
}

static inline struct vec eye_normal(const struct fixture *f, unsigned lane)
{
    struct vec n =
        through_inverse_transpose(input(f, VM_USAGE_NORMAL, 0, lane), &f->t.world[0], &f->t.view);

    return f->t.render[D3DRS_NORMALIZENORMALS] ? unit3(n) : n;
}

static inline void assert_output(const struct fixture *f, unsigned usage, unsigned index,
                                 unsigned lane, struct vec want, unsigned components,
                                 double tolerance, const char *what)
{
    for (unsigned c = 0; c < components; c++) {
        double got = output(&f->run, usage, index, c, lane), scale = fabs(want.v[c]);

        ck_assert_msg(fabs(got - want.v[c]) <= tolerance * (scale > 1.0 ? scale : 1.0),
                      "%s, lane %u component %u: got %.9g, want %.9g", what, lane, c, got,
                      want.v[c]);
    }
}

#endif
