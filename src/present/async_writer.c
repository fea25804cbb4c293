/* A ring of copied frames between the thread that shows and one that writes. */
#include "present/async_writer.h"

#include "util/alloc.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct slot {
    uint8_t *bytes;
    size_t size;
    struct present_frame frame;
};

struct background {
    struct background *next; /* in the list of all */
    background_fn *fn;
    void *ctx;
    unsigned slots;
    bool at_once; /* frames do not wait */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* under the lock; slots from `written` to `taken` are the thread's */
    uint64_t taken, written;
    enum status failed;
    bool hurry; /* nobody will come for more */
    bool ends;  /* the thread does when all is written */
    struct slot slot[BACKGROUND_QUEUE_MAX];
};

/* --- The program's end ------------------------------------------------------------------------ */

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct background *all;

#ifndef _WIN32

static pid_t process; /* whose threads they are; not those of a child made by fork */

static void drain(struct background *b)
{
    pthread_mutex_lock(&b->lock);
    b->hurry = true;
    while (b->failed == ST_OK && b->written < b->taken)
        pthread_cond_wait(&b->changed, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

static void drain_all(void)
{
    if (getpid() != process)
        return;
    pthread_mutex_lock(&all_lock);
    for (struct background *b = all; b; b = b->next)
        drain(b);
    pthread_mutex_unlock(&all_lock);
}

static void watch_exit(void)
{
    process = getpid();
    atexit(drain_all);
}

#else

/* By the time that Windows lets us know, our threads are gone. */
static void watch_exit(void)
{
}

#endif

static void join_all(struct background *b)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, watch_exit);
    pthread_mutex_lock(&all_lock);
    b->next = all;
    all = b;
    pthread_mutex_unlock(&all_lock);
}

static void leave_all(const struct background *b)
{
    pthread_mutex_lock(&all_lock);
    for (struct background **at = &all; *at; at = &(*at)->next) {
        if (*at != b)
            continue;
        *at = b->next;
        break;
    }
    pthread_mutex_unlock(&all_lock);
}

/* --- The thread ------------------------------------------------------------------------------- */

static void *write_frames(void *arg)
{
    struct background *b = arg;

    pthread_mutex_lock(&b->lock);
    for (;;) {
        struct slot *slot = &b->slot[b->written % b->slots];
        enum status st;

        while (!b->ends && b->written == b->taken)
            pthread_cond_wait(&b->changed, &b->lock);
        if (b->written == b->taken || b->failed != ST_OK)
            break;
        pthread_mutex_unlock(&b->lock);
        st = b->fn(b->ctx, &slot->frame);
        pthread_mutex_lock(&b->lock);
        b->written++;
        b->failed = st;
        pthread_cond_broadcast(&b->changed);
        if (st != ST_OK)
            break;
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Signals are the program's; a pipe that closed is an error of ours, not its end. */
static int start(struct background *b)
{
#ifdef _WIN32
    return pthread_create(&b->thread, NULL, write_frames, b);
#else
    sigset_t every, before;
    int failed;

    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    failed = pthread_create(&b->thread, NULL, write_frames, b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
#endif
}

enum status background_create(struct background **out, unsigned queue, background_fn *fn, void *ctx)
{
    struct background *b = mem_calloc(1, sizeof(*b));

    *out = NULL;
    if (!b)
        return ST_NOMEM;
    b->fn = fn;
    b->ctx = ctx;
    b->at_once = !queue;
    b->slots = !queue ? 1 : queue < BACKGROUND_QUEUE_MAX ? queue : BACKGROUND_QUEUE_MAX;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    if (start(b)) {
        pthread_cond_destroy(&b->changed);
        pthread_mutex_destroy(&b->lock);
        mem_free(b);
        return ST_NOMEM;
    }
    join_all(b);
    *out = b;
    return ST_OK;
}

void background_destroy(struct background *b)
{
    if (!b)
        return;
    leave_all(b);
    pthread_mutex_lock(&b->lock);
    b->hurry = b->ends = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    for (unsigned i = 0; i < b->slots; i++)
        mem_free(b->slot[i].bytes);
    mem_free(b);
}

bool background_hurries(struct background *b)
{
    bool hurry;

    pthread_mutex_lock(&b->lock);
    hurry = b->hurry;
    pthread_mutex_unlock(&b->lock);
    return hurry;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static enum status copy(struct slot *slot, const struct present_frame *frame)
{
    uint32_t row = frame->width * frame->format->bytes;
    size_t size = (size_t)row * frame->height;
    uint8_t *bytes = size > slot->size ? mem_realloc(slot->bytes, size) : slot->bytes;

    if (!bytes)
        return ST_NOMEM;
    if (size > slot->size)
        slot->size = size;
    slot->bytes = bytes;
    slot->frame = *frame;
    slot->frame.data = bytes;
    slot->frame.row_pitch = row;
    for (uint32_t y = 0; y < frame->height; y++)
        memcpy(bytes + (size_t)y * row, frame->data + (size_t)y * frame->row_pitch, row);
    return ST_OK;
}

/* Returns with the lock held. */
static enum status wait_until(struct background *b, unsigned waiting)
{
    pthread_mutex_lock(&b->lock);
    while (b->failed == ST_OK && b->taken - b->written > waiting)
        pthread_cond_wait(&b->changed, &b->lock);
    return b->failed;
}

enum status background_show(struct background *b, const struct present_frame *frame)
{
    enum status st = wait_until(b, b->slots - 1);

    pthread_mutex_unlock(&b->lock);
    if (st == ST_OK)
        st = copy(&b->slot[b->taken % b->slots], frame);
    if (st != ST_OK)
        return st;
    pthread_mutex_lock(&b->lock);
    b->taken++;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (!b->at_once)
        return ST_OK;
    st = wait_until(b, 0);
    pthread_mutex_unlock(&b->lock);
    return st;
}
