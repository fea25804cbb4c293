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

void fork_in_child(void (*begin)(void))
{
    (void)begin;
}

#else

#include <stdatomic.h>

enum { ORDERS = FORK_INNER + 1, MUTEXES = 16, CALLS = 4 };

static atomic_uint forks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the lists; forks hold it, too */
static struct {
    unsigned n;
    pthread_mutex_t *mutex[MUTEXES];
} guarded[ORDERS];
static void (*calls[CALLS])(void);

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
    for (unsigned i = 0; i < CALLS && calls[i]; i++)
        calls[i]();
    release_all();
}

/* Handlers before a fork run in the reverse order of their registration, and those after it in the
 * same order. Without memory for them, forks are not noticed. */
__attribute__((constructor)) static void register_handlers(void)
{
    (void)pthread_atfork(take_all, release_all, begin_child);
}

unsigned fork_count(void)
{
    return atomic_load_explicit(&forks, memory_order_relaxed);
}

void fork_guard(pthread_mutex_t *mutex, enum fork_order order)
{
    unsigned i = 0;

    pthread_mutex_lock(&lock);
    while (i < guarded[order].n && guarded[order].mutex[i] != mutex)
        i++;
    if (i == guarded[order].n && i < MUTEXES)
        guarded[order].mutex[guarded[order].n++] = mutex;
    pthread_mutex_unlock(&lock);
}

void fork_in_child(void (*begin)(void))
{
    unsigned i = 0;

    pthread_mutex_lock(&lock);
    while (i < CALLS && calls[i] && calls[i] != begin)
        i++;
    if (i < CALLS)
        calls[i] = begin;
    pthread_mutex_unlock(&lock);
}

#endif
