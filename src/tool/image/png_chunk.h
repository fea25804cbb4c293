/* Chunks of PNG files. Private to png*.c. */
#ifndef TOOL_IMAGE_PNG_CHUNK_H
#define TOOL_IMAGE_PNG_CHUNK_H

#include "tool/image/png.h"

#include <string.h>

enum { PNG_SIDE_MAX = 16384, PNG_HEADER = 8, PNG_CHUNK = 12 };

extern const uint8_t png_signature[PNG_HEADER];

static inline uint32_t png_big32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void png_put_big32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

struct png_chunk {
    const uint8_t *type, *data;
    uint32_t n;
};

/* Reads the chunk at *at of a valid file; false after the last chunk. */
static inline bool png_next_chunk(const struct png_file *file, size_t *at, struct png_chunk *out)
{
    if (*at >= file->n)
        return false;
    out->n = png_big32(file->bytes + *at);
    out->type = file->bytes + *at + 4;
    out->data = out->type + 4;
    *at += PNG_CHUNK + (size_t)out->n;
    return true;
}

static inline bool png_is_type(const struct png_chunk *chunk, const char *type)
{
    return !memcmp(chunk->type, type, 4);
}

/* --- png_write.c ------------------------------------------------------------------------------ */

/* A file in memory; bytes has room for all chunks. */
struct png_writer {
    uint8_t *bytes;
    size_t n;
};
enum { PNG_HEAD = 8192 }; /* more than signature, header, text chunks and end take */

void png_put_chunk(struct png_writer *w, const char *type, const void *data, size_t n);
/* The signature and the chunks before the pixels. hash: that of tool_image_hash. */
void png_put_head(struct png_writer *w, uint32_t width, uint32_t height, unsigned bpp,
                  uint64_t hash);
/* Filters each row of n bytes with the better of two cheap filters, left (Sub) and up (Up).
 * first: there is no row above. other: room for a row. */
void png_filter_rows(const uint8_t *pixels, size_t n, uint32_t rows, unsigned bpp, bool first,
                     uint8_t *out, uint8_t *other);

#endif
