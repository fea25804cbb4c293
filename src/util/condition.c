/* Condition variables on futex-like system calls; a broadcast makes no system call if there are no
 * sleepers. */
#include "util/condition.h"

#ifdef __linux__
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(_WIN32)
#include <windows.h>
#elif defined(__APPLE__)
#include <dlfcn.h>
#include <stdint.h>
#endif

/* --- Waiting on a word ------------------------------------------------------------------------ */

static atomic_bool posix_only;

#ifdef __linux__

static bool system_sleep(atomic_uint *word, unsigned was)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, was, NULL, NULL, 0);
    return true;
}

static bool system_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    return true;
}

#elif defined(_WIN32)

/* Available since Windows 8. */
typedef BOOL WINAPI wait_on_address_fn(volatile void *address, void *compare, SIZE_T bytes,
                                       DWORD ms);
typedef void WINAPI wake_by_address_fn(void *address);
static struct {
    pthread_once_t once;
    wait_on_address_fn *wait;
    wake_by_address_fn *wake_all;
} system_calls = {.once = PTHREAD_ONCE_INIT};

static void find_calls(void)
{
    HMODULE base = GetModuleHandleA("kernelbase.dll");
    void *wait = base ? (void *)GetProcAddress(base, "WaitOnAddress") : NULL;
    void *wake_all = base ? (void *)GetProcAddress(base, "WakeByAddressAll") : NULL;

    if (!wait || !wake_all)
        return;
    system_calls.wait = (wait_on_address_fn *)wait;
    system_calls.wake_all = (wake_by_address_fn *)wake_all;
}

static bool system_sleep(atomic_uint *word, unsigned was)
{
    pthread_once(&system_calls.once, find_calls);
    return system_calls.wait && (system_calls.wait(word, &was, sizeof(was), INFINITE), true);
}

static bool system_wake(atomic_uint *word)
{
    pthread_once(&system_calls.once, find_calls);
    return system_calls.wake_all && (system_calls.wake_all(word), true);
}

#elif defined(__APPLE__)

/* Available since macOS 14.4. */
typedef int sync_wait_fn(void *address, uint64_t was, size_t bytes, uint32_t flags);
typedef int sync_wake_fn(void *address, size_t bytes, uint32_t flags);
static struct {
    pthread_once_t once;
    sync_wait_fn *wait;
    sync_wake_fn *wake_all;
} system_calls = {.once = PTHREAD_ONCE_INIT};

static void find_calls(void)
{
    void *wait = dlsym(RTLD_DEFAULT, "os_sync_wait_on_address");
    void *wake_all = dlsym(RTLD_DEFAULT, "os_sync_wake_by_address_all");

    if (!wait || !wake_all)
        return;
    system_calls.wait = (sync_wait_fn *)wait;
    system_calls.wake_all = (sync_wake_fn *)wake_all;
}

static bool system_sleep(atomic_uint *word, unsigned was)
{
    pthread_once(&system_calls.once, find_calls);
    return system_calls.wait && (system_calls.wait(word, was, sizeof(*word), 0), true);
}

static bool system_wake(atomic_uint *word)
{
    pthread_once(&system_calls.once, find_calls);
    return system_calls.wake_all && (system_calls.wake_all(word, sizeof(*word), 0), true);
}

#else

static bool system_sleep(atomic_uint *word, unsigned was)
{
    (void)word, (void)was;
    return false;
}

static bool system_wake(atomic_uint *word)
{
    (void)word;
    return false;
}

#endif

/* The POSIX fallback: one lock and one condition variable for all words. */
static pthread_mutex_t posix_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posix_changed = PTHREAD_COND_INITIALIZER;

/* Sleeps while *word equals `was`. */
static void sleep_while(atomic_uint *word, unsigned was)
{
    if (!atomic_load(&posix_only) && system_sleep(word, was))
        return;
    pthread_mutex_lock(&posix_lock);
    while (atomic_load(word) == was)
        pthread_cond_wait(&posix_changed, &posix_lock);
    pthread_mutex_unlock(&posix_lock);
}

static void wake(atomic_uint *word)
{
    if (!atomic_load(&posix_only) && system_wake(word))
        return;
    pthread_mutex_lock(&posix_lock);
    pthread_cond_broadcast(&posix_changed);
    pthread_mutex_unlock(&posix_lock);
}

void condition_use_posix(bool use)
{
    atomic_store(&posix_only, use);
}

/* --- Conditions ------------------------------------------------------------------------------- */

/* A sleeper counts itself before it compares the word, and a broadcast reads the count after it
 * changes the word. So at least one of the two sees the other's change. */
void condition_broadcast(struct condition *condition)
{
    atomic_fetch_add(&condition->changes, 1);
    if (atomic_load(&condition->sleepers))
        wake(&condition->changes);
}

unsigned condition_now(struct condition *condition)
{
    return atomic_load(&condition->changes);
}

void condition_sleep(struct condition *condition, unsigned now)
{
    atomic_fetch_add(&condition->sleepers, 1);
    if (atomic_load(&condition->changes) == now)
        sleep_while(&condition->changes, now);
    atomic_fetch_sub(&condition->sleepers, 1);
}

void condition_wait(struct condition *condition, pthread_mutex_t *lock)
{
    unsigned now = condition_now(condition);

    pthread_mutex_unlock(lock);
    condition_sleep(condition, now);
    pthread_mutex_lock(lock);
}
