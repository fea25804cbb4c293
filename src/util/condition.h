/* Condition variables of two words, for threads that wait for each other many times a frame: a futex
 * on Linux, WaitOnAddress on Windows, where those of POSIX are semaphores and events, several calls
 * of the system for each wait, and elsewhere those of POSIX. All zero is a new one; nothing has to
 * be destroyed. */
#ifndef UTIL_CONDITION_H
#define UTIL_CONDITION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct condition {
    atomic_uint changes; /* counts broadcasts */
    atomic_uint sleepers;
};

/* Wakes all that wait. What they wait for has changed before. */
void condition_broadcast(struct condition *condition);

/* For a change under a lock that is held: unlocks, waits for the next broadcast, or returns for no
 * reason, and locks again. */
void condition_wait(struct condition *condition, pthread_mutex_t *lock);

/* The same for what changes without a lock: condition_now, then a look at it, then condition_sleep,
 * which returns when there has been a broadcast since. */
unsigned condition_now(struct condition *condition);
void condition_sleep(struct condition *condition, unsigned now);

/* For tests: as where the system has nothing better than POSIX. */
void condition_use_posix(bool use);

#endif
