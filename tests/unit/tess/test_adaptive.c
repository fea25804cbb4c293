/* Tests the levels of adaptive tessellation against the formula of the documentation. */
#include "check_main.h"

#include "tess/adaptive.h"

#include <math.h>

static const struct tess_adaptive eye = {{0, 0, 1, 0}, 1, 16};

static float edge(const struct tess_adaptive *adaptive, float z1, float z2)
{
    const float a[4] = {9, 9, z1, 1}, b[4] = {7, 7, z2, 1};
    double first = tess_vertex_level(adaptive, a, 8, 1);
    double second = tess_vertex_level(adaptive, b, 8, 1);
    float level = tess_edge_level(adaptive, first, second);

    ck_assert(level == tess_edge_level(adaptive, second, first));
    return level;
}

START_TEST(levels_follow_depth)
{
    ck_assert(edge(&eye, 1, 1) == 8);
    ck_assert(edge(&eye, 2, 2) == 4);
    ck_assert(edge(&eye, 1, 2) == 6);
    ck_assert(edge(&eye, 0.25f, 0.5f) == 16); /* the maximum */
    ck_assert(edge(&eye, 100, 200) == 1);     /* the minimum */
}
END_TEST

/* if Te > MAX or Te < 0, then MAX; if Te < MIN, then MIN */
START_TEST(limits)
{
    const struct tess_adaptive crossed = {{0, 0, 1, 0}, 5, 3}, low = {{0, 0, 1, 0}, -2, 0.5f};

    ck_assert(edge(&eye, -1, -1) == 16);
    ck_assert(edge(&eye, 0, 1) == 16);
    ck_assert(edge(&eye, 0, -0.0f) == 16);
    ck_assert(edge(&eye, NAN, 1) == 16);
    ck_assert(edge(&crossed, 1, 1) == 5);
    ck_assert(edge(&low, 1, 1) == 1);
}
END_TEST

START_TEST(plane_and_factor)
{
    const struct tess_adaptive plane = {{1, 2, 3, 4}, 1, 64};
    const float at[4] = {1, 1, 1, 0.5f};

    ck_assert(tess_vertex_level(&plane, at, 16, 1) == 2);
    ck_assert(tess_vertex_level(&plane, at, 16, 2.5f) == 5);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("adaptive");
    TCase *t = tcase_create("adaptive");

    tcase_add_test(t, levels_follow_depth);
    tcase_add_test(t, limits);
    tcase_add_test(t, plane_and_factor);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
