/* Times of calls: what holds on any machine, busy or not. */
#include "check_main.h"

#include "tool/measure/measure.h"

static void count(void *ctx)
{
    ++*(unsigned *)ctx;
}

START_TEST(rounds_are_calls)
{
    unsigned n = 0;
    const struct measure_call call = {count, &n};
    struct measure_result r;

    ck_assert(measure_calls(&call, 1, 0.01, &r));
    ck_assert(r.rounds >= 1 && r.calls >= 1);
    ck_assert_uint_ge(n, r.rounds * r.calls);
    ck_assert(r.seconds > 0.0 && r.median >= r.seconds);
    ck_assert(r.difference >= 0.0 && r.cycles >= 0.0);
    ck_assert_uint_le(r.calm_rounds, r.rounds);
}
END_TEST

static void spin(void *ctx)
{
    for (volatile unsigned i = 0; i < *(const unsigned *)ctx; i = i + 1)
        ;
}

/* Ten times the work takes longer, even where others disturb. */
START_TEST(more_work_takes_longer)
{
    unsigned few = 1000, many = 10000;
    const struct measure_call calls[2] = {{spin, &few}, {spin, &many}};
    struct measure_result r[2];

    for (unsigned i = 0; i < 2; i++)
        ck_assert(measure_calls(&calls[i], 1, 0.02, &r[i]));
    ck_assert_msg(r[1].seconds > 2.0 * r[0].seconds, "%g %g", r[0].seconds, r[1].seconds);
}
END_TEST

/* Rounds of two calls alternate. */
START_TEST(two_calls_are_told_apart)
{
    unsigned few = 1000, many = 10000;
    const struct measure_call calls[2] = {{spin, &few}, {spin, &many}};
    struct measure_result r[2];

    ck_assert(measure_calls(calls, 2, 0.02, r));
    ck_assert_msg(r[1].seconds > 2.0 * r[0].seconds, "%g %g", r[0].seconds, r[1].seconds);
    ck_assert_uint_eq(r[0].rounds, r[1].rounds);
}
END_TEST

/* No time at all is a round of one call or more. */
START_TEST(there_is_a_round)
{
    unsigned n = 0;
    const struct measure_call call = {count, &n};
    struct measure_result r;

    ck_assert(measure_calls(&call, 1, 0.0, &r));
    ck_assert_uint_ge(r.rounds, 1);
    ck_assert_double_eq(r.difference, 0.0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/measure/rounds");
    TCase *t = tcase_create("measure");

    tcase_add_test(t, rounds_are_calls);
    tcase_add_test(t, more_work_takes_longer);
    tcase_add_test(t, two_calls_are_told_apart);
    tcase_add_test(t, there_is_a_round);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
