/* Stream decompressors of captures that need libraries which mingw-w64 lacks: zstd and brotli.
 * Windows programs that are linked without them take programs/no_codecs.c instead.
 *
 * Tested by tests/unit/trace/codec/test_container.c. */
#include "trace/codec/stream.h"

#include "util/alloc.h"

#include <brotli/decode.h>
#include <zstd.h>

static enum status zstd_fill(struct container *c)
{
    struct codec *k = c->codec;

    for (;;) {
        ZSTD_outBuffer out = {k->out, WINDOW_BYTES, 0};
        size_t n = stream_take_input(c), left;
        ZSTD_inBuffer in = {k->in + k->in_at, n, 0};

        if (!n && !k->full)
            return stream_input_ended(c);
        /* Skippable frames (the seek table of seekable zstd) produce no output. */
        left = ZSTD_decompressStream(k->decoder, &out, &in);
        k->in_at += in.pos;
        k->between = left == 0;
        stream_show_output(c, out.pos);
        if (ZSTD_isError(left))
            container_fail_later(c, c->unit_byte, "the zstd data are corrupt: %s",
                                 ZSTD_getErrorName(left));
        if (out.pos || ZSTD_isError(left))
            return ST_OK;
    }
}

static void zstd_close(struct container *c)
{
    ZSTD_freeDStream(c->codec->decoder);
    mem_free(c->codec);
}

static enum status brotli_fill(struct container *c)
{
    struct codec *k = c->codec;

    for (;;) {
        size_t n = stream_take_input(c), room = WINDOW_BYTES, made;
        const uint8_t *in = k->in + k->in_at;
        uint8_t *out = k->out;
        BrotliDecoderResult result;

        if (k->between)
            return ST_OK; /* bytes after a brotli stream are ignored */
        if (!n && !k->full)
            return stream_input_ended(c);
        result = BrotliDecoderDecompressStream(k->decoder, &n, &in, &room, &out, NULL);
        k->in_at = k->in_end - n;
        made = WINDOW_BYTES - room;
        stream_show_output(c, made);
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
    BrotliDecoderDestroyInstance(c->codec->decoder);
    mem_free(c->codec);
}

enum status zstd_codec_open(struct container *c)
{
    if (stream_codec_create(c, "zstd") != ST_OK)
        return ST_NOMEM;
    c->fill = zstd_fill;
    c->close = zstd_close;
    c->codec->decoder = ZSTD_createDStream();
    return c->codec->decoder ? ST_OK : ST_NOMEM;
}

enum status brotli_codec_open(struct container *c)
{
    if (stream_codec_create(c, "brotli") != ST_OK)
        return ST_NOMEM;
    c->fill = brotli_fill;
    c->close = brotli_close;
    c->codec->decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    return c->codec->decoder ? ST_OK : ST_NOMEM;
}
