/* util/executable: generated code runs, and pages are allocated and freed. */
#include "check_main.h"
#include "util/executable.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
START_TEST(code_runs_in_place)
{
    static const uint8_t code[] = {0xb8, 42, 0, 0, 0, 0xc3}; /* mov eax, 42; ret */
    struct executable e;
    int (*function)(void);

    ck_assert_int_eq(executable_create(&e, code, sizeof(code), NULL), ST_OK);
    ck_assert_uint_eq(e.bytes, sizeof(code));
    memcpy(&function, &e.base, sizeof(function));
    ck_assert_int_eq(function(), 42);
    ck_assert_int_eq(function(), 42);
    executable_destroy(&e);
    ck_assert_ptr_null(e.base);
    executable_destroy(&e);
}
END_TEST
#endif

START_TEST(excessive_size_is_refused)
{
    struct executable e;

    ck_assert_int_eq(executable_create(&e, "", SIZE_MAX / 2, NULL), ST_NOMEM);
    ck_assert_ptr_null(e.base);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/executable");
    TCase *t = tcase_create("executable");

#if defined(__x86_64__) || defined(__i386__)
    tcase_add_test(t, code_runs_in_place);
#endif
    tcase_add_test(t, excessive_size_is_refused);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
