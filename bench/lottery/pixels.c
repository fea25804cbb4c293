/* Pixels and texels of the lottery's formats: packing, unpacking, and bits without a meaning. */
#include "lottery.h"

#include <string.h>

enum kind { UNORM, FLOAT16, FLOAT32 };

/* Bits of red, green, blue and alpha; where UNORM channels begin. */
static const struct layout {
    D3DFORMAT format;
    enum kind kind;
    unsigned bytes;
    uint8_t bits[4], shift[4];
    bool luminance;
} layouts[] = {
    {D3DFMT_X8R8G8B8, UNORM, 4, {8, 8, 8, 0}, {16, 8, 0, 0}, false},
    {D3DFMT_A8R8G8B8, UNORM, 4, {8, 8, 8, 8}, {16, 8, 0, 24}, false},
    {D3DFMT_A8B8G8R8, UNORM, 4, {8, 8, 8, 8}, {0, 8, 16, 24}, false},
    {D3DFMT_A2R10G10B10, UNORM, 4, {10, 10, 10, 2}, {20, 10, 0, 30}, false},
    {D3DFMT_R5G6B5, UNORM, 2, {5, 6, 5, 0}, {11, 5, 0, 0}, false},
    {D3DFMT_X1R5G5B5, UNORM, 2, {5, 5, 5, 0}, {10, 5, 0, 0}, false},
    {D3DFMT_A1R5G5B5, UNORM, 2, {5, 5, 5, 1}, {10, 5, 0, 15}, false},
    {D3DFMT_A4R4G4B4, UNORM, 2, {4, 4, 4, 4}, {8, 4, 0, 12}, false},
    {D3DFMT_G16R16, UNORM, 4, {16, 16, 0, 0}, {0, 16, 0, 0}, false},
    {D3DFMT_A16B16G16R16, UNORM, 8, {16, 16, 16, 16}, {0, 16, 32, 48}, false},
    {D3DFMT_L8, UNORM, 1, {8, 0, 0, 0}, {0, 0, 0, 0}, true},
    {D3DFMT_A8L8, UNORM, 2, {8, 0, 0, 8}, {0, 0, 0, 8}, true},
    {D3DFMT_A8, UNORM, 1, {0, 0, 0, 8}, {0, 0, 0, 0}, false},
    {D3DFMT_R16F, FLOAT16, 2, {16, 0, 0, 0}, {0}, false},
    {D3DFMT_G16R16F, FLOAT16, 4, {16, 16, 0, 0}, {0}, false},
    {D3DFMT_A16B16G16R16F, FLOAT16, 8, {16, 16, 16, 16}, {0}, false},
    {D3DFMT_R32F, FLOAT32, 4, {32, 0, 0, 0}, {0}, false},
    {D3DFMT_G32R32F, FLOAT32, 8, {32, 32, 0, 0}, {0}, false},
    {D3DFMT_A32B32G32R32F, FLOAT32, 16, {32, 32, 32, 32}, {0}, false},
};

static const struct layout *find(D3DFORMAT format)
{
    const struct layout *l = layouts;

    while (l->format != format)
        l++;
    return l;
}

unsigned lottery_pixel_bytes(D3DFORMAT format)
{
    return find(format)->bytes;
}

/* Values of 0 ... 1; those below the least normal half become 0. */
static uint16_t to_half(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    if (value < 0x1p-14f)
        return 0;
    return (uint16_t)((bits - 0x38000000u + 0x1000u) >> 13);
}

static float from_half(uint16_t half)
{
    uint32_t exponent = half >> 10 & 31, bits = (uint32_t)(half & 0x7fff) << 13;
    float value;

    bits += exponent == 31 ? 0x70000000u : 0x38000000u;
    memcpy(&value, &bits, 4);
    if (!exponent)
        value = (float)(half & 0x3ff) * 0x1p-24f;
    return half >> 15 ? -value : value;
}

void lottery_pack(D3DFORMAT format, struct ex_colour c, uint8_t *to)
{
    const struct layout *l = find(format);
    float channel[4] = {c.r, c.g, c.b, c.a};
    uint64_t word = 0;

    for (unsigned i = 0; i < 4; i++) {
        float value = ex_clamp(channel[i], 0.0f, 1.0f);
        uint16_t half = to_half(value);

        if (!l->bits[i])
            continue;
        if (l->kind == FLOAT32)
            memcpy(to + 4 * i, &value, 4);
        else if (l->kind == FLOAT16)
            memcpy(to + 2 * i, &half, 2);
        else
            word |= (uint64_t)(value * (float)((1u << l->bits[i]) - 1) + 0.5f) << l->shift[i];
    }
    if (l->kind == UNORM)
        memcpy(to, &word, l->bytes);
}

struct ex_colour lottery_unpack(D3DFORMAT format, const uint8_t *from)
{
    const struct layout *l = find(format);
    float channel[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    uint64_t word = 0;

    if (l->kind == UNORM)
        memcpy(&word, from, l->bytes);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t most = (1u << (l->bits[i] & 31)) - 1;
        uint16_t half;

        if (!l->bits[i])
            continue;
        if (l->kind == FLOAT32) {
            memcpy(&channel[i], from + 4 * i, 4);
        } else if (l->kind == FLOAT16) {
            memcpy(&half, from + 2 * i, 2);
            channel[i] = from_half(half);
        } else {
            channel[i] = (float)(word >> l->shift[i] & most) / (float)most;
        }
    }
    return ex_rgba(channel[0], channel[1], channel[2], channel[3]);
}

void lottery_clear_unused(D3DFORMAT format, uint8_t *row, unsigned pixels)
{
    if (format == D3DFMT_X8R8G8B8)
        for (unsigned i = 0; i < pixels; i++)
            row[4 * i + 3] = 0;
    if (format == D3DFMT_X1R5G5B5)
        for (unsigned i = 0; i < pixels; i++)
            row[2 * i + 1] &= 0x7f;
}
