/* Streams in a file with their buffers (docs/r500.md, "The file"). Little-endian, on such hosts. */
#ifndef PRESENT_R500_FILE_H
#define PRESENT_R500_FILE_H

#include "present/r500/submit.h"

#include <stddef.h>
#include <stdio.h>

enum r500_item_kind { R500_ITEM_BUFFER = 1, R500_ITEM_SUBMIT, R500_ITEM_FLIP };

/* A buffer becomes the picture on the display. */
struct r500_flip {
    uint32_t handle, width, height, pitch; /* pixels, pixels, bytes */
    uint32_t chain, number;                /* of the frame */
};

/* Borrows the file's bytes. */
struct r500_item {
    enum r500_item_kind kind;
    size_t at;              /* byte in the file */
    uint32_t handle, size;  /* of a buffer, in bytes */
    const uint8_t *content; /* NULL: zeroes, where the buffer is new */
    struct r500_submit submit;
    struct r500_flip flip;
};

MUST_CHECK enum status r500_file_begin(FILE *file, enum r500_chip chip);
/* data NULL: a buffer of zeroes. Again for a handle: new content. */
MUST_CHECK enum status r500_file_buffer(FILE *file, const struct r500_buffer *buffer);
MUST_CHECK enum status r500_file_submit(FILE *file, const struct r500_submit *submit);
MUST_CHECK enum status r500_file_flip(FILE *file, const struct r500_flip *flip);

/* bytes are aligned to 4. *at becomes the first item. ST_DAMAGED: *reason tells why. */
MUST_CHECK enum status r500_file_open(const uint8_t *bytes, size_t n, size_t *at,
                                      enum r500_chip *chip, const char **reason);
/* The item at *at, and on to the next. ST_NOTFOUND: the file has ended. */
MUST_CHECK enum status r500_file_next(const uint8_t *bytes, size_t n, size_t *at,
                                      struct r500_item *out, const char **reason);

/* Buffers as a file's items make them. Zeroed: none. */
struct r500_buffers {
    struct r500_memory memory;
    uint64_t bytes;
};
/* keep: contents too, not only sizes. ST_DAMAGED: too much, or another size than before. */
MUST_CHECK enum status r500_buffers_apply(struct r500_buffers *buffers,
                                          const struct r500_item *item, bool keep,
                                          const char **reason);
void r500_buffers_fini(struct r500_buffers *buffers);

#endif
