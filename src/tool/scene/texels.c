/* Texel descriptions of scenes: encodes them to the bytes of a format, and decodes texels to
 * colours.
 *
 * Tested by tests/conformance/format. */
#include "tool/scene/command.h"
#include "tool/scene/parse.h"
#include "tool/scene/resource.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define YV12 MAKEFOURCC('Y', 'V', '1', '2')
#define NV12 MAKEFOURCC('N', 'V', '1', '2')

/* Position and bits of each channel of a packed unsigned format; 0 bits: the channel is absent. */
struct layout {
    D3DFORMAT format;
    uint8_t bytes;
    struct {
        uint8_t shift, bits;
    } channel[4];   /* r, g, b, a */
    bool luminance; /* r stands for r, g and b */
};

/* clang-format off */
static const struct layout layouts[] = {
    {D3DFMT_A8R8G8B8, 4, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, false},
    {D3DFMT_X8R8G8B8, 4, {{16, 8}, {8, 8}, {0, 8}, {0, 0}}, false},
    {D3DFMT_A8B8G8R8, 4, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, false},
    {D3DFMT_X8B8G8R8, 4, {{0, 8}, {8, 8}, {16, 8}, {0, 0}}, false},
    {D3DFMT_R8G8B8, 3, {{16, 8}, {8, 8}, {0, 8}, {0, 0}}, false},
    {D3DFMT_R5G6B5, 2, {{11, 5}, {5, 6}, {0, 5}, {0, 0}}, false},
    {D3DFMT_X1R5G5B5, 2, {{10, 5}, {5, 5}, {0, 5}, {0, 0}}, false},
    {D3DFMT_A1R5G5B5, 2, {{10, 5}, {5, 5}, {0, 5}, {15, 1}}, false},
    {D3DFMT_A4R4G4B4, 2, {{8, 4}, {4, 4}, {0, 4}, {12, 4}}, false},
    {D3DFMT_X4R4G4B4, 2, {{8, 4}, {4, 4}, {0, 4}, {0, 0}}, false},
    {D3DFMT_A2R10G10B10, 4, {{20, 10}, {10, 10}, {0, 10}, {30, 2}}, false},
    {D3DFMT_A2B10G10R10, 4, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}, false},
    {D3DFMT_A2B10G10R10_XR_BIAS, 4, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}, false},
    {D3DFMT_G16R16, 4, {{0, 16}, {16, 16}, {0, 0}, {0, 0}}, false},
    {D3DFMT_L8, 1, {{0, 8}, {0, 0}, {0, 0}, {0, 0}}, true},
    {D3DFMT_L16, 2, {{0, 16}, {0, 0}, {0, 0}, {0, 0}}, true},
    {D3DFMT_A8L8, 2, {{0, 8}, {0, 0}, {0, 0}, {8, 8}}, true},
    {D3DFMT_A4L4, 1, {{0, 4}, {0, 0}, {0, 0}, {4, 4}}, true},
    {D3DFMT_A8, 1, {{0, 0}, {0, 0}, {0, 0}, {0, 8}}, false},
};
/* Formats that are arrays of equal numbers. */
static const struct {
    D3DFORMAT format;
    uint8_t bytes, channels; /* bytes per number; numbers per texel */
} arrays[] = {
    {D3DFMT_R16F, 2, 1}, {D3DFMT_G16R16F, 2, 2}, {D3DFMT_A16B16G16R16F, 2, 4},
    {D3DFMT_R32F, 4, 1}, {D3DFMT_G32R32F, 4, 2}, {D3DFMT_A32B32G32R32F, 4, 4},
};
/* Sizes of formats that can only be given as raw numbers. */
static const struct {
    DWORD format;
    uint8_t bytes, block;
} sizes[] = {
    {D3DFMT_DXT1, 8, 4}, {D3DFMT_DXT2, 16, 4}, {D3DFMT_DXT3, 16, 4}, {D3DFMT_DXT4, 16, 4},
    {D3DFMT_DXT5, 16, 4}, {MAKEFOURCC('A', 'T', 'I', '1'), 8, 4},
    {MAKEFOURCC('A', 'T', 'I', '2'), 16, 4}, {D3DFMT_V8U8, 2, 1}, {D3DFMT_L6V5U5, 2, 1},
    {D3DFMT_X8L8V8U8, 4, 1}, {D3DFMT_Q8W8V8U8, 4, 1}, {D3DFMT_V16U16, 4, 1},
    {D3DFMT_A2W10V10U10, 4, 1}, {D3DFMT_Q16W16V16U16, 8, 1}, {D3DFMT_CxV8U8, 2, 1},
    {D3DFMT_A16B16G16R16, 8, 1}, {D3DFMT_R3G3B2, 1, 1}, {D3DFMT_A8R3G3B2, 2, 1},
    {D3DFMT_D16_LOCKABLE, 2, 1}, {D3DFMT_D32F_LOCKABLE, 4, 1}, {D3DFMT_UYVY, 2, 1},
    {D3DFMT_YUY2, 2, 1}, {D3DFMT_R8G8_B8G8, 2, 1}, {D3DFMT_G8R8_G8B8, 2, 1},
    {D3DFMT_P8, 1, 1}, {D3DFMT_A8P8, 2, 1}, {D3DFMT_D32_LOCKABLE, 4, 1},
    {D3DFMT_S8_LOCKABLE, 1, 1}, {YV12, 1, 1}, {NV12, 1, 1}, {D3DFMT_A1, 1, 8},
};
/* clang-format on */
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const struct layout *find_layout(D3DFORMAT format)
{
    for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
        if (layouts[i].format == format)
            return &layouts[i];
    }
    return NULL;
}

static void size_of(D3DFORMAT format, UINT *bytes, UINT *block)
{
    const struct layout *layout = find_layout(format);

    *bytes = layout ? layout->bytes : 0;
    *block = 1;
    for (size_t i = 0; !*bytes && i < ARRAY_SIZE(arrays); i++) {
        if (arrays[i].format == format)
            *bytes = (UINT)arrays[i].bytes * arrays[i].channels;
    }
    for (size_t i = 0; !*bytes && i < ARRAY_SIZE(sizes); i++) {
        if (sizes[i].format == (DWORD)format) {
            *bytes = sizes[i].bytes;
            *block = sizes[i].block;
        }
    }
}

bool texel_channel_bits(D3DFORMAT format, unsigned bits[4])
{
    const struct layout *layout = find_layout(format);

    for (int c = 0; layout && c < 4; c++)
        bits[c] = layout->channel[layout->luminance && c < 3 ? 0 : c].bits;
    return layout;
}

UINT texel_row_bytes(D3DFORMAT format, UINT w)
{
    UINT bytes, block;

    size_of(format, &bytes, &block);
    return (w + block - 1) / block * bytes;
}

UINT texel_rows(D3DFORMAT format, UINT h)
{
    UINT bytes, block;

    size_of(format, &bytes, &block);
    if ((DWORD)format == YV12 || (DWORD)format == NV12) /* half as many rows of chroma */
        return h + h / 2;
    if (format == D3DFMT_A1) /* eight pixels of one row */
        return h;
    return (h + block - 1) / block;
}

/* --- Writing ---------------------------------------------------------------------------------- */

struct writer {
    struct scene *scene;
    const struct layout *layout;
    UINT w, h, d, row_bytes, rows, pitch, slice_pitch, unit;
    bool is_yv12;
    uint8_t *bits;
};

/* Rounds an 8-bit channel to the nearest n-bit value. */
static uint32_t narrow(uint32_t v, unsigned bits)
{
    uint32_t most = (1u << bits) - 1;

    return (v * most * 2 + 255) / 510;
}

static void put_colour(const struct writer *out, UINT x, UINT y, UINT z, uint32_t argb)
{
    const uint8_t v[4] = {argb >> 16 & 255, argb >> 8 & 255, argb & 255, argb >> 24};
    uint8_t *at = out->bits + z * (size_t)out->slice_pitch + y * (size_t)out->pitch +
                  (size_t)x * out->layout->bytes;
    uint32_t texel = 0;

    for (int c = 0; c < 4; c++) {
        if (out->layout->channel[c].bits)
            texel |= narrow(v[c], out->layout->channel[c].bits) << out->layout->channel[c].shift;
    }
    for (int i = 0; i < out->layout->bytes; i++)
        at[i] = (uint8_t)(texel >> 8 * i);
}

typedef uint32_t pattern_fn(const struct writer *out, UINT x, UINT y, UINT z, const uint32_t *arg);

static uint32_t solid(const struct writer *out, UINT x, UINT y, UINT z, const uint32_t *arg)
{
    (void)out, (void)x, (void)y, (void)z;
    return arg[0];
}

static uint32_t checker(const struct writer *out, UINT x, UINT y, UINT z, const uint32_t *arg)
{
    (void)out;
    return arg[(x / arg[2] + y / arg[2] + z / arg[2]) & 1];
}

static uint32_t ramp(UINT i, UINT n)
{
    return n > 1 ? 255 * i / (n - 1) : 0;
}

/* Pattern: red grows from left to right, green from top to bottom, blue with the slice. */
static uint32_t gradient(const struct writer *out, UINT x, UINT y, UINT z, const uint32_t *arg)
{
    (void)arg;
    return 0xff000000u | ramp(x, out->w) << 16 | ramp(y, out->h) << 8 | ramp(z, out->d);
}

static void paint(const struct writer *out, pattern_fn *pattern, const uint32_t *arg)
{
    for (UINT z = 0; z < out->d; z++) {
        for (UINT y = 0; y < out->h; y++) {
            for (UINT x = 0; x < out->w; x++)
                put_colour(out, x, y, z, pattern(out, x, y, z, arg));
        }
    }
}

/* The next word, unless it starts another image or pattern. */
static char *next_value(struct scene *scene, char **at)
{
    static const char *const keywords[] = {"level", "face", "slice"};
    char *p = *at + strspn(*at, " \t\r\n");
    size_t n = strcspn(p, " \t\r\n");

    for (size_t i = 0; i < ARRAY_SIZE(keywords); i++) {
        if (strlen(keywords[i]) == n && !strncmp(p, keywords[i], n))
            return NULL;
    }
    return parse_block_word(scene, at);
}

static void write_colours(const struct writer *out, char **at)
{
    UINT n = 0;

    for (char *word; (word = next_value(out->scene, at)); n++) {
        if (n >= out->w * out->h * out->d)
            scene_fail(out->scene, "too many texels");
        put_colour(out, n % out->w, n / out->w % out->h, n / out->w / out->h,
                   parse_colour(out->scene, word));
    }
}

/* Where byte p of all bytes in order is. The chroma planes of YV12 have half the pitch. */
static size_t place(const struct writer *out, size_t p)
{
    size_t row = out->row_bytes, slice = row * out->rows, luma = row * out->h;

    if (out->is_yv12 && p >= luma)
        return (size_t)out->pitch * out->h + (p - luma) / (row / 2) * (out->pitch / 2) +
               (p - luma) % (row / 2);
    return p / slice * out->slice_pitch + p % slice / row * out->pitch + p % row;
}

/* Raw numbers of `unit` bytes fill the rows of each slice in order. */
static void write_raw(const struct writer *out, char **at, bool is_float)
{
    size_t pos = 0, all = (size_t)out->row_bytes * out->rows * out->d;

    for (char *word; (word = next_value(out->scene, at)); pos += out->unit) {
        uint32_t v;
        float f;

        if (pos + out->unit > all)
            scene_fail(out->scene, "too many numbers");
        if (is_float) {
            f = parse_float(out->scene, word);
            memcpy(&v, &f, sizeof(v));
        } else {
            v = parse_hex(out->scene, word);
        }
        for (UINT i = 0; i < out->unit; i++)
            out->bits[place(out, pos + i)] = (uint8_t)(v >> 8 * i);
    }
}

static void need_layout(const struct writer *out)
{
    if (!out->layout)
        scene_fail(out->scene, "this format takes bytes, words, dwords or floats");
}

static void write_pattern(const struct writer *out, const char *word, char **at)
{
    uint32_t arg[3] = {0};
    int n = !strcmp(word, "solid") ? 1 : !strcmp(word, "checker") ? 3 : 0;

    need_layout(out);
    for (int i = 0; i < n; i++) {
        char *value = next_value(out->scene, at);
        if (!value)
            scene_fail(out->scene, "%s needs %d values", word, n);
        arg[i] = i == 2 ? parse_uint(out->scene, value) : parse_colour(out->scene, value);
    }
    if (n == 3 && !arg[2])
        scene_fail(out->scene, "checker of size 0");
    paint(out, n == 1 ? solid : n == 3 ? checker : gradient, arg);
}

void texel_write(struct scene *scene, char **at, const struct texel_area *area)
{
    struct writer out = {.scene = scene,
                         .layout = find_layout(area->format),
                         .w = area->w,
                         .h = area->h,
                         .d = area->d,
                         .row_bytes = texel_row_bytes(area->format, area->w),
                         .rows = texel_rows(area->format, area->h),
                         .pitch = area->pitch,
                         .slice_pitch = area->slice_pitch,
                         .is_yv12 = (DWORD)area->format == YV12,
                         .bits = area->bits};
    static const struct {
        const char *word;
        UINT unit;
    } raw[] = {{"bytes", 1}, {"words", 2}, {"dwords", 4}, {"floats", 4}};
    char *word = next_value(scene, at);

    if (!out.row_bytes)
        scene_fail(scene, "the runner cannot fill this format");
    if (!word)
        return;
    for (size_t i = 0; i < ARRAY_SIZE(raw); i++) {
        if (strcmp(raw[i].word, word))
            continue;
        out.unit = raw[i].unit;
        write_raw(&out, at, i == 3);
        return;
    }
    if (!strcmp(word, "texels")) {
        need_layout(&out);
        write_colours(&out, at);
    } else if (!strcmp(word, "solid") || !strcmp(word, "checker") || !strcmp(word, "gradient")) {
        write_pattern(&out, word, at);
    } else {
        scene_fail(scene, "'%s' is not a texel description", word);
    }
}

/* --- Reading ---------------------------------------------------------------------------------- */

static float half_to_float(uint16_t h)
{
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    float v = exponent == 31 ? (mantissa ? NAN : INFINITY)
              : exponent     ? ldexpf((float)(mantissa + 1024), exponent - 25)
                             : ldexpf((float)mantissa, -24);

    return h & 0x8000 ? -v : v;
}

static bool decode_array(D3DFORMAT format, const uint8_t *bits, float rgba[4])
{
    for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
        if (arrays[i].format != format)
            continue;
        for (int c = 0; c < arrays[i].channels; c++) {
            uint16_t half;
            if (arrays[i].bytes == 2) {
                memcpy(&half, bits + 2 * c, sizeof(half));
                rgba[c] = half_to_float(half);
            } else {
                memcpy(&rgba[c], bits + 4 * c, sizeof(rgba[c]));
            }
        }
        return true;
    }
    if (format == D3DFMT_A16B16G16R16) {
        for (int c = 0; c < 4; c++)
            rgba[c] = (float)(bits[2 * c] | bits[2 * c + 1] << 8) / 65535.0f;
        return true;
    }
    if (format == D3DFMT_D16_LOCKABLE) {
        rgba[0] = (float)(bits[0] | bits[1] << 8) / 65535.0f;
        return true;
    }
    if (format == D3DFMT_D32F_LOCKABLE)
        memcpy(&rgba[0], bits, sizeof(rgba[0]));
    return format == D3DFMT_D32F_LOCKABLE;
}

bool texel_decode(D3DFORMAT format, const uint8_t *bits, float rgba[4])
{
    const struct layout *layout = find_layout(format);
    uint32_t texel = 0;

    rgba[0] = rgba[1] = rgba[2] = rgba[3] = 1.0f; /* absent channels */
    if (!layout)
        return decode_array(format, bits, rgba);
    for (int i = 0; i < layout->bytes; i++)
        texel |= (uint32_t)bits[i] << 8 * i;
    for (int c = 0; c < 4; c++) {
        uint32_t most = (1u << layout->channel[c].bits) - 1;
        if (most)
            rgba[c] = (float)(texel >> layout->channel[c].shift & most) / (float)most;
    }
    if (layout->luminance)
        rgba[1] = rgba[2] = rgba[0];
    return true;
}
