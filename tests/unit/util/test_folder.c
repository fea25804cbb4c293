/* Folders for output: missing levels, existing ones, obstacles. */
#include "util/folder.h"
#include "util/output_file.h"

#include "check_main.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[32];

static void setup(void)
{
    strcpy(base, "/tmp/novem-folder-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(base));
    ck_assert_int_eq(chdir(base), 0);
}

static void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", base);
    ck_assert_int_eq(system(command), 0);
}

static bool is_folder(const char *path)
{
    struct stat about;

    return !stat(path, &about) && S_ISDIR(about.st_mode);
}

START_TEST(missing_levels_are_made)
{
    static const char *const paths[] = {"one",   "two/levels", "with/end/", "double//line",
                                        "./dot", "two/levels", ".",         "/tmp"};
    char absolute[64];

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        ck_assert_msg(folder_make(paths[i]), "%s: %s", paths[i], strerror(errno));
        ck_assert(is_folder(paths[i]));
    }
    snprintf(absolute, sizeof(absolute), "%s/a/b/c", base);
    ck_assert(folder_make(absolute));
    ck_assert(is_folder(absolute));
}
END_TEST

START_TEST(obstacles)
{
    char name[OUTPUT_PATH_BYTES + 8];
    FILE *file = fopen("file", "w");

    ck_assert(file && !fclose(file));
    ck_assert(!folder_make("file"));
    ck_assert_int_eq(errno, ENOTDIR);
    ck_assert(!folder_make("file/below"));
    ck_assert_int_eq(errno, ENOTDIR);
    ck_assert(!folder_make(""));
    ck_assert_int_eq(errno, ENOENT);
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    ck_assert(!folder_make(name));
    ck_assert_int_eq(errno, ENAMETOOLONG);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("folder");
    TCase *tc = tcase_create("folder");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, missing_levels_are_made);
    tcase_add_test(tc, obstacles);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
