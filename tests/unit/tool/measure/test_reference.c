/* Known work: what holds on any machine, and the table of processors. */
#include "check_main.h"

#include "tool/measure/reference.h"

START_TEST(work_takes_time)
{
    ck_assert_double_gt(reference_chain(), 0);
    ck_assert_double_gt(reference_width(), 0);
    ck_assert_double_ge(reference_chain_cycles(), 0);
    ck_assert_double_ge(reference_width_cycles(), 0);
}
END_TEST

/* 50,400 instructions that wait for nothing are not much slower than a chain of 48,000 cycles, even
 * on a core that begins one a cycle. */
START_TEST(the_chain_waits)
{
    double chain = 1, width = 1;

    for (unsigned i = 0; i < 100; i++) {
        double c = reference_chain(), w = reference_width();

        chain = c < chain ? c : chain;
        width = w < width ? w : width;
    }
    ck_assert_msg(width < chain * 1.5, "%g s and %g s", width, chain);
}
END_TEST

START_TEST(processors_are_known_by_family)
{
    ck_assert_uint_eq(reference_begins("AuthenticAMD", 0x17, 0x31), 5);
    ck_assert_uint_eq(reference_begins("AuthenticAMD", 0x19, 0x61), 6);
    ck_assert_uint_eq(reference_begins("AuthenticAMD", 0x1a, 0x02), 8);
    ck_assert_uint_eq(reference_begins("GenuineIntel", 6, 0x55), 4);
    ck_assert_uint_eq(reference_begins("GenuineIntel", 6, 0x6a), 5);
    ck_assert_uint_eq(reference_begins("GenuineIntel", 6, 0x8f), 6);
    ck_assert_uint_eq(reference_begins("GenuineIntel", 6, 0x97), 0); /* cores of two kinds */
    ck_assert_uint_eq(reference_begins("AuthenticAMD", 0x15, 0x02), 0);
    ck_assert_uint_eq(reference_begins("GenuineIntel", 0x1a, 0x02), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/measure/reference");
    TCase *t = tcase_create("reference");

    tcase_add_test(t, work_takes_time);
    tcase_add_test(t, the_chain_waits);
    tcase_add_test(t, processors_are_known_by_family);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
