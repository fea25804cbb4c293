/* Rounds by hand: which are calm, the figure, and whether it is to be trusted. */
#include "check_main.h"

#include "tool/measure/rounds.h"

enum { ROUNDS = 40, TURNS = 4 };

/* A clock of 1 GHz, a core that begins 8 instructions a cycle, a call of 2 us. */
static struct round round_[ROUNDS];
static struct turn turns[TURNS];
static struct rounds all;

static void setup(void)
{
    all = (struct rounds){.round = round_,
                          .turn = turns,
                          .n = ROUNDS,
                          .n_turns = TURNS,
                          .chain_cycles = 1000,
                          .width_cycles = 110};
    for (unsigned i = 0; i < ROUNDS; i++)
        round_[i] = (struct round){.call = {2e-6, 1e-6}, .width = 100e-9, .turn = i / 10};
    for (unsigned i = 0; i < TURNS; i++)
        turns[i] = (struct turn){{1e-6, 1e-6}, 10};
}

static struct measure_result evaluate(unsigned k)
{
    double sorted[ROUNDS];
    struct measure_result r;

    rounds_find_calm(&all);
    rounds_evaluate(&all, k, sorted, &r);
    return r;
}

/* Rounds on a core that another thread shares, from `first` on. */
static void share(unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        round_[i].call[0] *= 1.3;
        round_[i].width *= 1.3;
    }
}

START_TEST(equal_rounds_are_calm)
{
    struct measure_result r = evaluate(0);

    ck_assert(r.calm);
    ck_assert_uint_eq(r.calm_rounds, ROUNDS);
    ck_assert_double_eq_tol(r.seconds, 2e-6, 1e-12);
    ck_assert_double_eq_tol(r.median, 2e-6, 1e-12);
    ck_assert_double_eq_tol(r.cycles, 2000, 1e-6);
    ck_assert_double_eq_tol(r.hertz, 1e9, 1);
    ck_assert_double_eq_tol(evaluate(1).cycles, 1000, 1e-6);
}
END_TEST

/* Nothing differs, and yet the width says that the whole time was one of sharing. */
START_TEST(a_core_shared_throughout_is_not_calm)
{
    struct measure_result r;

    share(0, ROUNDS);
    r = evaluate(0);
    ck_assert(!r.calm);
    ck_assert_uint_eq(r.calm_rounds, 0);
    ck_assert_double_eq_tol(r.cycles, 2600, 1e-6);
    all.width_cycles = 0; /* of an unknown processor nobody can tell */
    ck_assert(evaluate(0).calm);
}
END_TEST

/* The processors took turns, and one of them was shared. */
START_TEST(shared_turns_are_left_out)
{
    struct measure_result r;

    share(0, 10);
    share(20, 30);
    r = evaluate(0);
    ck_assert(r.calm);
    ck_assert_uint_eq(r.calm_rounds, ROUNDS / 2);
    ck_assert_double_eq_tol(r.median, 2e-6, 1e-12);
    all.width_cycles = 0; /* the best rounds tell, too */
    ck_assert_uint_eq(evaluate(0).calm_rounds, ROUNDS / 2);
}
END_TEST

START_TEST(each_half_needs_calm_rounds)
{
    share(0, 17);
    ck_assert(!evaluate(0).calm);
    ck_assert_double_eq_tol(evaluate(0).cycles, 2000, 1e-6);
    round_[16] = round_[ROUNDS - 1];
    ck_assert(evaluate(0).calm);
}
END_TEST

START_TEST(halves_must_agree)
{
    for (unsigned i = 0; i < ROUNDS / 2; i++)
        round_[i].call[0] *= 1 + MEASURE_CALM * 1.1;
    ck_assert(!evaluate(0).calm);
    ck_assert_double_eq_tol(evaluate(0).difference, MEASURE_CALM * 1.1, 1e-9);
    ck_assert(evaluate(1).calm);
    round_[3].call[0] = 2e-6;
    ck_assert(evaluate(0).calm);
}
END_TEST

/* A slower clock lengthens the seconds and not the cycles. */
START_TEST(cycles_do_not_depend_on_the_clock)
{
    struct measure_result r;

    for (unsigned i = 0; i < ROUNDS / 2; i++) {
        round_[i].call[0] *= 1.1;
        round_[i].width *= 1.1;
    }
    turns[0] = turns[1] = (struct turn){{1.1e-6, 1.1e-6}, 10};
    r = evaluate(0);
    ck_assert(r.calm);
    ck_assert_double_eq_tol(r.cycles, 2000, 1e-6);
    ck_assert_double_eq_tol(r.difference, 0, 1e-9);
    all.chain_cycles = 0;
    ck_assert_double_eq(evaluate(0).cycles, 0);
    ck_assert_double_eq(evaluate(0).hertz, 0);
}
END_TEST

/* An interruption lengthened all chains of a turn: its calls seem to take few cycles, and its core
 * to be wide. */
START_TEST(unsteady_turns_do_not_count)
{
    turns[1].chain[0] = 3e-6;
    turns[1].chain[1] = 4e-6;
    share(30, 40);
    ck_assert(evaluate(0).calm);
    ck_assert_uint_eq(evaluate(0).calm_rounds, 20);
    ck_assert_double_eq_tol(evaluate(0).cycles, 2000, 1e-6);
    turns[1] = (struct turn){{3e-6, 3e-6}, 2};
    ck_assert_uint_eq(evaluate(0).calm_rounds, 20);
    for (unsigned i = 0; i < TURNS; i++)
        turns[i].rounds = 2;
    ck_assert(!evaluate(0).calm);
    ck_assert_double_eq_tol(evaluate(0).cycles, 2000, 1e-6);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/measure/evaluate");
    TCase *t = tcase_create("evaluate");

    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, equal_rounds_are_calm);
    tcase_add_test(t, a_core_shared_throughout_is_not_calm);
    tcase_add_test(t, shared_turns_are_left_out);
    tcase_add_test(t, each_half_needs_calm_rounds);
    tcase_add_test(t, halves_must_agree);
    tcase_add_test(t, cycles_do_not_depend_on_the_clock);
    tcase_add_test(t, unsteady_turns_do_not_count);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
