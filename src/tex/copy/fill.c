/* ColorFill: encodes one block of the colour and repeats it (reference: copy/colorfill). */
#include "tex/codec/codec.h"
#include "tex/image/image.h"

#include "util/variant.h"

#include <string.h>

/* Encodes a texel of a palette format. ColorFill does not search the palette; like hardware it
 * stores blue as the index. */
static void make_index(const struct tex_format *format, uint8_t *block, uint32_t argb)
{
    block[0] = (uint8_t)argb;
    if (format->bytes == 2)
        block[1] = (uint8_t)(argb >> 24);
}

/* Whether a variant renderer cuts the colours of this format, which has few bits. */
static bool cuts(const struct tex_format *format)
{
    return variant_current && variant_current->cut != 0.0f && format->layout == TEX_LAYOUT_UNORM &&
           format->channel[0].bits < 8;
}

static void make_texel(const struct tex_format *format, uint8_t *block, uint32_t argb)
{
    static const uint8_t shift[4] = {16, 8, 0, 24};
    _Alignas(64) float lanes[4][TEX_LANES] = {{0}};
    const float *const rgba[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    for (int c = 0; c < 4; c++)
        lanes[c][0] = tex_fill_fraction(format, argb >> shift[c] & 255);
    for (int c = 0; c < 4 && cuts(format); c++)
        if (format->channel[c].bits)
            lanes[c][0] = variant_cut(lanes[c][0], format->channel[c].bits);
    tex_packer(format)(format, block, 1, rgba);
}

/* Encodes one block of a single colour. Returns ST_UNSUPPORTED for depth and raw formats. */
static enum status make_block(const struct tex_format *format, uint8_t block[16], uint32_t argb)
{
    const uint32_t pair[2] = {argb, argb};

    switch (format->layout) {
    case TEX_LAYOUT_BLOCK:
        tex_block_solid(format, block, argb);
        return ST_OK;
    case TEX_LAYOUT_YUV:
        tex_yuv_encode(format, block, pair);
        return ST_OK;
    case TEX_LAYOUT_PALETTE:
        make_index(format, block, argb);
        return ST_OK;
    case TEX_LAYOUT_DEPTH:
    case TEX_LAYOUT_PLANAR: /* fill_planes */
    case TEX_LAYOUT_MONO:
    case TEX_LAYOUT_RAW:
        return ST_UNSUPPORTED;
    default:
        make_texel(format, block, argb);
        return ST_OK;
    }
}

/* Encodes the texel of one plane: Y, U, V or both. Chroma of YV12 is V first. */
static void make_plane_texel(const struct tex_format *format, unsigned plane, uint8_t texel[2],
                             uint32_t argb)
{
    const uint32_t pair[2] = {argb, argb};
    uint8_t uyvy[4];

    tex_yuv_encode(tex_format_get(D3DFMT_UYVY), uyvy, pair);
    texel[0] = uyvy[plane == 0 ? 1 : format->d3d == TEX_FMT_YV12 && plane == 1 ? 2 : 0];
    texel[1] = uyvy[2];
}

static bool box_fits(const struct tex_level *level, const struct tex_box *box)
{
    return box->x0 < box->x1 && box->x1 <= level->width && box->y0 < box->y1 &&
           box->y1 <= level->height && box->z0 < box->z1 && box->z1 <= level->depth;
}

/* Fills `all` bytes with copies of the block by repeated doubling. */
static void repeat(uint8_t *p, const uint8_t *block, size_t bytes, size_t all)
{
    memcpy(p, block, bytes);
    for (size_t have = bytes; have < all; have *= 2)
        memcpy(p + have, p, have < all - have ? have : all - have);
}

/* Fills the samples of a box of a level with copies of one block. */
static void fill_box(const struct tex_format *format, const struct tex_level *level,
                     uint32_t samples, const struct tex_box *box, const uint8_t *block)
{
    size_t bytes = tex_row_bytes(format, box->x1 - box->x0 / format->block_w * format->block_w);
    uint8_t *first = tex_level_at(level, format, box->x0, box->y0, box->z0 * samples);

    repeat(first, block, format->bytes, bytes);
    for (uint32_t z = box->z0 * samples; z < box->z1 * samples; z++) {
        for (uint32_t y = box->y0; y < box->y1; y += format->block_h) {
            uint8_t *row = tex_level_at(level, format, box->x0, y, z);

            if (row != first)
                memcpy(row, first, bytes);
        }
    }
}

/* Pixels that share chroma are filled together, as those of a block are. */
static void fill_planes(const struct tex_format *format, const struct tex_level *level,
                        const struct tex_box *box, uint32_t argb)
{
    const struct tex_box even = {box->x0 & ~1u,       box->y0 & ~1u,       0,
                                 (box->x1 + 1) & ~1u, (box->y1 + 1) & ~1u, 1};
    struct tex_plane planes[TEX_PLANES];
    unsigned n = tex_level_planes(format, level, planes);

    for (unsigned i = 0; i < n; i++) {
        struct tex_box part = tex_plane_box(&planes[i], &even);
        uint8_t texel[2];

        make_plane_texel(format, i, texel, argb);
        fill_box(planes[i].format, &planes[i].level, 1, &part, texel);
    }
}

enum status tex_fill(struct tex_image *image, uint32_t face, uint32_t level_index,
                     const struct tex_box *box, uint32_t argb)
{
    const struct tex_format *format = image->format;
    const struct tex_level *level = tex_image_level(image, face, level_index);
    uint8_t block[16];
    enum status st = ST_OK;

    if (!box_fits(level, box))
        return ST_INVALID;
    if (format->d3d == TEX_FMT_NULL)
        return ST_OK;
    if (format->layout == TEX_LAYOUT_PLANAR)
        fill_planes(format, level, box, argb);
    else if ((st = make_block(format, block, argb)) == ST_OK)
        fill_box(format, level, image->desc.samples, box, block);
    if (st == ST_OK)
        tex_image_touch_box(image, face, level_index, box);
    return st;
}
