/* Rows of pixels of compressed formats: slices of volumes, and edges. */
#include "check_main.h"
#include "tex_helpers.h"

/* The expectations of the conformance suite for a volume of two slices with two blocks each. */
START_TEST(block_volume_slices_are_consecutive)
{
    static const uint8_t blocks[4][8] = {{0x00, 0xf8, 0x00, 0xf8, 0xf0, 0xf0, 0xf0, 0xf0},
                                         {0xe0, 0x07, 0xe0, 0x07},
                                         {0x1f, 0, 0x1f, 0},
                                         {0xff, 0xff, 0xff, 0xff}};
    struct tex_image *image = make_image(D3DFMT_DXT1, TEX_VOLUME_MAP, 8, 4, 2, 1);

    memcpy(image->memory, blocks, sizeof(blocks));
    ck_assert_uint_eq(read_argb(image, 0, 3, 0), 0xffff0000);
    ck_assert_uint_eq(read_argb(image, 2, 3, 0), 0x00000000);
    ck_assert_uint_eq(read_argb(image, 5, 0, 0), 0xff00ff00);
    ck_assert_uint_eq(read_argb(image, 1, 1, 1), 0xff0000ff);
    ck_assert_uint_eq(read_argb(image, 7, 3, 1), 0xffffffff);
    tex_image_unref(&image);
}
END_TEST

START_TEST(block_edges_of_odd_sizes)
{
    struct tex_image *image = make_2d(D3DFMT_DXT5, 7, 5);
    struct tex_sampler_state state = default_state();
    struct tex_box all = {0, 0, 0, 7, 5, 1};

    ck_assert_int_eq(tex_fill(image, 0, 0, &all, 0x80ff00ff), ST_OK);
    ck_assert_uint_eq(read_argb(image, 6, 4, 0), 0x80ff00ff);
    check_rgba(sample_at(image, &state, 6.5f / 7, 4.5f / 5, 0, 0), 1, 0, 1, 128.0f / 255.0f);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex rows");
    TCase *tc = tcase_create("rows");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, block_volume_slices_are_consecutive);
    tcase_add_test(tc, block_edges_of_odd_sizes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
