/* PNG decoder on libdeflate, for files of 8 bits a channel; unusual formats go to stb_image.
 *
 * Tested by tests/unit/tool/image/test_png.c and tests/unit/tool/image/test_image.c. */
#include "tool/image/image.h"
#include "tool/image/png.h"
#include "tool/image/png_chunk.h"
#include "util/alloc.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 4 };

/* Each channel of a pixel in a vector element. */
typedef int16_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

static inline lanes load_pixel(const uint8_t *p)
{
    bytes8 v = {0};

    memcpy(&v, p, 4); /* reads one byte past a 3-byte pixel; decode_fast allocates it */
    return __builtin_convertvector(v, lanes);
}

static inline lanes absolute(lanes v)
{
    lanes sign = v >> 15;

    return (v ^ sign) - sign;
}

/* Paeth predictor: the neighbour (left, up, upper left) closest to left + up - upper left. */
static inline lanes paeth(lanes a, lanes b, lanes c)
{
    lanes pa = absolute(b - c), pb = absolute(a - c), pc = absolute(a + b - c - c);
    lanes take_a = (pa <= pb) & (pa <= pc), take_b = ~take_a & (pb <= pc);

    return (take_a & a) | (take_b & b) | (~(take_a | take_b) & c);
}

static inline void unfilter_paeth(uint8_t *row, const uint8_t *up, size_t n, unsigned bpp)
{
    lanes left = {0}, corner = {0};

    for (size_t i = 0; i < n; i += bpp) {
        lanes above = load_pixel(up + i);
        bytes8 out;

        left = (load_pixel(row + i) + paeth(left, above, corner)) & 255;
        corner = above;
        out = __builtin_convertvector(left, bytes8);
        memcpy(row + i, &out, bpp);
    }
}

static inline void unfilter_left(uint8_t *row, size_t n, unsigned bpp)
{
    lanes left = {0};

    for (size_t i = 0; i < n; i += bpp) {
        bytes8 out;

        left = (load_pixel(row + i) + left) & 255;
        out = __builtin_convertvector(left, bytes8);
        memcpy(row + i, &out, bpp);
    }
}

static inline void unfilter_average(uint8_t *row, const uint8_t *up, size_t n, unsigned bpp)
{
    for (size_t i = 0; i < bpp; i++)
        row[i] = (uint8_t)(row[i] + up[i] / 2);
    for (size_t i = bpp; i < n; i++)
        row[i] = (uint8_t)(row[i] + (row[i - bpp] + up[i]) / 2);
}

/* Removes a row's filter in place; up is the row above, or zeros. False: invalid filter. */
static bool unfilter(unsigned filter, uint8_t *restrict row, const uint8_t *restrict up, size_t n,
                     unsigned bpp)
{
    switch (filter) {
    case 0:
        return true;
    case 1:
        bpp == 3 ? unfilter_left(row, n, 3) : unfilter_left(row, n, 4);
        return true;
    case 2:
        for (size_t i = 0; i < n; i++)
            row[i] = (uint8_t)(row[i] + up[i]);
        return true;
    case 3:
        unfilter_average(row, up, n, bpp);
        return true;
    case 4:
        bpp == 3 ? unfilter_paeth(row, up, n, 3) : unfilter_paeth(row, up, n, 4);
        return true;
    default:
        return false;
    }
}

/* Concatenates all IDAT chunks; the caller frees the result. */
static uint8_t *join_data(const struct png_file *file, size_t *n)
{
    uint8_t *out = mem_alloc(file->n);
    size_t at = PNG_HEADER;
    struct png_chunk chunk;

    *n = 0;
    while (out && png_next_chunk(file, &at, &chunk)) {
        if (png_is_type(&chunk, "IDAT")) {
            memcpy(out + *n, chunk.data, chunk.n);
            *n += chunk.n;
        }
    }
    return out;
}

static enum status inflate(const struct png_file *file, uint8_t *raw, size_t raw_n)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    size_t n, got;
    uint8_t *data = join_data(file, &n);
    enum status st = decompressor && data ? ST_OK : ST_NOMEM;

    if (st == ST_OK &&
        (libdeflate_zlib_decompress(decompressor, data, n, raw, raw_n, &got) || got != raw_n))
        st = ST_DAMAGED;
    mem_free(data);
    libdeflate_free_decompressor(decompressor);
    return st;
}

static void widen(const uint8_t *row, unsigned bpp, uint32_t width, uint8_t *out)
{
    if (bpp == 4) {
        memcpy(out, row, (size_t)width * 4);
        return;
    }
    for (uint32_t x = 0; x < width; x++) {
        memcpy(out + 4 * (size_t)x, row + 3 * (size_t)x, 4);
        out[4 * (size_t)x + 3] = 255;
    }
}

static enum status decode_rows(uint8_t *raw, unsigned bpp, struct tool_image *out)
{
    size_t n = (size_t)out->width * bpp;
    const uint8_t *up = mem_calloc(n + PADDING, 1);
    void *zeros = (void *)up;
    enum status st = up ? ST_OK : ST_NOMEM;

    for (uint32_t y = 0; y < out->height && st == ST_OK; y++) {
        uint8_t *row = raw + y * (n + 1);

        if (!unfilter(row[0], row + 1, up, n, bpp))
            st = ST_DAMAGED;
        else
            widen(row + 1, bpp, out->width, out->rgba + (size_t)y * out->width * 4);
        up = row + 1;
    }
    mem_free(zeros);
    return st;
}

static bool has_chunk(const struct png_file *file, const char *type)
{
    size_t at = PNG_HEADER;
    struct png_chunk chunk;

    while (png_next_chunk(file, &at, &chunk))
        if (png_is_type(&chunk, type))
            return true;
    return false;
}

static enum status decode_fast(const struct png_file *file, unsigned bpp, struct tool_image *out)
{
    size_t raw_n = ((size_t)file->width * bpp + 1) * file->height;
    uint8_t *raw = mem_alloc(raw_n + PADDING);
    enum status st = raw ? inflate(file, raw, raw_n) : ST_NOMEM;

    if (st == ST_OK)
        st = tool_image_create(out, file->width, file->height);
    if (st == ST_OK)
        st = decode_rows(raw, bpp, out);
    mem_free(raw);
    if (st != ST_OK)
        tool_image_fini(out);
    return st;
}

enum status png_decode(const struct png_file *file, struct tool_image *out, const char **why)
{
    const uint8_t *header = file->bytes + 16; /* width, height, depth, colour type, …, interlace */
    bool fast = header[8] == 8 && (header[9] == 2 || header[9] == 6) && !header[12] &&
                !has_chunk(file, "tRNS");
    enum status st;

    memset(out, 0, sizeof(*out));
    st = fast ? decode_fast(file, header[9] == 2 ? 3 : 4, out)
              : tool_image_decode(file->bytes, file->n, out);
    *why = st == ST_DAMAGED ? "has damaged pixels" : status_text(st);
    return st;
}

enum status tool_png_read(const char *path, struct tool_image *out)
{
    struct png_file file;
    const char *why;
    enum status st = png_load(path, &file, &why);

    memset(out, 0, sizeof(*out));
    if (st != ST_OK)
        return st;
    st = png_decode(&file, out, &why);
    png_unload(&file);
    return st;
}
