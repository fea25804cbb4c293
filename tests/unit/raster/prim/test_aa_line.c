/* Coverage of antialiased lines against another way to compute it: integrals along the sides of the
 * rectangle, in extended precision. */
#include "check_main.h"

#include "../fixture.h"

#include "raster/prim/prim.h"
#include "util/variant.h"

#include <math.h>

enum { SIDE = 24, CORNERS = 4 };

struct rectangle {
    long double x[CORNERS], y[CORNERS]; /* clockwise on the screen, in pixels */
};

/* The corners at 1/65536 pixel. */
static struct rectangle rectangle_of(const int32_t from[2], const int32_t to[2])
{
    long double dx = to[0] - from[0], dy = to[1] - from[1], length = hypotl(dx, dy);
    long double hx = rintl(-dy / length * 32768) / 65536, hy = rintl(dx / length * 32768) / 65536;
    long double x0 = from[0] / 256.0L, y0 = from[1] / 256.0L;
    long double x1 = to[0] / 256.0L, y1 = to[1] / 256.0L;

    return (struct rectangle){.x = {x0 - hx, x1 - hx, x1 + hx, x0 + hx},
                              .y = {y0 - hy, y1 - hy, y1 + hy, y0 + hy}};
}

static long double clamped(long double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* The integral of clamped(x) over y from (x0, y0) to (x1, y1), the ends within [0, 1] in y: split
 * where x is 0 and 1. */
static long double strip(long double x0, long double y0, long double x1, long double y1)
{
    long double t[4] = {0, 0, 1, 1}, sum = 0;

    if (x0 != x1) {
        long double a = clamped(-x0 / (x1 - x0)), b = clamped((1 - x0) / (x1 - x0));

        t[1] = a < b ? a : b;
        t[2] = a < b ? b : a;
    }
    for (int i = 0; i < 3; i++) {
        long double from = clamped(x0 + t[i] * (x1 - x0)), to = clamped(x0 + t[i + 1] * (x1 - x0));

        sum += (from + to) / 2 * (t[i + 1] - t[i]) * (y1 - y0);
    }
    return sum;
}

/* The area to the left of a side within the unit square, with its sign. */
static long double side_area(long double x0, long double y0, long double x1, long double y1)
{
    long double a = clamped(y0), b = clamped(y1), slope;

    if (a == b)
        return 0;
    slope = (x1 - x0) / (y1 - y0);
    return strip(x0 + (a - y0) * slope, a, x0 + (b - y0) * slope, b);
}

static long double area_in(const struct rectangle *r, int px, int py)
{
    long double sum = 0;

    for (int i = 0; i < CORNERS; i++) {
        int j = (i + 1) % CORNERS;

        sum += side_area(r->x[i] - px + 0.5L, r->y[i] - py + 0.5L, r->x[j] - px + 0.5L,
                         r->y[j] - py + 0.5L);
    }
    return fabsl(sum);
}

static int32_t any_place(int kind)
{
    int32_t at = random_between(-1024, (SIDE + 4) * 256);

    return kind == 0 ? at : kind == 1 ? at / 64 * 64 : at / 256 * 256;
}

/* All pixels around the line; those outside of rect have none. */
static void check_line(const int32_t from[2], const int32_t to[2])
{
    struct rectangle r = rectangle_of(from, to);
    struct raster_aa_line line;
    int32_t rect[4];

    if (!raster_aa_line_init(&line, rect, from, to)) {
        ck_assert(from[0] == to[0] && from[1] == to[1]);
        return;
    }
    for (int py = -6; py < SIDE + 6; py++) {
        for (int px = -6; px < SIDE + 6; px++) {
            long double want = area_in(&r, px, py) * 65536;
            float got = raster_aa_line_coverage(&line, px, py) * 65536;
            bool inside = px >= rect[0] && px < rect[2] && py >= rect[1] && py < rect[3];

            ck_assert_msg(fabsl(got - want) <= 0.5L + 1e-6L && got == floorf(got),
                          "%d,%d to %d,%d, pixel %d,%d: %.9g, not %.9Lg", from[0], from[1], to[0],
                          to[1], px, py, (double)got, want);
            ck_assert(inside || got == 0);
            ck_assert(got == 0 || raster_aa_line_touches(&line, px, py, 1));
            ck_assert(got == 0 || raster_aa_line_touches(&line, px & ~7, py & ~7, 8));
        }
    }
}

START_TEST(coverage_is_the_area_of_the_rectangle)
{
    for (int round = 0; round < 300; round++) {
        int32_t from[2] = {any_place(_i), any_place(_i)}, to[2] = {any_place(_i), any_place(_i)};

        if (round % 3 == 0) { /* short */
            to[0] = from[0] + random_between(-300, 300);
            to[1] = from[1] + random_between(-300, 300);
        }
        if (round % 5 == 0)
            to[round & 1] = from[round & 1];
        check_line(from, to);
    }
}
END_TEST

/* Lines as long as the guard band. */
START_TEST(long_lines_are_exact)
{
    enum { FAR = 32767 * 256 };

    for (int round = 0; round < 100; round++) {
        int32_t from[2] = {-FAR + random_between(0, 512), random_between(-FAR, FAR)};
        int32_t to[2] = {FAR - random_between(0, 512), 0};

        from[1] = round & 1 ? from[1] : random_between(-2000, 8000);
        to[1] = -from[1] + random_between(0, 12000); /* crosses the first pixels */
        check_line(round & 2 ? from : to, round & 2 ? to : from);
    }
}
END_TEST

/* The sum over all pixels is the area: length times width. */
START_TEST(a_line_covers_its_length)
{
    for (int round = 0; round < 200; round++) {
        int32_t from[2] = {random_between(512, 5000), random_between(512, 5000)};
        int32_t to[2] = {random_between(512, 5000), random_between(512, 5000)};
        double sum = 0, length = hypot(to[0] - from[0], to[1] - from[1]) / 256;
        struct raster_aa_line line;
        int32_t rect[4];

        if (!raster_aa_line_init(&line, rect, from, to))
            continue;
        for (int32_t y = rect[1]; y < rect[3]; y++)
            for (int32_t x = rect[0]; x < rect[2]; x++)
                sum += (double)raster_aa_line_coverage(&line, x, y);
        ck_assert_double_eq_tol(sum, length, 0.002);
    }
}
END_TEST

/* Of a line at 45 degrees and of one along a row, a quarter of a pixel off its centres. */
static const struct {
    int32_t to[2], y;
    int px, py;
    double area, distance;
} varied[] = {
    {{5, 5}, 0, 3, 3, 0.914214, 1.0},  /* on the line */
    {{5, 5}, 0, 4, 3, 0.25, 0.292893}, /* sqrt(1/2) from it */
    {{5, 5}, 0, 2, 2, 0.457107, 0.5},  /* at its start */
    {{5, 5}, 0, 5, 3, 0.0, 0.0},       /* sqrt(2) from it */
    {{6, 2}, 64, 4, 2, 0.75, 0.75},    /* 1/4 from it */
    {{6, 2}, 64, 2, 3, 0.125, 0.125},  /* 3/4 from it, at its start */
};

START_TEST(variants_cover_by_distance)
{
    const struct variant distance = {.coverage = VARIANT_DISTANCE},
                         mirrored = {.coverage = VARIANT_DISTANCE_MIRRORED};
    int32_t from[2] = {512, 512 + varied[_i].y};
    int32_t to[2] = {varied[_i].to[0] * 256, varied[_i].to[1] * 256 + varied[_i].y};
    int px = varied[_i].px, py = varied[_i].py;
    struct raster_aa_line line;
    int32_t rect[4];

    ck_assert(raster_aa_line_init(&line, rect, from, to));
    ck_assert_double_eq_tol(raster_aa_line_coverage(&line, px, py), varied[_i].area, 1e-4);
    variant_current = &distance;
    ck_assert_double_eq_tol(raster_aa_line_coverage(&line, px, py), varied[_i].distance, 1e-4);
    variant_current = &mirrored;
    ck_assert_double_eq_tol(raster_aa_line_coverage(&line, px, py),
                            2 * varied[_i].area - varied[_i].distance, 1e-4);
    variant_current = NULL;
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("prim/aa_line");
    TCase *tc = tcase_create("prim/aa_line");

    tcase_add_loop_test(tc, coverage_is_the_area_of_the_rectangle, 0, 3);
    tcase_add_test(tc, long_lines_are_exact);
    tcase_add_test(tc, a_line_covers_its_length);
    tcase_add_loop_test(tc, variants_cover_by_distance, 0, sizeof(varied) / sizeof(varied[0]));
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
