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

void fork_in_child(fork_call *begin)
{
    (void)begin;
}

#else

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { ORDERS = FORK_INNER + 1, MUTEXES = 16, CALLS = 4 };

static atomic_uint forks;
/* The lists have no mutex: threads name a mutex while they hold others, for which a fork may wait.
 * Elements are never removed; the first NULL ends a list. */
static _Atomic(pthread_mutex_t *) guarded[ORDERS][MUTEXES];
static _Atomic(fork_call *) calls[CALLS];
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER; /* forks hold it, and use `held` */
static unsigned held[ORDERS];                               /* how many of each list a fork holds */
static atomic_bool all_held;

static void take_listed(void)
{
    for (unsigned order = 0; order < ORDERS; order++) {
        pthread_mutex_t *mutex;

        held[order] = 0;
        while (held[order] < MUTEXES && (mutex = atomic_load(&guarded[order][held[order]]))) {
            pthread_mutex_lock(mutex);
            held[order]++;
        }
    }
}

static void release_listed(void)
{
    atomic_store(&all_held, false);
    for (unsigned order = ORDERS; order-- > 0;)
        for (unsigned i = held[order]; i-- > 0;)
            pthread_mutex_unlock(atomic_load(&guarded[order][i]));
}

static bool has_new(void)
{
    for (unsigned order = 0; order < ORDERS; order++)
        if (held[order] < MUTEXES && atomic_load(&guarded[order][held[order]]))
            return true;
    return false;
}

/* A thread that names a mutex either sees all_held and waits for the end of the fork, or has named
 * it before has_new() asks. */
static void take_all(void)
{
    pthread_mutex_lock(&forking);
    take_listed();
    for (atomic_store(&all_held, true); has_new(); atomic_store(&all_held, true)) {
        release_listed();
        take_listed();
    }
}

static void release_all(void)
{
    release_listed();
    pthread_mutex_unlock(&forking);
}

static void begin_child(void)
{
    atomic_fetch_add(&forks, 1);
    for (unsigned i = 0; i < CALLS; i++) {
        fork_call *begin = atomic_load(&calls[i]);

        if (begin)
            begin();
    }
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
    for (unsigned i = 0; i < MUTEXES; i++) {
        pthread_mutex_t *other = NULL;

        if (atomic_compare_exchange_strong(&guarded[order][i], &other, mutex))
            break;
        if (other == mutex)
            return;
    }
    if (atomic_load(&all_held)) {
        pthread_mutex_lock(&forking);
        pthread_mutex_unlock(&forking);
    }
}

void fork_in_child(fork_call *begin)
{
    for (unsigned i = 0; i < CALLS; i++) {
        fork_call *other = NULL;

        if (atomic_compare_exchange_strong(&calls[i], &other, begin) || other == begin)
            return;
    }
}

#endif
