/* util/threads: every task runs once, on an existing worker, in the renderer's floating-point
 * mode. */
#include "check_main.h"

#include "util/alloc.h"
#include "util/threads.h"

#include <stdatomic.h>
#include <stdint.h>

enum { PIECES = 1000 };

struct tally {
    unsigned workers;
    atomic_uint ran[PIECES];
    atomic_uint bad_worker, denormal_seen;
};

static void count(void *ctx, unsigned index, unsigned worker)
{
    struct tally *tally = ctx;
    volatile float tiny = 1e-38f;

    atomic_fetch_add(&tally->ran[index], 1);
    if (worker >= tally->workers)
        atomic_fetch_add(&tally->bad_worker, 1);
    if (tiny * 1e-3f != 0.0f)
        atomic_fetch_add(&tally->denormal_seen, 1);
}

typedef void run_fn(struct pool *pool, unsigned count, pool_fn *fn, void *ctx);

static void check_each_task_runs_once(run_fn *run, unsigned threads)
{
    struct pool *pool;
    struct tally tally = {0};

    ck_assert_int_eq(pool_create(&pool, threads), ST_OK);
    tally.workers = pool_workers(pool);
    ck_assert_uint_le(tally.workers, threads ? threads : 4096);
    for (unsigned round = 1; round <= 50; round++) {
        run(pool, PIECES, count, &tally);
        for (unsigned i = 0; i < PIECES; i++)
            ck_assert_uint_eq(atomic_load(&tally.ran[i]), round);
    }
    run(pool, 0, count, &tally);
    ck_assert_uint_eq(atomic_load(&tally.bad_worker), 0);
#if defined(__SSE2__) || defined(__aarch64__)
    ck_assert_uint_eq(atomic_load(&tally.denormal_seen), 0);
#endif
    pool_destroy(pool);
}

START_TEST(each_task_runs_once)
{
    check_each_task_runs_once(pool_run, (unsigned)_i);
    check_each_task_runs_once(pool_run_affine, (unsigned)_i);
}
END_TEST

/* The first task of each range blocks until all have started, so each worker runs its own. The
 * caller's first task then waits for all other tasks, so other workers must steal the rest of its
 * range. */
enum { WORKERS = 4, PART = 5 };
struct parts {
    atomic_uint started, finished;
    unsigned ran_by[WORKERS * PART];
};

static void note_worker(void *ctx, unsigned index, unsigned worker)
{
    struct parts *parts = ctx;

    parts->ran_by[index] = worker;
    if (index % PART == 0) {
        atomic_fetch_add(&parts->started, 1);
        while (atomic_load(&parts->started) < WORKERS)
            thread_pause();
    }
    while (index == 0 && atomic_load(&parts->finished) < WORKERS * PART - 1)
        thread_pause();
    atomic_fetch_add(&parts->finished, 1);
}

START_TEST(ranges_start_with_their_owner_and_are_stolen)
{
    struct pool *pool;

    ck_assert_int_eq(pool_create(&pool, WORKERS), ST_OK);
    ck_assert_uint_eq(pool_workers(pool), WORKERS);
    for (unsigned round = 0; round < 20; round++) {
        struct parts parts = {0};

        pool_run_affine(pool, WORKERS * PART, note_worker, &parts);
        for (unsigned w = 0; w < WORKERS; w++)
            ck_assert_uint_eq(parts.ran_by[w * PART], w);
        for (unsigned i = 1; i < PART; i++)
            ck_assert_uint_ne(parts.ran_by[i], 0);
    }
    pool_destroy(pool);
}
END_TEST

/* A smaller or a larger limit holds for the next loop. */
START_TEST(limits_leave_workers_out)
{
    static const unsigned limits[][2] = {{2, 2}, {1, 1}, {3, 3}, {9, 4}, {0, 4}};
    struct pool *pool;
    struct tally tally = {0};

    ck_assert_int_eq(pool_create(&pool, 4), ST_OK);
    ck_assert_uint_eq(pool_workers(pool), 4);
    for (unsigned round = 0; round < 5; round++) {
        pool_limit(pool, limits[round][0]);
        tally.workers = limits[round][1];
        ck_assert_uint_eq(pool_active(pool), limits[round][1]);
        for (unsigned i = 0; i < 10; i++) {
            pool_run(pool, PIECES, count, &tally);
            pool_run_affine(pool, PIECES, count, &tally);
        }
        for (unsigned i = 0; i < PIECES; i++)
            ck_assert_uint_eq(atomic_load(&tally.ran[i]), 20 * (round + 1));
    }
    ck_assert_uint_eq(atomic_load(&tally.bad_worker), 0);
    ck_assert_uint_eq(pool_workers(pool), 4);
    pool_destroy(pool);
}
END_TEST

START_TEST(float_mode_is_restored)
{
    struct pool *pool;
    struct tally tally = {.workers = 1};
    volatile float tiny = 1e-38f;

    ck_assert_int_eq(pool_create(&pool, 1), ST_OK);
    pool_run(pool, 1, count, &tally);
    ck_assert(tiny * 1e-3f != 0.0f);
    pool_destroy(pool);
    pool_destroy(NULL);
}
END_TEST

START_TEST(out_of_memory_leaves_no_blocks)
{
    int64_t live = mem_live_blocks();
    struct pool *pool;

    for (int k = 0; k < 3; k++) {
        mem_fail_after(k);
        ck_assert_int_eq(pool_create(&pool, 2), ST_NOMEM);
        mem_fail_after(-1);
        ck_assert_ptr_null(pool);
        ck_assert_int_eq(mem_live_blocks(), live);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/threads");
    TCase *t = tcase_create("threads");

    tcase_add_loop_test(t, each_task_runs_once, 0, 6);
    tcase_add_test(t, ranges_start_with_their_owner_and_are_stolen);
    tcase_add_test(t, limits_leave_workers_out);
    tcase_add_test(t, float_mode_is_restored);
    tcase_add_test(t, out_of_memory_leaves_no_blocks);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
