/* Tests of the version: it is the text of the file VERSION. */
#include "util/version.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>

START_TEST(version_is_that_of_the_file)
{
    FILE *file = fopen("VERSION", "r");
    char line[32];

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    ck_assert_str_eq(version_text(), line);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("version");
    TCase *tc = tcase_create("version");

    tcase_add_test(tc, version_is_that_of_the_file);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
