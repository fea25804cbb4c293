/* Producer/consumer ring of command packets with a render thread as its consumer.
 *
 * The producer writes packets at `head` and publishes them in published_seq. The thread executes
 * packets in order and publishes its progress in executed_seq. It spins for SPIN_COUNT polls before
 * it sleeps. */
#include "cmd/queue.h"

#include "util/alloc.h"
#include "util/condition.h"
#include "util/fpenv.h"
#include "util/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    RING_BYTES = 8 << 20,          /* a power of two */
    INLINE_BYTES = RING_BYTES / 8, /* longer data gets its own allocation, out of line */
    /* A producer that finds the ring full waits for this much space. Exceeds any packet. */
    REFILL_BYTES = RING_BYTES / 4,
    MAX_OUT_OF_LINE_BYTES = 64 << 20, /* limit of all these allocations; one may exceed it alone */
    WAKE_BYTES = 16 << 10,            /* published bytes that are worth waking the thread */
    ALIGN = 16,
    SPIN_COUNT = 2000
};
enum { PAD = UINT16_MAX }; /* op of a record that fills the end of the ring */
static const uint64_t NEVER = UINT64_MAX;

/* Header of a packet in the ring. The packet and its data follow, each aligned to ALIGN. */
struct record {
    uint16_t op, packet_bytes;
    uint32_t bytes;      /* of header, packet and data */
    uint64_t data_bytes; /* above INLINE_BYTES: the ring holds a pointer instead of the data */
};

struct queue {
    uint8_t *ring;
    struct queue_consumer consumer;
    pthread_t thread;
    pthread_mutex_t lock;
    struct condition work_cond;      /* wakes the thread */
    struct condition call_done_cond; /* the thread has made the call; used under the lock */

    /* producer only */
    uint64_t head, woken_seq; /* end of the last packet; head when the thread was last woken */

    _Alignas(64) _Atomic uint64_t published_seq;
    atomic_bool quit;
    _Alignas(64) _Atomic uint64_t executed_seq;
    _Atomic size_t out_of_line_bytes;
    /* The thread handles `call` and `flush_request` at this seqno. NEVER: both are empty. */
    _Atomic uint64_t doorbell;
    /* under the lock */
    struct {
        uint64_t seqno;
        queue_fn *fn;
        void *arg;
    } call;                 /* seqno NEVER: none */
    uint64_t flush_request; /* NEVER: none */
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

/* --- The thread ------------------------------------------------------------------------------- */

static void run_record(struct queue *q, struct record *record, uint64_t seqno)
{
    uint8_t *packet = (uint8_t *)(record + 1), *data = packet + aligned(record->packet_bytes);
    void *out_of_line = NULL;

    if (record->op == PAD)
        return;
    if (record->data_bytes > INLINE_BYTES) {
        memcpy(&out_of_line, data, sizeof(out_of_line));
        data = out_of_line;
    }
    q->consumer.run(q->consumer.ctx, record->op, packet, record->data_bytes ? data : NULL,
                    (size_t)record->data_bytes, seqno);
    if (out_of_line) {
        mem_free(out_of_line);
        atomic_fetch_sub(&q->out_of_line_bytes, (size_t)record->data_bytes);
    }
}

/* Makes the requested flush and call if the thread has reached their seqnos. */
static void answer_doorbell(struct queue *q, uint64_t at)
{
    pthread_mutex_lock(&q->lock);
    if (q->flush_request <= at) {
        q->flush_request = NEVER;
        q->consumer.flush(q->consumer.ctx);
    }
    if (q->call.seqno <= at) {
        if (q->call.fn)
            q->call.fn(q->call.arg);
        q->call.seqno = NEVER;
        condition_broadcast(&q->call_done_cond);
    }
    atomic_store(&q->doorbell, q->flush_request < q->call.seqno ? q->flush_request : q->call.seqno);
    pthread_mutex_unlock(&q->lock);
}

static bool is_idle(struct queue *q, uint64_t at)
{
    return atomic_load(&q->published_seq) == at && atomic_load(&q->doorbell) > at;
}

static void wait_for_work(struct queue *q, uint64_t at)
{
    for (unsigned i = 0; i < SPIN_COUNT; i++) {
        if (!is_idle(q, at))
            return;
        thread_pause();
    }
    for (;;) {
        unsigned now = condition_now(&q->work_cond);

        if (!is_idle(q, at) || atomic_load(&q->quit))
            return;
        condition_sleep(&q->work_cond, now);
    }
}

static void *thread_main(void *arg)
{
    struct queue *q = arg;
    uint64_t at = 0, end;

    (void)fp_enter();
    for (;;) {
        end = atomic_load_explicit(&q->published_seq, memory_order_acquire);
        while (at < end) {
            struct record *record = (struct record *)(q->ring + (at & (RING_BYTES - 1)));

            at += record->bytes;
            run_record(q, record, at);
            atomic_store_explicit(&q->executed_seq, at, memory_order_release);
            /* A doorbell that this relaxed load misses is seen after the next packet, or before
             * the thread sleeps. */
            if (atomic_load_explicit(&q->doorbell, memory_order_relaxed) <= at)
                answer_doorbell(q, at);
        }
        if (atomic_load(&q->doorbell) <= at)
            answer_doorbell(q, at);
        if (!is_idle(q, at))
            continue;
        if (atomic_load(&q->quit))
            return NULL;
        wait_for_work(q, at);
    }
}

/* --- Creation and destruction ----------------------------------------------------------------- */

static void free_queue(struct queue *q)
{
    pthread_mutex_destroy(&q->lock);
    mem_free(q->ring);
    mem_free(q);
}

enum status queue_create(struct queue **out, const struct queue_consumer *consumer)
{
    struct queue *q = mem_calloc(1, sizeof(*q));

    *out = NULL;
    if (!q)
        return ST_NOMEM;
    pthread_mutex_init(&q->lock, NULL);
    q->ring = mem_alloc(RING_BYTES);
    if (!q->ring) {
        free_queue(q);
        return ST_NOMEM;
    }
    q->consumer = *consumer;
    q->call.seqno = q->flush_request = NEVER;
    atomic_init(&q->doorbell, NEVER);
    if (thread_start(&q->thread, thread_main, q)) {
        free_queue(q);
        return ST_UNSUPPORTED;
    }
    *out = q;
    return ST_OK;
}

void queue_destroy(struct queue *q)
{
    if (!q)
        return;
    queue_publish(q, true);
    atomic_store(&q->quit, true);
    condition_broadcast(&q->work_cond);
    pthread_join(q->thread, NULL);
    free_queue(q);
}

/* --- The producer ----------------------------------------------------------------------------- */

void queue_publish(struct queue *q, bool at_once)
{
    if (atomic_load_explicit(&q->published_seq, memory_order_relaxed) != q->head)
        atomic_store(&q->published_seq, q->head);
    if (!at_once && q->head - q->woken_seq < WAKE_BYTES)
        return;
    q->woken_seq = q->head;
    condition_broadcast(&q->work_cond);
}

uint64_t queue_last_seqno(const struct queue *q)
{
    return q->head;
}

bool queue_is_executed(const struct queue *q, uint64_t seqno)
{
    return atomic_load_explicit(&q->executed_seq, memory_order_acquire) >= seqno;
}

void queue_call(struct queue *q, uint64_t seqno, queue_fn *fn, void *arg)
{
    queue_publish(q, true);
    pthread_mutex_lock(&q->lock);
    q->call.fn = fn;
    q->call.arg = arg;
    q->call.seqno = seqno;
    if (seqno < atomic_load(&q->doorbell))
        atomic_store(&q->doorbell, seqno);
    condition_broadcast(&q->work_cond);
    while (q->call.seqno != NEVER)
        condition_wait(&q->call_done_cond, &q->lock);
    pthread_mutex_unlock(&q->lock);
}

void queue_wait(struct queue *q, uint64_t seqno)
{
    if (!queue_is_executed(q, seqno))
        queue_call(q, seqno, NULL, NULL);
}

void queue_request_flush(struct queue *q, uint64_t seqno)
{
    queue_publish(q, true);
    pthread_mutex_lock(&q->lock);
    q->flush_request = seqno < q->flush_request ? seqno : q->flush_request;
    if (seqno < atomic_load(&q->doorbell))
        atomic_store(&q->doorbell, seqno);
    condition_broadcast(&q->work_cond);
    pthread_mutex_unlock(&q->lock);
}

/* A producer that finds the ring full waits for REFILL_BYTES, not just for its packet. Otherwise
 * the two threads would wake each other for every packet. */
static void wait_for_space(struct queue *q, size_t bytes)
{
    if (q->head + bytes > RING_BYTES && !queue_is_executed(q, q->head + bytes - RING_BYTES))
        queue_wait(q, q->head + REFILL_BYTES - RING_BYTES);
}

/* Reserves `bytes` contiguous bytes at head; pads the end of the ring if they do not fit there. */
static struct record *reserve_record(struct queue *q, size_t bytes)
{
    size_t at = q->head & (RING_BYTES - 1);

    if (at + bytes > RING_BYTES) {
        struct record *pad = (struct record *)(q->ring + at);

        wait_for_space(q, RING_BYTES - at);
        pad->op = PAD;
        pad->bytes = (uint32_t)(RING_BYTES - at);
        q->head += RING_BYTES - at;
    }
    wait_for_space(q, bytes);
    return (struct record *)(q->ring + (q->head & (RING_BYTES - 1)));
}

void *queue_reserve_data(struct queue *q, size_t packet_bytes, size_t data_bytes)
{
    size_t before = sizeof(struct record) + aligned(packet_bytes);

    if (data_bytes > INLINE_BYTES)
        return NULL;
    return (uint8_t *)reserve_record(q, before + aligned(data_bytes)) + before;
}

static void *copy_out_of_line(struct queue *q, const void *data, size_t bytes)
{
    size_t others = atomic_load(&q->out_of_line_bytes);
    void *copy;

    if (others && (bytes > MAX_OUT_OF_LINE_BYTES || others > MAX_OUT_OF_LINE_BYTES - bytes))
        queue_wait(q, q->head);
    copy = mem_alloc(bytes);
    if (!copy)
        return NULL;
    memcpy(copy, data, bytes);
    atomic_fetch_add(&q->out_of_line_bytes, bytes);
    return copy;
}

enum status queue_add(struct queue *q, uint32_t op, const void *packet, size_t packet_bytes,
                      const void *data, size_t data_bytes)
{
    void *out_of_line = NULL;
    struct record *record;
    size_t bytes;
    uint8_t *to;

    if (data_bytes > INLINE_BYTES && !(out_of_line = copy_out_of_line(q, data, data_bytes)))
        return ST_NOMEM;
    bytes = sizeof(*record) + aligned(packet_bytes) +
            aligned(out_of_line ? sizeof(out_of_line) : data_bytes);
    record = reserve_record(q, bytes);
    *record = (struct record){.op = (uint16_t)op,
                              .packet_bytes = (uint16_t)packet_bytes,
                              .bytes = (uint32_t)bytes,
                              .data_bytes = data_bytes};
    to = (uint8_t *)(record + 1);
    memcpy(to, packet, packet_bytes);
    to += aligned(packet_bytes);
    if (out_of_line)
        memcpy(to, &out_of_line, sizeof(out_of_line));
    else if (data_bytes && data != to)
        memcpy(to, data, data_bytes);
    q->head += bytes;
    return ST_OK;
}
