/* Clocks of the benchmark programs. */
#include "bench.h"

#include <time.h>
#ifndef _WIN32
#include <sys/resource.h>
#endif

double bench_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_processor_seconds(void)
{
#ifdef _WIN32
    FILETIME created, ended, kernel, user;
    uint64_t ticks;

    GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user);
    ticks = ((uint64_t)kernel.dwHighDateTime << 32 | kernel.dwLowDateTime) +
            ((uint64_t)user.dwHighDateTime << 32 | user.dwLowDateTime);
    return (double)ticks * 1e-7;
#else
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
#endif
}

double bench_caller_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
