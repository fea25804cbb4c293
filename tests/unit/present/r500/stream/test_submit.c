/* Chips by name and by PCI id, buffers by handle. */
#include "present/r500/stream/submit.h"

#include "check_main.h"

START_TEST(chips_have_names)
{
    for (unsigned chip = 0; chip < R500_CHIPS; chip++)
        ck_assert_uint_eq(r500_chip_by_name(r500_chip_name(chip)), chip);
    ck_assert_ptr_null(r500_chip_name(R500_CHIPS));
    ck_assert_uint_eq(r500_chip_by_name("rv570"), R500_RV570);
    ck_assert_uint_eq(r500_chip_by_name("RV57"), R500_CHIPS);
}
END_TEST

static const struct {
    uint32_t id;
    enum r500_chip chip;
} ids[] = {
    {0x7100, R500_R520},  {0x7140, R500_RV515}, {0x719f, R500_RV515}, {0x71c0, R500_RV530},
    {0x7240, R500_R580},  {0x7280, R500_RV570}, {0x7283, R500_RV560}, {0x7284, R500_R580},
    {0x7297, R500_RV560}, {0x70ff, R500_CHIPS}, {0x7298, R500_CHIPS}, {0x7285, R500_CHIPS},
};

START_TEST(chips_have_ids)
{
    ck_assert_uint_eq(r500_chip_by_device(ids[_i].id), ids[_i].chip);
}
END_TEST

START_TEST(buffers_are_found_by_handle)
{
    struct r500_buffer buffers[] = {{5, 16, NULL}, {7, 32, NULL}};
    const struct r500_memory memory = {buffers, 2};

    ck_assert_ptr_eq(r500_buffer(&memory, 7), &buffers[1]);
    ck_assert_ptr_null(r500_buffer(&memory, 6));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/stream/submit");
    TCase *tc = tcase_create("submit");

    tcase_add_test(tc, chips_have_names);
    tcase_add_loop_test(tc, chips_have_ids, 0, sizeof(ids) / sizeof(ids[0]));
    tcase_add_test(tc, buffers_are_found_by_handle);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
