/* Border colour of a sampler: BORDERCOLOR in the channels of the texture's own format, neither
 * rounded to the format nor decoded from sRGB (reference: texture/border). */
#include "tex/sample/sampler.h"

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

/* Kernels of bytes take the border as a texel, if that loses nothing. */
static void set_border_codes(struct tex_sampler_private *s)
{
    uint32_t word = 0;

    if (s->kind != TEXEL_RGBA8)
        return;
    s->border_is_codes = true;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t code = (uint32_t)s->border[c];

        s->border_is_codes = s->border_is_codes && (float)code == s->border[c];
        word |= code << 8 * c;
    }
    s->border_codes = (int32_t)word;
}

void tex_set_border(struct tex_sampler_private *s, const struct tex_format *own, uint32_t argb,
                    bool srgb)
{
    static const uint8_t shift[4] = {16, 8, 0, 24};

    for (int c = 3; c >= 0; c--) { /* red last, because depth uses it */
        int stored = s->swizzle[c];
        bool is_luminance = own->layout == TEX_LAYOUT_LUMINANCE && c < 3;
        uint32_t byte = argb >> shift[is_luminance ? 0 : c] & 255; /* red */
        bool units = !(is_float_kind(s->kind) || s->kind >= TEXEL_SHADOW16 || (srgb && stored < 3));
        float one;

        if (stored >= TEX_SWIZZLE_ZERO)
            continue;
        one = units ? s->divisor[stored] : 1.0f;
        s->border[stored] = channels_of(own) >> c & 1 ? (float)((double)byte * (double)one / 255.0)
                                                      : (float)own->absent[c] * one;
    }
    set_border_codes(s);
}
