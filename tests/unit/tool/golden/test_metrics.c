/* Metrics of golden cases: which tolerances they meet, and the densest window. */
#include "unit/tool/golden_run.h"

#include "tool/golden/result.h"

/* Result of each tolerance for six pixels in a row that are brighter by 5. */
static const struct {
    const char *tolerance;
    bool within;
} rungs[] = {
    {"exact", false},
    {"max 4", false},
    {"max 5", true},
    {"5 pixels above 4", false},
    {"6 pixels above 4", true},
    {"0 pixels above 5", true},
    {"5 of 8x8 above 4", false},
    {"6 of 8x8 above 4", true},
    {"3 of 3x3 above 4", true},
    {"2 of 3x3 above 4", false},
    {"0 of 8x8 above 5", true},
    {"flip 0.0001", false},
    {"flip 0.01", true},
    {"ssim 0.9999", false},
    {"ssim 0.9", true},
};

START_TEST(tolerances_accept_and_reject)
{
    struct tool_image a = grey(0, 0, 0, 0), b = grey(20, 9, 6, 5);
    struct golden_case c = {0};
    struct golden_metrics m;

    ck_assert(golden_tolerance_parse(rungs[_i].tolerance, &c.tolerance));
    ck_assert_int_eq(golden_measure(&a, &b, NULL, &c, &m), ST_OK);
    ck_assert_msg(golden_within(&m, &c.tolerance) == rungs[_i].within, "%s", rungs[_i].tolerance);
    ck_assert_uint_eq(m.max, 5);
    ck_assert_uint_eq(m.differing, 6);
    ck_assert_uint_eq(m.box.x0, 20);
    ck_assert_uint_eq(m.box.x1, 26);
    ck_assert_uint_eq(m.box.y0, 9);
    ck_assert_uint_eq(m.box.y1, 10);
    ck_assert_double_eq_tol(m.mean, 30.0 / (32 * 32 * 4), 1e-12);
    tool_image_fini(&a);
    tool_image_fini(&b);
}
END_TEST

/* Compares the densest window with an exhaustive search. */
START_TEST(densest_window_is_found)
{
    struct tool_image a = grey(0, 0, 0, 0), b = grey(0, 0, 0, 0);
    struct golden_case c = {.tolerance = {GOLDEN_WINDOW, 3, 0, 5, 4, 0}};
    struct golden_metrics m;
    unsigned most = 0, seed = 1;

    for (unsigned i = 0; i < 32 * 32; i++) {
        seed = seed * 1664525 + 1013904223;
        b.rgba[4 * i + 1] = (uint8_t)(100 + (seed >> 24) % 7);
    }
    for (unsigned y = 0; y + 4 <= 32; y++)
        for (unsigned x = 0; x + 5 <= 32; x++) {
            unsigned n = 0;

            for (unsigned k = 0; k < 20; k++)
                n += b.rgba[4 * ((y + k / 5) * 32 + x + k % 5) + 1] > 103;
            most = n > most ? n : most;
        }
    ck_assert_int_eq(golden_measure(&a, &b, NULL, &c, &m), ST_OK);
    ck_assert_uint_eq(m.densest, most);
    ck_assert_uint_gt(most, 10);
    tool_image_fini(&a);
    tool_image_fini(&b);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/metrics");
    TCase *tc = tcase_create("golden/metrics");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_loop_test(tc, tolerances_accept_and_reject, 0, sizeof(rungs) / sizeof(rungs[0]));
    tcase_add_test(tc, densest_window_is_found);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
