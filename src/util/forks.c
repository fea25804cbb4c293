/* Handlers that run before and after a fork. Windows has no fork. */
#include "util/forks.h"

#ifdef _WIN32

unsigned fork_count(void)
{
    return 0;
}

void fork_guard(pthread_mutex_t *mutex, enum fork_order order)
{
    (void)mutex, (void)order;
}

#else

#include <stdatomic.h>

enum { ORDERS = FORK_INNER + 1, MUTEXES = 16 };

static atomic_uint forks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list; forks hold it, too */
static struct {
    unsigned n;
    pthread_mutex_t *mutex[MUTEXES];
} guarded[ORDERS];

static void take_all(void)
{
    pthread_mutex_lock(&lock);
    for (unsigned order = 0; order < ORDERS; order++)
        for (unsigned i = 0; i < guarded[order].n; i++)
            pthread_mutex_lock(guarded[order].mutex[i]);
}

static void release_all(void)
{
    for (unsigned order = ORDERS; order-- > 0;)
        for (unsigned i = guarded[order].n; i-- > 0;)
            pthread_mutex_unlock(guarded[order].mutex[i]);
    pthread_mutex_unlock(&lock);
}

static void begin_child(void)
{
    atomic_fetch_add(&forks, 1);
    release_all();
}

static void register_handlers(void)
{
    /* Without memory for them, forks are not noticed. */
    (void)pthread_atfork(take_all, release_all, begin_child);
}

static void notice_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, register_handlers);
}

unsigned fork_count(void)
{
    notice_forks();
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

void fork_guard(pthread_mutex_t *mutex, enum fork_order order)
{
    unsigned i = 0;

    notice_forks();
    pthread_mutex_lock(&lock);
    while (i < guarded[order].n && guarded[order].mutex[i] != mutex)
        i++;
    if (i == guarded[order].n && i < MUTEXES)
        guarded[order].mutex[guarded[order].n++] = mutex;
    pthread_mutex_unlock(&lock);
}

#endif
