/* util/equal: a difference of one bit is seen wherever it is, and none outside. */
#include "check_main.h"

#include "util/equal.h"

enum { MOST = 200, AROUND = 16 };

START_TEST(one_bit_is_seen)
{
    uint8_t a[MOST + 2 * AROUND], b[MOST + 2 * AROUND];

    for (size_t i = 0; i < sizeof(a); i++)
        a[i] = b[i] = (uint8_t)(i * 37 + i / 7);
    for (size_t from = 0; from < AROUND; from++) {
        for (size_t bytes = 0; bytes <= MOST; bytes++) {
            ck_assert(bytes_equal(a + from, b + from, bytes));
            ck_assert(bytes_equal_by_pairs(a + from, b + from, bytes));
            for (size_t at = 0; at < sizeof(a); at++) {
                b[at] ^= (uint8_t)(1u << (at + bytes) % 8);
                ck_assert_int_eq(bytes_equal(a + from, b + from, bytes),
                                 at < from || at >= from + bytes);
                ck_assert_int_eq(bytes_equal_by_pairs(a + from, b + from, bytes),
                                 at < from || at >= from + bytes);
                b[at] = a[at];
            }
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/equal");
    TCase *t = tcase_create("equal");

    tcase_add_test(t, one_bit_is_seen);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
