/* Frames that a thread writes while the program makes the next ones. Private to present. */
#ifndef PRESENT_ASYNC_WRITER_H
#define PRESENT_ASYNC_WRITER_H

#include "present/present.h"

struct background;

/* Called in the thread, in order. What fails is tried no more. */
typedef enum status background_fn(void *ctx, const struct present_frame *frame);

enum { BACKGROUND_QUEUE_MAX = 64 };

/* queue: frames that may wait; 0: background_show returns when the frame is written. Natively a
 * program that ends by exit() or by returning from main still writes what waits. */
MUST_CHECK enum status background_create(struct background **out, unsigned queue, background_fn *fn,
                                         void *ctx);
/* Copies the frame, and waits where the queue is full. Fails with what failed for an earlier frame.
 */
MUST_CHECK enum status background_show(struct background *background,
                                       const struct present_frame *frame);
/* Whether nobody will come for more: who waits for another program may give up. */
bool background_hurries(struct background *background);
/* Writes what waits; NULL is allowed. */
void background_destroy(struct background *background);

#endif
