/* Tolerances of golden cases: text to value and back. */
#include "check_main.h"

#include "tool/golden/tolerance.h"

static const char *const tolerances[] = {
    "exact", "max 3", "20 pixels above 4", "6 of 8x8 above 2", "flip 0.05", "ssim 0.98"};

START_TEST(tolerances_are_read_and_printed)
{
    struct golden_tolerance t;
    char text[GOLDEN_TOLERANCE_TEXT];

    ck_assert(golden_tolerance_parse(tolerances[_i], &t));
    golden_tolerance_print(&t, text);
    ck_assert_str_eq(text, tolerances[_i]);
}
END_TEST

START_TEST(wrong_tolerances_are_refused)
{
    static const char *const wrong[] = {
        "",       "max",   "max 300",          "max 3 ", "about",    "exactly", "3 pixels above",
        "max -1", "20 of", "3 of 0x8 above 1", "max 3x", "flip 1.5", "ssim",    "flip x"};
    struct golden_tolerance t;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_msg(!golden_tolerance_parse(wrong[i], &t), "%s", wrong[i]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/tolerance");
    TCase *tc = tcase_create("golden/tolerance");

    tcase_add_loop_test(tc, tolerances_are_read_and_printed, 0,
                        sizeof(tolerances) / sizeof(tolerances[0]));
    tcase_add_test(tc, wrong_tolerances_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
