/* Asynchronous frame writer: a bounded producer/consumer ring of frame copies between the
 * presenting thread and the writer thread. */
#include "present/sink/async_writer.h"

#include "util/alloc.h"
#include "util/forks.h"
#include "util/threads.h"

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

struct async_writer {
    struct async_writer *next; /* list of all writers */
    async_write_fn *fn;
    async_finish_fn *finish;
    void *ctx;
    unsigned slots;
    bool synchronous; /* no queue */
    bool joined;      /* at exit; guarded by writers_lock */
    unsigned forks;   /* fork_count() at creation: a forked child does not have the thread */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* guarded by lock; slots from `written` to `submitted` belong to the writer thread */
    uint64_t submitted, written;
    enum status failed;
    bool reported; /* a submission has returned the failure */
    bool draining; /* no more frames will come: the thread ends when the queue is empty */
    bool finished; /* the thread has ended */
    struct slot slot[ASYNC_WRITER_QUEUE_MAX];
};

/* --- Process exit ----------------------------------------------------------------------------- */

static pthread_mutex_t writers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct async_writer *writers;

#ifndef _WIN32

static void drain(struct async_writer *b)
{
    pthread_mutex_lock(&b->lock);
    b->draining = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    b->joined = true;
}

static void drain_all(void)
{
    pthread_mutex_lock(&writers_lock);
    for (struct async_writer *b = writers; b; b = b->next)
        if (b->forks == fork_count())
            drain(b);
    pthread_mutex_unlock(&writers_lock);
}

static void register_exit_handler(void)
{
    atexit(drain_all);
}

#else

/* Windows ends the threads before it runs exit handlers. */
static void register_exit_handler(void)
{
}

#endif

static void register_writer(struct async_writer *b)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, register_exit_handler);
    pthread_mutex_lock(&writers_lock);
    b->next = writers;
    writers = b;
    pthread_mutex_unlock(&writers_lock);
}

static void unregister_writer(const struct async_writer *b)
{
    pthread_mutex_lock(&writers_lock);
    for (struct async_writer **at = &writers; *at; at = &(*at)->next) {
        if (*at != b)
            continue;
        *at = b->next;
        break;
    }
    pthread_mutex_unlock(&writers_lock);
}

/* --- Writer thread ---------------------------------------------------------------------------- */

/* Waits for a frame; returns false after the last one or a failure. Call with the lock held. */
static bool wait_for_frame(struct async_writer *b)
{
    while (b->failed == ST_OK && !b->draining && b->written == b->submitted)
        pthread_cond_wait(&b->changed, &b->lock);
    return b->failed == ST_OK && b->written != b->submitted;
}

static void *write_frames(void *arg)
{
    struct async_writer *b = arg;
    enum status st = ST_OK;

    pthread_mutex_lock(&b->lock);
    while (wait_for_frame(b)) {
        const struct slot *slot = &b->slot[b->written % b->slots];

        pthread_mutex_unlock(&b->lock);
        st = b->fn(b->ctx, &slot->frame);
        pthread_mutex_lock(&b->lock);
        b->written++;
        b->failed = st;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->lock);
    st = b->finish ? b->finish(b->ctx) : ST_OK;
    pthread_mutex_lock(&b->lock);
    if (b->failed == ST_OK)
        b->failed = st;
    b->finished = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Blocks all signals: they belong to the program, and a closed pipe gives an error, not SIGPIPE. */
static int start(struct async_writer *b)
{
#ifdef _WIN32
    return thread_start(&b->thread, write_frames, b);
#else
    sigset_t every, before;
    int failed;

    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    failed = thread_start(&b->thread, write_frames, b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
#endif
}

enum status async_writer_create(struct async_writer **out, unsigned queue, async_write_fn *fn,
                                async_finish_fn *finish, void *ctx)
{
    struct async_writer *b = mem_calloc(1, sizeof(*b));

    *out = NULL;
    if (!b)
        return ST_NOMEM;
    b->fn = fn;
    b->finish = finish;
    b->ctx = ctx;
    b->forks = fork_count();
    b->synchronous = !queue;
    b->slots = !queue ? 1 : queue < ASYNC_WRITER_QUEUE_MAX ? queue : ASYNC_WRITER_QUEUE_MAX;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    if (start(b)) {
        pthread_cond_destroy(&b->changed);
        pthread_mutex_destroy(&b->lock);
        mem_free(b);
        return ST_NOMEM;
    }
    register_writer(b);
    *out = b;
    return ST_OK;
}

enum status async_writer_destroy(struct async_writer *b)
{
    enum status st;

    if (!b)
        return ST_OK;
    unregister_writer(b);
    pthread_mutex_lock(&b->lock);
    b->draining = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (!b->joined)
        pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    for (unsigned i = 0; i < b->slots; i++)
        mem_free(b->slot[i].bytes);
    st = b->reported ? ST_OK : b->failed;
    mem_free(b);
    return st;
}

bool async_writer_is_draining(struct async_writer *b)
{
    bool draining;

    pthread_mutex_lock(&b->lock);
    draining = b->draining;
    pthread_mutex_unlock(&b->lock);
    return draining;
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

/* Waits until at most `waiting` frames are queued. */
static enum status wait_until(struct async_writer *b, unsigned waiting)
{
    enum status st;

    pthread_mutex_lock(&b->lock);
    while (b->failed == ST_OK && !b->finished && b->submitted - b->written > waiting)
        pthread_cond_wait(&b->changed, &b->lock);
    st = b->failed;
    b->reported |= st != ST_OK;
    pthread_mutex_unlock(&b->lock);
    return st;
}

enum status async_writer_submit(struct async_writer *b, const struct present_frame *frame)
{
    enum status st = wait_until(b, b->slots - 1);
    bool accepted;

    if (st == ST_OK)
        st = copy(&b->slot[b->submitted % b->slots], frame);
    if (st != ST_OK)
        return st;
    pthread_mutex_lock(&b->lock);
    accepted = !b->draining; /* the program exits meanwhile */
    b->submitted += accepted;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    return b->synchronous && accepted ? wait_until(b, 0) : ST_OK;
}
