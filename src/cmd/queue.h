/* Producer/consumer ring of command packets: the API thread adds, the render thread executes.
 * Private to cmd.
 *
 * The seqno of a packet is the byte offset of its end in the endless ring; it never wraps. A packet
 * has been executed when queue_is_executed() is true for its seqno. */
#ifndef CMD_QUEUE_H
#define CMD_QUEUE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

/* Callbacks of the render thread; all get the same ctx. */
struct queue_consumer {
    /* Executes the packet at `seqno`. packet and data are memory of the ring. */
    void (*run)(void *ctx, uint32_t op, const void *packet, const void *data, size_t data_bytes,
                uint64_t seqno);
    /* Renders all packets executed so far. Called for queue_request_flush. */
    void (*flush)(void *ctx);
    void *ctx;
};

/* ST_UNSUPPORTED: no thread can be created. */
MUST_CHECK enum status queue_create(struct queue **out, const struct queue_consumer *consumer);
/* Executes the remaining packets first. NULL is allowed. */
void queue_destroy(struct queue *queue);

/* The address where queue_add will place the data of a packet of these sizes, so that the caller
 * can write it in place. NULL: the data is too long for the ring. Waits while the ring is full. */
void *queue_reserve_data(struct queue *queue, size_t packet_bytes, size_t data_bytes);
/* Adds a copy of a packet and of its data, which may already be in place. Waits while the ring is
 * full. ST_NOMEM: long data needs its own allocation, which failed; the packet is not added.
 * packet_bytes: a multiple of 4. */
MUST_CHECK enum status queue_add(struct queue *queue, uint32_t op, const void *packet,
                                 size_t packet_bytes, const void *data, size_t data_bytes);
uint64_t queue_last_seqno(const struct queue *queue); /* of the last packet that was added */

/* Makes the added packets visible to the render thread. at_once: wakes the thread now, else only
 * when enough bytes are waiting. */
void queue_publish(struct queue *queue, bool at_once);

bool queue_is_executed(const struct queue *queue, uint64_t seqno);
/* Waits until the packet at `seqno` has been executed. */
void queue_wait(struct queue *queue, uint64_t seqno);
/* Makes the render thread call fn(arg) after it has executed `seqno`, and waits for the call. */
typedef void queue_fn(void *arg);
void queue_call(struct queue *queue, uint64_t seqno, queue_fn *fn, void *arg);
/* Makes the render thread call `flush` after it has executed `seqno`. Does not wait. */
void queue_request_flush(struct queue *queue, uint64_t seqno);

#endif
