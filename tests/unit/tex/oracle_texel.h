/* Reference texel decoder for tests, written only from docs/reference.md (format/...,
 * texture/border, texture/srgb) and the Direct3D 9 documentation. It decodes memory to up to four
 * channels in double precision. */
#ifndef TESTS_ORACLE_TEXEL_H
#define TESTS_ORACLE_TEXEL_H

#include "tex/tex.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum oracle_layout {
    ORACLE_UNORM,
    ORACLE_SIGNED, /* channels of signed_mask are signed, others unsigned */
    ORACLE_HALF,
    ORACLE_FLOAT,
    ORACLE_DXT,
    ORACLE_PALETTE,
    ORACLE_DEPTH
};

/* ORACLE_GATHERS: supports Fetch4. */
enum oracle_flags { ORACLE_SRGB = 1, ORACLE_GATHERS = 2, ORACLE_COMPARES = 4 };

struct oracle_format {
    uint32_t d3d;
    enum oracle_layout layout;
    uint8_t bytes; /* per texel; per block for DXT */
    struct {
        uint8_t shift, bits;
    } channel[4];        /* r, g, b, a */
    const char *sources; /* source channel of red, green, blue and alpha, or 0 and 1 */
    uint8_t signed_mask;
    uint8_t flags;
};

#define FOURCC(a, b, c, d)                                                                         \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* clang-format off */
static const struct oracle_format oracle_formats[] = {
    {D3DFMT_A8R8G8B8, ORACLE_UNORM, 4, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, "rgba", 0, ORACLE_SRGB},
    {D3DFMT_X8R8G8B8, ORACLE_UNORM, 4, {{16, 8}, {8, 8}, {0, 8}}, "rgb1", 0, ORACLE_SRGB},
    {D3DFMT_A8B8G8R8, ORACLE_UNORM, 4, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, "rgba", 0, ORACLE_SRGB},
    {D3DFMT_X8B8G8R8, ORACLE_UNORM, 4, {{0, 8}, {8, 8}, {16, 8}}, "rgb1", 0, ORACLE_SRGB},
    {D3DFMT_R8G8B8, ORACLE_UNORM, 3, {{16, 8}, {8, 8}, {0, 8}}, "rgb1", 0, 0},
    {D3DFMT_R5G6B5, ORACLE_UNORM, 2, {{11, 5}, {5, 6}, {0, 5}}, "rgb1", 0, ORACLE_SRGB},
    {D3DFMT_X1R5G5B5, ORACLE_UNORM, 2, {{10, 5}, {5, 5}, {0, 5}}, "rgb1", 0, ORACLE_SRGB},
    {D3DFMT_A1R5G5B5, ORACLE_UNORM, 2, {{10, 5}, {5, 5}, {0, 5}, {15, 1}}, "rgba", 0, ORACLE_SRGB},
    {D3DFMT_A4R4G4B4, ORACLE_UNORM, 2, {{8, 4}, {4, 4}, {0, 4}, {12, 4}}, "rgba", 0, ORACLE_SRGB},
    {D3DFMT_R3G3B2, ORACLE_UNORM, 1, {{5, 3}, {2, 3}, {0, 2}}, "rgb1", 0, 0},
    {D3DFMT_A8R3G3B2, ORACLE_UNORM, 2, {{5, 3}, {2, 3}, {0, 2}, {8, 8}}, "rgba", 0, 0},
    {D3DFMT_A8, ORACLE_UNORM, 1, {{0, 0}, {0, 0}, {0, 0}, {0, 8}}, "000a", 0, ORACLE_GATHERS},
    {D3DFMT_L8, ORACLE_UNORM, 1, {{0, 8}}, "rrr1", 0, ORACLE_SRGB | ORACLE_GATHERS},
    {D3DFMT_L16, ORACLE_UNORM, 2, {{0, 16}}, "rrr1", 0, ORACLE_GATHERS},
    {D3DFMT_A8L8, ORACLE_UNORM, 2, {{0, 8}, {0, 0}, {0, 0}, {8, 8}}, "rrra", 0, ORACLE_SRGB},
    {D3DFMT_A4L4, ORACLE_UNORM, 1, {{0, 4}, {0, 0}, {0, 0}, {4, 4}}, "rrra", 0, 0},
    {D3DFMT_G16R16, ORACLE_UNORM, 4, {{0, 16}, {16, 16}}, "rg11", 0, 0},
    {D3DFMT_A2B10G10R10, ORACLE_UNORM, 4, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}, "rgba", 0, 0},
    {D3DFMT_A2R10G10B10, ORACLE_UNORM, 4, {{20, 10}, {10, 10}, {0, 10}, {30, 2}}, "rgba", 0, 0},
    {D3DFMT_A16B16G16R16, ORACLE_UNORM, 8, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, "rgba", 0, 0},
    {D3DFMT_V8U8, ORACLE_SIGNED, 2, {{0, 8}, {8, 8}}, "rg11", 0x3, 0},
    {D3DFMT_L6V5U5, ORACLE_SIGNED, 2, {{0, 5}, {5, 5}, {10, 6}}, "rgb1", 0x3, 0},
    {D3DFMT_X8L8V8U8, ORACLE_SIGNED, 4, {{0, 8}, {8, 8}, {16, 8}}, "rgb1", 0x3, 0},
    {D3DFMT_Q8W8V8U8, ORACLE_SIGNED, 4, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, "rgba", 0xf, 0},
    {D3DFMT_V16U16, ORACLE_SIGNED, 4, {{0, 16}, {16, 16}}, "rg11", 0x3, 0},
    {D3DFMT_A2W10V10U10, ORACLE_SIGNED, 4, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}, "rgba", 0x7, 0},
    {D3DFMT_Q16W16V16U16, ORACLE_SIGNED, 8, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, "rgba", 0xf, 0},
    {D3DFMT_R16F, ORACLE_HALF, 2, {{0, 16}}, "r111", 0, ORACLE_GATHERS},
    {D3DFMT_G16R16F, ORACLE_HALF, 4, {{0, 16}, {16, 16}}, "rg11", 0, 0},
    {D3DFMT_A16B16G16R16F, ORACLE_HALF, 8, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, "rgba", 0, 0},
    {D3DFMT_R32F, ORACLE_FLOAT, 4, {{0, 32}}, "r111", 0, ORACLE_GATHERS},
    {D3DFMT_G32R32F, ORACLE_FLOAT, 8, {{0, 32}, {32, 32}}, "rg11", 0, 0},
    {D3DFMT_A32B32G32R32F, ORACLE_FLOAT, 16, {{0, 32}, {32, 32}, {64, 32}, {96, 32}}, "rgba", 0, 0},
    {D3DFMT_DXT1, ORACLE_DXT, 8, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, "rgba", 0, ORACLE_SRGB},
    {D3DFMT_DXT3, ORACLE_DXT, 16, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, "rgba", 0, ORACLE_SRGB},
    {D3DFMT_P8, ORACLE_PALETTE, 1, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, "rgba", 0, 0},
    {D3DFMT_A8P8, ORACLE_PALETTE, 2, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, "rgba", 0, 0},
    {D3DFMT_D16, ORACLE_DEPTH, 2, {{0, 16}}, "rrrr", 0, ORACLE_COMPARES},
    {D3DFMT_D24S8, ORACLE_DEPTH, 4, {{8, 24}}, "rrrr", 0, ORACLE_COMPARES},
    {D3DFMT_D24X8, ORACLE_DEPTH, 4, {{8, 24}}, "rrrr", 0, ORACLE_COMPARES},
    {D3DFMT_D24FS8, ORACLE_DEPTH, 4, {{8, 24}}, "rrrr", 0, ORACLE_COMPARES},
    {D3DFMT_D32F_LOCKABLE, ORACLE_DEPTH, 4, {{0, 32}}, "rrrr", 0, ORACLE_COMPARES},
    {FOURCC('I', 'N', 'T', 'Z'), ORACLE_DEPTH, 4, {{8, 24}}, "rrrr", 0, ORACLE_GATHERS},
    {FOURCC('D', 'F', '2', '4'), ORACLE_DEPTH, 4, {{8, 24}}, "r001", 0, ORACLE_GATHERS},
    {FOURCC('D', 'F', '1', '6'), ORACLE_DEPTH, 2, {{0, 16}}, "r001", 0, ORACLE_GATHERS},
};
/* clang-format on */
enum { ORACLE_FORMATS = sizeof(oracle_formats) / sizeof(oracle_formats[0]) };

/* Channels as filters use them: codes, which are divided by `max` last, or values with max 1. */
struct oracle_texel {
    double value[4], max[4];
    bool is_float;
};

/* Rounds to single precision and flushes denormal results to 0. */
static inline double f32(double x)
{
    float f = (float)x;

    return fabsf(f) < 0x1p-126f ? copysign(0.0, x) : (double)f;
}

static inline double oracle_half(uint32_t h)
{
    int exponent = h >> 10 & 31;
    double fraction = h & 1023, sign = h & 0x8000 ? -1.0 : 1.0;

    if (exponent == 31)
        return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static inline double oracle_float24(uint32_t code)
{
    int exponent = (int)(code >> 20);
    double fraction = code & 0xfffff;

    return exponent ? ldexp(0x100000 + fraction, exponent - 35) : ldexp(fraction, -34);
}

static inline double oracle_float(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, 4);
    return f32(f);
}

/* Decodes one texel of a block: DXT1 with its three-colour mode, DXT3 with its alpha. */
static inline uint32_t oracle_dxt(const struct oracle_format *f, const uint8_t *block, uint32_t x,
                                  uint32_t y)
{
    const uint8_t *colours = block + f->bytes - 8;
    uint32_t end[2] = {colours[0] | colours[1] << 8, colours[2] | colours[3] << 8};
    uint32_t code = colours[4 + y] >> 2 * x & 3, argb = 0;
    bool four = f->bytes == 16 || end[0] > end[1];
    uint32_t alpha = f->bytes == 16 ? (block[2 * y + x / 2] >> 4 * (x & 1) & 15) * 17 : 255;

    if (!four && code == 3)
        return 0;
    for (int c = 0; c < 3; c++) {
        uint32_t v[2];

        for (int i = 0; i < 2; i++) {
            uint32_t bits = c == 1 ? 6 : 5, shift = c == 0 ? 11 : c == 1 ? 5 : 0;
            uint32_t n = end[i] >> shift & ((1u << bits) - 1);

            v[i] = n << (8 - bits) | n >> (2 * bits - 8);
        }
        if (code > 1 && four)
            v[0] = code == 2 ? (2 * v[0] + v[1] + 1) / 3 : (v[0] + 2 * v[1] + 1) / 3;
        else if (code > 1)
            v[0] = (v[0] + v[1] + 1) / 2;
        argb |= (code == 1 ? v[1] : v[0]) << (16 - 8 * c);
    }
    return argb | alpha << 24;
}

static inline double oracle_srgb(double c)
{
    return f32(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

/* Returns a channel's code or value before absent channels and luminance are filled in. */
static inline double oracle_channel(const struct oracle_format *f, int c, uint64_t code,
                                    double *max)
{
    uint8_t bits = f->channel[c].bits;

    *max = 1.0;
    switch (f->layout) {
    case ORACLE_HALF:
        return oracle_half((uint32_t)code);
    case ORACLE_FLOAT:
        return oracle_float((uint32_t)code);
    case ORACLE_DEPTH:
        if (f->d3d == D3DFMT_D32F_LOCKABLE)
            return oracle_float((uint32_t)code);
        if (f->d3d == D3DFMT_D24FS8)
            return oracle_float24((uint32_t)code);
        break;
    case ORACLE_SIGNED:
        if (!(f->signed_mask >> c & 1))
            break;
        *max = (double)((1u << (bits - 1)) - 1);
        if (code >> (bits - 1)) {
            double v = (double)code - (double)(1u << bits);

            return fmax(bits == 5 ? v * 8.0 / 127.0 * *max : v, -*max);
        }
        return (double)code;
    default:
        break;
    }
    *max = (double)((UINT64_C(1) << bits) - 1);
    return (double)code;
}

/* Applies the swizzle from stored channels to red, green, blue and alpha. */
static inline struct oracle_texel oracle_arrange(const struct oracle_format *f, const double v[4],
                                                 const double max[4])
{
    static const char names[] = "rgba";
    struct oracle_texel t = {.is_float = f->layout == ORACLE_HALF || f->layout == ORACLE_FLOAT};

    for (int c = 0; c < 4; c++) {
        const char *from = strchr(names, f->sources[c]);

        t.value[c] = from ? v[from - names] : f->sources[c] - '0';
        t.max[c] = from ? max[from - names] : 1.0;
    }
    return t;
}

/* sRGB decoding precedes filtering and skips alpha. Decoded channels are values, not codes. */
static inline void oracle_decode_srgb(struct oracle_texel *t)
{
    for (int c = 0; c < 3; c++) {
        t->value[c] = oracle_srgb(t->value[c] / t->max[c]);
        t->max[c] = 1.0;
    }
}

static inline struct oracle_texel oracle_argb(const struct oracle_format *f, uint32_t argb)
{
    double v[4], max[4] = {255, 255, 255, 255};

    for (int c = 0; c < 4; c++)
        v[c] = argb >> (c == 3 ? 24 : 16 - 8 * c) & 255;
    return oracle_arrange(f, v, max);
}

static inline struct oracle_texel oracle_texel(const struct oracle_format *f,
                                               const struct tex_level *level, uint32_t x,
                                               uint32_t y, uint32_t z, const uint32_t *palette,
                                               bool srgb)
{
    const uint8_t *row = level->data + (size_t)z * level->slice_pitch;
    struct oracle_texel t;
    uint8_t bytes[16] = {0};

    if (f->layout == ORACLE_DXT) {
        row += (size_t)(y / 4) * level->row_pitch + (size_t)(x / 4) * f->bytes;
        t = oracle_argb(f, oracle_dxt(f, row, x % 4, y % 4));
    } else {
        memcpy(bytes, row + (size_t)y * level->row_pitch + (size_t)x * f->bytes, f->bytes);
        if (f->layout == ORACLE_PALETTE) {
            uint32_t argb = palette ? palette[bytes[0]] : 0xff000000 | bytes[0] * 0x010101u;

            if (f->bytes == 2)
                argb = (argb & 0xffffff) | (uint32_t)bytes[1] << 24;
            t = oracle_argb(f, argb);
        } else {
            double v[4] = {0}, max[4] = {1, 1, 1, 1};

            for (int c = 0; c < 4; c++) {
                unsigned bits = f->channel[c].bits;
                uint64_t word;

                if (!bits)
                    continue;
                memcpy(&word, bytes + f->channel[c].shift / 64 * 8, 8);
                word = word >> f->channel[c].shift % 64 & ((UINT64_C(1) << bits) - 1);
                v[c] = oracle_channel(f, c, word, &max[c]);
            }
            t = oracle_arrange(f, v, max);
        }
    }
    if (srgb)
        oracle_decode_srgb(&t);
    return t;
}

/* The border has the channels of the format, but is not rounded to their bits. It is not decoded
 * from sRGB. */
static inline struct oracle_texel oracle_border(const struct oracle_format *f, uint32_t argb,
                                                bool srgb)
{
    double v[4], max[4];

    for (int c = 0; c < 4; c++) {
        uint32_t byte = argb >> (c == 3 ? 24 : 16 - 8 * c) & 255;

        max[c] = 1.0;
        if (f->channel[c].bits && f->layout != ORACLE_FLOAT && f->layout != ORACLE_HALF &&
            !(f->flags & ORACLE_COMPARES) && !(srgb && c < 3))
            oracle_channel(f, c, 0, &max[c]);
        v[c] = f32(byte * max[c] / 255.0);
    }
    return oracle_arrange(f, v, max);
}

#endif
