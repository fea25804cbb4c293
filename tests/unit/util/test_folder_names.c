/* Names in a folder, and patterns: the same answers as those of the C library. */
#include "util/folder_names.h"

#include "check_main.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char base[40];

static void setup(void)
{
    strcpy(base, "/tmp/novem-names-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    ck_assert_int_eq(chdir(base), 0);
    ck_assert_int_eq(system("mkdir -p a/x a.b/x b/x .c/x; touch a.b/x/1.d9t; touch a/x/1.d9t "
                            "a/x/2.png b/x/1.d9t b/10 .c/x/3.d9t"),
                     0);
}

static void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", base);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(names_are_sorted)
{
    struct folder_names names;

    ck_assert_int_eq(folder_names_read(&names, "."), ST_OK);
    ck_assert_uint_eq(names.n, 4);
    ck_assert_str_eq(names.name[0], ".c");
    ck_assert_str_eq(names.name[1], "a");
    ck_assert_str_eq(names.name[2], "a.b");
    ck_assert_str_eq(names.name[3], "b");
    folder_names_free(&names);
    ck_assert_int_eq(folder_names_read(&names, "none"), ST_IO);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(folder_names_read(&names, "b/10"), ST_IO);
    ck_assert_int_eq(errno, ENOTDIR);
    ck_assert_uint_eq(names.n, 0);
}
END_TEST

START_TEST(patterns_match_as_in_the_c_library)
{
    static const char *const patterns[] = {
        "",     "*",      "?",      "a",       "a*",     "*a",      "*a*b",
        "a?c",  "[abc]",  "[!abc]", "[a-c]",   "[]a]",   "[a-]",    "[a",
        "a[b",  "\\*",    "a\\?",   "*/b",     "a/*",    "**",      "*.d9t",
        "[^a]", "x[0-9]", "[\\]]",  "a*b*c*d", "fog/?*", "[!]-a]*", "*[0-9]"};
    static const char *const names[] = {
        "",  "a", "b",  "ab",  "abc",  "a?",    "*",    "a/b",     "a/bc",       "x7", "x77",
        "]", "-", "[a", "a[b", ".d9t", "q.d9t", "abcd", "axbxcxd", "fog/linear", "\\"};

    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            ck_assert_msg(folder_name_matches(patterns[i], names[k]) ==
                              !fnmatch(patterns[i], names[k], 0),
                          "'%s' and '%s'", patterns[i], names[k]);
}
END_TEST

START_TEST(files_are_found_as_in_the_c_library)
{
    static const char *const patterns[] = {"*",        "*/x/*.d9t", "a/x/?.*",  "[ab]/x",
                                           "b/1*",     "none*",     "a/none/*", "a/x/1.d9t",
                                           "./*/x/1*", ".c/x/*",    "*/*.d9t"};
    char absolute[80];

    for (size_t i = 0; i <= sizeof(patterns) / sizeof(patterns[0]); i++) {
        bool last = i == sizeof(patterns) / sizeof(patterns[0]);
        struct folder_names names;
        glob_t want;

        snprintf(absolute, sizeof(absolute), "%s/*/x/1.d9t", base);
        if (glob(last ? absolute : patterns[i], 0, NULL, &want)) {
            ck_assert_int_eq(folder_names_find(&names, patterns[i]), ST_NOTFOUND);
            continue;
        }
        ck_assert_int_eq(folder_names_find(&names, last ? absolute : patterns[i]), ST_OK);
        ck_assert_uint_eq(names.n, want.gl_pathc);
        for (size_t k = 0; k < names.n; k++)
            ck_assert_str_eq(names.name[k], want.gl_pathv[k]);
        folder_names_free(&names);
        globfree(&want);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("folder_names");
    TCase *tc = tcase_create("folder_names");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, names_are_sorted);
    tcase_add_test(tc, patterns_match_as_in_the_c_library);
    tcase_add_test(tc, files_are_found_as_in_the_c_library);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
