/* ColorFill: rounding of the colour, boxes and samples. */
#include "check_main.h"
#include "tex_helpers.h"

START_TEST(fills)
{
    static const struct {
        D3DFORMAT format;
        uint8_t bytes[16];
    } cases[] = {
        {D3DFMT_A8R8G8B8, {0xef, 0xbe, 0xad, 0xde}},
        {D3DFMT_R5G6B5, {0xfd, 0xad}},
        {D3DFMT_G16R16, {0xad, 0xad, 0xbe, 0xbe}},
        {D3DFMT_A16B16G16R16, {0xad, 0xad, 0xbe, 0xbe, 0xef, 0xef, 0xde, 0xde}},
        {D3DFMT_A16B16G16R16F, {0x6d, 0x39, 0xf5, 0x39, 0x7f, 0x3b, 0xf6, 0x3a}}, /* truncated */
        {D3DFMT_P8, {0xef}},
    };
    struct tex_box part = {4, 4, 0, 8, 8, 1}, outside = {30, 0, 0, 33, 1, 1},
                   empty = {4, 4, 0, 4, 8, 1};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_image *image = make_2d(cases[i].format, 32, 32);
        const struct tex_format *f = image->format;
        uint8_t zero[16] = {0};

        ck_assert_int_eq(tex_fill(image, 0, 0, &part, 0xdeadbeef), ST_OK);
        ck_assert(!memcmp(tex_level_at(image->level, f, 4, 4, 0), cases[i].bytes, f->bytes));
        ck_assert(!memcmp(tex_level_at(image->level, f, 7, 7, 0), cases[i].bytes, f->bytes));
        ck_assert(!memcmp(tex_level_at(image->level, f, 8, 7, 0), zero, f->bytes));
        ck_assert(!memcmp(tex_level_at(image->level, f, 7, 3, 0), zero, f->bytes));
        ck_assert_int_eq(tex_fill(image, 0, 0, &outside, 0), ST_INVALID);
        ck_assert_int_eq(tex_fill(image, 0, 0, &empty, 0), ST_INVALID);
        tex_image_unref(&image);
    }
}
END_TEST

START_TEST(fill_reaches_every_sample)
{
    struct tex_desc desc = desc_of(D3DFMT_A8R8G8B8, TEX_2D, 4, 4, 1, 1, 4);
    struct tex_box all = {0, 0, 0, 4, 4, 1};
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    ck_assert_int_eq(tex_fill(image, 0, 0, &all, 0x12345678), ST_OK);
    for (uint32_t s = 0; s < 4; s++)
        ck_assert_uint_eq(read_argb(image, 3, 3, s), 0x12345678);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex fill");
    TCase *tc = tcase_create("fill");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, fills);
    tcase_add_test(tc, fill_reaches_every_sample);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
