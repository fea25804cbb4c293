/* Replaces src/trace/codec/packed.c in Windows programs that are linked without zstd and brotli. */
#include "trace/codec/codecs.h"

/* What other programs of Novem can read. */
static enum status no_codec(struct container *c, const char *what)
{
    container_fail(
        c, ST_UNSUPPORTED,
        "%s, which Windows programs of Novem do not read; `apitrace repack IN OUT` makes "
        "a file that they read",
        what);
    return ST_UNSUPPORTED;
}

enum status zstd_codec_open(struct container *c)
{
    return no_codec(c, "the file is compressed with zstd");
}

enum status brotli_codec_open(struct container *c)
{
    return no_codec(c, "this is not a capture, or one that is compressed with brotli");
}
