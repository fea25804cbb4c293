/* Scalar block decompression and single-colour blocks: DXT1-5 and ATI1/2, 4x4 pixels per block
 * (reference: format/dxt1 and others).
 *
 * All arithmetic is integer. Endpoints expand to 8 bits by replicating their top bits; interpolated
 * palette entries round to the nearest 8-bit value. */
#include "tex/codec/dxt_kern.h"
#include "tex/image/image.h"

#include "util/fault_injection.h"
#include "util/variant.h"

#include <string.h>

static uint32_t word16(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t word32(const uint8_t *p)
{
    return word16(p) | word16(p + 2) << 16;
}

static uint32_t expand565(uint32_t c)
{
    uint32_t r = c >> 11, g = c >> 5 & 63, b = c & 31;

    return (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2);
}

/* Returns (wa * a + wb * b) / (wa + wb) for the three colour channels, rounded half up. */
static uint32_t mix(uint32_t a, uint32_t b, uint32_t wa, uint32_t wb)
{
    uint32_t sum = wa + wb, out = 0;

    for (int shift = 0; shift < 24; shift += 8)
        out |= ((a >> shift & 255) * wa + (b >> shift & 255) * wb + sum / 2) / sum << shift;
    return out;
}

/* Decodes an 8-byte colour block. In three-colour mode, which only DXT1 has, entry 3 is transparent
 * black. */
static void decode_colours(uint32_t argb[16], const uint8_t *block, bool may_have_three)
{
    const uint32_t opaque = 0xff000000;
    uint32_t c0 = word16(block), c1 = word16(block + 2), bits = word32(block + 4);
    uint32_t a = expand565(c0), b = expand565(c1);
    uint32_t palette[4] = {a | opaque, b | opaque};

    if (may_have_three && c0 <= c1) {
        palette[2] = mix(a, b, 1, 1) | opaque;
        palette[3] = 0;
    } else {
        palette[2] = mix(a, b, 2, 1) | opaque;
        palette[3] = mix(a, b, 1, 2) | opaque;
    }
    for (int i = 0; i < 16; i++, bits >>= 2)
        argb[i] = palette[bits & 3];
}

/* Decodes the 8-byte interpolated block of DXT4/5 alpha, ATI1 and ATI2. */
static void decode_ramp(uint8_t out[16], const uint8_t *block)
{
    uint32_t a = block[0], b = block[1];
    uint64_t bits = word32(block + 2) | (uint64_t)word16(block + 6) << 32;
    uint8_t palette[8] = {(uint8_t)a, (uint8_t)b, 0, 0, 0, 0, 0, 255};
    uint32_t steps = a > b ? 7 : 5; /* with 5 steps, entries 6 and 7 are 0 and 255 */

    for (uint32_t i = 1; i < steps; i++)
        palette[i + 1] = (uint8_t)((a * (steps - i) + b * i + steps / 2) / steps);
    for (int i = 0; i < 16; i++, bits >>= 3)
        out[i] = palette[bits & 7];
}

static void decode_dxt1(uint32_t argb[16], const uint8_t *block)
{
    decode_colours(argb, block, true);
}

/* DXT2 and DXT4 decode like DXT3 and DXT5; only premultiplied alpha, a convention of the
 * application, differs. */
static void decode_dxt3(uint32_t argb[16], const uint8_t *block)
{
    decode_colours(argb, block + 8, false);
    for (int i = 0; i < 16; i++) {
        uint32_t alpha = block[i / 2] >> (i & 1) * 4 & 15;

        argb[i] = (argb[i] & 0xffffff) | (alpha * 17) << 24;
    }
}

static void decode_dxt5(uint32_t argb[16], const uint8_t *block)
{
    uint8_t alpha[16];

    decode_colours(argb, block + 8, false);
    decode_ramp(alpha, block);
    for (int i = 0; i < 16; i++)
        argb[i] = (argb[i] & 0xffffff) | (uint32_t)alpha[i] << 24;
}

static void decode_ati1(uint32_t argb[16], const uint8_t *block)
{
    uint8_t red[16];

    decode_ramp(red, block);
    for (int i = 0; i < 16; i++)
        argb[i] = 0xff000000 | (uint32_t)red[i] << 16;
}

/* ATI2 stores the green block first. */
static void decode_ati2(uint32_t argb[16], const uint8_t *block)
{
    uint8_t green[16], red[16];

    decode_ramp(green, block);
    decode_ramp(red, block + 8);
    for (int i = 0; i < 16; i++)
        argb[i] = 0xff0000ff | (uint32_t)red[i] << 16 | (uint32_t)green[i] << 8;
}

enum tex_block_kind tex_block_kind(const struct tex_format *format)
{
    switch ((uint32_t)format->d3d) {
    case D3DFMT_DXT1:
        return TEX_BLOCK_DXT1;
    case D3DFMT_DXT2:
    case D3DFMT_DXT3:
        return fault_is(FAULT_DXT3_ALPHA) ? TEX_BLOCK_DXT5 : TEX_BLOCK_DXT3;
    case D3DFMT_DXT4:
    case D3DFMT_DXT5:
        return TEX_BLOCK_DXT5;
    case (uint32_t)TEX_FMT_ATI1:
        return TEX_BLOCK_ATI1;
    case (uint32_t)TEX_FMT_ATI2:
        return TEX_BLOCK_ATI2;
    default:
        return TEX_BLOCK_KINDS;
    }
}

tex_block_fn *tex_block_decoder(const struct tex_format *format)
{
    static tex_block_fn *const decoders[TEX_BLOCK_KINDS + 1] = {
        [TEX_BLOCK_DXT1] = decode_dxt1, [TEX_BLOCK_DXT3] = decode_dxt3,
        [TEX_BLOCK_DXT5] = decode_dxt5, [TEX_BLOCK_ATI1] = decode_ati1,
        [TEX_BLOCK_ATI2] = decode_ati2,
    };

    return decoders[tex_block_kind(format)];
}

/* --- Variant renderers: the exact decoder, and other values for what is interpolated -----------
 */

static void decode_variant(uint32_t d3d, const uint32_t *blocks, unsigned n, uint32_t *argb,
                           size_t pitch)
{
    const struct tex_format *format = tex_format_get((D3DFORMAT)d3d);
    tex_block_fn *exact = tex_block_decoder(format);

    for (unsigned i = 0; i < n; i++) {
        const uint8_t *block = (const uint8_t *)blocks + (size_t)i * format->bytes;
        uint32_t texels[16];

        exact(texels, block);
        tex_variant_replace_block(tex_block_kind(format), texels, block);
        for (unsigned y = 0; y < 4; y++)
            memcpy(argb + y * pitch + 4 * (size_t)i, texels + 4 * (size_t)y, 16);
    }
}

#define DECODER(name, format)                                                                      \
    static void name(const uint32_t *blocks, unsigned n, uint32_t *argb, size_t pitch)             \
    {                                                                                              \
        decode_variant(format, blocks, n, argb, pitch);                                            \
    }
DECODER(variant_dxt1, D3DFMT_DXT1)
DECODER(variant_dxt3, D3DFMT_DXT3)
DECODER(variant_dxt5, D3DFMT_DXT5)
DECODER(variant_ati1, (D3DFORMAT)TEX_FMT_ATI1)
DECODER(variant_ati2, (D3DFORMAT)TEX_FMT_ATI2)

static tex_blocks_fn *variant_decoder(enum tex_block_kind kind)
{
    static tex_blocks_fn *const decoders[TEX_BLOCK_KINDS] = {
        [TEX_BLOCK_DXT1] = variant_dxt1, [TEX_BLOCK_DXT3] = variant_dxt3,
        [TEX_BLOCK_DXT5] = variant_dxt5, [TEX_BLOCK_ATI1] = variant_ati1,
        [TEX_BLOCK_ATI2] = variant_ati2,
    };

    return decoders[kind];
}

tex_blocks_fn *tex_blocks_decoder(const struct tex_format *format)
{
    enum tex_block_kind kind = tex_block_kind(format);

    if (kind < TEX_BLOCK_KINDS && variant_current && variant_current->blocks)
        return variant_decoder(kind);
    return kind < TEX_BLOCK_KINDS ? KERN_PICK(tex_block_kern)->decode[kind] : NULL;
}

static uint8_t scale(uint32_t c, uint32_t max)
{
    return (uint8_t)((c * max * 2 + 255) / 510); /* c / 255 * max, rounded half up */
}

/* Stores one colour as both endpoints. */
static void put_colour(uint8_t *block, uint32_t argb)
{
    uint32_t c = (uint32_t)scale(argb >> 16 & 255, 31) << 11 |
                 (uint32_t)scale(argb >> 8 & 255, 63) << 5 | scale(argb & 255, 31);

    block[0] = block[2] = (uint8_t)c;
    block[1] = block[3] = (uint8_t)(c >> 8);
}

void tex_block_solid(const struct tex_format *format, uint8_t *block, uint32_t argb)
{
    uint32_t alpha = argb >> 24;

    memset(block, 0, format->bytes);
    switch ((uint32_t)format->d3d) {
    case D3DFMT_DXT1:
        put_colour(block, argb);
        memset(block + 4, alpha < 128 ? 0xff : 0, 4);
        break;
    case D3DFMT_DXT2:
    case D3DFMT_DXT3:
        memset(block, scale(alpha, 15) * 17, 8);
        put_colour(block + 8, argb);
        break;
    case D3DFMT_DXT4:
    case D3DFMT_DXT5:
        block[0] = block[1] = (uint8_t)alpha;
        put_colour(block + 8, argb);
        break;
    case (uint32_t)TEX_FMT_ATI1:
        block[0] = block[1] = (uint8_t)(argb >> 16);
        break;
    case (uint32_t)TEX_FMT_ATI2:
        block[0] = block[1] = (uint8_t)(argb >> 8);
        block[8] = block[9] = (uint8_t)(argb >> 16);
        break;
    }
}
