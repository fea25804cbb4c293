/* Tests that a child counts the fork that made it, and its parent does not; and that a child finds
 * mutexes free which threads of its parent use. Handlers of the program find them free, too. */
#include "check_main.h"

#include "util/forks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(children_count)
{
    unsigned before = fork_count();
    int status;
    pid_t child = fork();

    if (!child) {
        pid_t grandchild;

        if (fork_count() != before + 1)
            _exit(1);
        grandchild = fork();
        if (!grandchild)
            _exit(fork_count() == before + 2 ? 0 : 2);
        if (waitpid(grandchild, &status, 0) != grandchild)
            _exit(3);
        _exit(WEXITSTATUS(status));
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(fork_count(), before);
}
END_TEST

enum { TURNS = 20 };
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool quit;

/* Holds one mutex most of the time, and both for a part of it. */
static void *hold(void *arg)
{
    while (!atomic_load(&quit)) {
        pthread_mutex_lock(&outer);
        usleep(500);
        fork_guard(&inner, FORK_INNER); /* as who logs does; a fork may wait for the other */
        pthread_mutex_lock(&inner);
        usleep(500);
        pthread_mutex_unlock(&inner);
        pthread_mutex_unlock(&outer);
    }
    return arg;
}

START_TEST(children_find_mutexes_free)
{
    pthread_t thread;

    fork_guard(&outer, FORK_OUTER);
    fork_guard(&outer, FORK_OUTER); /* again */
    ck_assert_int_eq(pthread_create(&thread, NULL, hold, NULL), 0);
    for (int i = 0; i < TURNS; i++) {
        int status;
        pid_t child;

        usleep(300);
        child = fork();
        if (!child)
            _exit(pthread_mutex_trylock(&outer) || pthread_mutex_trylock(&inner));
        ck_assert_int_gt(child, 0);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    atomic_store(&quit, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0); /* the parent's mutexes work on */
}
END_TEST

static pthread_mutex_t all[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
enum { ALL = sizeof(all) / sizeof(all[0]) };
static unsigned begun, unlike, taken;

static bool is_free(pthread_mutex_t *mutex)
{
    bool good = !pthread_mutex_trylock(mutex);

    if (good)
        pthread_mutex_unlock(mutex);
    return good;
}

static void begin(void)
{
    begun++;
    for (unsigned i = 0; i < ALL; i++)
        unlike += is_free(&all[i]);
}

static void begin_too(void)
{
    begun += 10;
}

static void take_in_handler(void)
{
    for (unsigned i = 0; i < ALL; i++)
        taken += is_free(&all[i]);
}

/* The program's handlers were registered before the first mutex was named. */
START_TEST(handlers_of_the_program_find_mutexes_free)
{
    int status;
    pid_t child;

    ck_assert_int_eq(pthread_atfork(take_in_handler, take_in_handler, take_in_handler), 0);
    for (unsigned i = 0; i < ALL; i++)
        fork_guard(&all[i], (enum fork_order)i);
    child = fork();
    if (!child)
        _exit((int)taken);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(WEXITSTATUS(status), 2 * ALL);
    ck_assert_uint_eq(taken, 2 * ALL);
}
END_TEST

/* Calls in a child hold the mutexes; a parent has none. */
START_TEST(children_begin_with_calls)
{
    int status;
    pid_t child;

    for (unsigned i = 0; i < ALL; i++)
        fork_guard(&all[i], (enum fork_order)i);
    fork_in_child(begin);
    fork_in_child(begin_too);
    fork_in_child(begin); /* again */
    child = fork();
    if (!child)
        _exit(unlike ? 100 : (int)begun);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(WEXITSTATUS(status), 11);
    ck_assert_uint_eq(begun, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/forks");
    TCase *tc = tcase_create("forks");

    tcase_add_test(tc, children_count);
    tcase_add_test(tc, children_find_mutexes_free);
    tcase_add_test(tc, handlers_of_the_program_find_mutexes_free);
    tcase_add_test(tc, children_begin_with_calls);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
