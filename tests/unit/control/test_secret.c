/* Secrets: their form, that they differ, and the comparison. */
#include "control/secret.h"

#include "check_main.h"

#include <string.h>

START_TEST(secrets_differ)
{
    char a[SECRET_BYTES], b[SECRET_BYTES];

    ck_assert(secret_make(a) && secret_make(b));
    ck_assert_uint_eq(strlen(a), SECRET_BYTES - 1);
    ck_assert_uint_eq(strspn(a, "0123456789abcdef"), SECRET_BYTES - 1);
    ck_assert_str_ne(a, b);
}
END_TEST

START_TEST(all_letters_count)
{
    char a[SECRET_BYTES], b[SECRET_BYTES + 1];

    ck_assert(secret_make(a));
    ck_assert(secret_is(a, a));
    for (int i = 0; i < SECRET_BYTES - 1; i++) {
        memcpy(b, a, SECRET_BYTES);
        b[i] ^= 1;
        ck_assert_msg(!secret_is(a, b), "letter %d", i);
        b[i] = '\0';
        ck_assert_msg(!secret_is(a, b), "%d letters", i);
    }
    memcpy(b, a, SECRET_BYTES);
    strcat(b, "0");
    ck_assert(!secret_is(a, b));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("control secret");
    TCase *tc = tcase_create("secret");

    tcase_add_test(tc, secrets_differ);
    tcase_add_test(tc, all_letters_count);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
