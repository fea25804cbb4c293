/* Asynchronous frame writer: a thread writes queued copies of frames while the program renders the
 * next ones. Private to present. */
#ifndef PRESENT_SINK_ASYNC_WRITER_H
#define PRESENT_SINK_ASYNC_WRITER_H

#include "present/present.h"

struct async_writer;

/* Runs on the writer thread, in frame order. After a failure the writer calls it no more. */
typedef enum status async_write_fn(void *ctx, const struct present_frame *frame);
/* Runs once on the writer thread, after the last frame or a failure: closes the file. */
typedef enum status async_finish_fn(void *ctx);

enum { ASYNC_WRITER_QUEUE_MAX = 64 };

/* queue: maximum frames in the queue; 0: async_writer_submit returns after the frame is written.
 * finish may be NULL. On native systems a program that calls exit() or returns from main still
 * writes queued frames and finishes. */
MUST_CHECK enum status async_writer_create(struct async_writer **out, unsigned queue,
                                           async_write_fn *fn, async_finish_fn *finish, void *ctx);
/* Queues a copy of the frame; waits while the queue is full. Returns the failure of an earlier
 * frame, if any. */
MUST_CHECK enum status async_writer_submit(struct async_writer *writer,
                                           const struct present_frame *frame);
/* Returns true if no more frames will come: a write that waits for another program may then give
 * up. */
bool async_writer_is_draining(struct async_writer *writer);
/* Writes the queued frames, finishes and ends the thread; NULL is allowed. Returns a failure that
 * no submission has returned. */
MUST_CHECK enum status async_writer_destroy(struct async_writer *writer);

#endif
