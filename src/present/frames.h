/* The other end of the sink "shm:NAME": the newest frame of a program, for `novem view`. Not for
 * Windows builds. */
#ifndef PRESENT_FRAMES_H
#define PRESENT_FRAMES_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

struct frames_reader;

struct frames_picture {
    const uint32_t *pixels; /* X8R8G8B8 without gaps; the reader's, until its next call */
    uint32_t width, height;
    uint64_t number; /* in its swap chain */
    uint32_t count;  /* of frames that this writer has published */
    uint32_t writer; /* its process */
    uint32_t draws, primitives;
};

/* Succeeds where nobody writes yet. */
MUST_CHECK enum status frames_open(struct frames_reader **out, const char *name);
void frames_close(struct frames_reader *reader); /* NULL is allowed */

/* The newest frame, if it is not the one of the call before. ST_NOTFOUND: there is no other. Comes
 * back to a writer that was started again. ST_NOMEM leaves all as it was. */
MUST_CHECK enum status frames_next(struct frames_reader *reader, struct frames_picture *out);
/* Whether somebody writes, as far as one can tell: of one that crashed one cannot. */
bool frames_has_writer(const struct frames_reader *reader);
/* Copies that were given up because the writer came round, for tests. */
uint64_t frames_torn_count(const struct frames_reader *reader);

#endif
