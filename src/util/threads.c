/* Worker pool: threads that run the tasks of parallel loops. Workers claim tasks with an atomic
 * counter, or from per-worker ranges with work stealing, and sleep on a condition when none is
 * left. They spin for a while before sleeping: loops follow each other closely, and a wake-up takes
 * longer than many of them. */
#include "util/threads.h"

#include "util/alloc.h"
#include "util/condition.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    struct pool *pool;
    pthread_t thread;
    unsigned number;
};

/* Range of unclaimed tasks: end << 32 | first, so that owner and thieves claim atomically. Each
 * range has its own cache line. */
struct part {
    _Alignas(64) _Atomic uint64_t left;
};

struct pool {
    unsigned workers; /* including the caller */
    struct worker *others;
    struct part *parts; /* one per worker */
    unsigned spins;     /* iterations before sleeping; 0 with fewer processors than workers */

    /* The current loop. The caller writes the non-atomic members while the loop is closed and no
     * worker runs in it. Workers read them only after they have seen it open. */
    pool_fn *fn;
    void *ctx;
    unsigned count;
    unsigned active;     /* workers that take tasks: those with a smaller number */
    bool affine;         /* tasks come from `parts`; otherwise from `next` */
    atomic_uint loop;    /* counter of loops, by which workers recognise a new one */
    atomic_bool open;    /* workers may join; the caller does not wait for late ones */
    atomic_uint running; /* number of workers that may be in the loop */
    atomic_uint next;

    struct condition start; /* signalled when `loop` changes */
    struct condition done;  /* signalled when `running` reaches 0 */
    atomic_bool quit;
};
enum { SPIN_COUNT = 2000 };

/* Spins a limited time while *value stays equal to `was`. */
static void spin_while_equal(const struct pool *pool, const atomic_uint *value, unsigned was)
{
    for (unsigned i = 0;
         i < pool->spins && atomic_load_explicit(value, memory_order_relaxed) == was; i++)
        thread_pause();
}

/* The owner claims from the start of a range, thieves from its end. */
static bool claim(struct part *part, bool owner, unsigned *index)
{
    uint64_t left = atomic_load_explicit(&part->left, memory_order_relaxed), rest;

    do {
        uint32_t first = (uint32_t)left, end = (uint32_t)(left >> 32);

        if (first == end)
            return false;
        *index = owner ? first : end - 1;
        rest = owner ? left + 1 : left - (UINT64_C(1) << 32);
    } while (!atomic_compare_exchange_weak_explicit(&part->left, &left, rest, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

static void work_affine(struct pool *pool, unsigned worker)
{
    unsigned index;

    for (unsigned i = 0; i < pool->active; i++)
        while (claim(&pool->parts[(worker + i) % pool->active], i == 0, &index))
            pool->fn(pool->ctx, index, worker);
}

static void split_into_parts(struct pool *pool, unsigned count)
{
    for (unsigned i = 0; i < pool->active; i++) {
        uint64_t first = (uint64_t)count * i / pool->active,
                 end = (uint64_t)count * (i + 1) / pool->active;

        atomic_store_explicit(&pool->parts[i].left, end << 32 | first, memory_order_relaxed);
    }
}

static void work(struct pool *pool, unsigned worker)
{
    unsigned index;

    if (pool->affine) {
        work_affine(pool, worker);
        return;
    }
    while ((index = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed)) < pool->count)
        pool->fn(pool->ctx, index, worker);
}

/* Waits until the loop counter differs from `seen`. */
static unsigned wait_for_loop(struct pool *pool, unsigned seen)
{
    spin_while_equal(pool, &pool->loop, seen);
    for (;;) {
        unsigned now = condition_now(&pool->start), loop = atomic_load(&pool->loop);

        if (loop != seen)
            return loop;
        condition_sleep(&pool->start, now);
    }
}

static void leave(struct pool *pool)
{
    if (atomic_fetch_sub(&pool->running, 1) == 1)
        condition_broadcast(&pool->done);
}

static void *worker_main(void *arg)
{
    struct worker *self = arg;
    struct pool *pool = self->pool;
    unsigned seen = 0;

    (void)fp_enter();
    for (;;) {
        seen = wait_for_loop(pool, seen);
        if (atomic_load(&pool->quit))
            return NULL;
        atomic_fetch_add(&pool->running, 1);
        if (atomic_load(&pool->open) && self->number < pool->active)
            work(pool, self->number);
        leave(pool);
    }
}

#ifdef _WIN32
int thread_start(pthread_t *out, void *(*run)(void *), void *arg)
{
    return pthread_create(out, NULL, run, arg);
}
#else
int thread_start(pthread_t *out, void *(*run)(void *), void *arg)
{
    enum { STACK_BYTES = 2 << 20 };
    pthread_attr_t attributes;
    size_t stack;
    int error = pthread_attr_init(&attributes);

    if (error)
        return error;
    if (!pthread_attr_getstacksize(&attributes, &stack) && stack < STACK_BYTES)
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
#ifdef __APPLE__
    (void)pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0);
#endif
    error = pthread_create(out, &attributes, run, arg);
    pthread_attr_destroy(&attributes);
    return error;
}
#endif

enum status pool_create(struct pool **out, unsigned threads)
{
    struct pool *pool = mem_calloc(1, sizeof(*pool));

    *out = NULL;
    if (!pool)
        return ST_NOMEM;
    if (!threads)
        threads = cpu_count();
    pool->spins = threads <= cpu_count() ? SPIN_COUNT : 0;
    pool->workers = 1;
    pool->others = mem_calloc(threads, sizeof(*pool->others));
    pool->parts = mem_calloc(threads, sizeof(*pool->parts));
    if (!pool->others || !pool->parts) {
        pool_destroy(pool);
        return ST_NOMEM;
    }
    for (unsigned i = 1; i < threads; i++) {
        struct worker *worker = &pool->others[i - 1];

        *worker = (struct worker){.pool = pool, .number = i};
        if (thread_start(&worker->thread, worker_main, worker))
            break;
        pool->workers++;
    }
    pool->active = pool->workers;
    *out = pool;
    return ST_OK;
}

/* Starts a new loop, or signals `quit`. */
static void wake_workers(struct pool *pool)
{
    atomic_fetch_add(&pool->loop, 1);
    condition_broadcast(&pool->start);
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    atomic_store(&pool->quit, true);
    wake_workers(pool);
    for (unsigned i = 1; i < pool->workers; i++)
        pthread_join(pool->others[i - 1].thread, NULL);
    mem_free(pool->others);
    mem_free(pool->parts);
    mem_free(pool);
}

unsigned pool_workers(const struct pool *pool)
{
    return pool->workers;
}

void pool_limit(struct pool *pool, unsigned workers)
{
    pool->active = workers && workers < pool->workers ? workers : pool->workers;
}

unsigned pool_active(const struct pool *pool)
{
    return pool->active;
}

static void wait_for_workers(struct pool *pool)
{
    for (unsigned i = 0; i < pool->spins && atomic_load(&pool->running); i++)
        thread_pause();
    for (;;) {
        unsigned now = condition_now(&pool->done);

        if (!atomic_load(&pool->running))
            return;
        condition_sleep(&pool->done, now);
    }
}

static void run(struct pool *pool, unsigned count, bool affine, pool_fn *fn, void *ctx)
{
    struct fp_mode mode = fp_enter();

    if (pool->active > 1 && count > 1) {
        pool->fn = fn;
        pool->ctx = ctx;
        pool->count = count;
        pool->affine = affine;
        if (affine)
            split_into_parts(pool, count);
        atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
        atomic_store(&pool->open, true);
        wake_workers(pool);
        work(pool, 0);
        atomic_store(&pool->open, false);
        wait_for_workers(pool);
    } else {
        for (unsigned i = 0; i < count; i++)
            fn(ctx, i, 0);
    }
    fp_leave(mode);
}

void pool_run(struct pool *pool, unsigned count, pool_fn *fn, void *ctx)
{
    run(pool, count, false, fn, ctx);
}

void pool_run_affine(struct pool *pool, unsigned count, pool_fn *fn, void *ctx)
{
    run(pool, count, true, fn, ctx);
}
