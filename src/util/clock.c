/* Monotonic clock and sleep on POSIX and Windows. */
#include "util/clock.h"

#include <time.h>

#ifdef _WIN32

#include <windows.h>

/* Creates a timer of high resolution if possible. Default timers wake only with the system tick,
 * every 15.6 ms. */
static HANDLE make_timer(void)
{
    enum { HIGH_RESOLUTION = 2 }; /* since Windows 10 1803 */
    HANDLE timer = CreateWaitableTimerExW(NULL, NULL, HIGH_RESOLUTION, TIMER_ALL_ACCESS);

    return timer ? timer : CreateWaitableTimerW(NULL, TRUE, NULL);
}

static void sleep_for(uint64_t ns)
{
    LARGE_INTEGER units = {.QuadPart = -(LONGLONG)((ns + 99) / 100)};
    HANDLE timer = make_timer();

    if (timer && SetWaitableTimer(timer, &units, 0, NULL, NULL, FALSE))
        WaitForSingleObject(timer, INFINITE);
    else
        Sleep((DWORD)(ns / 1000000) + 1);
    if (timer)
        CloseHandle(timer);
}

#else

static void sleep_for(uint64_t ns)
{
    struct timespec time = {(time_t)(ns / CLOCK_SECOND), (long)(ns % CLOCK_SECOND)};

    nanosleep(&time, NULL);
}

#endif

uint64_t clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * CLOCK_SECOND + (uint64_t)now.tv_nsec;
}

void clock_sleep_until(uint64_t time)
{
    uint64_t most = UINT64_MAX; /* remaining time in the previous iteration */

    for (uint64_t now = clock_now(); now < time && time - now <= most; now = clock_now()) {
        most = time - now;
        sleep_for(most);
    }
}
