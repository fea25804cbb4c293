/* Tests the division of edges: the numbers of segments, their lengths, and that both directions of
 * an edge see the same vertices. */
#include "check_main.h"

#include "tess/tess.h"

#include <math.h>

static struct tess_partition p;

START_TEST(discrete_truncates)
{
    static const struct {
        float segments;
        unsigned n;
    } cases[] = {{1, 1},       {1.99f, 1}, {2, 2},     {7.5f, 7}, {256, 256}, {257, 256},
                 {1e30f, 256}, {0.5f, 1},  {-3.0f, 1}, {0, 1},    {NAN, 1},   {INFINITY, 256}};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tess_partition(&p, cases[i].segments, D3DPATCHEDGE_DISCRETE);
        ck_assert_msg(p.n == cases[i].n, "%g: %u", (double)cases[i].segments, p.n);
        for (unsigned k = 0; k <= p.n; k++)
            ck_assert_double_eq(p.t[k], (double)k / p.n);
    }
}
END_TEST

START_TEST(continuous_makes_odd_numbers)
{
    static const struct {
        float segments;
        unsigned n;
    } cases[] = {{1, 1}, {1.25f, 3}, {2, 3},   {3, 3},       {3.5f, 5},
                 {4, 5}, {255, 255}, {NAN, 1}, {1e30f, 257}, {0, 1}};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        double segments = fmin(fmax(cases[i].segments, 1.0), 256.0);

        tess_partition(&p, cases[i].segments, D3DPATCHEDGE_CONTINUOUS);
        ck_assert_msg(p.n == cases[i].n, "%g: %u", (double)cases[i].segments, p.n);
        ck_assert(p.t[0] == 0.0 && p.t[p.n] == 1.0);
        for (unsigned k = 0; k <= p.n; k++)
            ck_assert_double_eq_tol(p.t[k] + p.t[p.n - k], 1.0, 1e-15);
        for (unsigned k = 1; k + 1 < p.n; k++)
            ck_assert_double_eq_tol(p.t[k + 1] - p.t[k], 1.0 / segments, 1e-15);
    }
}
END_TEST

/* New vertices start at the ends: the edge changes smoothly where their number changes. */
START_TEST(continuous_has_no_jump)
{
    struct tess_partition more;

    for (unsigned n = 1; n < 255; n += 2) {
        tess_partition(&p, (float)n, D3DPATCHEDGE_CONTINUOUS);
        tess_partition(&more, nextafterf((float)n, 1e9f), D3DPATCHEDGE_CONTINUOUS);
        ck_assert_uint_eq(more.n, p.n + 2);
        ck_assert_double_le(more.t[1], 1e-6);
        for (unsigned k = 0; k <= p.n; k++)
            ck_assert_double_eq_tol(p.t[k], more.t[k + 1], 1e-5);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tess/partition");
    TCase *tc = tcase_create("partition");

    tcase_add_test(tc, discrete_truncates);
    tcase_add_test(tc, continuous_makes_odd_numbers);
    tcase_add_test(tc, continuous_has_no_jump);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
