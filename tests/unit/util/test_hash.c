/* util/hash: the hash is XXH3, which compiled streams store. */
#include "util/hash.h"

#include "check_main.h"

START_TEST(known_values)
{
    ck_assert_uint_eq(hash_bytes("", 0, 0), UINT64_C(0x2d06800538d394c2));
    ck_assert_uint_ne(hash_bytes("novem", 5, 0), hash_bytes("novem", 5, 1));
    ck_assert_uint_ne(hash_bytes("novem", 5, 0), hash_bytes("novem", 4, 0));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("hash");
    TCase *tc = tcase_create("hash");

    tcase_add_test(tc, known_values);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
