/* util/clock: the clock is monotonic, and sleeps end on time. */
#include "util/clock.h"

#include "check_main.h"

#include <sys/resource.h>

START_TEST(clock_is_monotonic)
{
    uint64_t last = clock_now(), now;

    for (int i = 0; i < 100000; i++, last = now) {
        now = clock_now();
        ck_assert_uint_ge(now, last);
    }
}
END_TEST

static uint64_t processor_time(void)
{
    struct rusage usage;

    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)usage.ru_utime.tv_sec * CLOCK_SECOND + (uint64_t)usage.ru_utime.tv_usec * 1000;
}

START_TEST(sleep_lasts_without_using_cpu)
{
    uint64_t start = clock_now(), used = processor_time();

    for (uint64_t i = 1; i <= 20; i++) {
        clock_sleep_until(start + i * 5000000);
        ck_assert_uint_ge(clock_now(), start + i * 5000000);
    }
    clock_sleep_until(start);
    clock_sleep_until(0);
    ck_assert_uint_le(processor_time() - used, 50000000);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("clock");
    TCase *tc = tcase_create("clock");

    tcase_add_test(tc, clock_is_monotonic);
    tcase_add_test(tc, sleep_lasts_without_using_cpu);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
