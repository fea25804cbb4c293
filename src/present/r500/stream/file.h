/* File of command streams, their buffers, and flips (docs/r500.md, "The file"). Little-endian; the
 * host must be too. */
#ifndef PRESENT_R500_STREAM_FILE_H
#define PRESENT_R500_STREAM_FILE_H

#include "present/r500/stream/submit.h"

#include <stddef.h>
#include <stdio.h>

enum r500_item_kind { R500_ITEM_BUFFER = 1, R500_ITEM_SUBMIT, R500_ITEM_FLIP };

/* Displays a buffer. */
struct r500_flip {
    uint32_t handle, width, height, pitch; /* pixels, pixels, bytes */
    uint32_t chain, number;                /* of the frame */
};

/* Borrows the bytes of the file. */
struct r500_item {
    enum r500_item_kind kind;
    size_t at;              /* offset in the file */
    uint32_t handle, size;  /* buffer handle and size in bytes */
    const uint8_t *content; /* NULL: zeros, for a new buffer */
    struct r500_submit submit;
    struct r500_flip flip;
};

MUST_CHECK enum status r500_file_begin(FILE *file, enum r500_chip chip);
/* Writes a buffer. data NULL: zeros. A handle written again gets new contents. */
MUST_CHECK enum status r500_file_buffer(FILE *file, const struct r500_buffer *buffer);
MUST_CHECK enum status r500_file_submit(FILE *file, const struct r500_submit *submit);
MUST_CHECK enum status r500_file_flip(FILE *file, const struct r500_flip *flip);

/* Opens a file in memory, aligned to 4. *at: offset of the first item. ST_DAMAGED: *reason. */
MUST_CHECK enum status r500_file_open(const uint8_t *bytes, size_t n, size_t *at,
                                      enum r500_chip *chip, const char **reason);
/* Reads the item at *at and advances. ST_NOTFOUND: end of the file. */
MUST_CHECK enum status r500_file_next(const uint8_t *bytes, size_t n, size_t *at,
                                      struct r500_item *out, const char **reason);

/* Buffers built from a file's items. All zero: none. */
struct r500_buffers {
    struct r500_memory memory;
    uint64_t bytes;
};
/* keep: stores contents, not only sizes. ST_DAMAGED: the memory limit is exceeded, or a buffer
 * changes its size. */
MUST_CHECK enum status r500_buffers_apply(struct r500_buffers *buffers,
                                          const struct r500_item *item, bool keep,
                                          const char **reason);
void r500_buffers_fini(struct r500_buffers *buffers);

#endif
