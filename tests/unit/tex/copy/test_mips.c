/* Mip generation by hand. test_stretch.c compares chains with the rule. */
#include "check_main.h"
#include "tex_helpers.h"

START_TEST(mips_average)
{
    struct tex_image *image = make_image(D3DFMT_A8R8G8B8, TEX_CUBE_MAP, 4, 4, 1, 0);
    static const uint8_t blue[4] = {1, 2, 3, 5}; /* mean 2.75 */

    for (uint32_t i = 0; i < 16; i++)
        poke(image, 5, 0, i & 3, i >> 2, 0, 0xff000000u | blue[(i & 1) + (i >> 2 & 1) * 2]);
    ck_assert_int_eq(tex_generate_mips(image, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 5, 1)->data, 0xff000003);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 5, 2)->data, 0xff000003);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 4, 2)->data, 0);
    tex_image_unref(&image);
    image = make_image(D3DFMT_R16F, TEX_2D, 5, 1, 1, 0);
    for (uint32_t x = 0; x < 5; x++)
        poke(image, 0, 0, x, 0, 0, 0x4200); /* 3.0 */
    ck_assert_int_eq(tex_generate_mips(image, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(*(uint16_t *)(void *)tex_image_level(image, 0, 2)->data, 0x4200);
    tex_image_unref(&image);
}
END_TEST

/* For even sizes the rule gives the mean of 2x2 pixels. For 3 to 1, weights 1/4, 1/2, 1/4 would
 * need three taps; two taps give the middle pixel. */
START_TEST(mip_maps_by_hand)
{
    static const uint32_t row[6] = {0xff000000, 0xff000001, 0xff000004, 0xff000002, 9, 9};
    struct tex_image *image = make_image(D3DFMT_A8R8G8B8, TEX_2D, 4, 1, 1, 0);

    memcpy(image->memory, row, 16);
    ck_assert_int_eq(tex_generate_mips(image, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 0, 1)->data, 0xff000001);
    ck_assert_uint_eq(((uint32_t *)(void *)tex_image_level(image, 0, 1)->data)[1], 0xff000003);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 0, 2)->data, 0xff000002);
    tex_image_unref(&image);
    image = make_image(D3DFMT_A8R8G8B8, TEX_2D, 3, 1, 1, 0);
    memcpy(image->memory, row, 12);
    ck_assert_int_eq(tex_generate_mips(image, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 0, 1)->data, 0xff000001);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex mips");
    TCase *tc = tcase_create("mips");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, mips_average);
    tcase_add_test(tc, mip_maps_by_hand);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
