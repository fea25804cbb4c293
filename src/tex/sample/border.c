/* Border colour of a sampler: a texel of the texture's own format, rounded as ColorFill rounds,
 * without sRGB decoding (reference: texture/border). */
#include "tex/sample/sampler.h"

#include "tex/codec/codec.h"

#include <math.h>

static bool is_float_kind(enum texel_kind kind)
{
    return kind >= TEXEL_R16F && kind <= TEXEL_RGBA32F;
}

/* Mask of the channels that the format stores; bit 0 = red. */
static unsigned channels_of(const struct tex_format *f)
{
    unsigned bits = 0;

    if (f->layout == TEX_LAYOUT_BLOCK)
        return f->d3d == TEX_FMT_ATI1 ? 1 : f->d3d == TEX_FMT_ATI2 ? 3 : 15;
    if (f->layout == TEX_LAYOUT_YUV)
        return 7;
    if (f->layout == TEX_LAYOUT_PALETTE)
        return 15;
    for (int c = 0; c < 4; c++)
        bits |= f->channel[c].bits ? 1u << c : 0;
    return f->layout == TEX_LAYOUT_LUMINANCE ? bits | 7 : bits;
}

/* Converts 0 … 255 to channel c of a texel of the format. */
static float border_fraction(const struct tex_format *f, int c, uint32_t byte)
{
    uint32_t max = 255;

    if (!(channels_of(f) >> c & 1))
        return f->absent[c];
    if (f->layout == TEX_LAYOUT_LUMINANCE && c < 3)
        c = 0;
    if (f->layout <= TEX_LAYOUT_SNORM || f->layout == TEX_LAYOUT_LUMINANCE)
        max = (1u << (f->channel[c].bits - (f->snorm_mask >> c & 1))) - 1;
    if (max == 255)
        return tex_fill_fraction(f, byte);
    return (float)((byte * max * 2 + 255) / 510) / (float)max; /* nearest code, rounded half up */
}

void tex_set_border(struct tex_sampler_private *s, const struct tex_format *own, uint32_t argb,
                    bool srgb)
{
    static const uint8_t shift[4] = {16, 8, 0, 24};

    for (int c = 3; c >= 0; c--) { /* red last, because luminance and depth use it */
        int stored = s->swizzle[c];
        float value = border_fraction(own, c, argb >> shift[c] & 255);

        if (stored >= TEX_SWIZZLE_ZERO)
            continue;
        if (is_float_kind(s->kind) || s->kind >= TEXEL_SHADOW16 || (srgb && stored < 3))
            s->border[stored] = value;
        else
            s->border[stored] = (float)floor((double)value * (double)s->divisor[stored] + 0.5);
    }
}
