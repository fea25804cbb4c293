/* Injected faults: names, and the switch of the build. */
#include "check_main.h"
#include "util/fault_injection.h"

#include <string.h>

START_TEST(faults_are_found_by_name)
{
    const enum fault fault = (enum fault)_i;

    ck_assert_uint_eq(fault_find(fault_name(fault)), fault);
    ck_assert_uint_gt(strlen(fault_text(fault)), 0);
}
END_TEST

START_TEST(unknown_names_are_no_fault)
{
    static const char *const names[] = {"", "cull", "cull-winding ", "Cull-Winding"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        ck_assert_uint_eq(fault_find(names[i]), FAULT_COUNT);
}
END_TEST

START_TEST(one_fault_is_active_unless_the_build_has_none)
{
    ck_assert(!NOVEM_FAULTS || fault_is(FAULT_NONE));
    fault_current = FAULT_DSY_SIGN;
    ck_assert_int_eq(fault_is(FAULT_DSY_SIGN), NOVEM_FAULTS);
    ck_assert(!fault_is(FAULT_LOOP_COUNT));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/fault_injection");
    TCase *tc = tcase_create("faults");

    tcase_add_loop_test(tc, faults_are_found_by_name, FAULT_NONE, FAULT_COUNT);
    tcase_add_test(tc, unknown_names_are_no_fault);
    tcase_add_test(tc, one_fault_is_active_unless_the_build_has_none);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
