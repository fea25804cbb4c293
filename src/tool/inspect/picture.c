/* Surfaces as pictures of 8 bits a channel.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "draw/draw.h"
#include "tex/tex.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "util/alloc.h"

static uint8_t to_byte(float x)
{
    return x > 0.0f ? x < 1.0f ? (uint8_t)(x * 255.0f + 0.5f) : 255 : 0;
}

/* Averages the samples. */
static void read_pixel(const struct draw_target *target, uint32_t x, uint32_t y, uint8_t out[4])
{
    const struct tex_image *image = target->image;
    bool volume = image->desc.shape == TEX_VOLUME_MAP;
    unsigned samples = image->desc.samples > 1 ? image->desc.samples : 1;
    float sum[4] = {0};

    for (unsigned s = 0; s < samples; s++) {
        float rgba[4];

        tex_read_pixel(image, volume ? 0 : target->face, target->level, x, y,
                       volume ? target->face : s, rgba);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += rgba[c] / (float)samples;
    }
    for (unsigned c = 0; c < 4; c++)
        out[c] = to_byte(sum[c]);
}

/* Unpacks a row of a format that has an unpack function. */
static void unpack_row(const struct tex_format *format, tex_unpack_fn *unpack, const uint8_t *src,
                       uint32_t width, uint8_t *rgba)
{
    _Alignas(64) float lanes[4][TEX_LANES];
    float *const rows[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    for (uint32_t x = 0; x < width; x += TEX_LANES) {
        unsigned n = width - x < TEX_LANES ? width - x : TEX_LANES;

        unpack(format, src + (size_t)x * format->bytes, n, rows);
        for (unsigned i = 0; i < 4 * n; i++)
            rgba[4 * x + i] = to_byte(lanes[i % 4][i / 4]);
    }
}

static void read_picture(const struct draw_target *target, const struct tex_level *level,
                         uint8_t *rgba)
{
    const struct tex_image *image = target->image;
    tex_unpack_fn *unpack = image->desc.samples > 1 ? NULL : tex_unpacker(image->format);
    uint32_t slice = image->desc.shape == TEX_VOLUME_MAP ? target->face : 0;

    for (uint32_t y = 0; y < level->height; y++, rgba += 4 * (size_t)level->width) {
        if (unpack)
            unpack_row(image->format, unpack, tex_level_at(level, image->format, 0, y, slice),
                       level->width, rgba);
        for (uint32_t x = 0; x < level->width && !unpack; x++)
            read_pixel(target, x, y, rgba + 4 * x);
    }
}

enum status inspect_picture_read(const struct draw_target *target, struct tool_image *out)
{
    const struct tex_level *level;
    struct tex_image *from = target->image;
    enum status st;

    if (!from || from->format->layout == TEX_LAYOUT_RAW)
        return ST_UNSUPPORTED;
    level =
        tex_image_level(from, from->desc.shape == TEX_VOLUME_MAP ? 0 : target->face, target->level);
    if ((st = tool_image_create(out, level->width, level->height)))
        return st;
    read_picture(target, level, out->rgba);
    return ST_OK;
}
