/* Processors by turns: the thread moves, and gets back what it may use. */
#include "check_main.h"

#include "tool/measure/processors.h"

#ifdef __linux__

#include <sched.h>

static cpu_set_t allowed(void)
{
    cpu_set_t set;

    ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
    return set;
}

START_TEST(turns_go_round_and_end)
{
    cpu_set_t before = allowed(), after;
    struct processors p;

    processors_open(&p);
    for (unsigned turn = 0; turn < 2 * PROCESSORS_MAX; turn++) {
        processors_use(&p, turn);
        if (p.n)
            ck_assert_int_eq(sched_getcpu(), (int)p.id[turn % p.n]);
    }
    processors_close(&p);
    after = allowed();
    ck_assert(CPU_EQUAL(&before, &after));
}
END_TEST

START_TEST(all_of_few_and_some_of_many)
{
    cpu_set_t before = allowed();
    struct processors p;
    int n = CPU_COUNT(&before);

    processors_open(&p);
    ck_assert_uint_eq(p.n, n < 2 ? 0 : n < PROCESSORS_MAX ? (unsigned)n : PROCESSORS_MAX);
    for (unsigned i = 0; i < p.n; i++)
        ck_assert(CPU_ISSET(p.id[i], &before) && (!i || p.id[i] > p.id[i - 1]));
    processors_close(&p);
}
END_TEST

/* A process that was bound to one processor stays there. */
START_TEST(one_is_no_choice)
{
    cpu_set_t before = allowed(), one, now;
    struct processors p;
    int first = 0;

    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
    processors_open(&p);
    ck_assert_uint_eq(p.n, 0);
    processors_use(&p, 3);
    processors_close(&p);
    now = allowed();
    ck_assert(CPU_EQUAL(&one, &now));
    ck_assert_int_eq(sched_setaffinity(0, sizeof(before), &before), 0);
}
END_TEST

#endif

static Suite *suite(void)
{
    Suite *s = suite_create("tool/measure/processors");
    TCase *t = tcase_create("processors");

#ifdef __linux__
    tcase_add_test(t, turns_go_round_and_end);
    tcase_add_test(t, all_of_few_and_some_of_many);
    tcase_add_test(t, one_is_no_choice);
#endif
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
