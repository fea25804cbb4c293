/* Random states of vertex blending, tweening and matrices against the documented formulas in double
 * precision, with an error bound from the terms of each sum. */
#include "ff_run.h"

enum { STATES = 400 };

/* A value and the sum of its terms' magnitudes, to which rounding errors are proportional. */
struct number {
    double v, size;
};

struct vector {
    struct number c[4];
};

static struct vector of(const struct test_attr *a, unsigned lane)
{
    struct vector out;

    for (int c = 0; c < 4; c++)
        out.c[c] = (struct number){a->v[c][lane], fabs(a->v[c][lane])};
    return out;
}

static struct number plus(struct number a, struct number b)
{
    return (struct number){a.v + b.v, a.size + b.size};
}

static struct vector scaled_sum(struct vector sum, double k, struct vector v)
{
    for (int c = 0; c < 4; c++)
        sum.c[c] = plus(sum.c[c], (struct number){k * v.c[c].v, fabs(k) * v.c[c].size});
    return sum;
}

static struct vector row_times(struct vector v, const double m[4][4])
{
    struct vector out = {0};

    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            out.c[j] =
                plus(out.c[j], (struct number){v.c[i].v * m[i][j], v.c[i].size * fabs(m[i][j])});
    return out;
}

/* --- Matrices -------------------------------------------------------------------------------- */

static void widen(double out[4][4], const D3DMATRIX *m)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[i][j] = m->m[i][j];
}

static void product(double out[4][4], const D3DMATRIX *a, const D3DMATRIX *b)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            out[i][j] = 0.0;
            for (int k = 0; k < 4; k++)
                out[i][j] += (double)a->m[i][k] * b->m[k][j];
        }
}

/* Inverse transpose, by elimination with the largest pivot. */
static void inverse_transpose(double out[4][4], const double m[4][4])
{
    double a[4][8] = {{0}};

    for (int i = 0; i < 4; i++) {
        memcpy(a[i], m[i], sizeof(m[i]));
        a[i][4 + i] = 1.0;
    }
    for (int c = 0; c < 4; c++) {
        int best = c;

        for (int r = c; r < 4; r++)
            best = fabs(a[r][c]) > fabs(a[best][c]) ? r : best;
        for (int j = 0; j < 8; j++) {
            double t = a[c][j];

            a[c][j] = a[best][j];
            a[best][j] = t;
        }
        for (int r = 0; r < 4; r++) {
            double k = r == c ? 0.0 : a[r][c] / a[c][c];

            for (int j = 0; j < 8; j++)
                a[r][j] -= k * a[c][j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[j][i] = a[i][4 + j] / a[i][i];
}

/* --- States ---------------------------------------------------------------------------------- */

struct blend {
    struct test_state t;
    struct test_run run;
};

static void any_matrix(D3DMATRIX *m, uint32_t *seed)
{
    bool affine = test_random(seed) & 1;

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            m->m[i][j] = test_float(seed, -1, 1) + (i == j ? 1.5f : 0.0f);
    for (int i = 0; affine && i < 4; i++)
        m->m[i][3] = i == 3;
}

static void any_attr(struct blend *b, unsigned usage, unsigned index, unsigned n, float size,
                     uint32_t *seed)
{
    struct test_attr *a = test_attr(&b->run.in, usage, index);

    for (unsigned lane = 0; lane < VM_LANES; lane++)
        for (unsigned c = 0; c < 4; c++)
            a->v[c][lane] = c < n ? test_float(seed, -size, size) : c == 3;
}

/* Mostly bytes, and floats between and beyond them. */
static void any_indices(struct blend *b, bool bytes, uint32_t *seed)
{
    struct test_attr *a = test_attr(&b->run.in, VM_USAGE_BLENDINDICES, 0);

    for (unsigned lane = 0; lane < VM_LANES; lane++)
        for (unsigned c = 0; c < 4; c++) {
            float between = (float)(test_random(seed) % 9) * 0.1f - 0.4f;

            a->v[c][lane] = (float)(test_random(seed) & 255);
            if (bytes)
                a->v[c][lane] /= 255.0f;
            else if (lane & 1)
                a->v[c][lane] = (a->v[c][lane] - 128.0f) * 3.0f + between;
        }
}

static void any_state(struct blend *b, uint32_t *seed)
{
    static const DWORD modes[] = {D3DVBF_DISABLE,
                                  D3DVBF_1WEIGHTS,
                                  D3DVBF_2WEIGHTS,
                                  D3DVBF_3WEIGHTS,
                                  D3DVBF_TWEENING,
                                  D3DVBF_0WEIGHTS,
                                  4,
                                  0xffffffff};
    static const uint32_t optional[] = {FF_IN_BLENDINDICES, FF_IN_POSITION2, FF_IN_NORMAL2,
                                        FF_IN_NORMAL};

    memset(b, 0, sizeof(*b));
    test_state_init(&b->t);
    b->t.s.n_world = test_random(seed) & 1 ? test_random(seed) % 257 : 256;
    for (unsigned i = 0; i < b->t.s.n_world; i++)
        any_matrix(&b->t.world[i], seed);
    any_matrix(&b->t.view, seed);
    any_matrix(&b->t.projection, seed);
    b->t.render[D3DRS_LIGHTING] = FALSE;
    b->t.render[D3DRS_VERTEXBLEND] = modes[test_random(seed) % 8];
    b->t.render[D3DRS_INDEXEDVERTEXBLENDENABLE] = test_random(seed) & 1;
    b->t.render[D3DRS_NORMALIZENORMALS] = test_random(seed) & 1;
    b->t.render[D3DRS_TWEENFACTOR] = float_bits(test_float(seed, -1.5f, 2.5f));
    b->t.stage[0][D3DTSS_TEXCOORDINDEX] = D3DTSS_TCI_CAMERASPACEPOSITION;
    b->t.stage[3][D3DTSS_TEXCOORDINDEX] = D3DTSS_TCI_CAMERASPACENORMAL;
    for (unsigned i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
        b->t.s.inputs |= test_random(seed) % 4 ? optional[i] : 0;
    if (b->t.s.inputs & FF_IN_BLENDINDICES && test_random(seed) & 1)
        b->t.s.inputs |= FF_IN_INDICES_D3DCOLOR;
    any_attr(b, VM_USAGE_POSITION, 0, 3, 4, seed);
    any_attr(b, VM_USAGE_POSITION, 1, 3, 4, seed);
    any_attr(b, VM_USAGE_NORMAL, 0, 3, 1, seed);
    any_attr(b, VM_USAGE_NORMAL, 1, 3, 1, seed);
    any_attr(b, VM_USAGE_BLENDWEIGHT, 0, test_random(seed) % 5, 2, seed);
    if (test_random(seed) % 4 == 0) /* the values of a missing vertex element */
        test_set(&b->run.in, VM_USAGE_BLENDWEIGHT, 0, 0.0f, 0.0f, 0.0f, 0.0f);
    any_indices(b, b->t.s.inputs & FF_IN_INDICES_D3DCOLOR, seed);
}

/* --- The formulas ---------------------------------------------------------------------------- */

struct mixture {
    unsigned n, matrix[4];
    double weight[4];
};

static unsigned nearest_matrix(double index)
{
    double whole = floor(index + 0.5);

    return whole < 0.0 ? 0 : whole > 255.0 ? 255 : (unsigned)whole;
}

/* World matrices and weights of a vertex. */
static struct mixture mixture_of(const struct blend *b, unsigned lane)
{
    static const unsigned bgra[4] = {2, 1, 0, 3};
    DWORD mode = b->t.render[D3DRS_VERTEXBLEND];
    uint32_t inputs = b->t.s.inputs;
    bool blends = mode != D3DVBF_DISABLE && mode != D3DVBF_TWEENING;
    unsigned weights = blends && mode <= 3 ? (unsigned)mode : 0;
    struct mixture out = {.n = weights + 1, .matrix = {0, 1, 2, 3}};
    double rest = 1.0;

    for (unsigned i = 0; i < weights; i++) {
        out.weight[i] = test_has(&b->run.in, VM_USAGE_BLENDWEIGHT, 0)->v[i][lane];
        rest -= out.weight[i];
    }
    out.weight[weights] = rest;
    if (!blends || !b->t.render[D3DRS_INDEXEDVERTEXBLENDENABLE] || !(inputs & FF_IN_BLENDINDICES))
        return out;
    for (unsigned i = 0; i < 4; i++) {
        const struct test_attr *a = test_has(&b->run.in, VM_USAGE_BLENDINDICES, 0);

        out.matrix[i] = nearest_matrix(inputs & FF_IN_INDICES_D3DCOLOR ? a->v[bgra[i]][lane] * 255.0
                                                                       : a->v[i][lane]);
    }
    return out;
}

static struct vector between(const struct blend *b, unsigned usage, uint32_t second, unsigned lane)
{
    struct vector first = of(test_has(&b->run.in, usage, 0), lane);
    float f;

    if (b->t.render[D3DRS_VERTEXBLEND] != D3DVBF_TWEENING || !(b->t.s.inputs & second))
        return first;
    memcpy(&f, &b->t.render[D3DRS_TWEENFACTOR], sizeof(f));
    return scaled_sum(scaled_sum((struct vector){0}, 1.0 - f, first), f,
                      of(test_has(&b->run.in, usage, 1), lane));
}

static struct vector eye_position(const struct blend *b, const struct mixture *m, unsigned lane)
{
    struct vector p = between(b, VM_USAGE_POSITION, FF_IN_POSITION2, lane), sum = {0};
    double world[4][4], view[4][4];

    p.c[3] = (struct number){1.0, 1.0};
    widen(view, &b->t.view);
    for (unsigned i = 0; i < m->n; i++) {
        widen(world, &b->t.world[m->matrix[i]]);
        sum = scaled_sum(sum, m->weight[i], row_times(p, world));
    }
    return row_times(sum, view);
}

static struct vector eye_normal(const struct blend *b, const struct mixture *m, unsigned lane)
{
    struct vector n = between(b, VM_USAGE_NORMAL, FF_IN_NORMAL2, lane), sum = {0};
    double both[4][4], turned[4][4];

    n.c[3] = (struct number){0.0, 0.0};
    if (!(b->t.s.inputs & FF_IN_NORMAL))
        return sum;
    for (unsigned i = 0; i < m->n; i++) {
        product(both, &b->t.world[m->matrix[i]], &b->t.view);
        inverse_transpose(turned, both);
        sum = scaled_sum(sum, m->weight[i], row_times(n, turned));
    }
    return sum;
}

static struct vector unit(struct vector v)
{
    double length = sqrt(v.c[0].v * v.c[0].v + v.c[1].v * v.c[1].v + v.c[2].v * v.c[2].v);
    double size = v.c[0].size + v.c[1].size + v.c[2].size;

    for (int c = 0; c < 3 && length > 0.0; c++)
        v.c[c] = (struct number){v.c[c].v / length, size / length};
    return v;
}

/* --- Comparison ------------------------------------------------------------------------------ */

static void compare(const struct blend *b, unsigned usage, unsigned index, unsigned lane,
                    struct vector want, unsigned n, const char *what)
{
    const double rounding = 0x1p-24 * 32;

    for (unsigned c = 0; c < n; c++) {
        double got = output(&b->run, usage, index, c, lane);

        ck_assert_msg(fabs(got - want.c[c].v) <= rounding * want.c[c].size,
                      "mode %u indexed %u inputs %x: %s %u of lane %u is %.9g, want %.9g",
                      (unsigned)b->t.render[D3DRS_VERTEXBLEND],
                      (unsigned)b->t.render[D3DRS_INDEXEDVERTEXBLENDENABLE], b->t.s.inputs, what, c,
                      lane, got, want.c[c].v);
    }
}

START_TEST(any_blending)
{
    struct blend *b = mem_calloc(1, sizeof(*b));
    uint32_t seed = 1 + (uint32_t)_i;

    for (unsigned n = 0; n < STATES; n++) {
        double projection[4][4];

        any_state(b, &seed);
        run_vertex(&b->t, &b->run);
        widen(projection, &b->t.projection);
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            struct mixture m = mixture_of(b, lane);
            struct vector p = eye_position(b, &m, lane), normal = eye_normal(b, &m, lane);

            if (b->t.render[D3DRS_NORMALIZENORMALS])
                normal = unit(normal);
            compare(b, VM_USAGE_POSITION, 0, lane, row_times(p, projection), 4, "position");
            compare(b, VM_USAGE_TEXCOORD, 0, lane, p, 3, "eye position");
            compare(b, VM_USAGE_TEXCOORD, 3, lane, normal, 3, "eye normal");
        }
    }
    mem_free(b);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ff/blend");
    TCase *t = tcase_create("blend");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, any_blending, 0, 4);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
