/* Stored channels: where they lie in a texel, what divides them, and which of them become red,
 * green, blue and alpha. */
#include "tex/sample/sampler.h"

#include "tex/codec/codec.h"

static void set_stored_channel(struct tex_sampler_private *s, int stored, struct tex_channel ch,
                               bool is_signed)
{
    uint32_t max = ch.bits == 32 ? UINT32_MAX : (1u << ch.bits) - 1;

    if (!ch.bits)
        return;
    s->shift[stored] = ch.shift;
    s->mask[stored] = (int32_t)max;
    s->shl[stored] = (uint8_t)(32 - ch.shift - ch.bits);
    s->sra[stored] = (uint8_t)(32 - ch.bits);
    s->divisor[stored] = (float)max;
    if (!is_signed)
        return;
    s->divisor[stored] = (float)(max >> 1);
    s->signed_mask |= (uint8_t)(1 << stored);
}

static uint8_t absent(const struct tex_format *f, int c)
{
    return f->absent[c] ? TEX_SWIZZLE_ONE : TEX_SWIZZLE_ZERO;
}

/* RGBA8: stored channel b is byte b of the word. */
static void set_rgba8_channels(struct tex_sampler_private *s, const struct tex_format *f)
{
    for (int b = 0; b < 4; b++)
        set_stored_channel(s, b, (struct tex_channel){(uint8_t)(8 * b), 8}, false);
    for (int c = 0; c < 4; c++)
        s->swizzle[c] = f->channel[c].bits ? f->channel[c].shift / 8 : absent(f, c);
}

/* Stored channels are the format's channels in order. */
static void set_channels(struct tex_sampler_private *s, const struct tex_format *f)
{
    for (int c = 0; c < 4; c++) {
        s->divisor[c] = 1.0f;
        if (f->layout == TEX_LAYOUT_DEPTH ? c == 0 : f->bytes <= 4)
            set_stored_channel(s, c, f->channel[c], f->snorm_mask >> c & 1);
        else if (f->layout == TEX_LAYOUT_UNORM)
            s->divisor[c] = 65535.0f;
        s->swizzle[c] = f->channel[c].bits ? (uint8_t)c : absent(f, c);
    }
    if (f->layout == TEX_LAYOUT_LUMINANCE)
        s->swizzle[1] = s->swizzle[2] = 0;
    if (f->layout != TEX_LAYOUT_DEPTH)
        return;
    for (int c = 1; c < 4; c++) /* comparisons and INTZ fill all channels, DF16 and DF24 only one */
        s->swizzle[c] = f->d3d == TEX_FMT_DF16 || f->d3d == TEX_FMT_DF24 ? absent(f, c) : 0;
}

static void set_srgb(struct tex_sampler_private *s)
{
    for (int c = 0; c < 3; c++) {
        unsigned bits = 0;

        while (s->mask[c] >> bits)
            bits++;
        s->srgb_to_linear[c] = tex_srgb_table(bits);
        s->divisor[c] = 1.0f;
    }
    s->srgb = tex_srgb_lookup();
}

void tex_set_channels(struct tex_sampler_private *s, const struct tex_format *f, bool srgb)
{
    if (tex_is_8888(f))
        set_rgba8_channels(s, f);
    else
        set_channels(s, f);
    if (srgb)
        set_srgb(s);
}
