/* Byte-stream reader for captures: detects the compression and delivers decompressed bytes.
 * Interface of trace/codec. */
#ifndef TRACE_CODEC_CONTAINER_H
#define TRACE_CODEC_CONTAINER_H

#include "trace/trace.h"

#include <stdio.h>

struct codec; /* state of the active decompressor */

/* Errors are sticky: after the first error or the end, every read returns zeros. Callers check
 * `failed` once per value, not once per byte. */
struct container {
    const uint8_t *at, *end; /* decompressed bytes not yet read */
    uint64_t window_byte;    /* stream offset of `end` */
    bool failed;
    struct trace_error error; /* the first error; set when failed */

    /* Private to the folder. */
    FILE *file;
    const uint8_t *data;     /* set instead of file for a capture in memory */
    uint64_t size, consumed; /* bytes of the compressed file */
    const char *name;
    bool plain; /* not compressed: file and stream offsets are equal */
    enum status (*fill)(struct container *c); /* sets at and end; at == end: end of data */
    void (*close)(struct container *c);
    struct codec *codec;
    uint64_t unit_byte;               /* file offset of the chunk in the window */
    struct trace_error pending_error; /* reported once the window is consumed */
};

/* Whether the path exists and is no plain file: opening a pipe would wait for its writer, and
 * readers need to seek. */
bool container_is_special(const char *path);
/* Detects the container by its first bytes. On failure the caller still calls container_close. */
MUST_CHECK enum status container_open(struct container *c, const char *path);
MUST_CHECK enum status container_open_memory(struct container *c, const void *data, size_t size);
void container_close(struct container *c);

static inline uint64_t container_tell(const struct container *c)
{
    return c->window_byte - (uint64_t)(c->end - c->at);
}

/* Records the first error with its offsets; ignores later ones. */
void container_fail(struct container *c, enum status st, const char *format, ...) PRINTF_LIKE(3, 4);

/* Sets an error that the caller prepared with text and offsets; it must be the first error. */
void container_fail_with(struct container *c, const struct trace_error *error);

/* Returns true if no byte is left and no error occurred. */
bool container_at_end(struct container *c);

uint8_t container_byte_slow(struct container *c);
static inline uint8_t container_byte(struct container *c)
{
    return c->at < c->end ? *c->at++ : container_byte_slow(c);
}

/* Copies n bytes; zeros after a failure. */
void container_bytes(struct container *c, void *to, size_t n);
void container_skip(struct container *c, uint64_t n);
/* Copies up to n bytes without consuming them; fewer where the window ends. */
size_t container_peek(struct container *c, void *to, size_t n);
/* Uncompressed files only, independent of the stream position: the current size, and bytes at an
 * offset as they are now. */
uint64_t container_size(struct container *c);
size_t container_read_at(struct container *c, uint64_t at, void *to, size_t n);
uint32_t container_u32(struct container *c); /* little-endian */
/* LEB128: 7 bits per byte, least significant group first. */
uint64_t container_varuint(struct container *c);

#endif
