/* Opens the byte stream of a capture, and detects its compression by the first bytes.
 *
 * Tested by tests/unit/trace/codec/test_container.c. */
#include "trace/codec/codecs.h"

#include "util/path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static enum status open_codec(struct container *c)
{
    uint8_t magic[8] = {0};
    size_t n = container_raw(c, magic, sizeof(magic));
    enum status st;

    c->consumed = 0;
    if (!n) {
        container_fail(c, ST_DAMAGED, "the file is empty");
        return ST_DAMAGED;
    }
    if (n >= 2 && magic[0] == 'a' && magic[1] == 't')
        st = snappy_codec_open(c);
    else if (n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b)
        st = gzip_codec_open(c);
    else if (n >= 4 && !memcmp(magic, "\x28\xb5\x2f\xfd", 4))
        st = zstd_codec_open(c);
    else if (n >= 4 && !memcmp(magic, "\x01\x90\xad\xde", 4)) /* dx9mt frame */
        st = plain_codec_open(c);
    else if (n == 8 && !memcmp(magic + 4, "\xe8\x03\0\0", 4)) /* first chunk of a PIX run file */
        st = plain_codec_open(c);
    else
        st = brotli_codec_open(c); /* brotli has no magic */
    if (st != ST_OK)
        container_fail(c, st, "%s", status_text(st));
    return st;
}

bool container_is_special(const char *path)
{
#ifdef _WIN32
    (void)path;
    return false;
#else
    struct stat about;

    return !stat(path, &about) && !S_ISREG(about.st_mode);
#endif
}

enum status container_open(struct container *c, const char *path)
{
    off_t size;

    memset(c, 0, sizeof(*c));
    if (container_is_special(path)) {
        container_fail(c, ST_IO, "is not a plain file");
        return ST_IO;
    }
    c->file = path_open(path, "rb");
    if (!c->file) {
        container_fail(c, ST_IO, "cannot be opened: %s", strerror(errno));
        return ST_IO;
    }
    /* Unbuffered: reads are large, and another program may be writing the file. */
    if (setvbuf(c->file, NULL, _IONBF, 0) || fseeko(c->file, 0, SEEK_END) ||
        (size = ftello(c->file)) < 0 || fseeko(c->file, 0, SEEK_SET)) {
        container_fail(c, ST_IO, "is not a plain file");
        return ST_IO;
    }
    c->size = (uint64_t)size;
    return open_codec(c);
}

enum status container_open_memory(struct container *c, const void *data, size_t size)
{
    memset(c, 0, sizeof(*c));
    c->data = data;
    c->size = size;
    return open_codec(c);
}
