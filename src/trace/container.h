/* The byte stream inside a capture, whatever it is packed in. */
#ifndef TRACE_CONTAINER_H
#define TRACE_CONTAINER_H

#include "trace/trace.h"

#include <stdio.h>

struct codec; /* state of the unpacker in use */

/* Reading is sticky: after the first error or the end every read yields zeros, so that callers
 * check `failed` once a value rather than once a byte. */
struct container {
    const uint8_t *at, *end; /* decoded bytes not yet read */
    uint64_t window_byte;    /* stream offset of `end` */
    bool failed;
    struct trace_error error; /* the first error; set when failed */

    /* Private to container.c and codec*.c. */
    FILE *file;
    const uint8_t *data;  /* instead of a file */
    uint64_t size, consumed; /* of the file, compressed */
    const char *name;
    bool plain; /* not packed: places in the file and in the stream are the same */
    enum status (*fill)(struct container *c); /* sets at, end; at == end means end of data */
    void (*close)(struct container *c);
    struct codec *codec;
    uint64_t unit_byte;       /* file offset of the chunk in the window */
    struct trace_error pending_error; /* an error that strikes when the window is used up */
};

/* Recognises the packing by its first bytes. Closes nothing on failure: call container_close. */
MUST_CHECK enum status container_open(struct container *c, const char *path);
MUST_CHECK enum status container_open_memory(struct container *c, const void *data, size_t size);
void container_close(struct container *c);

static inline uint64_t container_tell(const struct container *c)
{
    return c->window_byte - (uint64_t)(c->end - c->at);
}

/* Records the first error with its offsets; later ones are ignored. */
void container_fail(struct container *c, enum status st, const char *format, ...) PRINTF_LIKE(3, 4);

/* An error of the caller's making, text with offsets and all; it must be the first. */
void container_fail_with(struct container *c, const struct trace_error *error);

/* True where no byte is left and nothing is wrong. */
bool container_at_end(struct container *c);

uint8_t container_byte_slow(struct container *c);
static inline uint8_t container_byte(struct container *c)
{
    return c->at < c->end ? *c->at++ : container_byte_slow(c);
}

/* Copies n bytes; zeros after a failure. */
void container_bytes(struct container *c, void *to, size_t n);
void container_skip(struct container *c, uint64_t n);
/* The next bytes, without taking them: up to n, less where the window ends. */
size_t container_peek(struct container *c, void *to, size_t n);
/* Of a plain one, beside the stream: its size now, and bytes anywhere as they are now. */
uint64_t container_size(struct container *c);
size_t container_read_at(struct container *c, uint64_t at, void *to, size_t n);
uint32_t container_u32(struct container *c); /* least significant byte first */
/* 7 bits a byte, least significant group first. */
uint64_t container_varuint(struct container *c);

/* For the unpackers: up to n compressed bytes; less only at the end of the file. */
size_t container_raw(struct container *c, void *to, size_t n);
/* Notes an error that strikes once the bytes before it have been read. */
void container_fail_later(struct container *c, uint64_t file_byte, const char *format, ...)
    PRINTF_LIKE(3, 4);

enum status plain_codec_open(struct container *c);
enum status snappy_codec_open(struct container *c);
enum status gzip_codec_open(struct container *c);
enum status zstd_codec_open(struct container *c);
enum status brotli_codec_open(struct container *c);

/* Decodes a raw snappy block as far as it goes; returns the bytes produced, at most room. */
size_t snappy_decode_part(const uint8_t *in, size_t n, uint8_t *out, size_t room);

#endif
