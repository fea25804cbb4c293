/* Reader of the shared-memory sink "shm:NAME": returns the newest frame of a program, for `novem
 * view`. The writer is not trusted. Not in Windows builds. */
#ifndef PRESENT_SHARED_FRAMES_H
#define PRESENT_SHARED_FRAMES_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

struct frames_reader;

struct frames_picture {
    const uint32_t *pixels; /* X8R8G8B8 without padding; owned by the reader, valid until it
                             * returns another picture */
    uint32_t width, height;
    uint64_t number; /* frame number in its swap chain */
    uint32_t count;  /* frames published by this writer */
    uint32_t writer; /* process number of the writer */
    uint32_t draws, primitives;
};

/* Also succeeds if no writer exists yet. */
MUST_CHECK enum status frames_open(struct frames_reader **out, const char *name);
void frames_close(struct frames_reader *reader); /* NULL is allowed */

/* Returns the newest frame if it differs from the last one returned, else ST_NOTFOUND. Reconnects
 * to a restarted writer. ST_NOMEM leaves the reader unchanged. */
MUST_CHECK enum status frames_next(struct frames_reader *reader, struct frames_picture *out);
/* Returns whether a writer exists; a crashed writer still counts. */
bool frames_has_writer(const struct frames_reader *reader);
/* Copies discarded because the writer reused the slot; for tests. */
uint64_t frames_torn_count(const struct frames_reader *reader);

#endif
