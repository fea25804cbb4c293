/* PNG reader and writer on libdeflate; unusual formats go to stb_image. */
#include "tool/image/png.h"

#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "util/alloc.h"
#include "util/version.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 16384, HEADER = 8, CHUNK = 12, PADDING = 4, FASTEST = 1 };

static const uint8_t signature[HEADER] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static uint32_t big32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put_big32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

/* --- Chunks ----------------------------------------------------------------------------------- */

struct chunk {
    const uint8_t *type, *data;
    uint32_t n;
};

/* Reads the chunk at *at of a valid file; false after the last chunk. */
static bool next_chunk(const struct png_file *file, size_t *at, struct chunk *out)
{
    if (*at >= file->n)
        return false;
    out->n = big32(file->bytes + *at);
    out->type = file->bytes + *at + 4;
    out->data = out->type + 4;
    *at += CHUNK + (size_t)out->n;
    return true;
}

static bool is_type(const struct chunk *chunk, const char *type)
{
    return !memcmp(chunk->type, type, 4);
}

/* Checks the file's structure. Returns NULL, or the error text. */
static const char *check_chunks(const uint8_t *bytes, size_t n)
{
    size_t at = HEADER;

    if (n < HEADER || memcmp(bytes, signature, HEADER))
        return "is not a PNG";
    for (bool first = true;; first = false) {
        uint32_t size;

        if (n - at < CHUNK)
            return "ends before its last chunk";
        size = big32(bytes + at);
        if (size > n - at - CHUNK)
            return "has a chunk that is longer than the file";
        if (libdeflate_crc32(0, bytes + at + 4, size + 4) != big32(bytes + at + 8 + size))
            return "has a chunk with a wrong checksum";
        if (first && (memcmp(bytes + at + 4, "IHDR", 4) || size != 13))
            return "does not start with a header chunk";
        at += CHUNK + (size_t)size;
        if (!memcmp(bytes + at - CHUNK - size + 4, "IEND", 4))
            return at == n ? NULL : "has bytes after its end";
    }
}

enum status png_take(uint8_t *bytes, size_t n, struct png_file *out, const char **why)
{
    memset(out, 0, sizeof(*out));
    *why = check_chunks(bytes, n);
    if (!*why) {
        out->width = big32(bytes + 16);
        out->height = big32(bytes + 20);
        if (!out->width || !out->height || out->width > SIDE_MAX || out->height > SIDE_MAX)
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
    *why = st == ST_IO ? "cannot be read" : status_text(st);
    return st == ST_OK ? png_take(bytes, n, out, why) : st;
}

void png_unload(struct png_file *file)
{
    mem_free(file->bytes);
    memset(file, 0, sizeof(*file));
}

/* --- Comparing without decoding --------------------------------------------------------------- */

static bool makes_pixels(const struct chunk *chunk)
{
    return is_type(chunk, "IHDR") || is_type(chunk, "PLTE") || is_type(chunk, "tRNS") ||
           is_type(chunk, "IDAT");
}

static bool next_of_pixels(const struct png_file *file, size_t *at, struct chunk *out)
{
    while (next_chunk(file, at, out))
        if (makes_pixels(out))
            return true;
    return false;
}

bool png_same(const struct png_file *a, const struct png_file *b)
{
    size_t at = HEADER, bt = HEADER;
    struct chunk c, d;

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

/* --- Decoding --------------------------------------------------------------------------------- */

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
    size_t at = HEADER;
    struct chunk chunk;

    *n = 0;
    while (out && next_chunk(file, &at, &chunk)) {
        if (is_type(&chunk, "IDAT")) {
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
    size_t at = HEADER;
    struct chunk chunk;

    while (next_chunk(file, &at, &chunk))
        if (is_type(&chunk, type))
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

/* --- Writing ---------------------------------------------------------------------------------- */

static char command_line[1024];

void png_set_command(int argc, char **argv)
{
    size_t used = 0;

    command_line[0] = '\0';
    for (int i = 0; i < argc && used < sizeof(command_line); i++)
        used += (size_t)snprintf(command_line + used, sizeof(command_line) - used, "%s%s",
                                 i ? " " : "", argv[i]);
}

struct writer {
    uint8_t *bytes;
    size_t n;
};

static void put_chunk(struct writer *w, const char *type, const void *data, size_t n)
{
    uint8_t *at = w->bytes + w->n;

    put_big32(at, (uint32_t)n);
    memcpy(at + 4, type, 4);
    if (n)
        memmove(at + 8, data, n);
    put_big32(at + 8 + n, libdeflate_crc32(0, at + 4, n + 4));
    w->n += CHUNK + n;
}

static void put_text(struct writer *w, const char *key, const char *text)
{
    char data[1200];
    size_t n = strlen(key) + 1;

    /* iTXt fields: not compressed, no language, no translated keyword. */
    memcpy(data, key, n);
    memset(data + n, 0, 4);
    n += 4;
    n += (size_t)snprintf(data + n, sizeof(data) - n, "%s", text);
    put_chunk(w, "iTXt", data, n);
}

/* Sum of absolute differences of a filtered row, the usual estimate of its compressed size. */
static uint64_t weight(const uint8_t *row, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += row[i] < 128 ? row[i] : 256u - row[i];
    return sum;
}

/* Filters each row with the better of two cheap filters, left (Sub) and up (Up). */
static void filter_rows(const uint8_t *pixels, size_t n, uint32_t rows, unsigned bpp, uint8_t *out,
                        uint8_t *other)
{
    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *row = pixels + y * n, *up = y ? row - n : NULL;
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
        filter_rows(pixels, row, image->height, bpp, raw, other);
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

static void put_all(struct writer *w, const struct tool_image *image, unsigned bpp,
                    const uint8_t *data, size_t n)
{
    uint8_t header[13] = {[8] = 8, [9] = bpp == 3 ? 2 : 6};
    char hash[20];

    memcpy(w->bytes, signature, HEADER);
    w->n = HEADER;
    put_big32(header, image->width);
    put_big32(header + 4, image->height);
    put_chunk(w, "IHDR", header, sizeof(header));
    put_text(w, "Software", "Novem " NOVEM_VERSION);
    put_text(w, "Novem-Numerics", NOVEM_NUMERICS);
    if (command_line[0])
        put_text(w, "Novem-Command", command_line);
    snprintf(hash, sizeof(hash), "%016" PRIx64, tool_image_hash(image, bpp == 4));
    put_text(w, "Novem-Hash", hash);
    put_chunk(w, "IDAT", data, n);
    put_chunk(w, "IEND", NULL, 0);
}

enum status png_encode(const struct tool_image *image, unsigned channels, uint8_t **out, size_t *n)
{
    unsigned bpp = channels == 3 ? 3 : 4;
    struct writer w = {0};
    uint8_t *data = NULL;
    size_t size = 0;
    enum status st = compress(image, bpp, &data, &size);

    if (st != ST_OK)
        return st;
    w.bytes = mem_alloc(size + 8192); /* text chunks need less than 2500 of these bytes */
    if (w.bytes)
        put_all(&w, image, bpp, data, size);
    mem_free(data);
    *out = w.bytes;
    *n = w.n;
    return w.bytes ? ST_OK : ST_NOMEM;
}

enum status tool_png_write(const char *path, const struct tool_image *image, unsigned channels)
{
    uint8_t *bytes;
    size_t n;
    enum status st = png_encode(image, channels, &bytes, &n);

    if (st != ST_OK)
        return st;
    st = tool_file_write(path, bytes, n);
    mem_free(bytes);
    return st;
}
