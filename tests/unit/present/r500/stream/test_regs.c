/* Register table: names, arrays of registers, fields. */
#include "present/r500/stream/regs.h"

#include "check_main.h"

#include <string.h>

static const struct {
    uint32_t offset;
    const char *name;
} registers[] = {
    {R500_ZB_CNTL, "ZB_CNTL"},
    {R500_TX_FORMAT0, "TX_FORMAT0[0]"},
    {R500_TX_FORMAT0 + 12, "TX_FORMAT0[3]"},
    {R500_TX_FORMAT0 + 60, "TX_FORMAT0[15]"},
    {0x7ffc, "0x7ffc"},
    {R500_ZB_CNTL + 2, "0x4f02"}, /* not the start of a register */
};

START_TEST(registers_have_names)
{
    const char *want = registers[_i].name;
    char name[64];

    ck_assert_int_eq(r500_name(name, sizeof(name), registers[_i].offset), (int)strlen(want));
    ck_assert_str_eq(name, want);
    ck_assert_int_eq(r500_name(name, 3, registers[_i].offset), (int)strlen(want)); /* cut */
    ck_assert_uint_eq(strlen(name), 2);
}
END_TEST

/* Every offset finds the register that contains it, and fields that lie within 32 bits. */
START_TEST(rows_are_consistent)
{
    unsigned known = 0;

    for (uint32_t offset = 0; offset < R500_REGISTER_BYTES; offset += 4) {
        unsigned n;
        const struct r500_row *row = r500_find(offset, &n);

        if (!row) {
            ck_assert_uint_eq(n, 0);
            continue;
        }
        known++;
        ck_assert(offset >= row->offset && offset < row->offset + 4u * row->count);
        for (unsigned i = 1; i <= n; i++) {
            ck_assert_uint_eq(row[i].count, 0);
            ck_assert(row[i].low <= row[i].high && row[i].high < 32);
        }
    }
    ck_assert_uint_gt(known, 100);
}
END_TEST

START_TEST(fields_are_set_and_read)
{
    uint32_t word = R500_SET(TX_FORMAT0, TXWIDTH, 639) | R500_SET(TX_FORMAT0, TXHEIGHT, 479);

    ck_assert_uint_eq(R500_GET(TX_FORMAT0, TXWIDTH, word), 639);
    ck_assert_uint_eq(R500_GET(TX_FORMAT0, TXHEIGHT, word), 479);
    ck_assert_uint_eq(word, 639 | 479 << 11);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/stream/regs");
    TCase *tc = tcase_create("regs");

    tcase_add_loop_test(tc, registers_have_names, 0, sizeof(registers) / sizeof(registers[0]));
    tcase_add_test(tc, rows_are_consistent);
    tcase_add_test(tc, fields_are_set_and_read);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
