/* A file or pipe that bytes go to without end. Private to present. */
#ifndef PRESENT_STREAM_H
#define PRESENT_STREAM_H

#include "present/async_writer.h"

/* Whose reader may be slow, or not there yet: waits for it, until the background hurries and
 * nothing moves for a second. Failures are logged; a pipe that closed is ST_IO. Call from the
 * background's thread, which keeps signals off. */
MUST_CHECK enum status stream_open(int *out, const char *path, struct async_writer *writer);
MUST_CHECK enum status stream_write(int file, const char *path, const void *bytes, size_t n,
                                    struct async_writer *writer);
/* Not to be called with -1. */
void stream_close(int file);

#endif
