/* Copies of a call: figures of several places together. */
#include "check_main.h"

#include "tool/measure/copies.h"

enum { N = 4 };

static struct measure_result copy[N];

static void setup(void)
{
    static const double cycles[N] = {104, 100, 101, 107};

    for (unsigned i = 0; i < N; i++)
        copy[i] = (struct measure_result){.seconds = cycles[i] * 1e-9,
                                          .median = cycles[i] * 1e-9,
                                          .cycles = cycles[i],
                                          .hertz = 1e9,
                                          .difference = 0.001,
                                          .rounds = 10,
                                          .calm_rounds = 5,
                                          .calls = i + 1,
                                          .calm = true};
}

START_TEST(the_quickest_place_counts)
{
    struct measure_result r = copies_combine(copy, N);

    ck_assert_double_eq(r.cycles, 100);
    ck_assert_double_eq_tol(r.seconds, 100e-9, 1e-15);
    ck_assert_uint_eq(r.calls, 2);
    ck_assert_uint_eq(r.rounds, 40);
    ck_assert_uint_eq(r.calm_rounds, 20);
    ck_assert(r.calm);
    ck_assert_double_eq_tol(r.difference, 0.01, 1e-12); /* 101 of the others against 100 */
}
END_TEST

START_TEST(places_must_agree)
{
    copy[2].cycles = 104;
    ck_assert_double_eq_tol(copies_combine(copy, N).difference, 0.04, 1e-12);
    ck_assert(!copies_combine(copy, N).calm);
}
END_TEST

/* A copy that was not calm gives no figure, however quick, and most must be calm. */
START_TEST(most_are_calm)
{
    copy[0].calm = false;
    copy[0].cycles = 90;
    ck_assert(copies_combine(copy, N).calm);
    ck_assert_double_eq(copies_combine(copy, N).cycles, 100);
    copy[3].calm = false;
    ck_assert(!copies_combine(copy, N).calm);
    ck_assert_double_eq(copies_combine(copy, N).cycles, 100);
}
END_TEST

START_TEST(one_copy_is_itself)
{
    struct measure_result r = copies_combine(copy, 1);

    ck_assert(r.calm);
    ck_assert_double_eq(r.cycles, 104);
    ck_assert_double_eq(r.difference, 0.001);
}
END_TEST

static void count(void *ctx)
{
    ++*(unsigned *)ctx;
}

START_TEST(each_copy_is_called)
{
    unsigned n[MEASURE_COPIES] = {0};
    struct measure_call call[MEASURE_COPIES];
    struct measure_result r;

    for (unsigned i = 0; i < MEASURE_COPIES; i++)
        call[i] = (struct measure_call){count, &n[i]};
    ck_assert(measure_copies(call, MEASURE_COPIES, 0.001, &r));
    for (unsigned i = 0; i < MEASURE_COPIES; i++)
        ck_assert_uint_ge(n[i], 1);
    ck_assert_uint_ge(r.rounds, MEASURE_COPIES);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/measure/copies");
    TCase *t = tcase_create("copies");

    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, the_quickest_place_counts);
    tcase_add_test(t, places_must_agree);
    tcase_add_test(t, most_are_calm);
    tcase_add_test(t, one_copy_is_itself);
    tcase_add_test(t, each_copy_is_called);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
