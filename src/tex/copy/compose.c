/* ComposeRects: combines boxes of one-bit images, eight pixels at a time
 * (reference: copy/composerects).
 *
 * Tested by tests/unit/tex/copy/test_compose.c. */
#include "tex/tex.h"

#include "util/min_max.h"

/* Returns the eight pixels from `at` on, the leftmost in the highest bit. Pixels outside the `n`
 * bytes of the row are 0. */
static unsigned pixels_at(const uint8_t *row, int64_t n, int64_t at)
{
    int64_t byte = at >= 0 ? at / 8 : -1; /* at is at least -7 */
    unsigned shift = (unsigned)(at - 8 * byte);
    unsigned left = byte >= 0 && byte < n ? row[byte] : 0, right = byte + 1 < n ? row[byte + 1] : 0;

    return (left << 8 | right) >> (8 - shift) & 255;
}

static uint8_t combine(unsigned dst, unsigned src, unsigned mask, unsigned operation)
{
    switch (operation) {
    case D3DCOMPOSERECTS_COPY:
        dst = (dst & ~mask) | (src & mask);
        break;
    case D3DCOMPOSERECTS_OR:
        dst |= src & mask;
        break;
    case D3DCOMPOSERECTS_AND:
        dst &= src | ~mask;
        break;
    case D3DCOMPOSERECTS_NEG:
        dst &= ~(src & mask);
        break;
    }
    return (uint8_t)dst;
}

/* Bits of the pixels x0 to x1 - 1 in the byte whose first pixel is `first`. */
static unsigned mask_of(int64_t x0, int64_t x1, int64_t first)
{
    unsigned mask = 255;

    if (x0 > first)
        mask &= 255u >> (x0 - first);
    if (x1 < first + 8)
        mask &= 255u << (first + 8 - x1);
    return mask;
}

static void compose_row(uint8_t *dst, int64_t x0, int64_t x1, const uint8_t *src, int64_t src_bytes,
                        int64_t from, unsigned operation)
{
    for (int64_t byte = x0 / 8; byte <= (x1 - 1) / 8; byte++)
        dst[byte] = combine(dst[byte], pixels_at(src, src_bytes, from + 8 * byte - x0),
                            mask_of(x0, x1, 8 * byte), operation);
}

void tex_compose(const struct tex_level *dst, int32_t x, int32_t y, const struct tex_level *src,
                 const struct tex_box *box, unsigned operation)
{
    int64_t dx = (int64_t)x - box->x0, dy = (int64_t)y - box->y0; /* from source to destination */
    int64_t x0 = max_i64(x, 0), x1 = min_i64(box->x1 + dx, dst->width);
    int64_t y0 = max_i64(y, 0), y1 = min_i64(box->y1 + dy, dst->height);

    for (int64_t line = y0; line < y1 && x0 < x1; line++)
        compose_row(dst->data + (size_t)line * dst->row_pitch, x0, x1,
                    src->data + (size_t)(line - dy) * src->row_pitch, (src->width + 7) / 8, x0 - dx,
                    operation);
}
