/* PNG files of pictures that change in parts: they decode to the picture, whatever changed. */
#include "unit/tool/golden_run.h"

#include "tool/image/png.h"
#include "tool/image/png_bands.h"

static void fill(struct tool_image *image, uint32_t seed)
{
    for (size_t i = 0; i < (size_t)image->width * image->height * 4; i++) {
        seed = seed * 1664525 + 1013904223;
        image->rgba[i] = (uint8_t)(seed >> 24 & (i / 997 % 2 ? 255 : 3));
    }
}

static void check(struct png_bands *bands, const struct tool_image *image)
{
    struct png_file file;
    struct tool_image back;
    const char *why;
    char path[64];

    path_in_folder(path, "bands.png");
    ck_assert_int_eq(png_bands_write(bands, path, image, tool_image_hash(image, true)), ST_OK);
    ck_assert_int_eq(png_load(path, &file, &why), ST_OK);
    ck_assert_int_eq(png_decode(&file, &back, &why), ST_OK);
    ck_assert_uint_eq(back.width, image->width);
    ck_assert_uint_eq(back.height, image->height);
    ck_assert(!memcmp(back.rgba, image->rgba, (size_t)image->width * image->height * 4));
    tool_image_fini(&back);
    png_unload(&file);
}

/* Rows of 4,000 bytes make bands of 16 rows. */
START_TEST(files_follow_the_rows_that_change)
{
    struct tool_image image;
    struct png_bands *bands = png_bands_create(1000, 50);

    ck_assert_ptr_nonnull(bands);
    ck_assert_int_eq(tool_image_create(&image, 1000, 50), ST_OK);
    fill(&image, 1);
    check(bands, &image);
    for (uint32_t y = 0; y < 50; y++) { /* also the rows at the edges of bands, and the last */
        memset(image.rgba + (size_t)y * 4000 + 40, (int)(y * 5), 400);
        png_bands_touch(bands, y);
        check(bands, &image);
    }
    check(bands, &image);
    tool_image_fini(&image);
    png_bands_destroy(bands);
}
END_TEST

/* A row that was not touched keeps its bytes: only touched bands are compressed again. */
START_TEST(rows_that_were_not_touched_stay)
{
    struct tool_image image, back;
    struct png_bands *bands = png_bands_create(1000, 50);
    char path[64];

    ck_assert_int_eq(tool_image_create(&image, 1000, 50), ST_OK);
    fill(&image, 2);
    check(bands, &image);
    memset(image.rgba, 7, 4000);
    memset(image.rgba + 49 * 4000, 7, 4000);
    png_bands_touch(bands, 49);
    path_in_folder(path, "bands.png");
    ck_assert_int_eq(png_bands_write(bands, path, &image, 0), ST_OK);
    ck_assert_int_eq(tool_png_read(path, &back), ST_OK);
    ck_assert(memcmp(back.rgba, image.rgba, 4000) != 0);
    ck_assert(!memcmp(back.rgba + 49 * 4000, image.rgba + 49 * 4000, 4000));
    tool_image_fini(&back);
    tool_image_fini(&image);
    png_bands_destroy(bands);
}
END_TEST

START_TEST(small_and_wide_pictures)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 300}, {16384, 3}, {7, 5}};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct tool_image image;
        struct png_bands *bands = png_bands_create(sizes[i][0], sizes[i][1]);

        ck_assert_int_eq(tool_image_create(&image, sizes[i][0], sizes[i][1]), ST_OK);
        fill(&image, 3);
        check(bands, &image);
        ck_assert_uint_ge(png_bands_bytes(bands), 4 * (size_t)sizes[i][0]);
        tool_image_fini(&image);
        png_bands_destroy(bands);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("image/png_bands");
    TCase *tc = tcase_create("image/png_bands");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, files_follow_the_rows_that_change);
    tcase_add_test(tc, rows_that_were_not_touched_stay);
    tcase_add_test(tc, small_and_wide_pictures);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
