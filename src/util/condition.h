/* Lightweight condition variables of two words, for threads that wait for each other many times per
 * frame.
 *
 * They use a futex on Linux, WaitOnAddress on Windows and os_sync_wait_on_address on macOS, where
 * POSIX condition variables need several system calls per wait. Other systems use POSIX. A zeroed
 * condition is valid; no destruction is needed. */
#ifndef UTIL_CONDITION_H
#define UTIL_CONDITION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct condition {
    atomic_uint changes; /* number of broadcasts */
    atomic_uint sleepers;
};

/* Wakes all waiters. The caller changes the state that they wait for before the call. */
void condition_broadcast(struct condition *condition);

/* For state protected by a lock that is held: unlocks, waits for the next broadcast, and locks
 * again. Wakeups may be spurious. */
void condition_wait(struct condition *condition, pthread_mutex_t *lock);

/* For state without a lock: call condition_now, test the state, then call condition_sleep. It
 * returns after a broadcast since condition_now. */
unsigned condition_now(struct condition *condition);
void condition_sleep(struct condition *condition, unsigned now);

/* For tests: forces the POSIX fallback. */
void condition_use_posix(bool use);

#endif
