/* The clock.
 *
 * Tested by tests/unit/tool/measure/test_rounds.c. */
#include "tool/measure/measure.h"

#include <time.h>

double measure_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
