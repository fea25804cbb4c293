/* Comparison of results: verdicts, with figures by hand. */
#include "unit/tool/command.h"

#include "tool/bench/compare.h"

enum { CEILING, ADD, WATER, FIGURES };

static void fill(struct bench_results *r)
{
    static const struct bench_figure figures[FIGURES] = {
        {.group = BENCH_CEILING, .name = "lane-operations", .threads = 1, .ns = 0.1},
        {.group = BENCH_OPERATION, .name = "add", .threads = 1, .ns = 2, .text = 7},
        {.group = BENCH_SHADER, .name = "water", .threads = 1, .ns = 50, .text = 8},
    };

    *r = (struct bench_results){.passes = 5, .processors = 2, .processor = "P", .novem = "1"};
    for (unsigned i = 0; i < FIGURES; i++) {
        struct bench_figure *f = bench_results_add(r);

        ck_assert_ptr_nonnull(f);
        *f = figures[i];
        f->isa = ISA_AVX2;
        f->calm = true;
    }
}

static struct bench_results base, now;

static void setup(void)
{
    open_folder();
    fill(&base);
    fill(&now);
}

static void teardown(void)
{
    bench_results_fini(&base);
    bench_results_fini(&now);
    close_folder();
}

static enum bench_verdict verdict(double ns)
{
    now.figure[WATER].ns = ns;
    return bench_compare(&base, &now, &now.figure[WATER], 0.05).verdict;
}

START_TEST(beyond_the_tolerance_is_slower)
{
    ck_assert_int_eq(verdict(50), BENCH_SAME);
    ck_assert_int_eq(verdict(52.4), BENCH_SAME);
    ck_assert_int_eq(verdict(52.6), BENCH_SLOWER);
    ck_assert_int_eq(verdict(47.7), BENCH_SAME);
    ck_assert_int_eq(verdict(47.5), BENCH_FASTER);
}
END_TEST

/* Three times the spread of a figure, in either result, or of half of all figures. */
START_TEST(noise_is_no_regression)
{
    base.figure[WATER].spread = 0.1;
    ck_assert_int_eq(verdict(52.4), BENCH_SAME);
    ck_assert_int_eq(verdict(52.6), BENCH_UNSURE);
    ck_assert_int_eq(verdict(67.4), BENCH_UNSURE);
    ck_assert_int_eq(verdict(67.6), BENCH_SLOWER);
    ck_assert_int_eq(verdict(40), BENCH_SAME);
    base.figure[WATER].spread = 0;
    now.figure[WATER].spread = 0.1;
    ck_assert_int_eq(verdict(67.4), BENCH_UNSURE);
    now.figure[WATER].spread = 0;
    ck_assert_int_eq(verdict(67.4), BENCH_SLOWER);
    now.figure[CEILING].spread = now.figure[ADD].spread = 0.1;
    ck_assert_int_eq(verdict(67.4), BENCH_UNSURE);
    ck_assert(!bench_is_calm(&now) && bench_is_calm(&base));
    base.lost = 0.06; /* of one thread, calm rounds tell */
    ck_assert(bench_is_calm(&base));
    base.figure[WATER].threads = 2;
    ck_assert(!bench_is_calm(&base));
    base.lost = 0;
    ck_assert(bench_is_calm(&base));
    base.figure[WATER].calm = false; /* of several threads it is not known */
    ck_assert(bench_is_calm(&base));
    base.figure[ADD].calm = false;
    ck_assert(!bench_is_calm(&base));
    ck_assert_double_eq(bench_results_shared(&base), 0.5);
}
END_TEST

/* A processor that is slower as a whole slows no program. */
START_TEST(slow_processors_are_no_regression)
{
    now.figure[CEILING].ns = 0.15;
    ck_assert_int_eq(verdict(75), BENCH_SAME);
    ck_assert_int_eq(verdict(80), BENCH_SLOWER);
    /* One that is faster hides none, and makes none. */
    now.figure[CEILING].ns = 0.05;
    ck_assert_int_eq(verdict(60), BENCH_SLOWER);
    ck_assert_int_eq(verdict(50), BENCH_SAME);
}
END_TEST

START_TEST(other_figures_are_unknown)
{
    now.figure[WATER].text = 9;
    ck_assert_int_eq(verdict(500), BENCH_UNKNOWN);
    now.figure[WATER].text = 8;
    now.figure[WATER].threads = 2;
    ck_assert_int_eq(verdict(500), BENCH_UNKNOWN);
    now.figure[WATER].threads = 1;
    now.figure[WATER].interpreted = true;
    ck_assert_int_eq(verdict(500), BENCH_UNKNOWN);
    now.figure[WATER].interpreted = false;
    now.figure[WATER].isa = ISA_SSE2;
    ck_assert_int_eq(verdict(500), BENCH_UNKNOWN);
    now.figure[WATER].isa = ISA_AVX2;
    ck_assert_int_eq(verdict(0), BENCH_UNKNOWN);
    ck_assert_int_eq(verdict(500), BENCH_SLOWER);
}
END_TEST

START_TEST(suspects_are_measured_again)
{
    bool suspects[FIGURES];

    now.figure[CEILING].ns = 0.2;
    now.figure[ADD].ns = 5;
    now.figure[WATER].ns = 51;
    ck_assert_uint_eq(bench_suspects(&base, &now, 0.05, suspects), 1);
    ck_assert(!suspects[CEILING] && suspects[ADD] && !suspects[WATER]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/bench");
    TCase *t = tcase_create("compare");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, beyond_the_tolerance_is_slower);
    tcase_add_test(t, noise_is_no_regression);
    tcase_add_test(t, slow_processors_are_no_regression);
    tcase_add_test(t, other_figures_are_unknown);
    tcase_add_test(t, suspects_are_measured_again);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
