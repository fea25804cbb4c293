/* Tests the packet ring: packets of all lengths arrive intact and in order; waits, calls and flush
 * requests happen at their seqnos. */
#include "check_main.h"

#include "cmd/queue.h"
#include "util/alloc.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { LONG = 3 << 20, STEPS = 20000 };

struct reader {
    uint64_t random; /* same sequence as the writer's */
    unsigned packets, finished;
    uint64_t last;
    atomic_int hold; /* while 1, the reader blocks in its packet */
};

static uint32_t below(uint64_t *random, uint32_t n)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % n;
}

struct sent {
    uint32_t op, word[8];
    size_t packet_bytes, data_bytes;
    uint8_t fill;
};

/* A random packet: usually short data, one in 500 longer than the ring stores inline. */
static struct sent next(uint64_t *random)
{
    struct sent s = {.op = below(random, 40), .packet_bytes = 4 * (1 + below(random, 8))};

    for (int i = 0; i < 8; i++)
        s.word[i] = below(random, UINT32_MAX);
    if (below(random, 2))
        s.data_bytes = below(random, 300);
    if (!below(random, 500))
        s.data_bytes = below(random, LONG);
    s.fill = (uint8_t)below(random, 256);
    return s;
}

static void run(void *ctx, uint32_t op, const void *packet, const void *data, size_t data_bytes,
                uint64_t seqno)
{
    struct reader *r = ctx;
    struct sent s = next(&r->random);

    while (atomic_load(&r->hold))
        ;
    ck_assert_uint_eq(op, s.op);
    ck_assert_int_eq(memcmp(packet, s.word, s.packet_bytes), 0);
    ck_assert_uint_eq(data_bytes, s.data_bytes);
    ck_assert(!data == !data_bytes);
    for (size_t i = 0; i < data_bytes; i++)
        if (((const uint8_t *)data)[i] != s.fill)
            ck_abort_msg("byte %zu of packet %u", i, r->packets);
    ck_assert_uint_gt(seqno, r->last);
    r->last = seqno;
    r->packets++;
}

static void finish(void *ctx)
{
    ((struct reader *)ctx)->finished++;
}

static void make(struct queue **queue, struct reader *r)
{
    const struct queue_consumer consumer = {run, finish, r};

    memset(r, 0, sizeof(*r));
    r->random = 1;
    ck_assert_int_eq(queue_create(queue, &consumer), ST_OK);
}

/* Sends a packet. Half of the packets write their data in place. */
static void send(struct queue *queue, uint64_t *random, uint8_t *data)
{
    struct sent s = next(random);
    uint8_t *reserved = s.fill & 1 ? queue_reserve_data(queue, s.packet_bytes, s.data_bytes) : NULL;

    if (reserved)
        data = reserved;
    memset(data, s.fill, s.data_bytes);
    ck_assert_int_eq(
        queue_add(queue, s.op, s.word, s.packet_bytes, s.data_bytes ? data : NULL, s.data_bytes),
        ST_OK);
}

START_TEST(packets_arrive_in_order)
{
    uint8_t *data = mem_alloc(LONG);
    uint64_t random = 1;
    struct reader r;
    struct queue *queue;

    make(&queue, &r);
    for (unsigned i = 0; i < STEPS; i++) {
        send(queue, &random, data);
        if (i % 7 == 0)
            queue_publish(queue, i % 3 == 0);
        if (i % 997 == 0) {
            uint64_t here = queue_last_seqno(queue);

            queue_wait(queue, here);
            ck_assert(queue_is_executed(queue, here));
            ck_assert_uint_eq(r.packets, i + 1);
        }
    }
    queue_destroy(queue);
    ck_assert_uint_eq(r.packets, STEPS);
    mem_free(data);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Consumer that blocks until `open`, then takes 1 ms for each packet. */
struct slow {
    atomic_uint added;
    atomic_bool open;
};
enum { SLOW_BYTES = 64 << 10 };

static void run_slowly(void *ctx, uint32_t op, const void *packet, const void *data,
                       size_t data_bytes, uint64_t seqno)
{
    struct slow *slow = ctx;

    (void)op, (void)packet, (void)data, (void)data_bytes, (void)seqno;
    while (!atomic_load(&slow->open))
        ;
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

/* Opens the consumer when the producer has added no packet for 50 ms. */
static void *open_when_full(void *arg)
{
    struct slow *slow = arg;
    unsigned before;

    do {
        before = atomic_load(&slow->added);
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    } while (!before || atomic_load(&slow->added) != before);
    atomic_store(&slow->open, true);
    return NULL;
}

/* A producer that finds the ring full waits for a quarter of it, not for a single packet. */
START_TEST(full_ring_drains_by_a_quarter)
{
    static uint8_t data[SLOW_BYTES];
    const uint32_t packet = 0;
    struct slow slow = {0};
    const struct queue_consumer consumer = {run_slowly, finish, &slow};
    struct queue *queue;
    pthread_t thread;
    uint64_t before;

    ck_assert_int_eq(queue_create(&queue, &consumer), ST_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, open_when_full, &slow), 0);
    do {
        before = queue_last_seqno(queue);
        ck_assert_int_eq(queue_add(queue, 1, &packet, sizeof(packet), data, sizeof(data)), ST_OK);
        queue_publish(queue, true);
        atomic_fetch_add(&slow.added, 1);
    } while (!atomic_load(&slow.open)); /* the last packet found the ring full */
    ck_assert_uint_gt(before, 4 * sizeof(data));
    ck_assert(queue_is_executed(queue, before / 4));
    ck_assert(!queue_is_executed(queue, before));
    pthread_join(thread, NULL);
    queue_destroy(queue);
}
END_TEST

struct snapshot {
    struct reader *at;
    unsigned packets, finished;
};

static void take_snapshot(void *arg)
{
    struct snapshot *l = arg;

    l->packets = l->at->packets;
    l->finished = l->at->finished;
}

/* A call runs when its packet has been executed, not when the last packet has. */
START_TEST(calls_run_at_their_seqno)
{
    uint8_t *data = mem_alloc(LONG);
    uint64_t random = 1, middle = 0;
    struct reader r;
    struct queue *queue;
    struct snapshot seen = {.at = &r};

    make(&queue, &r);
    atomic_store(&r.hold, 1);
    for (int i = 0; i < 20; i++) {
        send(queue, &random, data);
        if (i == 9)
            middle = queue_last_seqno(queue);
    }
    ck_assert(!queue_is_executed(queue, middle));
    queue_publish(queue, true);
    ck_assert(!queue_is_executed(queue, middle));
    atomic_store(&r.hold, 0);
    queue_call(queue, middle, take_snapshot, &seen);
    ck_assert_uint_ge(seen.packets, 10);
    ck_assert(queue_is_executed(queue, middle));
    queue_destroy(queue);
    mem_free(data);
}
END_TEST

/* The thread serves flush requests without further packets, and after their seqno. */
START_TEST(flush_requests_are_served)
{
    uint8_t *data = mem_alloc(LONG);
    uint64_t random = 1;
    struct reader r;
    struct queue *queue;

    make(&queue, &r);
    for (unsigned i = 0; i < 100; i++) {
        struct snapshot seen = {.at = &r};

        send(queue, &random, data);
        queue_request_flush(queue, queue_last_seqno(queue));
        while (seen.finished <= i)
            queue_call(queue, 0, take_snapshot, &seen);
        ck_assert_uint_eq(seen.packets, i + 1);
    }
    queue_destroy(queue);
    mem_free(data);
}
END_TEST

/* If memory for long data runs out, the packet is not added and the queue continues to work. */
START_TEST(no_memory)
{
    uint8_t *data = mem_calloc(1, LONG);
    const uint32_t packet = 7;
    struct reader r;
    struct queue *queue;
    uint64_t random = 1, before;

    make(&queue, &r);
    before = queue_last_seqno(queue);
    mem_fail_after(0);
    ck_assert_int_eq(queue_add(queue, 1, &packet, 4, data, LONG), ST_NOMEM);
    mem_fail_after(-1);
    ck_assert_uint_eq(queue_last_seqno(queue), before);
    send(queue, &random, data);
    queue_destroy(queue);
    ck_assert_uint_eq(r.packets, 1);
    mem_free(data);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("cmd/queue");
    TCase *tc = tcase_create("queue");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, packets_arrive_in_order);
    tcase_add_test(tc, full_ring_drains_by_a_quarter);
    tcase_add_test(tc, calls_run_at_their_seqno);
    tcase_add_test(tc, flush_requests_are_served);
    tcase_add_test(tc, no_memory);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
