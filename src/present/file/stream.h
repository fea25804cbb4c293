/* Sequential output to a file or pipe. Private to present. */
#ifndef PRESENT_FILE_STREAM_H
#define PRESENT_FILE_STREAM_H

#include "present/sink/async_writer.h"

/* The reader of a pipe may be slow or not exist yet: open and write wait for it. While the writer
 * drains, they give up after a second without progress. They log failures; a closed pipe is ST_IO.
 * Call them on the writer thread, which blocks signals. */
MUST_CHECK enum status stream_open(int *out, const char *path, struct async_writer *writer);
MUST_CHECK enum status stream_write(int file, const char *path, const void *bytes, size_t n,
                                    struct async_writer *writer);
/* file must not be -1. */
void stream_close(int file);

#endif
