/* Forks of the process: their number, and mutexes that a child finds free. */
#ifndef UTIL_FORKS_H
#define UTIL_FORKS_H

#include <pthread.h>

/* Forks since the first call in this process or in an ancestor of it. A child has no threads but
 * the one that forked, so whatever relies on threads of its parent compares the number with that of
 * its creation. Costs a load. */
unsigned fork_count(void);

/* Makes forks wait until no other thread holds the mutex: a child would find it locked for ever,
 * because the thread that unlocks it stays in the parent. The mutex exists as long as the process.
 * A thread that forks must not hold it. Naming a mutex again changes nothing.
 *
 * Forks take all mutexes of FORK_OUTER, then those of FORK_INNER. A thread may take one of
 * FORK_INNER while it holds one of FORK_OUTER, and no two of the same kind. */
enum fork_order { FORK_OUTER, FORK_INNER };
void fork_guard(pthread_mutex_t *mutex, enum fork_order order);

#endif
