/* Encoder: the published streams, names of forms, sizes that it refuses. */
#include "../published.h"

#include "present/r500/stream/encode.h"
#include "util/log.h"

#include "check_main.h"

#include <zlib.h>

static const struct r500_quad plain = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .pitch = WIDTH,
                                       .target_width = WIDTH,
                                       .target_height = HEIGHT,
                                       .target_pitch = WIDTH,
                                       .right = WIDTH,
                                       .bottom = HEIGHT};

static uint32_t stream[R500_QUAD_DWORDS], n_dwords;

START_TEST(published_streams)
{
    struct r500_quad quad = plain;

    ck_assert_int_eq(r500_encode_quad(stream, &n_dwords, &quad), ST_OK);
    ck_assert_uint_eq(n_dwords, PUBLISHED);
    for (uint32_t i = 0; i < PUBLISHED; i++)
        ck_assert_msg(stream[i] == published[i], "dword %u: %08x is not %08x", i, stream[i],
                      published[i]);
    quad.form = R500_PROGRAM;
    ck_assert_int_eq(r500_encode_quad(stream, &n_dwords, &quad), ST_OK);
    ck_assert_uint_eq(n_dwords, 240);
    ck_assert_uint_eq(crc32(0, (const uint8_t *)stream, n_dwords * 4), 0xfa4f9f16);
}
END_TEST

START_TEST(sizes_are_checked)
{
    static const struct r500_quad bad[] = {
        {0, 0, 0, 480, 640, 640, 480, 640, 0, 0, 640, 480, false},
        {0, 0, 4097, 480, 4104, 640, 480, 640, 0, 0, 640, 480, false},
        {0, 0, 640, 480, 632, 640, 480, 640, 0, 0, 640, 480, false},
        {0, 0, 640, 480, 641, 640, 480, 640, 0, 0, 640, 480, false},
        {0, 0, 640, 480, 640, 640, 480, 644, 0, 0, 640, 480, false},
        {0, 0, 640, 480, 640, 640, 480, 640, 0, 0, 641, 480, false},
        {0, 0, 640, 480, 640, 640, 480, 640, 9, 0, 9, 480, false},
    };

    log_set_level(LOG_NONE);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_int_eq(r500_encode_quad(stream, &n_dwords, &bad[i]), ST_INVALID);
}
END_TEST

START_TEST(forms_have_names)
{
    for (unsigned form = 0; form < R500_FORMS; form++)
        ck_assert_uint_eq(r500_form_by_name(r500_form_name(form)), form);
    ck_assert_ptr_null(r500_form_name(R500_FORMS));
    ck_assert_uint_eq(r500_form_by_name("PROGRAM"), R500_PROGRAM);
    ck_assert_uint_eq(r500_form_by_name("pro"), R500_FORMS);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/stream/encode");
    TCase *tc = tcase_create("encode");

    tcase_add_test(tc, published_streams);
    tcase_add_test(tc, sizes_are_checked);
    tcase_add_test(tc, forms_have_names);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
