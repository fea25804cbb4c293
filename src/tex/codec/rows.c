/* Rows and single pixels of any format, decoded to A8R8G8B8, to codes or to floats. */
#include "tex/codec/pack_kern.h"

#include <string.h>

bool tex_row_is_argb(const struct tex_format *format)
{
    switch (format->layout) {
    case TEX_LAYOUT_BLOCK:
    case TEX_LAYOUT_YUV:
    case TEX_LAYOUT_PLANAR:
    case TEX_LAYOUT_MONO:
    case TEX_LAYOUT_PALETTE:
        return true;
    default:
        return tex_is_8888(format) || format->d3d == D3DFMT_R8G8B8;
    }
}

static void read_blocks(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                        uint32_t y, uint32_t z, uint32_t n, uint32_t *argb)
{
    tex_block_fn *decode = tex_block_decoder(format);
    const uint8_t *block = tex_level_at(level, format, x & ~3u, y, z);
    uint32_t texel[16];

    for (uint32_t i = 0; i < n; i++) {
        uint32_t column = (x + i) & 3;

        if (!i || !column) {
            decode(texel, block);
            block += format->bytes;
        }
        argb[i] = texel[(y & 3) * 4 + column];
    }
}

static void read_video(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                       uint32_t y, uint32_t z, uint32_t n, uint32_t *argb)
{
    const uint8_t *p = tex_level_at(level, format, x, y, z);
    uint32_t pair[2], i = 0;

    if (x & 1) {
        tex_yuv_decode(format, pair, p);
        argb[i++] = pair[1];
        p += format->bytes;
    }
    for (; i + 2 <= n; i += 2, p += format->bytes)
        tex_yuv_decode(format, argb + i, p);
    if (i < n) {
        tex_yuv_decode(format, pair, p);
        argb[i] = pair[0];
    }
}

static void read_planes(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                        uint32_t y, uint32_t n, uint32_t *argb)
{
    struct tex_plane planes[TEX_PLANES];
    const uint8_t *luma, *u, *v;
    unsigned count = tex_level_planes(format, level, planes), step = count == 2 ? 2 : 1;

    luma = tex_level_at(&planes[0].level, planes[0].format, x, y, 0);
    u = tex_level_at(&planes[count - 1].level, planes[count - 1].format, 0, y / 2, 0);
    v = count == 2 ? u + 1 : tex_level_at(&planes[1].level, planes[1].format, 0, y / 2, 0);
    for (uint32_t i = 0; i < n; i++)
        argb[i] = tex_yuv_colour(luma[i], u[(size_t)step * ((x + i) / 2)],
                                 v[(size_t)step * ((x + i) / 2)]);
}

/* Transparent black, or black of alpha 1 (reference: format/a1). */
static void read_bits(const uint8_t *row, uint32_t x, uint32_t n, uint32_t *argb)
{
    for (uint32_t i = x; i < x + n; i++)
        *argb++ = row[i / 8] >> (7 - i % 8) & 1 ? 0xff000000 : 0;
}

static void read_palette(const struct tex_format *format, const uint8_t *p, uint32_t n,
                         uint32_t *argb, const uint32_t *palette)
{
    for (uint32_t i = 0; i < n; i++, p += format->bytes) {
        argb[i] = palette ? palette[*p] : 0xff000000 | *p * 0x010101u;
        if (format->bytes == 2)
            argb[i] = (argb[i] & 0xffffff) | (uint32_t)p[1] << 24;
    }
}

static uint32_t swap_red_blue(uint32_t c)
{
    return (c & 0xff00ff00) | (c >> 16 & 255) | (c & 255) << 16;
}

static void read_words(const struct tex_format *format, const uint8_t *p, uint32_t n,
                       uint32_t *argb)
{
    uint32_t opaque = format->channel[3].bits ? 0 : 0xff000000;

    for (uint32_t i = 0; i < n; i++, p += format->bytes) {
        uint32_t c = 0;

        memcpy(&c, p, format->bytes);
        argb[i] = (format->channel[0].shift ? c : swap_red_blue(c)) | opaque;
    }
}

void tex_read_row_argb(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                       uint32_t y, uint32_t z, uint32_t n, uint32_t *argb, const uint32_t *palette)
{
    switch (format->layout) {
    case TEX_LAYOUT_BLOCK:
        read_blocks(format, level, x, y, z, n, argb);
        break;
    case TEX_LAYOUT_YUV:
        read_video(format, level, x, y, z, n, argb);
        break;
    case TEX_LAYOUT_PLANAR:
        read_planes(format, level, x, y, n, argb);
        break;
    case TEX_LAYOUT_MONO:
        read_bits(tex_level_at(level, format, 0, y, z), x, n, argb);
        break;
    case TEX_LAYOUT_PALETTE:
        read_palette(format, tex_level_at(level, format, x, y, z), n, argb, palette);
        break;
    default:
        read_words(format, tex_level_at(level, format, x, y, z), n, argb);
    }
}

bool tex_has_byte_codes(const struct tex_format *format)
{
    if ((format->layout != TEX_LAYOUT_UNORM && format->layout != TEX_LAYOUT_LUMINANCE) ||
        format->bytes > 2)
        return false;
    for (int c = 0; c < 4; c++)
        if (format->channel[c].bits > 8)
            return false;
    return true;
}

void tex_read_row_codes(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                        uint32_t y, uint32_t z, uint32_t n, uint32_t *codes)
{
    const uint8_t *p = tex_level_at(level, format, x, y, z);

    for (uint32_t i = 0; i < n; i += TEX_LANES)
        KERN_PICK(tex_pack_kern)
            ->codes(format, p + (size_t)i * format->bytes, n - i < TEX_LANES ? n - i : TEX_LANES,
                    codes + i);
}

static void read_depth(const struct tex_format *format, const uint8_t *p, unsigned n,
                       float *const rgba[4])
{
    for (unsigned i = 0; i < n; i++, p += format->bytes) {
        uint32_t texel = 0;

        memcpy(&texel, p, format->bytes);
        rgba[0][i] = rgba[1][i] = rgba[2][i] = tex_depth_decode(format, texel);
        rgba[3][i] = 1.0f;
    }
}

static void read_nothing(unsigned n, float *const rgba[4])
{
    for (unsigned i = 0; i < n; i++) {
        rgba[0][i] = rgba[1][i] = rgba[2][i] = 0.0f;
        rgba[3][i] = 1.0f;
    }
}

static void read_batch(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                       uint32_t y, uint32_t z, unsigned n, float *const rgba[4])
{
    tex_unpack_fn *unpack = tex_unpacker(format);

    if (unpack) {
        unpack(format, tex_level_at(level, format, x, y, z), n, rgba);
    } else if (tex_row_is_argb(format)) {
        const struct tex_format *argb_format = tex_format_get(D3DFMT_A8R8G8B8);
        uint32_t argb[TEX_LANES];

        tex_read_row_argb(format, level, x, y, z, n, argb, NULL);
        tex_unpacker(argb_format)(argb_format, argb, n, rgba);
    } else if (format->layout == TEX_LAYOUT_DEPTH) {
        read_depth(format, tex_level_at(level, format, x, y, z), n, rgba);
    } else {
        read_nothing(n, rgba);
    }
}

void tex_read_row(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                  uint32_t y, uint32_t z, uint32_t n, float *const rgba[4])
{
    for (uint32_t i = 0; i < n; i += TEX_LANES) {
        unsigned count = n - i < TEX_LANES ? n - i : TEX_LANES;
        float *const at[4] = {rgba[0] + i, rgba[1] + i, rgba[2] + i, rgba[3] + i};

        read_batch(format, level, x + i, y, z, count, at);
    }
}

void tex_read_pixel(const struct tex_image *image, uint32_t face, uint32_t level, uint32_t x,
                    uint32_t y, uint32_t z, float rgba[4])
{
    _Alignas(64) float lanes[4][TEX_LANES];
    float *const at[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    tex_read_row(image->format, &image->level[face * image->desc.levels + level], x, y, z, 1, at);
    for (int c = 0; c < 4; c++)
        rgba[c] = lanes[c][0];
}
