/* Tests the creation of a ring where the system gives no memory or no thread: nothing is left
 * behind, locks included. The test has its own functions of the thread library. */
#include "check_main.h"

#include "cmd/queue.h"
#include "util/alloc.h"

#include <errno.h>
#include <pthread.h>

static int live_locks, threads;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *arg)
{
    (void)thread, (void)attributes, (void)start, (void)arg;
    threads++;
    return EAGAIN;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    (void)attributes;
    *mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    live_locks++;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    (void)mutex;
    live_locks--;
    return 0;
}

START_TEST(nothing_is_left)
{
    const struct queue_consumer consumer = {0};
    struct queue *queue;
    int before = live_locks;

    ck_assert_int_eq(queue_create(&queue, &consumer), ST_UNSUPPORTED);
    ck_assert_ptr_null(queue);
    ck_assert_int_eq(threads, 1);
    for (int n = 0; n < 2; n++) {
        mem_fail_after(n);
        ck_assert_int_eq(queue_create(&queue, &consumer), ST_NOMEM);
        ck_assert_ptr_null(queue);
    }
    mem_fail_after(-1);
    ck_assert_int_eq(threads, 1);
    ck_assert_int_eq(live_locks, before);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("cmd/queue_create");
    TCase *tc = tcase_create("create");

    tcase_add_test(tc, nothing_is_left);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
