/* Forks of the process: their number, and mutexes that a child finds free. */
#ifndef UTIL_FORKS_H
#define UTIL_FORKS_H

#include <pthread.h>

/* Forks since the library was loaded, in this process or in an ancestor of it. A child has no
 * threads but the one that forked, so whatever relies on threads of its parent compares the number
 * with that of its creation. Costs a load. */
unsigned fork_count(void);

/* Makes forks wait until no other thread holds the mutex: a child would find it locked for ever,
 * because the thread that unlocks it stays in the parent. The mutex exists as long as the process.
 * A thread that forks must not hold it. Naming a mutex again changes nothing.
 *
 * Threads may name a mutex while they hold others, and before they take it.
 *
 * Forks take the mutexes of FORK_OUTERMOST first and those of FORK_INNER last. A thread that holds
 * a mutex may take one of a later kind, and none of the same or of an earlier kind.
 *
 * The handlers are registered when the library is loaded. So those that the program registers later
 * run without these mutexes, and may use devices. */
enum fork_order { FORK_OUTERMOST, FORK_SERVER, FORK_OUTER, FORK_INNER };
void fork_guard(pthread_mutex_t *mutex, enum fork_order order);

/* Has a function called in each child that forks make from now on. It runs while the mutexes above
 * are held, and must take none of them; it must not log. Naming a function again changes nothing.
 */
typedef void fork_call(void);
void fork_in_child(fork_call *begin);

#endif
