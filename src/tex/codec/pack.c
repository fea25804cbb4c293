/* Selects pack and unpack kernels by format, and converts single values of depth formats and
 * ColorFill. */
#include "tex/codec/pack_kern.h"

#include <string.h>

enum tex_pack_kind tex_pack_kind(const struct tex_format *f)
{
    static const uint8_t by_bytes[] = {TEX_PACK_KINDS,  TEX_PACK_WORD8,  TEX_PACK_WORD16,
                                       TEX_PACK_WORD24, TEX_PACK_WORD32, TEX_PACK_KINDS,
                                       TEX_PACK_KINDS,  TEX_PACK_KINDS,  TEX_PACK_WORD64};

    if (tex_is_8888(f))
        return TEX_PACK_8888;
    switch (f->layout) {
    case TEX_LAYOUT_UNORM:
    case TEX_LAYOUT_SNORM:
    case TEX_LAYOUT_LUMINANCE:
        return by_bytes[f->bytes];
    case TEX_LAYOUT_FLOAT16:
        return TEX_PACK_HALF;
    case TEX_LAYOUT_FLOAT32:
        return TEX_PACK_FLOAT;
    default:
        return TEX_PACK_KINDS;
    }
}

tex_unpack_fn *tex_unpacker(const struct tex_format *format)
{
    enum tex_pack_kind kind = tex_pack_kind(format);

    return kind < TEX_PACK_KINDS ? KERN_PICK(tex_pack_kern)->unpack[kind] : NULL;
}

tex_pack_fn *tex_packer(const struct tex_format *format)
{
    enum tex_pack_kind kind = tex_pack_kind(format);

    return kind < TEX_PACK_KINDS ? KERN_PICK(tex_pack_kern)->pack[kind] : NULL;
}

void tex_srgb_to_linear(float *values, unsigned n)
{
    KERN_PICK(tex_pack_kern)->srgb_to_linear(values, n);
}

void tex_linear_to_srgb(float *values, unsigned n)
{
    KERN_PICK(tex_pack_kern)->linear_to_srgb(values, n);
}

/* Decodes the depth float of D24FS8: 20 fraction bits, 4 exponent bits, no sign; range [0, 2). */
static float decode_float24(uint32_t code)
{
    uint32_t exponent = code >> 20, bits = (code & 0xfffff) << 3;
    float value;

    if (!exponent)
        return (float)(code & 0xfffff) * 0x1p-34f;
    bits |= (exponent + 112) << 23;
    memcpy(&value, &bits, 4);
    return value;
}

float tex_depth_decode(const struct tex_format *format, uint32_t texel)
{
    struct tex_channel depth = format->channel[0];
    uint32_t max = depth.bits == 32 ? UINT32_MAX : (1u << depth.bits) - 1;
    uint32_t code = texel >> depth.shift & max;
    float value;

    if (!depth.bits)
        return 0.0f;
    if (format->d3d == D3DFMT_D24FS8)
        return decode_float24(code);
    if (format->d3d == D3DFMT_D32F_LOCKABLE) {
        memcpy(&value, &texel, 4);
        return value;
    }
    return (float)code / (float)max;
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
