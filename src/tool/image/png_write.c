/* PNG encoder on libdeflate, and the text chunks that name the command of a picture.
 *
 * Tested by tests/unit/tool/image/test_png.c and tests/unit/tool/image/test_image.c. */
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "tool/image/png.h"
#include "tool/image/png_chunk.h"
#include "util/alloc.h"
#include "util/version.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

enum { FASTEST = 1 };

static char command_line[1024];

void png_set_command(int argc, char **argv)
{
    size_t used = 0;

    command_line[0] = '\0';
    for (int i = 0; i < argc && used < sizeof(command_line); i++)
        used += (size_t)snprintf(command_line + used, sizeof(command_line) - used, "%s%s",
                                 i ? " " : "", argv[i]);
}

void png_put_chunk(struct png_writer *w, const char *type, const void *data, size_t n)
{
    uint8_t *at = w->bytes + w->n;

    png_put_big32(at, (uint32_t)n);
    memcpy(at + 4, type, 4);
    if (n)
        memmove(at + 8, data, n);
    png_put_big32(at + 8 + n, libdeflate_crc32(0, at + 4, n + 4));
    w->n += PNG_CHUNK + n;
}

static void put_text(struct png_writer *w, const char *key, const char *text)
{
    char data[1200];
    size_t n = strlen(key) + 1;

    /* iTXt fields: not compressed, no language, no translated keyword. */
    memcpy(data, key, n);
    memset(data + n, 0, 4);
    n += 4;
    n += (size_t)snprintf(data + n, sizeof(data) - n, "%s", text);
    png_put_chunk(w, "iTXt", data, n);
}

/* Sum of absolute differences of a filtered row, the usual estimate of its compressed size. */
static uint64_t weight(const uint8_t *row, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += row[i] < 128 ? row[i] : 256u - row[i];
    return sum;
}

void png_filter_rows(const uint8_t *pixels, size_t n, uint32_t rows, unsigned bpp, bool first,
                     uint8_t *out, uint8_t *other)
{
    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *row = pixels + y * n, *up = y || !first ? row - n : NULL;
        uint8_t *to = out + y * (n + 1);

        to[0] = 1;
        memcpy(to + 1, row, bpp);
        for (size_t i = bpp; i < n; i++)
            to[1 + i] = (uint8_t)(row[i] - row[i - bpp]);
        if (!up)
            continue;
        for (size_t i = 0; i < n; i++)
            other[i] = (uint8_t)(row[i] - up[i]);
        if (weight(other, n) <= weight(to + 1, n)) {
            to[0] = 2;
            memcpy(to + 1, other, n);
        }
    }
}

static uint8_t *drop_alpha(const struct tool_image *image)
{
    size_t pixels = (size_t)image->width * image->height;
    uint8_t *rgb = mem_alloc(pixels * 3);

    for (size_t i = 0; rgb && i < pixels; i++)
        memcpy(rgb + 3 * i, image->rgba + 4 * i, 3);
    return rgb;
}

/* Compresses the pixels; the caller frees the result. */
static enum status compress(const struct tool_image *image, unsigned bpp, uint8_t **out, size_t *n)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(FASTEST);
    uint8_t *narrow = bpp == 3 ? drop_alpha(image) : NULL;
    const uint8_t *pixels = bpp == 3 ? narrow : image->rgba;
    size_t row = (size_t)image->width * bpp, raw_n = (row + 1) * image->height;
    uint8_t *raw = mem_alloc(raw_n), *other = mem_alloc(row);
    size_t bound = compressor ? libdeflate_zlib_compress_bound(compressor, raw_n) : 0;

    *out = mem_alloc(bound);
    if (compressor && pixels && raw && other && *out) {
        png_filter_rows(pixels, row, image->height, bpp, true, raw, other);
        *n = libdeflate_zlib_compress(compressor, raw, raw_n, *out, bound);
    } else {
        mem_free(*out);
        *out = NULL;
    }
    mem_free(narrow);
    mem_free(raw);
    mem_free(other);
    libdeflate_free_compressor(compressor);
    return *out ? ST_OK : ST_NOMEM;
}

void png_put_head(struct png_writer *w, uint32_t width, uint32_t height, unsigned bpp,
                  uint64_t hash)
{
    uint8_t header[13] = {[8] = 8, [9] = bpp == 3 ? 2 : 6};
    char text[20], software[40];

    memcpy(w->bytes, png_signature, PNG_HEADER);
    w->n = PNG_HEADER;
    png_put_big32(header, width);
    png_put_big32(header + 4, height);
    png_put_chunk(w, "IHDR", header, sizeof(header));
    snprintf(software, sizeof(software), "Novem %s", version_text());
    put_text(w, "Software", software);
    put_text(w, "Novem-Numerics", NOVEM_NUMERICS);
    if (command_line[0])
        put_text(w, "Novem-Command", command_line);
    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    put_text(w, "Novem-Hash", text);
}

/* Encodes a file in memory; the caller frees it. channels: 3 drops alpha. */
static MUST_CHECK enum status encode(const struct tool_image *image, unsigned channels,
                                     uint8_t **out, size_t *n)
{
    unsigned bpp = channels == 3 ? 3 : 4;
    struct png_writer w = {0};
    uint8_t *data = NULL;
    size_t size = 0;
    enum status st = compress(image, bpp, &data, &size);

    if (st != ST_OK)
        return st;
    w.bytes = mem_alloc(size + PNG_HEAD);
    if (w.bytes) {
        png_put_head(&w, image->width, image->height, bpp, tool_image_hash(image, bpp == 4));
        png_put_chunk(&w, "IDAT", data, size);
        png_put_chunk(&w, "IEND", NULL, 0);
    }
    mem_free(data);
    *out = w.bytes;
    *n = w.n;
    return w.bytes ? ST_OK : ST_NOMEM;
}

enum status tool_png_write(const char *path, const struct tool_image *image, unsigned channels)
{
    uint8_t *bytes;
    size_t n;
    enum status st = encode(image, channels, &bytes, &n);

    if (st != ST_OK)
        return st;
    st = tool_file_write(path, bytes, n);
    mem_free(bytes);
    return st;
}
