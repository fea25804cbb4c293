/* Pixel conversion from back-buffer formats to X8R8G8B8: SIMD kernels for common formats, lookup
 * tables for the others. */
#include "present/monitor/pixels.h"

#include "util/half.h"

#include <string.h>

/* Rounds v / (2^n - 1) * 255 to the nearest integer. */
static uint32_t to_8_bits(uint32_t v, unsigned bits)
{
    uint64_t most = (UINT64_C(1) << bits) - 1;

    return (uint32_t)((v * UINT64_C(510) + most) / (most * 2));
}

static uint32_t float_to_8_bits(float v)
{
    if (!(v > 0))
        return 0;
    return v < 1 ? (uint32_t)(v * 255.0f + 0.5f) : 255;
}

static uint32_t through(const struct view_gamma *gamma, unsigned channel, uint32_t v)
{
    return (gamma ? gamma->table[channel][v] : v) << (16 - 8 * channel);
}

/* Rounds (v - 384) / 510 * 255 to the nearest integer from 0 to 255 (reference: format/xr-bias). */
static uint32_t extended_to_8_bits(uint32_t v)
{
    uint32_t half = v < 384 ? 0 : (v - 384 + 1) / 2;

    return half < 255 ? half : 255;
}

static void fill_tables(struct pixel_reader *reader)
{
    bool extended = reader->format->d3d == D3DFMT_A2B10G10R10_XR_BIAS;

    for (unsigned c = 0; c < 3; c++) {
        unsigned bits = reader->format->channel[c].bits;

        for (uint32_t v = 0; v < 1u << bits; v++)
            reader->table[c][v] =
                through(reader->gamma, c, extended ? extended_to_8_bits(v) : to_8_bits(v, bits));
    }
}

static bool fits_tables(const struct tex_format *format)
{
    return format->layout == TEX_LAYOUT_UNORM && (format->bytes == 2 || format->bytes == 4) &&
           format->channel[0].bits <= PIXEL_TABLE_BITS &&
           format->channel[1].bits <= PIXEL_TABLE_BITS &&
           format->channel[2].bits <= PIXEL_TABLE_BITS;
}

/* Rare formats and gamma ramps have no kernel. */
static pixels_fn *fast_way(D3DFORMAT format)
{
    const struct pixels_kern *kern = KERN_PICK(pixels_kern);

    return format == D3DFMT_R5G6B5                                  ? kern->r5g6b5
           : format == D3DFMT_X1R5G5B5 || format == D3DFMT_A1R5G5B5 ? kern->r5g5b5
           : format == D3DFMT_A2R10G10B10                           ? kern->r10g10b10
                                                                    : NULL;
}

enum status pixels_begin(struct pixel_reader *reader, const struct tex_format *format,
                         const struct view_gamma *gamma)
{
    bool words = format->d3d == D3DFMT_X8R8G8B8 || format->d3d == D3DFMT_A8R8G8B8;

    if ((format->layout != TEX_LAYOUT_UNORM && format->layout != TEX_LAYOUT_FLOAT16 &&
         format->layout != TEX_LAYOUT_FLOAT32) ||
        !format->channel[0].bits || !format->channel[1].bits || !format->channel[2].bits)
        return ST_UNSUPPORTED;
    reader->format = format;
    reader->gamma = gamma;
    reader->conversion = words && !gamma       ? PIXELS_COPY
                         : fits_tables(format) ? PIXELS_LOOKUP
                                               : PIXELS_UNPACK;
    reader->fast = gamma ? NULL : fast_way(format->d3d);
    if (reader->conversion == PIXELS_LOOKUP)
        fill_tables(reader);
    return ST_OK;
}

/* --- Rows ------------------------------------------------------------------------------------- */

struct lookup {
    unsigned shift[3];
    uint32_t mask[3];
};

static struct lookup lookup_of(const struct tex_format *format)
{
    struct lookup l;

    for (unsigned c = 0; c < 3; c++) {
        l.shift[c] = format->channel[c].shift;
        l.mask[c] = (1u << format->channel[c].bits) - 1;
    }
    return l;
}

static inline uint32_t look_up(const struct pixel_reader *reader, const struct lookup *l,
                               uint32_t word)
{
    return reader->table[0][word >> l->shift[0] & l->mask[0]] |
           reader->table[1][word >> l->shift[1] & l->mask[1]] |
           reader->table[2][word >> l->shift[2] & l->mask[2]];
}

static void rows_of_halves(const struct pixel_reader *reader, const uint8_t *row, uint32_t n,
                           uint32_t *out)
{
    const struct lookup l = lookup_of(reader->format);

    for (uint32_t x = 0; x < n; x++)
        out[x] = look_up(reader, &l, (uint32_t)row[2 * x] | (uint32_t)row[2 * x + 1] << 8);
}

static void rows_of_words(const struct pixel_reader *reader, const uint8_t *row, uint32_t n,
                          uint32_t *out)
{
    const struct lookup l = lookup_of(reader->format);

    for (uint32_t x = 0; x < n; x++) {
        uint32_t word;

        memcpy(&word, row + 4 * (size_t)x, 4);
        out[x] = look_up(reader, &l, word);
    }
}

static uint32_t channel_of(const struct tex_format *format, const uint8_t *pixel, unsigned c)
{
    uint64_t v = 0;
    float real;

    if (format->layout == TEX_LAYOUT_FLOAT32) {
        memcpy(&real, pixel + format->channel[c].shift / 8, 4);
        return float_to_8_bits(real);
    }
    for (unsigned i = 0; i < format->bytes && i < 8; i++)
        v |= (uint64_t)pixel[i] << 8 * i;
    v = v >> format->channel[c].shift & ((UINT64_C(1) << format->channel[c].bits) - 1);
    if (format->layout == TEX_LAYOUT_FLOAT16)
        return float_to_8_bits(half_to_float((uint16_t)v));
    return to_8_bits((uint32_t)v, format->channel[c].bits);
}

void pixels_row(const struct pixel_reader *reader, const uint8_t *row, uint32_t n, uint32_t *out)
{
    const struct tex_format *format = reader->format;
    uint32_t many = n / PIXELS_STEP * PIXELS_STEP;

    if (reader->conversion == PIXELS_COPY) {
        memcpy(out, row, (size_t)n * 4);
        return;
    }
    if (reader->fast && (uintptr_t)row % 4 == 0) {
        reader->fast(out, (const int32_t *)(const void *)row, many);
        row += (size_t)many * format->bytes;
        out += many;
        n -= many;
    }
    if (reader->conversion == PIXELS_LOOKUP) {
        (format->bytes == 2 ? rows_of_halves : rows_of_words)(reader, row, n, out);
        return;
    }
    for (uint32_t x = 0; x < n; x++, row += format->bytes)
        out[x] = through(reader->gamma, 0, channel_of(format, row, 0)) |
                 through(reader->gamma, 1, channel_of(format, row, 1)) |
                 through(reader->gamma, 2, channel_of(format, row, 2));
}
