/* Box copies, ColorFill and multisample resolve (reference: copy). */
#include "tex/copy/stretch_kern.h"

#include "util/alloc.h"

#include <string.h>

/* --- Copy ------------------------------------------------------------------------------------- */

static size_t row_bytes(const struct tex_format *format, uint32_t width)
{
    return (size_t)((width + format->block_w - 1) / format->block_w) * format->bytes;
}

void tex_copy(const struct tex_format *format, const struct tex_level *dst, uint32_t x, uint32_t y,
              uint32_t z, const struct tex_level *src, const struct tex_box *box)
{
    size_t bytes = row_bytes(format, box->x1 - box->x0);
    uint32_t rows = (box->y1 - box->y0 + format->block_h - 1) / format->block_h;
    bool contiguous = bytes == src->row_pitch && bytes == dst->row_pitch;

    for (uint32_t k = 0; k < box->z1 - box->z0; k++) {
        if (contiguous) {
            memmove(tex_level_at(dst, format, x, y, z + k),
                    tex_level_at(src, format, box->x0, box->y0, box->z0 + k), bytes * rows);
            continue;
        }
        for (uint32_t j = 0; j < box->y1 - box->y0; j += format->block_h)
            memmove(tex_level_at(dst, format, x, y + j, z + k),
                    tex_level_at(src, format, box->x0, box->y0 + j, box->z0 + k), bytes);
    }
}

/* --- Fill ------------------------------------------------------------------------------------- */

/* Encodes a texel of a palette format. ColorFill does not search the palette; like hardware it
 * stores blue as the index. */
static void make_index(const struct tex_format *format, uint8_t *block, uint32_t argb)
{
    block[0] = (uint8_t)argb;
    if (format->bytes == 2)
        block[1] = (uint8_t)(argb >> 24);
}

float tex_fill_fraction(const struct tex_format *format, uint32_t byte)
{
    float fraction = (float)byte / 255.0f;
    uint32_t bits;

    if (format->layout != TEX_LAYOUT_FLOAT16)
        return fraction;
    memcpy(&bits, &fraction, 4);
    bits &= ~0x1fffu; /* truncates the bits a half cannot hold; 1/255 is still a normal half */
    memcpy(&fraction, &bits, 4);
    return fraction;
}

static void make_texel(const struct tex_format *format, uint8_t *block, uint32_t argb)
{
    static const uint8_t shift[4] = {16, 8, 0, 24};
    _Alignas(64) float lanes[4][TEX_LANES] = {{0}};
    const float *const rgba[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    for (int c = 0; c < 4; c++)
        lanes[c][0] = tex_fill_fraction(format, argb >> shift[c] & 255);
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
    case TEX_LAYOUT_RAW:
        return ST_UNSUPPORTED;
    default:
        make_texel(format, block, argb);
        return ST_OK;
    }
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

enum status tex_fill(struct tex_image *image, uint32_t face, uint32_t level_index,
                     const struct tex_box *box, uint32_t argb)
{
    const struct tex_format *format = image->format;
    const struct tex_level *level = tex_image_level(image, face, level_index);
    uint32_t samples = image->desc.samples;
    size_t bytes = row_bytes(format, box->x1 - box->x0 / format->block_w * format->block_w);
    uint8_t block[16], *first;
    enum status st;

    if (!box_fits(level, box))
        return ST_INVALID;
    if (format->d3d == TEX_FMT_NULL)
        return ST_OK;
    st = make_block(format, block, argb);
    if (st != ST_OK)
        return st;
    first = tex_level_at(level, format, box->x0, box->y0, box->z0 * samples);
    repeat(first, block, format->bytes, bytes);
    for (uint32_t z = box->z0 * samples; z < box->z1 * samples; z++) {
        for (uint32_t y = box->y0; y < box->y1; y += format->block_h) {
            uint8_t *row = tex_level_at(level, format, box->x0, y, z);

            if (row != first)
                memcpy(row, first, bytes);
        }
    }
    tex_image_touch_box(image, face, level_index, box);
    return ST_OK;
}

/* --- Resolve ---------------------------------------------------------------------------------- */

struct resolve {
    const struct tex_format *format;
    const struct tex_level *dst, *src;
    uint32_t samples;
};

static void resolve_bytes(const struct resolve *r, uint32_t y)
{
    void *out = r->dst->data + (size_t)y * r->dst->row_pitch;
    const void *in = r->src->data + (size_t)y * r->src->row_pitch;

    KERN_PICK(tex_stretch_kern)
        ->average_samples(out, in, r->src->slice_pitch, r->samples, r->src->width);
}

static void resolve_floats(const struct resolve *r, uint32_t y)
{
    _Alignas(64) float sums[4][TEX_LANES], more[4][TEX_LANES];
    float *const sum[4] = {sums[0], sums[1], sums[2], sums[3]};
    float *const sample[4] = {more[0], more[1], more[2], more[3]};
    const float *const mean[4] = {sums[0], sums[1], sums[2], sums[3]};

    for (uint32_t x = 0; x < r->src->width; x += TEX_LANES) {
        uint32_t n = r->src->width - x < TEX_LANES ? r->src->width - x : TEX_LANES;

        tex_read_row(r->format, r->src, x, y, 0, n, sum);
        for (uint32_t s = 1; s < r->samples; s++) {
            tex_read_row(r->format, r->src, x, y, s, n, sample);
            for (int c = 0; c < 4; c++)
                for (uint32_t i = 0; i < n; i++)
                    sums[c][i] += more[c][i];
        }
        for (int c = 0; c < 4; c++)
            for (uint32_t i = 0; i < n; i++)
                sums[c][i] /= (float)r->samples;
        tex_packer(r->format)(r->format, tex_level_at(r->dst, r->format, x, y, 0), n, mean);
    }
}

enum status tex_resolve(struct tex_image *dst, struct tex_image *src)
{
    struct resolve r = {src->format, dst->level, src->level, src->desc.samples};
    struct tex_box all = {0, 0, 0, src->desc.width, src->desc.height, 1};

    if (dst->format != src->format || dst->desc.samples != 1 ||
        dst->desc.width != src->desc.width || dst->desc.height != src->desc.height)
        return ST_INVALID;
    tex_image_touch(dst);
    if (r.samples == 1 || !tex_packer(r.format)) { /* depth: takes the first sample */
        tex_copy(r.format, r.dst, 0, 0, 0, r.src, &all);
        return ST_OK;
    }
    for (uint32_t y = 0; y < src->desc.height; y++) {
        if (tex_is_8888(r.format))
            resolve_bytes(&r, y);
        else
            resolve_floats(&r, y);
    }
    return ST_OK;
}
