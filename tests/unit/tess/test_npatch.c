/* Tests N-patches against the formulas of the paper, evaluated by de Casteljau's scheme in a higher
 * precision, and the bits of shared edges. */
#include "check_main.h"

#include "tess/npatch.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static uint32_t seed = 1;

static float random_float(void)
{
    seed = seed * 1664525 + 1013904223;
    return (float)(seed >> 8) / 8388608.0f - 1.0f;
}

struct triangle {
    float position[3][4], normal[3][4];
};

static struct triangle random_triangle(void)
{
    struct triangle t;

    for (unsigned v = 0; v < 3; v++)
        for (unsigned c = 0; c < 4; c++) {
            t.position[v][c] = random_float() * 4 + (v == c) * 8;
            t.normal[v][c] = random_float() + 0.2f * c;
        }
    return t;
}

/* --- Oracle ----------------------------------------------------------------------------------- */

typedef long double real;

static real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(real v[3])
{
    real length = sqrtl(dot(v, v));

    for (unsigned c = 0; c < 3; c++)
        v[c] /= length;
}

/* Net of a triangular Bezier patch: point (i, j, k) has the weights i, j and k of the corners. */
static real net[4][4][4][3];

static void net_edge(const real p[3][3], const real n[3][3], unsigned from, unsigned to)
{
    unsigned at[3] = {0};
    real along[3], w;

    at[from] = 2;
    at[to] = 1;
    for (unsigned c = 0; c < 3; c++)
        along[c] = p[to][c] - p[from][c];
    w = dot(along, n[from]);
    for (unsigned c = 0; c < 3; c++)
        net[at[0]][at[1]][at[2]][c] = (2 * p[from][c] + p[to][c] - w * n[from][c]) / 3;
}

static void make_net(const real p[3][3], const real n[3][3])
{
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            if (a != b)
                net_edge(p, n, a, b);
    for (unsigned c = 0; c < 3; c++) {
        real e, v;

        net[3][0][0][c] = p[0][c];
        net[0][3][0][c] = p[1][c];
        net[0][0][3][c] = p[2][c];
        e = (net[2][1][0][c] + net[1][2][0][c] + net[0][2][1][c] + net[0][1][2][c] +
             net[1][0][2][c] + net[2][0][1][c]) /
            6;
        v = (p[0][c] + p[1][c] + p[2][c]) / 3;
        net[1][1][1][c] = e + (e - v) / 2;
    }
}

static real casteljau(unsigned i, unsigned j, unsigned k, unsigned degree, const double w[3],
                      unsigned c)
{
    if (degree == 0)
        return net[i][j][k][c];
    return w[0] * casteljau(i + 1, j, k, degree - 1, w, c) +
           w[1] * casteljau(i, j + 1, k, degree - 1, w, c) +
           w[2] * casteljau(i, j, k + 1, degree - 1, w, c);
}

static void quadratic_normal(const real p[3][3], const real n[3][3], const double w[3], real out[3])
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = w[0] * w[0] * n[0][c] + w[1] * w[1] * n[1][c] + w[2] * w[2] * n[2][c];
    for (unsigned e = 0; e < 3; e++) {
        unsigned a = e, b = (e + 1) % 3;
        real along[3], sum[3], h[3];

        for (unsigned c = 0; c < 3; c++) {
            along[c] = p[b][c] - p[a][c];
            sum[c] = n[a][c] + n[b][c];
        }
        for (unsigned c = 0; c < 3; c++)
            h[c] = sum[c] - 2 * dot(along, sum) / dot(along, along) * along[c];
        unit(h);
        for (unsigned c = 0; c < 3; c++)
            out[c] += w[a] * w[b] * h[c];
    }
    unit(out);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void check_close(float got, real want, real scale)
{
    real ulp = nextafterf(fabsf((float)want), INFINITY) - fabsf((float)want);

    /* Sums that cancel lose bits of the double numbers, not of the result. */
    ck_assert_msg(fabsl((real)got - want) <= 2 * ulp + scale * 0x1p-46L, "%.9g instead of %.9Lg",
                  (double)got, want);
}

static void widen(const float from[3][4], real to[3][3])
{
    for (unsigned v = 0; v < 3; v++)
        for (unsigned c = 0; c < 3; c++)
            to[v][c] = from[v][c];
}

static void check_point(const struct triangle *t, const double w[3])
{
    real p[3][3], n[3][3], normal[3];
    struct tess_npatch cubic, linear;
    float out[3];

    widen(t->position, p);
    widen(t->normal, n);
    tess_npatch_init(&cubic, t->position, t->normal, true, true);
    tess_npatch_init(&linear, t->position, t->normal, false, false);
    tess_npatch_position(&linear, w, out);
    for (unsigned c = 0; c < 3; c++)
        check_close(out[c], w[0] * p[0][c] + w[1] * p[1][c] + w[2] * p[2][c], 8);
    tess_npatch_normal(&linear, w, out);
    for (unsigned c = 0; c < 3; c++)
        check_close(out[c], w[0] * n[0][c] + w[1] * n[1][c] + w[2] * n[2][c], 2);
    for (unsigned v = 0; v < 3; v++)
        unit(n[v]);
    make_net(p, n);
    tess_npatch_position(&cubic, w, out);
    for (unsigned c = 0; c < 3; c++)
        check_close(out[c], casteljau(0, 0, 0, 3, w, c), 32);
    quadratic_normal(p, n, w, normal);
    tess_npatch_normal(&cubic, w, out);
    for (unsigned c = 0; c < 3; c++)
        check_close(out[c], normal[c], 4);
}

START_TEST(agrees_with_the_paper)
{
    for (unsigned i = 0; i < 300; i++) {
        struct triangle t = random_triangle();

        for (unsigned a = 0; a <= 7; a++)
            for (unsigned b = 0; a + b <= 7; b++)
                check_point(&t, (const double[3]){(7 - a - b) / 7.0, a / 7.0, b / 7.0});
    }
}
END_TEST

/* The two triangles at an edge number their corners differently. */
START_TEST(shared_edges_have_the_same_bits)
{
    for (unsigned i = 0; i < 300; i++) {
        struct triangle t = random_triangle(), other = random_triangle();
        struct tess_npatch a, b;

        for (unsigned e = 0; e < 3; e++) { /* the edge from e to e + 1 of t, backwards in other */
            unsigned f = i % 3;

            memcpy(other.position[f], t.position[(e + 1) % 3], 16);
            memcpy(other.normal[f], t.normal[(e + 1) % 3], 16);
            memcpy(other.position[(f + 1) % 3], t.position[e], 16);
            memcpy(other.normal[(f + 1) % 3], t.normal[e], 16);
            tess_npatch_init(&a, t.position, t.normal, true, true);
            tess_npatch_init(&b, other.position, other.normal, true, true);
            for (unsigned k = 0; k <= 9; k++) {
                double w[3] = {0}, x[3] = {0};
                float out[4][3];

                w[e] = x[(f + 1) % 3] = (9 - k) / 9.0;
                w[(e + 1) % 3] = x[f] = k / 9.0;
                tess_npatch_position(&a, w, out[0]);
                tess_npatch_position(&b, x, out[1]);
                tess_npatch_normal(&a, w, out[2]);
                tess_npatch_normal(&b, x, out[3]);
                ck_assert_mem_eq(out[0], out[1], sizeof(out[0]));
                ck_assert_mem_eq(out[2], out[3], sizeof(out[0]));
            }
        }
    }
}
END_TEST

START_TEST(keeps_corners)
{
    struct triangle t = random_triangle();
    struct tess_npatch patch;
    float out[3];

    tess_npatch_init(&patch, t.position, t.normal, true, false);
    for (unsigned v = 0; v < 3; v++) {
        double w[3] = {0};

        w[v] = 1;
        tess_npatch_position(&patch, w, out);
        ck_assert_mem_eq(out, t.position[v], sizeof(out));
        tess_npatch_normal(&patch, w, out);
        ck_assert_mem_eq(out, t.normal[v], sizeof(out));
    }
}
END_TEST

/* No normal, one of length 0, and equal corners: no division by 0. */
START_TEST(degenerate_triangles_are_linear)
{
    struct triangle t = random_triangle();
    const double w[3] = {0.25, 0.25, 0.5};
    struct tess_npatch patch, linear;
    float out[3], want[3];

    tess_npatch_init(&linear, t.position, NULL, true, true);
    tess_npatch_position(&linear, w, want);
    memset(t.normal, 0, sizeof(t.normal));
    tess_npatch_init(&patch, t.position, t.normal, true, true);
    tess_npatch_position(&patch, w, out);
    for (unsigned c = 0; c < 3; c++)
        ck_assert_float_eq_tol(out[c], want[c], 1e-5f);
    tess_npatch_normal(&patch, w, out);
    ck_assert(out[0] == 0 && out[1] == 0 && out[2] == 0);
    for (unsigned v = 0; v < 3; v++) {
        memcpy(t.position[v], t.position[0], 16);
        t.normal[v][v] = 1;
    }
    tess_npatch_init(&patch, t.position, t.normal, true, true);
    tess_npatch_position(&patch, w, out);
    tess_npatch_normal(&patch, w, want);
    for (unsigned c = 0; c < 3; c++) {
        ck_assert_float_eq_tol(out[c], t.position[0][c], 1e-5f);
        ck_assert(isfinite(want[c]));
    }
}
END_TEST

START_TEST(blends)
{
    const float a[2] = {1, 2}, b[2] = {3, 4}, c[2] = {-1, 8};
    const float *const corner[3] = {a, b, c};
    float out[2];

    tess_blend(corner, (const double[3]){0.5, 0.25, 0.25}, 2, out);
    ck_assert(out[0] == 1 && out[1] == 4);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("npatch");
    TCase *t = tcase_create("npatch");

    tcase_add_test(t, agrees_with_the_paper);
    tcase_add_test(t, shared_edges_have_the_same_bits);
    tcase_add_test(t, keeps_corners);
    tcase_add_test(t, degenerate_triangles_are_linear);
    tcase_add_test(t, blends);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
