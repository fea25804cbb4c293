/* The worker pool: one parallel loop at a time, over numbered pieces. */
#ifndef UTIL_THREADS_H
#define UTIL_THREADS_H

#include "util/status.h"

struct pool;

/* Runs piece `index` on worker `worker` (0 <= worker < pool_workers; worker 0 is the caller). */
typedef void pool_fn(void *ctx, unsigned index, unsigned worker);

/* threads counts the caller: 1 makes no thread at all. 0 takes one per processor. Fewer threads
 * than asked for is no error; the pool works with those that could be made. */
MUST_CHECK enum status pool_create(struct pool **out, unsigned threads);
void pool_destroy(struct pool *pool); /* NULL is allowed */
unsigned pool_workers(const struct pool *pool);

/* Calls fn for index 0 … count-1, each once, in no particular order, and returns when all are
 * done. fn runs with the floating-point mode of util/fpenv.h. Not reentrant. */
void pool_run(struct pool *pool, unsigned count, pool_fn *fn, void *ctx);

/* As pool_run, but a piece mostly runs on the worker that ran it in the last such loop of as many:
 * each worker has a part of the pieces, one after another, and takes of others' parts only when
 * its own is done, from the end that its owner reaches last. For pieces whose memory is worth
 * finding in the same processor's cache again. */
void pool_run_affine(struct pool *pool, unsigned count, pool_fn *fn, void *ctx);

/* Between two looks at what another thread changes soon. */
static inline void thread_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
