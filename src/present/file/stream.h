/* Sequential output to a file or pipe. Private to present. */
#ifndef PRESENT_FILE_STREAM_H
#define PRESENT_FILE_STREAM_H

#include "present/sink/async_writer.h"
#include "util/output_file.h"

/* The reader of a pipe may be slow or not exist yet: open and write wait for it. While the writer
 * drains, they give up after a second without progress. They log failures; a closed pipe is ST_IO.
 * Call them on the writer thread, which blocks signals. */
/* path receives the file's name, which differs from `name` if that one is in use
 * (util/output_file.h). writer NULL: never drains. */
MUST_CHECK enum status stream_open(int *out, char path[OUTPUT_PATH_BYTES], const char *name,
                                   struct async_writer *writer);
MUST_CHECK enum status stream_write(int file, const char *path, const void *bytes, size_t n,
                                    struct async_writer *writer);
/* file must not be -1. */
MUST_CHECK enum status stream_close(int file, const char *path);

#endif
