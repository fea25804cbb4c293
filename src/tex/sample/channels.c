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

/* RGBA8 whose bytes are codes of the format, in the order of A8R8G8B8 (tex_read_row_codes). */
static void set_code_channels(struct tex_sampler_private *s, const struct tex_format *own)
{
    static const uint8_t byte[4] = {2, 1, 0, 3};

    for (int c = 0; c < 4; c++) {
        unsigned bits = tex_channel_of(own, (unsigned)c).bits;

        s->swizzle[c] = bits ? byte[c] : absent(own, c);
        s->divisor[byte[c]] = bits ? (float)((1u << bits) - 1) : 255.0f;
    }
}

/* What a byte is divided by, by its number of bits; see struct tex_byte_divisors. */
static const struct {
    float point, of, high, low;
} divisors[9] = {
#define MAX(bits) ((1 << (bits)) - 1.0)
#define OF(bits) (MAX(bits) * 65536.0)
#define HIGH(bits) (float)(1.0 / OF(bits))
#define ROW(bits)                                                                                  \
    [bits] = {(float)(1.0 / (TEX_CODE_FACTOR * MAX(bits))), (float)OF(bits), HIGH(bits),           \
              (float)((1.0 - (double)HIGH(bits) * OF(bits)) / OF(bits))}
    ROW(1), ROW(2), ROW(3), ROW(4), ROW(5),
    ROW(6), ROW(7), ROW(8)
#undef ROW
#undef HIGH
#undef OF
#undef MAX
};

static void set_byte_divisors(struct tex_sampler_private *s)
{
    struct tex_byte_divisors *d = &s->bytes;

    for (int c = 0; c < 4; c++) {
        int bits = __builtin_popcount((unsigned)s->divisor[c]);

        d->scale[c] = c < 2 ? divisors[bits].point : divisors[bits].point / 65536.0f;
        d->of[c] = divisors[bits].of;
        d->high[c] = divisors[bits].high;
        d->low[c] = divisors[bits].low;
    }
}

static void set_srgb(struct tex_sampler_private *s)
{
    bool bytes = true;

    for (int c = 0; c < 3; c++) {
        unsigned bits = 0;

        while ((unsigned)s->divisor[c] >> bits)
            bits++;
        s->srgb_to_linear[c] = tex_srgb_table(bits);
        s->divisor[c] = 1.0f;
        bytes = bytes && bits == 8;
    }
    s->srgb = bytes ? tex_srgb_lookup() : NULL;
}

void tex_set_channels(struct tex_sampler_private *s, const struct tex_format *f,
                      const struct tex_format *own, bool srgb)
{
    if (tex_is_8888(f))
        set_rgba8_channels(s, f);
    else
        set_channels(s, f);
    if (f != own && tex_has_byte_codes(own))
        set_code_channels(s, own);
    if (srgb)
        set_srgb(s);
    else if (tex_is_8888(f))
        set_byte_divisors(s);
}
