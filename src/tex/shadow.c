/* Decoded copies of images whose texels cannot be sampled where they are. */
#include "tex/private.h"

#include "util/alloc.h"

#include <string.h>

void tex_shadow_destroy(struct tex_shadow *shadow)
{
    if (!shadow)
        return;
    tex_image_unref(&shadow->decoded);
    mem_free(shadow);
}

static enum status create_shadow(struct tex_image *image)
{
    struct tex_desc desc = image->desc;
    struct tex_shadow *shadow = mem_calloc(1, sizeof(*shadow));
    enum status st;

    if (!shadow)
        return ST_NOMEM;
    desc.format = tex_row_is_argb(image->format) ? D3DFMT_A8R8G8B8 : D3DFMT_A32B32G32R32F;
    st = tex_image_create(&shadow->decoded, &desc, NULL);
    if (st != ST_OK) {
        mem_free(shadow);
        return st;
    }
    image->shadow = shadow;
    return ST_OK;
}

static void decode_row_floats(const struct tex_format *format, const struct tex_level *from,
                              const struct tex_level *to, uint32_t y, uint32_t z)
{
    _Alignas(64) float memory[4][TEX_LANES];
    float *const rgba[4] = {memory[0], memory[1], memory[2], memory[3]};
    uint8_t *out = to->data + (size_t)z * to->slice_pitch + (size_t)y * to->row_pitch;

    for (uint32_t x = 0; x < from->width; x += TEX_LANES) {
        uint32_t n = from->width - x < TEX_LANES ? from->width - x : TEX_LANES;

        tex_read_row(format, from, x, y, z, n, rgba);
        for (uint32_t i = 0; i < n; i++, out += 16)
            for (int c = 0; c < 4; c++)
                memcpy(out + 4 * c, &memory[c][i], 4);
    }
}

/* Whole blocks at a time: reading rows would decode each block four times. */
static void decode_blocks(const struct tex_format *format, const struct tex_level *from,
                          const struct tex_level *to, uint32_t z)
{
    tex_block_fn *decode = tex_block_decoder(format);
    uint32_t texel[16];

    for (uint32_t y = 0; y < from->height; y += 4) {
        const uint8_t *block = tex_level_at(from, format, 0, y, z);
        uint8_t *out = to->data + (size_t)z * to->slice_pitch + (size_t)y * to->row_pitch;
        uint32_t rows = from->height - y < 4 ? from->height - y : 4;

        for (uint32_t x = 0; x < from->width; x += 4, block += format->bytes, out += 16) {
            uint32_t columns = from->width - x < 4 ? from->width - x : 4;

            decode(texel, block);
            for (uint32_t j = 0; j < rows; j++)
                memcpy(out + (size_t)j * to->row_pitch, texel + 4 * j, 4 * columns);
        }
    }
}

static void decode_slice(const struct tex_format *format, const struct tex_level *from,
                         const struct tex_level *to, bool argb, uint32_t z)
{
    if (format->layout == TEX_LAYOUT_BLOCK) {
        decode_blocks(format, from, to, z);
        return;
    }
    for (uint32_t y = 0; y < from->height; y++) {
        uint8_t *out = to->data + (size_t)z * to->slice_pitch + (size_t)y * to->row_pitch;

        if (argb)
            tex_read_row_argb(format, from, 0, y, z, from->width, (uint32_t *)(void *)out, NULL);
        else
            decode_row_floats(format, from, to, y, z);
    }
}

enum status tex_shadow_update(struct tex_image *image)
{
    struct tex_shadow *shadow;

    if (!image->shadow) {
        enum status st = create_shadow(image);

        if (st != ST_OK)
            return st;
    }
    shadow = image->shadow;
    if (shadow->version == image->version)
        return ST_OK;
    for (uint32_t i = 0; i < image->faces * image->desc.levels; i++) {
        const struct tex_level *from = &image->level[i], *to = &shadow->decoded->level[i];
        bool argb = shadow->decoded->format->bytes == 4;

        for (uint32_t z = 0; z < from->depth; z++)
            decode_slice(image->format, from, to, argb, z);
    }
    shadow->version = image->version;
    return ST_OK;
}
