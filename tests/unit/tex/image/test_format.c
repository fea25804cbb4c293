/* Format table. */
#include "check_main.h"
#include "tex_helpers.h"

START_TEST(rows_are_consistent)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    unsigned top = 0;

    ck_assert_ptr_eq(tex_format_get(f->d3d), f);
    ck_assert_str_eq(tex_format_name(f->d3d), f->name);
    for (int c = 0; c < 4; c++) {
        unsigned end = f->channel[c].shift + f->channel[c].bits;

        if (!f->channel[c].bits)
            continue;
        ck_assert_uint_le(end, 8u * f->bytes);
        top = end > top ? end : top;
        for (int d = 0; d < c; d++) /* channels do not overlap */
            ck_assert(!f->channel[d].bits || f->channel[d].shift >= end ||
                      f->channel[d].shift + f->channel[d].bits <= f->channel[c].shift);
    }
    if (f->caps & TEX_TARGET && f->layout != TEX_LAYOUT_RAW)
        ck_assert_ptr_nonnull(tex_packer(f));
    if (f->caps & TEX_BLEND)
        ck_assert(f->caps & TEX_TARGET);
    if (f->caps & TEX_SAMPLE && f->layout <= TEX_LAYOUT_LUMINANCE)
        ck_assert(top && tex_unpacker(f));
    ck_assert_uint_eq(f->block_w * f->block_h > 1, f->layout == TEX_LAYOUT_BLOCK ||
                                                       f->layout == TEX_LAYOUT_YUV ||
                                                       f->layout == TEX_LAYOUT_MONO);
}
END_TEST

START_TEST(names_of_unknown_formats)
{
    ck_assert_ptr_null(tex_format_get(D3DFMT_UNKNOWN));
    ck_assert_str_eq(tex_format_name((D3DFORMAT)MAKEFOURCC('N', 'V', 'D', 'B')), "NVDB");
    ck_assert_str_eq(tex_format_name((D3DFORMAT)12345), "12345");
    ck_assert_str_eq(tex_format_name(D3DFMT_A8R8G8B8), "A8R8G8B8");
}
END_TEST

START_TEST(pitches)
{
    ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_R5G6B5), 5), 12);
    for (unsigned w = 64, level = 0; w; w >>= 1, level++) {
        static const unsigned dxt1[] = {128, 64, 32, 16, 8, 8, 8};

        ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_DXT1), w), dxt1[level]);
        ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_DXT5), w), 2 * dxt1[level]);
    }
    ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_YUY2), 3), 8);
    ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_A1), 32), 4);
    ck_assert_uint_eq(tex_row_pitch(tex_format_get(D3DFMT_A1), 33), 8);
    ck_assert_uint_eq(tex_slice_rows(tex_format_get(MAKEFOURCC('N', 'V', '1', '2')), 6), 9);
    ck_assert_uint_eq(tex_slice_rows(tex_format_get(D3DFMT_DXT1), 8), 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex formats");
    TCase *tc = tcase_create("formats");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_loop_test(tc, rows_are_consistent, 0, (int)tex_format_count());
    tcase_add_test(tc, names_of_unknown_formats);
    tcase_add_test(tc, pitches);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
