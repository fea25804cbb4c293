/* PNG files in memory: comparison without decoding, and detection of damage. */
#include "unit/tool/golden_run.h"

#include "tool/image/png.h"

START_TEST(equal_files_are_not_decoded)
{
    struct tool_image image = grey(3, 3, 2, 9);
    struct png_file a, b;
    char path[64], *first[] = {"novem", "one"}, *second[] = {"novem", "other", "words"};
    const char *why;

    path_in_folder(path, "a.png");
    png_set_command(2, first);
    save("a.png", &image);
    ck_assert_int_eq(png_load(path, &a, &why), ST_OK);
    png_set_command(3, second);
    save("a.png", &image);
    ck_assert_int_eq(png_load(path, &b, &why), ST_OK);
    ck_assert(a.n != b.n); /* text chunks differ */
    ck_assert(png_same(&a, &b));
    png_unload(&b);
    image.rgba[0]++;
    save("a.png", &image);
    ck_assert_int_eq(png_load(path, &b, &why), ST_OK);
    ck_assert(!png_same(&a, &b));
    png_unload(&a);
    png_unload(&b);
    tool_image_fini(&image);
}
END_TEST

/* A change of any byte is detected. */
START_TEST(damaged_files_are_refused)
{
    struct png_file file;
    char path[64];
    const char *why;
    uint8_t *bytes, *copy;
    size_t n;

    path_in_folder(path, "a.png");
    save_grey("a.png", 1, 1, 5, 5);
    ck_assert_int_eq(tool_file_read(path, &bytes, &n), ST_OK);
    for (size_t i = 0; i < n; i++) {
        copy = mem_alloc(n);
        memcpy(copy, bytes, n);
        copy[i] ^= 0x10;
        ck_assert_msg(png_take(copy, n, &file, &why) == ST_DAMAGED, "byte %zu", i);
    }
    for (size_t i = 0; i < n; i++) {
        copy = mem_alloc(n);
        memcpy(copy, bytes, i);
        ck_assert_msg(png_take(copy, i, &file, &why) == ST_DAMAGED, "%zu bytes", i);
    }
    mem_free(bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("image/png");
    TCase *tc = tcase_create("image/png");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, equal_files_are_not_decoded);
    tcase_add_test(tc, damaged_files_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
