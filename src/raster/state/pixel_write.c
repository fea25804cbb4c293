/* Finds how the pixels of a target are written: its format class, the bits that a write mask
 * protects, sRGB, and the perturbation of a variant renderer.
 *
 * Tested by tests/unit/raster/output/test_output.c and tests/golden/variants.sh. */
#include "raster/state/pixel_write.h"

#include "tex/tex.h"
#include "util/variant.h"

enum raster_pixel_class raster_pixel_class(const struct tex_format *format)
{
    unsigned channels = format->channel[3].bits ? 4 : format->channel[1].bits ? 2 : 1;
    unsigned which = channels / 2; /* 0, 1, 2 */

    if (tex_is_8888(format))
        return RASTER_PIXEL_RGBA8;
    switch (format->layout) {
    case TEX_LAYOUT_UNORM:
    case TEX_LAYOUT_LUMINANCE:
        return format->bytes == 8   ? RASTER_PIXEL_FIELDS64
               : format->bytes == 3 ? RASTER_PIXEL_CLASSES
                                    : RASTER_PIXEL_FIELDS;
    case TEX_LAYOUT_FLOAT16:
        return (enum raster_pixel_class)(RASTER_PIXEL_HALF1 + which);
    case TEX_LAYOUT_FLOAT32:
        return (enum raster_pixel_class)(RASTER_PIXEL_FLOAT1 + which);
    default:
        return RASTER_PIXEL_CLASSES;
    }
}

/* Finds where the channels lie. */
static void set_fields(struct raster_pixel_write *write)
{
    const struct tex_format *format = write->format;

    write->unused = UINT32_MAX;
    for (unsigned c = 0; c < 4; c++) {
        const struct tex_channel *channel = &format->channel[c];
        struct raster_pixel_field *field = &write->field[c];
        uint32_t mask = (uint32_t)((UINT64_C(1) << channel->bits) - 1);
        double max = mask ? mask : 1.0;

        field->mask = mask;
        field->absent = mask ? 0 : (uint32_t)format->absent[c];
        field->shift = channel->shift % 32;
        field->max = (float)max;
        field->rcp[0] = (float)(1.0 / max);
        field->rcp[1] = (float)((1.0 - (double)field->rcp[0] * max) / max);
        write->unused &= ~(mask << field->shift);
    }
}

/* Sets the bits of a pixel that the write mask protects; false: it protects all channels. */
static bool set_keep(struct raster_pixel_write *write, unsigned write_mask)
{
    bool writes = false;

    for (unsigned c = 0; c < 4; c++) {
        const struct tex_channel *channel = &write->format->channel[c];

        if (!channel->bits)
            continue;
        if (write_mask >> c & 1) {
            writes = true;
            continue;
        }
        write->keeps = true;
        write->keep[channel->shift / 32] |= (uint32_t)((UINT64_C(1) << channel->bits) - 1)
                                            << channel->shift % 32;
    }
    return writes;
}

/* What a variant renderer does to the colours of fixed-point targets. Colours of few bits have at
 * most 7. Half a step up or down gives all that dithering may make of a colour that is rounded to
 * nearest; of a colour that is dithered already, a step does. */
static void set_step(struct raster_pixel_write *write, const struct raster_state *state)
{
    const struct variant *v = variant_current;
    bool few;

    if (!v || write->format->layout != TEX_LAYOUT_UNORM)
        return;
    write->perturbs = true;
    few = write->format->channel[0].bits < 8;
    for (unsigned c = 0; c < 4; c++) {
        unsigned bits = write->format->channel[c].bits;
        float dither = state->dithers ? 2.0f * v->dither : v->dither;
        float steps = v->write + (few && c < 3 && state->dither ? dither : 0.0f);

        write->step[c] = bits ? steps / (float)((1u << bits) - 1) : 0.0f;
        if (v->cut == 0.0f || !few || !bits)
            continue;
        write->step[c] = v->cut / 255.0f;
        write->cut[c] = (uint8_t)bits;
    }
}

bool raster_dithers(const struct raster_state *state, const struct tex_format *format)
{
    return state->dithers && format->layout == TEX_LAYOUT_UNORM && format->channel[0].bits < 8;
}

static bool takes_two_sources(const struct raster_state *state)
{
    return state->blend_enable &&
           (raster_takes_two_sources(&state->blend_rgb) ||
            (state->separate_alpha && raster_takes_two_sources(&state->blend_alpha)));
}

bool raster_pixel_write_init(struct raster_pixel_write *write, const struct tex_format *format,
                             const struct raster_state *state, unsigned write_mask)
{
    *write = (struct raster_pixel_write){
        .format = format,
        .class = (uint8_t)raster_pixel_class(format),
        .clamp = format->layout != TEX_LAYOUT_FLOAT16 && format->layout != TEX_LAYOUT_FLOAT32,
        .srgb = state->srgb_write && (format->caps & TEX_SRGB_WRITE),
        .red_lowest = !format->channel[0].shift,
        .alpha = format->channel[3].bits != 0,
        .two = !format->channel[2].bits && !format->channel[3].bits,
        .grey = format->layout == TEX_LAYOUT_LUMINANCE,
        .two_sources = takes_two_sources(state),
        .dithers = raster_dithers(state, format),
    };
    write->general = write->two_sources || write->dithers;
    if (write->srgb)
        write->linear = tex_srgb_table(8);
    set_fields(write);
    set_step(write, state);
    if (!set_keep(write, write_mask))
        return false;
    write->plain = !state->blend_enable && !write->keeps && !write->srgb && !write->perturbs &&
                   !write->dithers;
    return true;
}
