/* Counts forks with a handler that runs in the child. Windows has no fork. */
#include "util/forks.h"

#ifdef _WIN32

unsigned fork_count(void)
{
    return 0;
}

#else

#include <pthread.h>
#include <stdatomic.h>

static atomic_uint forks;

static void count(void)
{
    atomic_fetch_add(&forks, 1);
}

static void register_handler(void)
{
    (void)pthread_atfork(NULL, NULL, count); /* without memory for it, forks are not noticed */
}

unsigned fork_count(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, register_handler);
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

#endif
