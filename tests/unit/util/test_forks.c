/* Tests that a child counts the fork that made it, and its parent does not; and that a child finds
 * mutexes free which threads of its parent use. */
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

    fork_guard(&inner, FORK_INNER);
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

static Suite *suite(void)
{
    Suite *s = suite_create("util/forks");
    TCase *tc = tcase_create("forks");

    tcase_add_test(tc, children_count);
    tcase_add_test(tc, children_find_mutexes_free);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
