/* Number of forks between the first process and this one. A child has no threads but the one that
 * forked, so whatever relies on threads of its parent compares the number with that of its
 * creation. */
#ifndef UTIL_FORKS_H
#define UTIL_FORKS_H

/* Forks since the first call in this process or in an ancestor of it. Costs a load. */
unsigned fork_count(void);

#endif
