/* Reference decoder of texels in double precision, derived from documented format names: "A8R8G8B8"
 * lists the channels from the top bit down. It is independent of src/tex. */
#ifndef TESTS_FORMAT_ORACLE_H
#define TESTS_FORMAT_ORACLE_H

#include "api_test.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define ORACLE_FOURCC(a, b, c, d) ((D3DFORMAT)MAKEFOURCC(a, b, c, d))

struct oracle_format {
    D3DFORMAT d3d;
    const char *name;
};

/* clang-format off */
#define F(name) {D3DFMT_##name, #name}
#define C(a, b, c, d) {ORACLE_FOURCC((#a)[0], (#b)[0], (#c)[0], (#d)[0]), #a #b #c #d}
/* All formats that the documentation or drivers define. */
static const struct oracle_format oracle_formats[] = {
    F(R8G8B8), F(A8R8G8B8), F(X8R8G8B8), F(R5G6B5), F(X1R5G5B5), F(A1R5G5B5), F(A4R4G4B4), F(R3G3B2),
    F(A8), F(A8R3G3B2), F(X4R4G4B4), F(A2B10G10R10), F(A8B8G8R8), F(X8B8G8R8), F(G16R16),
    F(A2R10G10B10), F(A16B16G16R16), F(A8P8), F(P8), F(L8), F(A8L8), F(A4L4), F(V8U8), F(L6V5U5),
    F(X8L8V8U8), F(Q8W8V8U8), F(V16U16), F(A2W10V10U10), F(UYVY), F(R8G8_B8G8), F(YUY2), F(G8R8_G8B8),
    F(DXT1), F(DXT2), F(DXT3), F(DXT4), F(DXT5), F(D16_LOCKABLE), F(D32), F(D15S1), F(D24S8), F(D24X8),
    F(D24X4S4), F(D16), F(L16), F(D32F_LOCKABLE), F(D24FS8), F(D32_LOCKABLE), F(S8_LOCKABLE),
    F(VERTEXDATA), F(INDEX16), F(INDEX32), F(Q16W16V16U16), F(MULTI2_ARGB8), F(R16F), F(G16R16F),
    F(A16B16G16R16F), F(R32F), F(G32R32F), F(A32B32G32R32F), F(CxV8U8), F(A1), F(A2B10G10R10_XR_BIAS),
    F(BINARYBUFFER), F(UNKNOWN),
    C(A,T,I,1), C(A,T,I,2), C(I,N,T,Z), C(D,F,1,6), C(D,F,2,4), C(R,A,W,Z), C(N,U,L,L), C(R,E,S,Z),
    C(I,N,S,T), C(A,T,O,C), C(S,S,A,A), C(N,V,D,B), C(R,2,V,B), C(G,E,T,4), C(G,E,T,1), C(Y,V,1,2),
    C(N,V,1,2), C(A,Y,U,V), C(C,E,N,T), C(C,O,P,M), C(A,2,M,1), C(A,L,1,6), C(B,C,7,U), C(D,X,1,0),
};
#undef F
#undef C
/* clang-format on */
enum { ORACLE_FORMATS = sizeof(oracle_formats) / sizeof(oracle_formats[0]) };

enum oracle_kind {
    ORACLE_WORDS,
    ORACLE_FLOATS,
    ORACLE_BLOCKS,
    ORACLE_VIDEO,
    ORACLE_PALETTE,
    ORACLE_DEPTH,
    ORACLE_NONE
};

struct oracle_channel {
    char letter;
    unsigned shift, bits;
};

struct oracle {
    D3DFORMAT d3d;
    enum oracle_kind kind;
    unsigned bytes, block_w, block_h; /* of a block; pixels */
    unsigned n;
    struct oracle_channel channel[4];
};

/* Parses names such as "A8R8G8B8": letters and bit counts from the top. False: the name has another
 * form. */
static inline bool oracle_parse(struct oracle *o, const char *name)
{
    unsigned total = 0;

    for (o->n = 0; isupper((unsigned char)*name) && isdigit((unsigned char)name[1]); o->n++) {
        struct oracle_channel *ch = &o->channel[o->n];

        if (o->n == 4)
            return false;
        ch->letter = *name++;
        for (ch->bits = 0; isdigit((unsigned char)*name); name++)
            ch->bits = ch->bits * 10 + (unsigned)(*name - '0');
        total += ch->bits;
        o->kind = *name == 'F' ? ORACLE_FLOATS : ORACLE_WORDS;
        name += *name == 'F' && ch->letter == 'D'; /* D24FS8 */
    }
    o->bytes = total / 8;
    for (unsigned i = 0; i < o->n; i++)
        o->channel[i].shift = total -= o->channel[i].bits;
    return o->n && (!*name || *name == 'F' || *name == '_');
}

static inline bool oracle_has(const struct oracle *o, char letter)
{
    for (unsigned i = 0; i < o->n; i++)
        if (o->channel[i].letter == letter)
            return true;
    return false;
}

static inline struct oracle oracle_of(const struct oracle_format *f)
{
    static const struct {
        const char *name, *as;
        enum oracle_kind kind;
        unsigned bytes, w, h;
    } special[] = {
        {"DXT1", "", ORACLE_BLOCKS, 8, 4, 4},     {"DXT2", "", ORACLE_BLOCKS, 16, 4, 4},
        {"DXT3", "", ORACLE_BLOCKS, 16, 4, 4},    {"DXT4", "", ORACLE_BLOCKS, 16, 4, 4},
        {"DXT5", "", ORACLE_BLOCKS, 16, 4, 4},    {"ATI1", "", ORACLE_BLOCKS, 8, 4, 4},
        {"ATI2", "", ORACLE_BLOCKS, 16, 4, 4},    {"UYVY", "", ORACLE_VIDEO, 4, 2, 1},
        {"YUY2", "", ORACLE_VIDEO, 4, 2, 1},      {"R8G8_B8G8", "", ORACLE_VIDEO, 4, 2, 1},
        {"G8R8_G8B8", "", ORACLE_VIDEO, 4, 2, 1}, {"CxV8U8", "V8U8", ORACLE_WORDS, 2, 1, 1},
        {"INTZ", "D24S8", ORACLE_DEPTH, 4, 1, 1}, {"RAWZ", "D24S8", ORACLE_DEPTH, 4, 1, 1},
        {"DF16", "D16", ORACLE_DEPTH, 2, 1, 1},   {"DF24", "D24X8", ORACLE_DEPTH, 4, 1, 1},
        {"NULL", "", ORACLE_NONE, 0, 1, 1},
    };
    struct oracle o = {.d3d = f->d3d, .kind = ORACLE_NONE, .block_w = 1, .block_h = 1};

    for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
        if (strcmp(f->name, special[i].name))
            continue;
        oracle_parse(&o, special[i].as);
        o.kind = special[i].kind;
        o.bytes = special[i].bytes;
        o.block_w = special[i].w;
        o.block_h = special[i].h;
        return o;
    }
    if (!oracle_parse(&o, f->name))
        return (struct oracle){.d3d = f->d3d, .kind = ORACLE_NONE, .block_w = 1, .block_h = 1};
    if (oracle_has(&o, 'P'))
        o.kind = ORACLE_PALETTE;
    if (o.channel[0].letter == 'D' || o.channel[0].letter == 'S')
        o.kind = ORACLE_DEPTH;
    return o;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static inline uint64_t oracle_bits(const uint8_t *p, struct oracle_channel ch)
{
    uint64_t code = 0;

    for (unsigned b = 0; b < ch.bits; b++)
        code |= (uint64_t)(p[(ch.shift + b) / 8] >> (ch.shift + b) % 8 & 1) << b;
    return code;
}

static inline double oracle_float(uint64_t code, unsigned bits)
{
    uint32_t word = (uint32_t)code;
    float value;

    if (bits == 16) {
        int exponent = (int)(code >> 10 & 31), fraction = (int)(code & 1023);
        double v = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);

        return code >> 15 ? -v : v;
    }
    memcpy(&value, &word, 4);
    return value;
}

static inline double oracle_number(const struct oracle *o, struct oracle_channel ch, uint64_t code)
{
    int64_t half = INT64_C(1) << (ch.bits - 1);
    int64_t value = (int64_t)code >= half ? (int64_t)code - 2 * half : (int64_t)code;

    if (o->kind == ORACLE_FLOATS)
        return oracle_float(code, ch.bits);
    if (!strchr("UVWQ", ch.letter))
        return (double)code / (double)(2 * half - 1);
    if (ch.bits == 5 && value < 0) /* hardware extends the sign (reference: format/signed) */
        return fmax(-1.0, (double)value * 8.0 / 127.0);
    return fmax(-1.0, (double)value / (double)(half - 1));
}

/* --- Format classes --------------------------------------------------------------------------- */

static inline void oracle_words(const struct oracle *o, const uint8_t *p, double rgba[4])
{
    bool alone = oracle_has(o, 'L') && !oracle_has(o, 'V');

    for (int c = 0; c < 4; c++)
        rgba[c] = o->n == 1 && o->channel[0].letter == 'A' && c < 3 ? 0.0 : 1.0;
    for (unsigned i = 0; i < o->n; i++) {
        struct oracle_channel ch = o->channel[i];
        double v = oracle_number(o, ch, oracle_bits(p, ch));

        if (ch.letter == 'L' && alone)
            rgba[0] = rgba[1] = rgba[2] = v;
        else if (strchr("RU", ch.letter))
            rgba[0] = v;
        else if (strchr("GV", ch.letter))
            rgba[1] = v;
        else if (strchr("BWL", ch.letter))
            rgba[2] = v;
        else if (strchr("AQ", ch.letter))
            rgba[3] = v;
    }
    if (o->d3d == D3DFMT_CxV8U8)
        rgba[2] = sqrt(fmax(0.0, 1.0 - rgba[0] * rgba[0] - rgba[1] * rgba[1]));
}

static inline double oracle_alpha(const uint8_t *p, unsigned i)
{
    double a = p[0], b = p[1];
    unsigned bit = 16 + 3 * i,
             code = (unsigned)(p[bit / 8] | p[bit / 8 + 1 > 7 ? 7 : bit / 8 + 1] << 8);

    code = code >> bit % 8 & 7;
    if (code < 2)
        return (code ? b : a) / 255.0;
    if (a > b)
        return ((8 - code) * a + (code - 1) * b) / 7.0 / 255.0;
    return code == 6 ? 0.0 : code == 7 ? 1.0 : ((6 - code) * a + (code - 1) * b) / 5.0 / 255.0;
}

static inline void oracle_colours(const uint8_t *p, unsigned i, bool four, double rgba[4])
{
    unsigned code = p[4 + i / 4] >> i % 4 * 2 & 3,
             e[2] = {p[0] | (unsigned)p[1] << 8, p[2] | (unsigned)p[3] << 8};
    double weight = code < 2 ? (double)code : four || e[0] > e[1] ? (code - 1) / 3.0 : 0.5;

    for (int c = 0; c < 3; c++) {
        unsigned shift = c == 0 ? 11 : c == 1 ? 5 : 0, most = c == 1 ? 63 : 31;
        double v0 = (double)(e[0] >> shift & most) / most,
               v1 = (double)(e[1] >> shift & most) / most;

        rgba[c] = v0 + (v1 - v0) * weight;
    }
    rgba[3] = 1.0;
    if (code == 3 && !four && e[0] <= e[1])
        memset(rgba, 0, 4 * sizeof(*rgba));
}

static inline void oracle_block(const struct oracle *o, const uint8_t *p, unsigned i,
                                double rgba[4])
{
    rgba[0] = rgba[1] = rgba[2] = rgba[3] = 1.0;
    switch ((DWORD)o->d3d) {
    case D3DFMT_DXT1:
        oracle_colours(p, i, false, rgba);
        break;
    case D3DFMT_DXT2:
    case D3DFMT_DXT3:
        oracle_colours(p + 8, i, true, rgba);
        rgba[3] = (p[i / 2] >> i % 2 * 4 & 15) / 15.0;
        break;
    case D3DFMT_DXT4:
    case D3DFMT_DXT5:
        oracle_colours(p + 8, i, true, rgba);
        rgba[3] = oracle_alpha(p, i);
        break;
    case MAKEFOURCC('A', 'T', 'I', '2'):
        rgba[1] = oracle_alpha(p, i);
        rgba[0] = oracle_alpha(p + 8, i);
        break;
    default: /* ATI1 */
        rgba[0] = oracle_alpha(p, i);
        rgba[1] = rgba[2] = 0.0;
    }
}

/* BT.601, range 16 to 235. */
static inline void oracle_video(const struct oracle *o, const uint8_t *p, unsigned x,
                                double rgba[4])
{
    bool rgb = o->d3d == D3DFMT_R8G8_B8G8 || o->d3d == D3DFMT_G8R8_G8B8;
    bool own_first = o->d3d == D3DFMT_YUY2 || o->d3d == D3DFMT_R8G8_B8G8;
    int own = p[2 * x + !own_first], first = p[own_first], second = p[2 + own_first];
    double y = 255.0 / 219.0 * (own - 16), u = first - 128, v = second - 128;

    rgba[0] = (rgb ? first : y + 1.596 * v) / 255.0;
    rgba[1] = (rgb ? own : y - 0.813 * v - 0.391 * u) / 255.0;
    rgba[2] = (rgb ? second : y + 2.018 * u) / 255.0;
    rgba[3] = 1.0;
    for (int c = 0; c < 3; c++)
        rgba[c] = fmin(fmax(rgba[c], 0.0), 1.0);
}

/* Decodes pixel (x, y) of the block at p. Palette entry i is (i, 255 - i, i ^ 85, i / 2 + 64). */
static inline void oracle_decode(const struct oracle *o, const uint8_t *p, unsigned x, unsigned y,
                                 double rgba[4])
{
    if (o->kind == ORACLE_BLOCKS) {
        oracle_block(o, p, 4 * y + x, rgba);
    } else if (o->kind == ORACLE_VIDEO) {
        oracle_video(o, p, x, rgba);
    } else if (o->kind == ORACLE_PALETTE) {
        rgba[0] = p[0] / 255.0;
        rgba[1] = (255 - p[0]) / 255.0;
        rgba[2] = (p[0] ^ 85) / 255.0;
        rgba[3] = (o->bytes == 2 ? p[1] : p[0] / 2 + 64) / 255.0;
    } else {
        oracle_words(o, p, rgba);
    }
}

/* Permitted deviation: devices decode blocks and video to 8 bits, and the square root of CxV8U8
 * amplifies rounding. */
static inline double oracle_tolerance(const struct oracle *o)
{
    return o->kind == ORACLE_BLOCKS  ? 1.02 / 255.0
           : o->kind == ORACLE_VIDEO ? 1.52 / 255.0
           : o->d3d == D3DFMT_CxV8U8 ? 1e-5
                                     : 3e-7;
}

static inline double oracle_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static inline double oracle_srgb(double c)
{
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055;
}

#endif
