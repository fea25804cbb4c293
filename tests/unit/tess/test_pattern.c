/* Tests patterns: every pattern tiles the triangle, and edges meet those of neighbours. */
#include "check_main.h"

#include "tess/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tess_pattern pattern;

/* Place of a point in the plane: corners 0, 1, 2 at (0, 0), (1, 0), (0, 1). */
static void place(const double point[3], double out[2])
{
    out[0] = point[1];
    out[1] = point[2];
}

static double area_of(const uint32_t triangle[3])
{
    double p[3][2];

    for (unsigned i = 0; i < 3; i++)
        place(pattern.point[triangle[i]], p[i]);
    return ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0])) /
           2;
}

/* uses[a * n + b]: triangles that have the side from a to b. */
static unsigned char *count_sides(void)
{
    uint32_t n = pattern.n_points;
    unsigned char *uses = calloc(n, n);

    for (uint32_t t = 0; t < pattern.n_indices / 3; t++)
        for (unsigned i = 0; i < 3; i++) {
            uint32_t a = pattern.index[3 * t + i], b = pattern.index[3 * t + (i + 1) % 3];

            ck_assert(a < n && b < n && a != b);
            uses[a * n + b]++;
        }
    return uses;
}

/* 0 for points of edge e. */
static double border(const double point[3], unsigned e)
{
    return point[(e + 2) % 3];
}

static bool on_border(uint32_t a, uint32_t b)
{
    for (unsigned e = 0; e < 3; e++)
        if (border(pattern.point[a], e) == 0 && border(pattern.point[b], e) == 0)
            return true;
    return false;
}

/* Triangles with areas above 0 whose sum is the domain's, each inner side between two triangles,
 * each side of the border at one: a tiling without holes, overlaps and T-junctions. */
static void check_tiling(void)
{
    uint32_t n = pattern.n_points;
    unsigned char *uses = count_sides();
    double sum = 0;

    for (uint32_t t = 0; t < pattern.n_indices / 3; t++) {
        double area = area_of(pattern.index + 3 * t);

        ck_assert_msg(area > 0, "triangle %u of %u: area %g", t, pattern.n_indices / 3, area);
        sum += area;
    }
    ck_assert_double_eq_tol(sum, 0.5, 1e-12);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            ck_assert(uses[a * n + b] <= 1);
            if (uses[a * n + b])
                ck_assert_msg(uses[b * n + a] == !on_border(a, b), "side %u %u", a, b);
        }
    free(uses);
}

/* Positions on edge e in ascending order, as pairs of weights. Returns their number. */
static unsigned points_of_edge(unsigned e, double at[][2])
{
    unsigned n = 0;

    for (uint32_t i = 0; i < pattern.n_points; i++) {
        const double *p = pattern.point[i];
        unsigned at_n = n;

        if (border(p, e) != 0)
            continue;
        for (; at_n && at[at_n - 1][1] > p[(e + 1) % 3]; at_n--)
            memcpy(at[at_n], at[at_n - 1], sizeof(at[0]));
        at[at_n][0] = p[e];
        at[at_n][1] = p[(e + 1) % 3];
        n++;
    }
    return n;
}

static unsigned segments_of(float level, bool continuous)
{
    unsigned n = 1;

    if (!continuous)
        return !(level >= 1) ? 1 : level > TESS_MAX_SEGMENTS ? TESS_MAX_SEGMENTS : (unsigned)level;
    while (n < level && n < TESS_MAX_SEGMENTS)
        n += 2;
    return n;
}

/* Checks number, order and symmetry of the points of an edge. */
static void check_edge(unsigned e, float level, bool continuous)
{
    double at[2 * TESS_MAX_SEGMENTS][2];
    unsigned n = points_of_edge(e, at) - 1;

    ck_assert_uint_eq(n, segments_of(level, continuous));
    for (unsigned i = 0; i <= n; i++) {
        ck_assert_msg(at[i][0] == at[n - i][1], "edge %u, point %u: not symmetric", e, i);
        ck_assert_double_eq_tol(at[i][0] + at[i][1], 1.0, 1e-15);
        ck_assert(!i || at[i][1] > at[i - 1][1]);
    }
    ck_assert(at[0][1] == 0 && at[n][1] == 1);
    if (continuous && n > 1) /* all segments but the first and the last have the length 1 / level */
        ck_assert_double_eq_tol(at[2][1] - at[1][1],
                                n == 3 ? 1 / (double)level : at[3][1] - at[2][1], 1e-14);
    if (!continuous)
        ck_assert_double_eq_tol(at[1][1], 1.0 / n, 1e-15);
}

static void check_triangle(float a, float b, float c, bool continuous)
{
    const float level[3] = {a, b, c};

    ck_assert_int_eq(tess_pattern_make(&pattern, level, continuous), ST_OK);
    check_tiling();
    for (unsigned e = 0; e < 3; e++)
        check_edge(e, level[e], continuous);
}

/* n segments give n * n equal triangles, row by row along the first edge. */
START_TEST(uniform_triangles_are_regular)
{
    for (unsigned n = 1; n <= TESS_MAX_SEGMENTS; n += n < 9 ? 1 : 31) {
        check_triangle((float)n, (float)n + 0.75f, (float)n, false);
        ck_assert_uint_eq(pattern.n_indices / 3, n * n);
        ck_assert_uint_eq(pattern.n_points, (n + 1) * (n + 2) / 2);
        for (uint32_t t = 0; t < pattern.n_indices / 3; t++)
            ck_assert_double_eq_tol(area_of(pattern.index + 3 * t), 0.5 / n / n, 1e-14);
    }
    ck_assert_int_eq(tess_pattern_make(&pattern, (const float[3]){2, 2, 2}, 0), ST_OK);
    ck_assert(pattern.point[0][0] == 1 && pattern.point[1][1] == 0.5 && pattern.point[2][1] == 1);
    ck_assert(pattern.point[3][2] == 0.5 && pattern.point[5][2] == 1);
}
END_TEST

START_TEST(triangles_tile)
{
    for (unsigned a = 1; a <= 6; a++)
        for (unsigned b = 1; b <= 6; b++)
            for (unsigned c = 1; c <= 6; c++) {
                check_triangle(a, b, c, false);
                check_triangle(a + 0.3f, b, c + 0.7f, true);
            }
    check_triangle(64, 1, 33, false);
    check_triangle(64, 1.01f, 33.5f, true);
    check_triangle(63.5f, 63.5f, 63.5f, true);
}
END_TEST

START_TEST(levels_have_limits)
{
    check_triangle(0, -3, NAN, false);
    ck_assert_uint_eq(pattern.n_indices / 3, 1);
    check_triangle(0.5f, 1, -INFINITY, true);
    ck_assert_uint_eq(pattern.n_indices / 3, 1);
    check_triangle(1000, 1, 1, false);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pattern");
    TCase *t = tcase_create("pattern");

    tcase_add_test(t, uniform_triangles_are_regular);
    tcase_add_test(t, triangles_tile);
    tcase_add_test(t, levels_have_limits);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
