/* What the stream decompressors share. Private to trace/codec. */
#ifndef TRACE_CODEC_STREAM_H
#define TRACE_CODEC_STREAM_H

#include "trace/codec/codecs.h"

enum { WINDOW_BYTES = 1 << 16 };

struct codec {
    void *decoder;        /* of the library */
    size_t in_at, in_end; /* unread part of `in` */
    bool between;         /* a member or frame has ended; another may follow */
    bool full;            /* the last output filled the window: the decompressor may hold more */
    uint8_t in[WINDOW_BYTES], out[WINDOW_BYTES];
};

/* name: of the compression, for messages. */
enum status stream_codec_create(struct container *c, const char *name);
/* Reads compressed bytes if none are left; returns how many there are, 0 at the end of the file. */
size_t stream_take_input(struct container *c);
/* n bytes of `out` are the container's next ones. */
void stream_show_output(struct container *c, size_t n);
/* The input has ended: valid between two members, otherwise truncation. */
enum status stream_input_ended(struct container *c);

#endif
