/* Read and write access to the value of one pixel in a surface's memory.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/inspect/value.h"

#include "draw/draw.h"
#include "tex/tex.h"

#include <string.h>

/* Address of sample 0 and the distance between samples; NULL if the pixel does not exist. */
static uint8_t *address(const struct draw_target *target, uint32_t x, uint32_t y, size_t *step,
                        unsigned *samples)
{
    struct tex_image *image = target->image;
    bool volume = image && image->desc.shape == TEX_VOLUME_MAP;
    const struct tex_level *level;

    if (!image || image->format->layout == TEX_LAYOUT_RAW || image->format->block_w != 1)
        return NULL;
    level = tex_image_level(image, volume ? 0 : target->face, target->level);
    if (x >= level->width || y >= level->height)
        return NULL;
    *step = level->slice_pitch;
    *samples = image->desc.samples > 1 ? image->desc.samples : 1;
    return tex_level_at(level, image->format, x, y, volume ? target->face : 0);
}

void inspect_value_read(struct inspect_value *out, const struct draw_target *target, uint32_t x,
                        uint32_t y)
{
    size_t step = 0;
    const uint8_t *at = address(target, x, y, &step, &out->samples);
    bool volume = at && target->image->desc.shape == TEX_VOLUME_MAP;

    out->format = at ? target->image->format : NULL;
    for (unsigned s = 0; at && s < out->samples; s++, at += step) {
        memcpy(out->raw[s], at, out->format->bytes);
        tex_read_pixel(target->image, volume ? 0 : target->face, target->level, x, y,
                       volume ? target->face : s, out->rgba[s]);
    }
}

static void write_value(const struct inspect_value *value, const struct draw_target *target,
                        uint32_t x, uint32_t y)
{
    unsigned samples;
    size_t step = 0;
    uint8_t *at = address(target, x, y, &step, &samples);

    if (!at || !value->format)
        return;
    for (unsigned s = 0; s < samples; s++, at += step)
        memcpy(at, value->raw[s], value->format->bytes);
    tex_image_touch(target->image);
}

bool inspect_value_same(const struct inspect_value *a, const struct inspect_value *b)
{
    if (a->format != b->format || (a->format && a->samples != b->samples))
        return false;
    for (unsigned s = 0; a->format && s < a->samples; s++)
        if (memcmp(a->raw[s], b->raw[s], a->format->bytes) != 0)
            return false;
    return true;
}

int inspect_value_stencil(const struct inspect_value *value, unsigned sample)
{
    const struct tex_channel *channel = value->format ? &value->format->channel[1] : NULL;
    uint64_t word = 0;

    if (!channel || !(value->format->caps & TEX_STENCIL) || !channel->bits)
        return -1;
    memcpy(&word, value->raw[sample], value->format->bytes < 8 ? value->format->bytes : 8);
    return (int)(word >> channel->shift & ((1u << channel->bits) - 1));
}

static const struct draw_target *target_of(const struct draw_state *state, unsigned t)
{
    return t < DRAW_TARGETS ? &state->target[t] : &state->depth;
}

void inspect_values_read(struct inspect_values *out, const struct draw_state *state, uint32_t x,
                         uint32_t y)
{
    for (unsigned t = 0; t <= DRAW_TARGETS; t++)
        inspect_value_read(&out->target[t], target_of(state, t), x, y);
}

void inspect_values_write(const struct inspect_values *values, const struct draw_state *state,
                          uint32_t x, uint32_t y)
{
    for (unsigned t = 0; t <= DRAW_TARGETS; t++)
        write_value(&values->target[t], target_of(state, t), x, y);
}

bool inspect_values_same(const struct inspect_values *a, const struct inspect_values *b)
{
    for (unsigned t = 0; t <= DRAW_TARGETS; t++)
        if (!inspect_value_same(&a->target[t], &b->target[t]))
            return false;
    return true;
}
