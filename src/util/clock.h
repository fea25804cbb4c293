/* Monotonic clock and absolute-time sleep. */
#ifndef UTIL_CLOCK_H
#define UTIL_CLOCK_H

#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

/* Returns nanoseconds since an epoch that is fixed while the program runs. */
uint64_t clock_now(void);
/* Sleeps until clock_now() reaches `time`; returns at once if it has. If the clock jumps back
 * meanwhile, the wait ends. */
void clock_sleep_until(uint64_t time);

#endif
