/* StretchRect through A8R8G8B8 by hand: positions, weights and YUV sources. */
#include "check_main.h"
#include "tex_helpers.h"

START_TEST(point_samples_at_pixel_centres)
{
    struct tex_image *src = make_gradient(D3DFMT_A8R8G8B8, 100),
                     *dst = make_2d(D3DFMT_A8B8G8R8, 25, 25);
    struct tex_box from = {0, 0, 0, 100, 100, 1}, to = {0, 0, 0, 25, 25, 1};

    ck_assert_int_eq(stretch_boxes(dst, &to, src, &from, D3DTEXF_NONE), ST_OK);
    for (uint32_t y = 0; y < 25; y++)
        for (uint32_t x = 0; x < 25; x++)
            ck_assert_uint_eq(read_argb(dst, x, y, 0), read_argb(src, 4 * x + 2, 4 * y + 2, 0));
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

START_TEST(linear_halving_averages)
{
    struct tex_image *src = make_gradient(D3DFMT_A8R8G8B8, 64),
                     *dst = make_2d(D3DFMT_X8R8G8B8, 40, 40);
    struct tex_box from = {0, 0, 0, 64, 64, 1}, to = {8, 4, 0, 40, 36, 1};

    ck_assert_int_eq(stretch_boxes(dst, &to, src, &from, D3DTEXF_LINEAR), ST_OK);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++)
            ck_assert_uint_eq(read_argb(dst, x + 8, y + 4, 0) >> 8,
                              0xff0000 | (2 * x + 1) << 8 | (2 * y + 1));
    ck_assert_uint_eq(read_argb(dst, 7, 4, 0), 0xff000000);
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

START_TEST(video_stretches_to_rgb)
{
    struct tex_image *src = make_2d(D3DFMT_UYVY, 4, 1), *dst = make_2d(D3DFMT_X8R8G8B8, 64, 8);
    struct tex_box from = {0, 0, 0, 4, 1, 1}, to = {0, 0, 0, 64, 8, 1};

    poke(src, 0, 0, 0, 0, 0, 0x1c6b1cff);
    poke(src, 0, 0, 2, 0, 0, 0xff80ff80);
    ck_assert_int_eq(stretch_boxes(dst, &to, src, &from, D3DTEXF_POINT), ST_OK);
    ck_assert_uint_eq(read_argb(dst, 31, 7, 0) & 0xff, 0xff); /* blue */
    ck_assert_uint_le(read_argb(dst, 31, 7, 0) & 0xffff00, 0x040400);
    ck_assert_uint_eq(read_argb(dst, 32, 0, 0), 0xffffffff);
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex stretch argb");
    TCase *tc = tcase_create("argb");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, point_samples_at_pixel_centres);
    tcase_add_test(tc, linear_halving_averages);
    tcase_add_test(tc, video_stretches_to_rgb);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
