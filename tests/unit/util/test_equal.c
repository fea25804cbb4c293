/* util/equal: detects a one-bit difference at every position and ignores bytes outside the
 * range. */
#include "check_main.h"

#include "util/equal.h"

enum { MOST = 200, AROUND = 16 };

START_TEST(one_bit_difference_is_detected)
{
    uint8_t a[MOST + 2 * AROUND], b[MOST + 2 * AROUND];
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof(a); i++)
        a[i] = b[i] = (uint8_t)(i * 37 + i / 7);
    for (size_t from = 0; from < AROUND; from++) {
        for (size_t bytes = 0; bytes <= MOST; bytes++) {
            ck_assert(bytes_equal(a + from, b + from, bytes));
            ck_assert(bytes_equal_by_pairs(a + from, b + from, bytes));
            for (size_t at = 0; at < sizeof(a); at++) {
                bool outside = at < from || at >= from + bytes;

                b[at] ^= (uint8_t)(1u << (at + bytes) % 8);
                wrong += bytes_equal(a + from, b + from, bytes) != outside;
                wrong += bytes_equal_by_pairs(a + from, b + from, bytes) != outside;
                b[at] = a[at];
            }
        }
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/equal");
    TCase *t = tcase_create("equal");

    tcase_add_test(t, one_bit_difference_is_detected);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
