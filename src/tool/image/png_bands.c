/* PNG encoder that compresses bands of rows one by one.
 *
 * The stream of deflate is reset for each band, so that a band needs nothing of those before it.
 *
 * Tested by tests/unit/tool/image/test_png_bands.c. */
#include "tool/image/png_bands.h"

#include "tool/cli/cli.h"
#include "tool/image/png_chunk.h"
#include "util/alloc.h"

#include <string.h>
#include <zlib.h>

enum { BAND_BYTES = 65536, BYTES = 4, LEVEL = 1 };

struct band {
    uint8_t *data; /* compressed; NULL: not yet */
    size_t n;
    uint32_t check; /* adler32 of the filtered rows */
    bool changed;
};

struct png_bands {
    uint32_t width, height, rows; /* rows of a band */
    uint32_t n;
    size_t bytes; /* of all data */
    struct band *band;
    uint8_t *filtered, *other, *packed;
    size_t most; /* room in `packed` */
    z_stream z;
    bool ready; /* z is initialised */
};

struct png_bands *png_bands_create(uint32_t width, uint32_t height)
{
    struct png_bands *b = mem_calloc(1, sizeof(*b));
    size_t row = (size_t)width * BYTES;

    if (!b)
        return NULL;
    b->width = width;
    b->height = height;
    b->rows = row < BAND_BYTES ? (uint32_t)(BAND_BYTES / row) : 1;
    b->rows = b->rows < height ? b->rows : height;
    b->n = (height + b->rows - 1) / b->rows;
    b->ready = deflateInit2(&b->z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    b->most = b->ready ? deflateBound(&b->z, (row + 1) * b->rows) + 16 : 0;
    b->band = mem_calloc(b->n, sizeof(*b->band));
    b->filtered = mem_alloc((row + 1) * b->rows);
    b->other = mem_alloc(row);
    b->packed = mem_alloc(b->most);
    if (b->ready && b->band && b->filtered && b->other && b->packed)
        return b;
    png_bands_destroy(b);
    return NULL;
}

void png_bands_destroy(struct png_bands *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; b->band && i < b->n; i++)
        mem_free(b->band[i].data);
    if (b->ready)
        deflateEnd(&b->z);
    mem_free(b->band);
    mem_free(b->filtered);
    mem_free(b->other);
    mem_free(b->packed);
    mem_free(b);
}

void png_bands_touch(struct png_bands *b, uint32_t row)
{
    b->band[row / b->rows].changed = true;
    if (row + 1 < b->height) /* the next row is filtered with this one */
        b->band[(row + 1) / b->rows].changed = true;
}

size_t png_bands_bytes(const struct png_bands *b)
{
    return sizeof(*b) + b->n * sizeof(*b->band) + b->bytes +
           ((size_t)b->width * BYTES + 1) * (b->rows + 1) + b->most;
}

static enum status compress_band(struct png_bands *b, uint32_t index,
                                 const struct tool_image *image)
{
    struct band *band = &b->band[index];
    uint32_t first = index * b->rows;
    uint32_t rows = b->height - first < b->rows ? b->height - first : b->rows;
    size_t row = (size_t)b->width * BYTES, n = (row + 1) * rows;
    uint8_t *data;

    png_filter_rows(image->rgba + row * first, row, rows, BYTES, !first, b->filtered, b->other);
    if (deflateReset(&b->z) != Z_OK)
        return ST_NOMEM;
    b->z.next_in = b->filtered;
    b->z.avail_in = (uInt)n;
    b->z.next_out = b->packed;
    b->z.avail_out = (uInt)b->most;
    if (deflate(&b->z, Z_SYNC_FLUSH) != Z_OK || b->z.avail_in || !b->z.avail_out)
        return ST_NOMEM;
    data = mem_realloc(band->data, b->most - b->z.avail_out);
    if (!data)
        return ST_NOMEM;
    b->bytes += b->most - b->z.avail_out - band->n;
    band->data = data;
    band->n = b->most - b->z.avail_out;
    memcpy(band->data, b->packed, band->n);
    band->check = (uint32_t)adler32(1, b->filtered, (uInt)n);
    band->changed = false;
    return ST_OK;
}

/* The stream: its head, the bands, an empty last block, the checksum. */
static void put_bands(const struct png_bands *b, struct png_writer *w)
{
    uint8_t tail[9] = {1, 0, 0, 255, 255};
    size_t row = (size_t)b->width * BYTES + 1;
    uLong check = 1;

    png_put_chunk(w, "IDAT", "\x78\x01", 2);
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t left = b->height - i * b->rows, rows = left < b->rows ? left : b->rows;

        png_put_chunk(w, "IDAT", b->band[i].data, b->band[i].n);
        check = adler32_combine(check, b->band[i].check, (z_off_t)(row * rows));
    }
    png_put_big32(tail + 5, (uint32_t)check);
    png_put_chunk(w, "IDAT", tail, sizeof(tail));
}

enum status png_bands_write(struct png_bands *b, const char *path, const struct tool_image *image,
                            uint64_t hash)
{
    struct png_writer w = {0};
    enum status st = ST_OK;

    for (uint32_t i = 0; i < b->n && st == ST_OK; i++)
        if (!b->band[i].data || b->band[i].changed)
            st = compress_band(b, i, image);
    if (st != ST_OK)
        return st;
    w.bytes = mem_alloc(PNG_HEAD + b->bytes + (size_t)b->n * PNG_CHUNK);
    if (!w.bytes)
        return ST_NOMEM;
    png_put_head(&w, b->width, b->height, BYTES, hash);
    put_bands(b, &w);
    png_put_chunk(&w, "IEND", NULL, 0);
    st = tool_file_write(path, w.bytes, w.n);
    mem_free(w.bytes);
    return st;
}
