/* Options of commands: their order, values and errors. */
#include "check_main.h"

#include "tool/cli/cli.h"

static bool flag;
static const char *text;
static unsigned number;
static double real;
static const char *files[2];

static int parse(int argc, char **argv)
{
    const struct tool_option options[] = {
        {"--flag", NULL, "a flag", OPT_FLAG, &flag},
        {"--text", "T", "a text", OPT_TEXT, &text},
        {"-n", "N", "a number", OPT_UINT, &number},
        {"--real", "X", "a number with a fraction", OPT_REAL, &real},
    };
    const struct tool_usage usage = {"test FILE", "Tests.", options, 4, 1, 2};

    flag = false;
    text = NULL;
    number = 0;
    return tool_parse(&usage, argc, argv, files);
}

#define PARSE(...)                                                                                 \
    parse(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (char *[]){__VA_ARGS__, NULL})

START_TEST(options_stand_anywhere)
{
    ck_assert_int_lt(PARSE("test", "a", "--flag", "-n", "0x10", "b", "--text", "-odd"), 0);
    ck_assert(flag);
    ck_assert_str_eq(text, "-odd");
    ck_assert_uint_eq(number, 16);
    ck_assert_str_eq(files[0], "a");
    ck_assert_str_eq(files[1], "b");
    ck_assert_int_lt(PARSE("test", "-"), 0); /* a file named "-" */
    ck_assert_str_eq(files[0], "-");
    ck_assert_ptr_null(files[1]);
}
END_TEST

START_TEST(options_are_checked)
{
    ck_assert_int_eq(PARSE("test"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "b", "c"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "--text"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "--other"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "-n", "many"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "-n", "-1"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "-n", "99999999999"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "--help"), TOOL_OK);
    ck_assert_int_eq(PARSE("test", "a", "--version"), TOOL_ERROR);
}
END_TEST

START_TEST(numbers_may_have_fractions)
{
    static const char *const wrong[] = {"", "-1", "1x", "nan", "inf", " 1", "1e999"};

    ck_assert_int_lt(PARSE("test", "a", "--real", "0.25"), 0);
    ck_assert_double_eq(real, 0.25);
    ck_assert_int_lt(PARSE("test", "a", "--real", "3"), 0);
    ck_assert_double_eq(real, 3.0);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_int_eq(PARSE("test", "a", "--real", (char *)wrong[i]), TOOL_ERROR);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("cli/options");
    TCase *tc = tcase_create("cli/options");

    tcase_add_test(tc, options_stand_anywhere);
    tcase_add_test(tc, options_are_checked);
    tcase_add_test(tc, numbers_may_have_fractions);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
