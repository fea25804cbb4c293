/* Stream decompressors of captures: uncompressed and gzip, and what those of packed.c share.
 *
 * Tested by tests/unit/trace/codec/test_container.c. */
#include "trace/codec/stream.h"

#include "util/alloc.h"

#include <string.h>
#include <zlib.h>

static z_stream *gzip_of(struct codec *k)
{
    return k->decoder;
}

size_t stream_take_input(struct container *c)
{
    struct codec *k = c->codec;

    if (k->in_at == k->in_end) {
        k->in_at = 0;
        k->in_end = container_raw(c, k->in, sizeof(k->in));
    }
    c->unit_byte = c->consumed - (k->in_end - k->in_at);
    return k->in_end - k->in_at;
}

void stream_show_output(struct container *c, size_t n)
{
    c->codec->full = n == WINDOW_BYTES;
    c->at = c->codec->out;
    c->end = c->at + n;
    c->window_byte += n;
}

/* Handles the end of the input: valid between two members, otherwise truncation. */
enum status stream_input_ended(struct container *c)
{
    if (!c->codec->between)
        container_fail_later(c, c->consumed, "the file is cut off: the %s data are not complete",
                             c->name);
    return ST_OK;
}

static enum status plain_fill(struct container *c)
{
    size_t n = stream_take_input(c);

    c->at = c->codec->in + c->codec->in_at;
    c->end = c->at + n;
    c->window_byte += n;
    c->codec->in_at += n;
    return ST_OK;
}

static void plain_close(struct container *c)
{
    mem_free(c->codec);
}

static enum status gzip_fill(struct container *c)
{
    struct codec *k = c->codec;
    z_stream *gzip = gzip_of(k);

    for (;;) {
        size_t n = stream_take_input(c), made;
        int err;

        if (!n && !k->full)
            return stream_input_ended(c);
        if (k->between && inflateReset(gzip) != Z_OK)
            return ST_NOMEM;
        k->between = false;
        gzip->next_in = k->in + k->in_at;
        gzip->avail_in = (uInt)n;
        gzip->next_out = k->out;
        gzip->avail_out = WINDOW_BYTES;
        err = inflate(gzip, Z_NO_FLUSH);
        k->in_at = k->in_end - gzip->avail_in;
        made = WINDOW_BYTES - gzip->avail_out;
        stream_show_output(c, made);
        if (err == Z_STREAM_END)
            k->between = true;
        else if (err == Z_MEM_ERROR)
            return ST_NOMEM;
        else if (err != Z_OK && err != Z_BUF_ERROR) /* Z_BUF_ERROR: needs more input */
            container_fail_later(c, c->unit_byte, "the gzip data are corrupt");
        if (made || c->pending_error.status != ST_OK)
            return ST_OK;
    }
}

static void gzip_close(struct container *c)
{
    inflateEnd(gzip_of(c->codec));
    mem_free(c->codec->decoder);
    mem_free(c->codec);
}

enum status stream_codec_create(struct container *c, const char *name)
{
    c->codec = mem_calloc(1, sizeof(*c->codec));
    c->name = name;
    return c->codec ? ST_OK : ST_NOMEM;
}

enum status plain_codec_open(struct container *c)
{
    if (stream_codec_create(c, "none") != ST_OK)
        return ST_NOMEM;
    c->plain = true;
    c->fill = plain_fill;
    c->close = plain_close;
    return ST_OK;
}

enum status gzip_codec_open(struct container *c)
{
    if (stream_codec_create(c, "gzip") != ST_OK)
        return ST_NOMEM;
    c->fill = gzip_fill;
    c->close = gzip_close;
    c->codec->decoder = mem_calloc(1, sizeof(z_stream));
    return c->codec->decoder && inflateInit2(gzip_of(c->codec), 15 + 16) == Z_OK ? ST_OK : ST_NOMEM;
}
