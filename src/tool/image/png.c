/* PNG files in memory: loads them, checks their structure, and compares them without decoding. */
#include "tool/image/png.h"

#include "tool/cli/cli.h"
#include "tool/image/png_chunk.h"
#include "util/alloc.h"

#include <libdeflate.h>
#include <string.h>

const uint8_t png_signature[PNG_HEADER] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/* Checks the file's structure. Returns NULL, or the error text. */
static const char *check_chunks(const uint8_t *bytes, size_t n)
{
    size_t at = PNG_HEADER;

    if (n < PNG_HEADER || memcmp(bytes, png_signature, PNG_HEADER))
        return "is not a PNG";
    for (bool first = true;; first = false) {
        uint32_t size;

        if (n - at < PNG_CHUNK)
            return "ends before its last chunk";
        size = png_big32(bytes + at);
        if (size > n - at - PNG_CHUNK)
            return "has a chunk that is longer than the file";
        if (libdeflate_crc32(0, bytes + at + 4, size + 4) != png_big32(bytes + at + 8 + size))
            return "has a chunk with a wrong checksum";
        if (first && (memcmp(bytes + at + 4, "IHDR", 4) || size != 13))
            return "does not start with a header chunk";
        at += PNG_CHUNK + (size_t)size;
        if (!memcmp(bytes + at - PNG_CHUNK - size + 4, "IEND", 4))
            return at == n ? NULL : "has bytes after its end";
    }
}

enum status png_take(uint8_t *bytes, size_t n, struct png_file *out, const char **why)
{
    memset(out, 0, sizeof(*out));
    *why = check_chunks(bytes, n);
    if (!*why) {
        out->width = png_big32(bytes + 16);
        out->height = png_big32(bytes + 20);
        if (!out->width || !out->height || out->width > PNG_SIDE_MAX || out->height > PNG_SIDE_MAX)
            *why = "is larger than 16384x16384";
    }
    if (*why) {
        mem_free(bytes);
        memset(out, 0, sizeof(*out));
        return ST_DAMAGED;
    }
    out->bytes = bytes;
    out->n = n;
    return ST_OK;
}

enum status png_load(const char *path, struct png_file *out, const char **why)
{
    uint8_t *bytes;
    size_t n;
    enum status st = tool_file_read(path, &bytes, &n);

    memset(out, 0, sizeof(*out));
    *why = tool_file_reason(path, st);
    return st == ST_OK ? png_take(bytes, n, out, why) : st;
}

void png_unload(struct png_file *file)
{
    mem_free(file->bytes);
    memset(file, 0, sizeof(*file));
}

/* --- Comparing without decoding --------------------------------------------------------------- */

static bool makes_pixels(const struct png_chunk *chunk)
{
    return png_is_type(chunk, "IHDR") || png_is_type(chunk, "PLTE") || png_is_type(chunk, "tRNS") ||
           png_is_type(chunk, "IDAT");
}

static bool next_of_pixels(const struct png_file *file, size_t *at, struct png_chunk *out)
{
    while (png_next_chunk(file, at, out))
        if (makes_pixels(out))
            return true;
    return false;
}

bool png_same(const struct png_file *a, const struct png_file *b)
{
    size_t at = PNG_HEADER, bt = PNG_HEADER;
    struct png_chunk c, d;

    for (;;) {
        bool more = next_of_pixels(a, &at, &c);

        if (more != next_of_pixels(b, &bt, &d))
            return false;
        if (!more)
            return true;
        if (c.n != d.n || memcmp(c.type, d.type, 4) || memcmp(c.data, d.data, c.n))
            return false;
    }
}
