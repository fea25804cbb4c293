/* Frames that a thread writes while the program makes the next ones. Private to present. */
#ifndef PRESENT_ASYNC_WRITER_H
#define PRESENT_ASYNC_WRITER_H

#include "present/present.h"

struct async_writer;

/* Called in the thread, in order. What fails is tried no more. */
typedef enum status async_write_fn(void *ctx, const struct present_frame *frame);

enum { ASYNC_WRITER_QUEUE_MAX = 64 };

/* queue: frames that may wait; 0: async_writer_submit returns when the frame is written. Natively a
 * program that ends by exit() or by returning from main still writes what waits. */
MUST_CHECK enum status async_writer_create(struct async_writer **out, unsigned queue,
                                           async_write_fn *fn, void *ctx);
/* Copies the frame, and waits where the queue is full. Fails with what failed for an earlier frame.
 */
MUST_CHECK enum status async_writer_submit(struct async_writer *writer,
                                           const struct present_frame *frame);
/* Whether nobody will come for more: who waits for another program may give up. */
bool async_writer_is_draining(struct async_writer *writer);
/* Writes what waits; NULL is allowed. */
void async_writer_destroy(struct async_writer *writer);

#endif
