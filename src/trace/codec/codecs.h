/* What the container and its decompressors know of one another. Private to trace/codec. */
#ifndef TRACE_CODEC_CODECS_H
#define TRACE_CODEC_CODECS_H

#include "trace/codec/container.h"

/* Reads up to n compressed bytes; fewer only at the end of the file. */
size_t container_raw(struct container *c, void *to, size_t n);
/* Queues an error that is reported once the bytes before it have been read. */
void container_fail_later(struct container *c, uint64_t file_byte, const char *format, ...)
    PRINTF_LIKE(3, 4);

enum status plain_codec_open(struct container *c);
enum status snappy_codec_open(struct container *c);
enum status gzip_codec_open(struct container *c);
enum status zstd_codec_open(struct container *c);
enum status brotli_codec_open(struct container *c);

/* Decodes a raw snappy block up to the first damage; returns the bytes produced, at most room. */
size_t snappy_decode_part(const uint8_t *in, size_t n, uint8_t *out, size_t room);

#endif
