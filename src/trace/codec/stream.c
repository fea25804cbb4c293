/* Stream decompressors of captures: uncompressed, gzip, zstd, brotli. Debian has no zstd and no
 * brotli for Windows programs.
 *
 * Tested by tests/unit/trace/codec/test_container.c. */
#include "trace/codec/codecs.h"

#include "util/alloc.h"

#include <string.h>
#include <zlib.h>
#ifndef _WIN32
#include <brotli/decode.h>
#include <zstd.h>
#endif

enum { WINDOW_BYTES = 1 << 16 };

struct codec {
    z_stream gzip;
#ifndef _WIN32
    ZSTD_DStream *zstd;
    BrotliDecoderState *brotli;
#endif
    size_t in_at, in_end; /* unread part of `in` */
    bool between;         /* a member or frame has ended; another may follow */
    bool full;            /* the last output filled the window: the decompressor may hold more */
    uint8_t in[WINDOW_BYTES], out[WINDOW_BYTES];
};

static size_t take_input(struct container *c)
{
    struct codec *k = c->codec;

    if (k->in_at == k->in_end) {
        k->in_at = 0;
        k->in_end = container_raw(c, k->in, sizeof(k->in));
    }
    c->unit_byte = c->consumed - (k->in_end - k->in_at);
    return k->in_end - k->in_at;
}

static void show_output(struct container *c, size_t n)
{
    c->codec->full = n == WINDOW_BYTES;
    c->at = c->codec->out;
    c->end = c->at + n;
    c->window_byte += n;
}

/* Handles the end of the input: valid between two members, otherwise truncation. */
static enum status input_ended(struct container *c)
{
    if (!c->codec->between)
        container_fail_later(c, c->consumed, "the file is cut off: the %s data are not complete",
                             c->name);
    return ST_OK;
}

static enum status plain_fill(struct container *c)
{
    size_t n = take_input(c);

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

    for (;;) {
        size_t n = take_input(c), made;
        int err;

        if (!n && !k->full)
            return input_ended(c);
        if (k->between && inflateReset(&k->gzip) != Z_OK)
            return ST_NOMEM;
        k->between = false;
        k->gzip.next_in = k->in + k->in_at;
        k->gzip.avail_in = (uInt)n;
        k->gzip.next_out = k->out;
        k->gzip.avail_out = WINDOW_BYTES;
        err = inflate(&k->gzip, Z_NO_FLUSH);
        k->in_at = k->in_end - k->gzip.avail_in;
        made = WINDOW_BYTES - k->gzip.avail_out;
        show_output(c, made);
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
    inflateEnd(&c->codec->gzip);
    mem_free(c->codec);
}

static enum status codec_create(struct container *c, const char *name)
{
    c->codec = mem_calloc(1, sizeof(*c->codec));
    c->name = name;
    return c->codec ? ST_OK : ST_NOMEM;
}

enum status plain_codec_open(struct container *c)
{
    if (codec_create(c, "none") != ST_OK)
        return ST_NOMEM;
    c->plain = true;
    c->fill = plain_fill;
    c->close = plain_close;
    return ST_OK;
}

enum status gzip_codec_open(struct container *c)
{
    if (codec_create(c, "gzip") != ST_OK)
        return ST_NOMEM;
    c->fill = gzip_fill;
    c->close = gzip_close;
    return inflateInit2(&c->codec->gzip, 15 + 16) == Z_OK ? ST_OK : ST_NOMEM;
}

#ifndef _WIN32

static enum status zstd_fill(struct container *c)
{
    struct codec *k = c->codec;

    for (;;) {
        ZSTD_outBuffer out = {k->out, WINDOW_BYTES, 0};
        size_t n = take_input(c), left;
        ZSTD_inBuffer in = {k->in + k->in_at, n, 0};

        if (!n && !k->full)
            return input_ended(c);
        /* Skippable frames (the seek table of seekable zstd) produce no output. */
        left = ZSTD_decompressStream(k->zstd, &out, &in);
        k->in_at += in.pos;
        k->between = left == 0;
        show_output(c, out.pos);
        if (ZSTD_isError(left))
            container_fail_later(c, c->unit_byte, "the zstd data are corrupt: %s",
                                 ZSTD_getErrorName(left));
        if (out.pos || ZSTD_isError(left))
            return ST_OK;
    }
}

static void zstd_close(struct container *c)
{
    ZSTD_freeDStream(c->codec->zstd);
    mem_free(c->codec);
}

static enum status brotli_fill(struct container *c)
{
    struct codec *k = c->codec;

    for (;;) {
        size_t n = take_input(c), room = WINDOW_BYTES, made;
        const uint8_t *in = k->in + k->in_at;
        uint8_t *out = k->out;
        BrotliDecoderResult result;

        if (k->between)
            return ST_OK; /* bytes after a brotli stream are ignored */
        if (!n && !k->full)
            return input_ended(c);
        result = BrotliDecoderDecompressStream(k->brotli, &n, &in, &room, &out, NULL);
        k->in_at = k->in_end - n;
        made = WINDOW_BYTES - room;
        show_output(c, made);
        k->between = result == BROTLI_DECODER_RESULT_SUCCESS;
        if (result == BROTLI_DECODER_RESULT_ERROR)
            container_fail_later(c, c->unit_byte,
                                 c->window_byte ? "the brotli data are corrupt"
                                                : "this is not an apitrace capture");
        if (made || c->pending_error.status != ST_OK || k->between)
            return ST_OK;
    }
}

static void brotli_close(struct container *c)
{
    BrotliDecoderDestroyInstance(c->codec->brotli);
    mem_free(c->codec);
}

enum status zstd_codec_open(struct container *c)
{
    if (codec_create(c, "zstd") != ST_OK)
        return ST_NOMEM;
    c->fill = zstd_fill;
    c->close = zstd_close;
    c->codec->zstd = ZSTD_createDStream();
    return c->codec->zstd ? ST_OK : ST_NOMEM;
}

enum status brotli_codec_open(struct container *c)
{
    if (codec_create(c, "brotli") != ST_OK)
        return ST_NOMEM;
    c->fill = brotli_fill;
    c->close = brotli_close;
    c->codec->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    return c->codec->brotli ? ST_OK : ST_NOMEM;
}

#endif
