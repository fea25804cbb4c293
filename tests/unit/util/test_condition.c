/* util/condition: waiters miss no broadcast, with the system's primitives and with POSIX alone. */
#include "check_main.h"

#include "util/condition.h"

#include <time.h>

enum { ROUNDS = 20000, SLEEPERS = 4 };

/* Two threads that pass a number back and forth. */
struct game {
    pthread_mutex_t lock;
    struct condition moved;
    atomic_uint number; /* parity of the number selects the next thread */
    bool locks;
};

static void play(struct game *g, unsigned parity)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (g->locks) {
            pthread_mutex_lock(&g->lock);
            while (g->number % 2 != parity)
                condition_wait(&g->moved, &g->lock);
            g->number++;
            pthread_mutex_unlock(&g->lock);
            condition_broadcast(&g->moved);
            continue;
        }
        for (;;) {
            unsigned now = condition_now(&g->moved);

            if (atomic_load(&g->number) % 2 == parity)
                break;
            condition_sleep(&g->moved, now);
        }
        atomic_fetch_add(&g->number, 1);
        condition_broadcast(&g->moved);
    }
}

static void *play_odd(void *game)
{
    play(game, 1);
    return NULL;
}

START_TEST(no_broadcast_is_missed)
{
    struct game game = {.lock = PTHREAD_MUTEX_INITIALIZER, .locks = _i & 1};
    pthread_t other;

    condition_use_posix(_i & 2);
    ck_assert_int_eq(pthread_create(&other, NULL, play_odd, &game), 0);
    play(&game, 0);
    pthread_join(other, NULL);
    ck_assert_uint_eq(game.number, 2 * ROUNDS);
    ck_assert_uint_eq(game.moved.sleepers, 0);
    condition_use_posix(false);
}
END_TEST

struct gate {
    struct condition opened;
    atomic_bool open;
    atomic_uint passed;
};

static void *pass(void *arg)
{
    struct gate *gate = arg;

    for (;;) {
        unsigned now = condition_now(&gate->opened);

        if (atomic_load(&gate->open))
            break;
        condition_sleep(&gate->opened, now);
    }
    atomic_fetch_add(&gate->passed, 1);
    return NULL;
}

START_TEST(all_sleepers_wake)
{
    struct gate gate = {0};
    pthread_t thread[SLEEPERS];

    condition_use_posix(_i);
    for (int i = 0; i < SLEEPERS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, pass, &gate), 0);
    while (atomic_load(&gate.opened.sleepers) < SLEEPERS)
        ;
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    ck_assert_uint_eq(gate.passed, 0);
    atomic_store(&gate.open, true);
    condition_broadcast(&gate.opened);
    for (int i = 0; i < SLEEPERS; i++)
        pthread_join(thread[i], NULL);
    ck_assert_uint_eq(gate.passed, SLEEPERS);
    condition_use_posix(false);
}
END_TEST

/* A broadcast between condition_now and condition_sleep ends the sleep. */
START_TEST(sleep_sees_earlier_broadcast)
{
    struct condition condition = {0};
    unsigned now = condition_now(&condition);

    condition_use_posix(_i);
    condition_broadcast(&condition);
    condition_sleep(&condition, now);
    ck_assert_uint_eq(condition.sleepers, 0);
    condition_use_posix(false);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/condition");
    TCase *t = tcase_create("condition");

    tcase_add_loop_test(t, no_broadcast_is_missed, 0, 4);
    tcase_add_loop_test(t, all_sleepers_wake, 0, 2);
    tcase_add_loop_test(t, sleep_sees_earlier_broadcast, 0, 2);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
