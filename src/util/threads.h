/* Worker pool: runs one parallel loop at a time over numbered tasks. */
#ifndef UTIL_THREADS_H
#define UTIL_THREADS_H

#include "util/status.h"

#include <pthread.h>

/* Starts a thread of the renderer, whose stack is at least 2 MiB except on Windows, where the
 * program chooses it: macOS gives threads 512 KiB by default, musl 128 KiB. macOS prefers fast
 * processors for it. Returns 0 or a number of errno. */
MUST_CHECK int thread_start(pthread_t *out, void *(*run)(void *), void *arg);

struct pool;

/* Runs task `index` on worker `worker` (0 <= worker < pool_workers; worker 0 is the caller). */
typedef void pool_fn(void *ctx, unsigned index, unsigned worker);

/* `threads` includes the caller: 1 creates no thread, 0 means one per processor. If threads cannot
 * be created, the pool works with fewer and reports no error. */
MUST_CHECK enum status pool_create(struct pool **out, unsigned threads);
void pool_destroy(struct pool *pool); /* NULL is allowed */
unsigned pool_workers(const struct pool *pool);

/* From the next loop on, only so many workers take tasks; 0: all. Called by the thread that calls
 * pool_run. pool_workers stays. */
void pool_limit(struct pool *pool, unsigned workers);
/* The workers that take tasks. */
unsigned pool_active(const struct pool *pool);

/* Calls fn once for each index 0 … count-1, in no particular order, and returns when all are done.
 * fn runs in the floating-point mode of util/fpenv.h. Not reentrant. */
void pool_run(struct pool *pool, unsigned count, pool_fn *fn, void *ctx);

/* As pool_run, with worker affinity: a task usually runs on the worker that ran it in the last
 * affine loop of the same count. Each worker owns a contiguous range of tasks. When its range is
 * empty, it steals from the ranges of others, at the end that the owner reaches last. For tasks
 * whose memory may still be in that processor's cache. */
void pool_run_affine(struct pool *pool, unsigned count, pool_fn *fn, void *ctx);

/* Spin-wait hint between polls of a value that another thread changes soon. */
static inline void thread_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
