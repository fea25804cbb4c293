/* Passes: what they keep, what their loads say, and threads. */
#include "check_main.h"

#include "tool/measure/passes.h"

START_TEST(passes_keep_the_least)
{
    struct measure_passes passes = {0};

    ck_assert_double_eq(measure_least(&passes), 0);
    ck_assert_double_eq(measure_spread(&passes), 0);
    measure_add(&passes, 12, true);
    measure_add(&passes, 10, true);
    measure_add(&passes, 11, true);
    ck_assert_double_eq(measure_least(&passes), 10);
    ck_assert_double_eq_tol(measure_spread(&passes), 0.1, 1e-12);
    measure_add(&passes, 13, true); /* the median is between 11 and 12 */
    ck_assert_double_eq_tol(measure_spread(&passes), 0.15, 1e-12);
    for (unsigned i = 0; i < 2 * MEASURE_PASSES; i++)
        measure_add(&passes, 100 - i, true);
    ck_assert_uint_eq(passes.n, MEASURE_PASSES);
    ck_assert_double_eq(measure_least(&passes), 10);
    ck_assert_double_eq(passes.ns[4], 100 - (2 * MEASURE_PASSES - 1));
    for (unsigned i = 1; i < MEASURE_PASSES; i++)
        ck_assert_double_le(passes.ns[i - 1], passes.ns[i]);
}
END_TEST

/* Passes on a shared core count as long as there is no other. */
START_TEST(calm_passes_replace_others)
{
    struct measure_passes passes = {0};

    measure_add(&passes, 9, false);
    measure_add(&passes, 15, false);
    ck_assert(!passes.calm);
    ck_assert_double_eq(measure_least(&passes), 9);
    measure_add(&passes, 10, true);
    ck_assert(passes.calm);
    ck_assert_uint_eq(passes.n, 1);
    ck_assert_double_eq(measure_least(&passes), 10);
    measure_add(&passes, 14, false);
    ck_assert_uint_eq(passes.n, 1);
}
END_TEST

static void count(void *ctx)
{
    ++*(unsigned *)ctx;
}

/* A call that takes ten times as long has about ten times the time. */
static void work(void *ctx)
{
    unsigned *n = ctx;

    for (volatile unsigned i = 0; i < *n; i = i + 1)
        ;
}

START_TEST(a_pass_measures_calls)
{
    unsigned counter = 0, short_work = 1000, long_work = 10000;
    const struct measure_call counting = {count, &counter},
                              works[2] = {{work, &short_work}, {work, &long_work}};
    struct measure_load load = {0};
    struct measure_result r[2];

    ck_assert(measure_pass(&load, 0, &counting, 1, r));
    ck_assert_uint_gt(counter, 1);
    ck_assert(r->seconds > 0 && r->seconds < 1e-4);
    ck_assert(measure_pass(&load, 0.005, works, 2, r));
    ck_assert_msg(r[1].seconds > 2 * r[0].seconds, "%g s and %g s", r[0].seconds, r[1].seconds);
    ck_assert(load.wall >= 0.005 && load.used > 0);
    ck_assert(measure_lost(&load) >= 0 && measure_lost(&load) < 1);
    load = (struct measure_load){.wall = 2, .used = 1.5};
    ck_assert_double_eq(measure_lost(&load), 0.25);
}
END_TEST

START_TEST(threads_run_their_own_calls)
{
    unsigned counter[2] = {0, 0};
    const struct measure_call calls[2] = {{count, &counter[0]}, {count, &counter[1]}};
    struct measure_load load = {0};
    struct pool *pool;

    ck_assert_int_eq(pool_create(&pool, 2), ST_OK);
    ck_assert_double_gt(measure_pass_threads(&load, 0, pool, calls, 2), 0);
    ck_assert_uint_gt(counter[0], 1);
    ck_assert_uint_eq(counter[0], counter[1]);
    pool_destroy(pool);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/measure/passes");
    TCase *t = tcase_create("passes");

    tcase_add_test(t, passes_keep_the_least);
    tcase_add_test(t, calm_passes_replace_others);
    tcase_add_test(t, a_pass_measures_calls);
    tcase_add_test(t, threads_run_their_own_calls);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
