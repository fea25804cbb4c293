/* util/path: files, the program and the environment by UTF-8 names. tests/windows/test_paths.c has
 * the wide functions. */
#include "util/path.h"

#include "check_main.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/novem-path-XXXXXX";

static const char *in_folder(const char *file)
{
    static char names[2][64];
    static unsigned n;
    char *name = names[n++ % 2];

    snprintf(name, sizeof(names[0]), "%s/%s", folder, file);
    return name;
}

START_TEST(files)
{
    FILE *file;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(path_make_folder(in_folder("画面")));
    ck_assert(!path_make_folder(in_folder("画面")));
    ck_assert_int_eq(errno, EEXIST);
    ck_assert(!path_make_folder(in_folder("a/b")));
    ck_assert_int_eq(errno, ENOENT);
    file = path_open(in_folder("画面/é"), "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    ck_assert(path_is_folder(in_folder("画面")) && !path_is_folder(in_folder("画面/é")));
    ck_assert(!path_is_special(in_folder("画面")) && !path_is_special(in_folder("画面/é")));
    ck_assert(path_is_special("/dev/null") && !path_is_special(in_folder("none")));
    ck_assert(path_rename(in_folder("画面/é"), in_folder("ü")));
    ck_assert(path_exists(in_folder("ü")) && !path_exists(in_folder("画面/é")));
    ck_assert(!path_rename(in_folder("none"), in_folder("ü")));
    ck_assert(path_remove(in_folder("ü")) && !path_exists(in_folder("ü")));
    rmdir(in_folder("画面"));
    rmdir(folder);
}
END_TEST

START_TEST(the_process)
{
    char path[PATH_TEXT_BYTES], small[8];
    const char *name = path_of_program(path, sizeof(path));

    ck_assert_str_eq(name, "test_path");
    ck_assert(path[0] == '/' && path_exists(path));
    ck_assert_str_eq(path_of_program(small, sizeof(small)), ""); /* it does not fit */
    setenv("NOVEM_TEST_PATH", "日本", 1);
    ck_assert_str_eq(path_variable("NOVEM_TEST_PATH", path, sizeof(path)), "日本");
    ck_assert_ptr_null(path_variable("NOVEM_TEST_NONE", path, sizeof(path)));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/path");
    TCase *tc = tcase_create("path");

    tcase_add_test(tc, files);
    tcase_add_test(tc, the_process);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
