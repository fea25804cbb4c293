/* Texel kinds: which formats are sampled in place, and how their texels become stored channels. */
#include "tex/sample/sampler.h"

#include "tex/codec/codec.h"

static bool has_packed_signed(const struct tex_format *f)
{
    switch ((uint32_t)f->d3d) {
    case D3DFMT_V8U8:
    case D3DFMT_X8L8V8U8:
    case D3DFMT_Q8W8V8U8:
    case D3DFMT_V16U16:
    case D3DFMT_A2W10V10U10:
        return true;
    default:
        return false;
    }
}

bool tex_is_plain_depth(const struct tex_format *f)
{
    return f->d3d == TEX_FMT_INTZ || f->d3d == TEX_FMT_DF16 || f->d3d == TEX_FMT_DF24;
}

static enum texel_kind depth_kind(const struct tex_format *f)
{
    if (f->d3d == TEX_FMT_RAWZ) /* reads its four bytes (reference: texture/rawz) */
        return TEXEL_RGBA8;
    if (tex_is_plain_depth(f))
        return f->bytes == 2 ? TEXEL_PACKED16 : TEXEL_PACKED32;
    if (f->d3d == D3DFMT_D32F_LOCKABLE)
        return TEXEL_SHADOW_FLOAT32;
    if (f->d3d == D3DFMT_D24FS8)
        return TEXEL_SHADOW_FLOAT24;
    return f->bytes == 2 ? TEXEL_SHADOW16 : TEXEL_SHADOW32;
}

static enum texel_kind unsigned_kind(const struct tex_format *f, bool srgb)
{
    if (tex_is_8888(f))
        return srgb ? TEXEL_RGBA8_SRGB : TEXEL_RGBA8;
    if (tex_has_byte_codes(f))
        return TEXEL_KINDS;
    switch (f->bytes) {
    case 2:
        return TEXEL_PACKED16;
    case 4:
        return TEXEL_PACKED32;
    case 8:
        return TEXEL_RGBA16;
    default:
        return TEXEL_KINDS;
    }
}

static enum texel_kind float_kind(const struct tex_format *f, enum texel_kind one_channel)
{
    return f->channel[3].bits   ? one_channel + 2
           : f->channel[1].bits ? one_channel + 1
                                : one_channel;
}

enum texel_kind tex_texel_kind(const struct tex_format *f, bool srgb)
{
    switch (f->layout) {
    case TEX_LAYOUT_UNORM:
    case TEX_LAYOUT_LUMINANCE:
        return unsigned_kind(f, srgb);
    case TEX_LAYOUT_SNORM:
        if (!has_packed_signed(f))
            return TEXEL_KINDS;
        return f->bytes == 2 ? TEXEL_PACKED16_SIGNED : TEXEL_PACKED32_SIGNED;
    case TEX_LAYOUT_FLOAT16:
        return float_kind(f, TEXEL_R16F);
    case TEX_LAYOUT_FLOAT32:
        return float_kind(f, TEXEL_R32F);
    case TEX_LAYOUT_DEPTH:
        return depth_kind(f);
    case TEX_LAYOUT_PALETTE:
        return f->bytes == 1 ? TEXEL_PALETTE8 : TEXEL_PALETTE16;
    default:
        return TEXEL_KINDS;
    }
}
