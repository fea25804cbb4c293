/* Packets on their way from the thread that calls the API to the one that renders: a ring of bytes
 * with one producer and one consumer. Private to cmd.
 *
 * Positions count the bytes of the ring from its start and never wrap; the seqno of a packet is
 * where it ends. A packet is done when `queue_is_executed` has reached its seqno. */
#ifndef CMD_QUEUE_H
#define CMD_QUEUE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

/* What the render thread calls, all with the same ctx. */
struct queue_consumer {
    /* Runs the packet that ends at `seqno`. packet and data are the ring's memory. */
    void (*run)(void *ctx, uint32_t op, const void *packet, const void *data, size_t data_bytes,
                uint64_t seqno);
    /* Finishes what was rendered so far: somebody asked by queue_request_flush. */
    void (*flush)(void *ctx);
    void *ctx;
};

/* ST_UNSUPPORTED where no thread can be made. */
MUST_CHECK enum status queue_create(struct queue **out, const struct queue_consumer *consumer);
/* Runs what is left. NULL is allowed. */
void queue_destroy(struct queue *queue);

/* Where queue_add will put the data of a packet of these sizes, NULL for long data. Waits while
 * there is no room. */
void *queue_reserve_data(struct queue *queue, size_t packet_bytes, size_t data_bytes);
/* Appends a packet, copied with its data, which may be in place already. Waits while there is no
 * room. ST_NOMEM, and nothing is appended, where data needs memory of its own. packet_bytes: a
 * multiple of 4. */
MUST_CHECK enum status queue_add(struct queue *queue, uint32_t op, const void *packet,
                                 size_t packet_bytes, const void *data, size_t data_bytes);
uint64_t queue_last_seqno(const struct queue *queue); /* of the last packet that was added */

/* Shows the consumer what has been added. At once: it need not wait for more. */
void queue_publish(struct queue *queue, bool at_once);

bool queue_is_executed(const struct queue *queue, uint64_t seqno);
/* Waits until the packet at `seqno` is done. */
void queue_wait(struct queue *queue, uint64_t seqno);
/* The same, and then has the render thread call fn(arg) and waits for that too. */
typedef void queue_fn(void *arg);
void queue_call(struct queue *queue, uint64_t seqno, queue_fn *fn, void *arg);
/* Has `finish` called some time after `seqno` is done. Does not wait. */
void queue_request_flush(struct queue *queue, uint64_t seqno);

#endif
