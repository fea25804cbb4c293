/* A clock that only runs forward, and sleeping by it. */
#ifndef UTIL_CLOCK_H
#define UTIL_CLOCK_H

#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

/* Nanoseconds since some time that stays the same while the program runs. */
uint64_t clock_now(void);
/* Returns when clock_now() has come to `time`, at once where it has. Should the clock go back
 * meanwhile, the wait ends. */
void clock_sleep_until(uint64_t time);

#endif
