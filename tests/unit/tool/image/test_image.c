/* Images: files, comparison, heat maps, contact sheets; exit codes of `novem diff`. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tool_image sample(uint32_t width, uint32_t height)
{
    struct tool_image image;

    ck_assert_int_eq(tool_image_create(&image, width, height), ST_OK);
    for (uint32_t i = 0; i < width * height * 4; i++)
        image.rgba[i] = (uint8_t)(i * 7 + i / 64);
    return image;
}

START_TEST(png_keeps_pixels)
{
    struct tool_image image = sample(37, 11), back;
    const char *path = in_folder("a.png");

    ck_assert_int_eq(tool_png_write(path, &image, 4), ST_OK);
    ck_assert_int_eq(tool_png_read(path, &back), ST_OK);
    ck_assert_uint_eq(back.width, 37);
    ck_assert_uint_eq(back.height, 11);
    ck_assert_mem_eq(back.rgba, image.rgba, 37 * 11 * 4);
    tool_image_fini(&back);
    /* Three channels keep the colours and make alpha opaque. */
    ck_assert_int_eq(tool_png_write(path, &image, 3), ST_OK);
    ck_assert_int_eq(tool_png_read(path, &back), ST_OK);
    for (unsigned i = 0; i < 37 * 11; i++) {
        ck_assert_mem_eq(back.rgba + 4 * i, image.rgba + 4 * i, 3);
        ck_assert_uint_eq(back.rgba[4 * i + 3], 255);
    }
    tool_image_fini(&back);
    tool_image_fini(&image);
}
END_TEST

START_TEST(bad_files_are_refused)
{
    struct tool_image image;
    FILE *file = fopen(in_folder("bad.png"), "w");

    fputs("no picture", file);
    fclose(file);
    ck_assert_int_eq(tool_png_read(in_folder("bad.png"), &image), ST_DAMAGED);
    ck_assert_int_eq(tool_png_read(in_folder("none.png"), &image), ST_IO);
    image = sample(4, 4);
    ck_assert_int_eq(tool_png_write("/no/such/folder/x.png", &image, 3), ST_IO);
    tool_image_fini(&image);
    ck_assert_int_eq(tool_image_create(&image, 0, 4), ST_INVALID);
    ck_assert_int_eq(tool_image_create(&image, 1 << 20, 1 << 20), ST_INVALID);
}
END_TEST

START_TEST(distances_are_counted)
{
    struct tool_image a = sample(10, 10), b = sample(10, 10), heat;
    struct tool_difference d;

    b.rgba[0] ^= 1;                                /* pixel 0: differs by 1 */
    b.rgba[4 * 5 + 1] = (uint8_t)(a.rgba[21] ^ 4); /* pixel 5: differs by 4 */
    b.rgba[4 * 9 + 3] ^= 0x80;                     /* alpha is ignored */
    ck_assert_int_eq(tool_image_compare(&a, &b, 0, &d, &heat), ST_OK);
    ck_assert_uint_eq(d.max, 4);
    ck_assert_uint_eq(d.above, 2);
    ck_assert_uint_eq(d.pixels, 100);
    ck_assert_double_eq_tol(d.mean, 5.0 / 300, 1e-12);
    for (unsigned i = 0; i < 100; i++)
        ck_assert_int_eq(heat.rgba[4 * i] | heat.rgba[4 * i + 1] | heat.rgba[4 * i + 2] ? 1 : 0,
                         i == 0 || i == 5);
    tool_image_fini(&heat);
    ck_assert_int_eq(tool_image_compare(&a, &b, 1, &d, NULL), ST_OK);
    ck_assert_uint_eq(d.above, 1);
    ck_assert_int_eq(tool_image_compare(&a, &b, 4, &d, NULL), ST_OK);
    ck_assert_uint_eq(d.above, 0);
    b.width = 5;
    ck_assert_int_eq(tool_image_compare(&a, &b, 0, &d, NULL), ST_INVALID);
    tool_image_fini(&a);
    tool_image_fini(&b);
}
END_TEST

static int diff(const char *a, const char *b, const char *option, const char *value)
{
    char *argv[] = {"diff",
                    (char *)(uintptr_t)a,
                    (char *)(uintptr_t)b,
                    (char *)(uintptr_t)option,
                    (char *)(uintptr_t)value,
                    NULL};

    return tool_diff(option ? 5 : 3, argv);
}

START_TEST(diff_has_exit_codes)
{
    struct tool_image a = sample(6, 6);
    const char *first = in_folder("a.png"), *second = in_folder("b.png"), *heat;

    ck_assert_int_eq(tool_png_write(first, &a, 3), ST_OK);
    a.rgba[8] ^= 3;
    ck_assert_int_eq(tool_png_write(second, &a, 3), ST_OK);
    heat = in_folder("heat.png");
    ck_assert_int_eq(diff(first, first, NULL, NULL), TOOL_OK);
    ck_assert_int_eq(diff(first, second, NULL, NULL), TOOL_DIFFERS);
    ck_assert_int_eq(diff(first, second, "--threshold", "3"), TOOL_OK);
    ck_assert_int_eq(diff(first, second, "--threshold", "x"), TOOL_ERROR);
    ck_assert_int_eq(diff(first, second, "-o", heat), TOOL_DIFFERS);
    ck_assert_int_eq(access(heat, R_OK), 0);
    ck_assert_int_eq(diff(first, "/no/such.png", NULL, NULL), TOOL_ERROR);
    ck_assert_int_eq(diff(first, second, "--what", "3"), TOOL_ERROR);
    tool_image_fini(&a);
    a = sample(6, 5);
    ck_assert_int_eq(tool_png_write(second, &a, 3), ST_OK);
    ck_assert_int_eq(diff(first, second, NULL, NULL), TOOL_DIFFERS);
    tool_image_fini(&a);
}
END_TEST

/* Thumbnails keep their aspect ratio; the number is drawn. */
START_TEST(sheets_hold_pairs)
{
    struct tool_image wide, tall;
    struct tool_sheet sheet;
    const uint8_t *at;

    ck_assert_int_eq(tool_image_create(&wide, 400, 100), ST_OK);
    ck_assert_int_eq(tool_image_create(&tall, 10, 1000), ST_OK);
    memset(wide.rgba, 200, 400 * 100 * 4);
    memset(tall.rgba, 100, 10 * 1000 * 4);
    ck_assert_int_eq(tool_sheet_create(&sheet, 5), ST_OK);
    tool_sheet_add(&sheet, 1, &wide, &tall);
    for (unsigned i = 2; i < 9; i++)
        tool_sheet_add(&sheet, i, NULL, &wide); /* more pairs than cells */
    ck_assert_uint_eq(sheet.used, 5);
    at = sheet.image.rgba + 4 * ((size_t)(18 + 25) * sheet.image.width + 100);
    ck_assert_uint_eq(at[0], 200);                                   /* inside the wide image */
    ck_assert_uint_eq(at[4 * 52 * (size_t)sheet.image.width], 0x30); /* below the wide image */
    at = sheet.image.rgba + 4 * ((size_t)(18 + 140) * sheet.image.width + 208);
    ck_assert_uint_eq(at[0], 100); /* the tall image is one pixel wide */
    ck_assert_uint_eq(at[8], 0x30);
    at = sheet.image.rgba + 4 * ((size_t)4 * sheet.image.width + 6);
    ck_assert_uint_eq(at[0], 255); /* top of the digit 1 */
    tool_image_fini(&wide);
    tool_image_fini(&tall);
    tool_image_fini(&sheet.image);
}
END_TEST

START_TEST(slack_is_that_of_the_widest_channel)
{
    static const uint8_t low[4] = {10, 10, 10, 0}, high[4] = {10, 21, 13, 255};

    ck_assert_uint_eq(tool_pixel_slack(low, high), 7);
    ck_assert_uint_eq(tool_pixel_slack(low, low), 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("pictures");
    TCase *tc = tcase_create("pictures");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, png_keeps_pixels);
    tcase_add_test(tc, bad_files_are_refused);
    tcase_add_test(tc, distances_are_counted);
    tcase_add_test(tc, diff_has_exit_codes);
    tcase_add_test(tc, sheets_hold_pairs);
    tcase_add_test(tc, slack_is_that_of_the_widest_channel);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
