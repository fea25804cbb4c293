/* StretchRect through floats: conversions there and back. */
#include "check_main.h"
#include "tex_helpers.h"

START_TEST(formats_convert)
{
    static const D3DFORMAT formats[] = {D3DFMT_R5G6B5, D3DFMT_A2R10G10B10, D3DFMT_A16B16G16R16F,
                                        D3DFMT_A32B32G32R32F};
    struct tex_image *src = make_gradient(D3DFMT_A8R8G8B8, 16),
                     *back = make_2d(D3DFMT_A8R8G8B8, 16, 16);
    struct tex_box all = {0, 0, 0, 16, 16, 1};

    for (int i = 0; i < 4; i++) {
        struct tex_image *dst = make_2d(formats[i], 16, 16);

        ck_assert_int_eq(stretch_boxes(dst, &all, src, &all, D3DTEXF_NONE), ST_OK);
        ck_assert_int_eq(stretch_boxes(back, &all, dst, &all, D3DTEXF_LINEAR), ST_OK);
        if (i)
            ck_assert(!memcmp(back->memory, src->memory, src->bytes));
        else
            ck_assert_uint_eq(read_argb(back, 15, 4, 0), 0xff100408);
        tex_image_unref(&dst);
    }
    tex_image_unref(&src);
    tex_image_unref(&back);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex stretch float");
    TCase *tc = tcase_create("float");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, formats_convert);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
