/* StretchRect and mip generation against a reference sampler that follows docs/reference.md
 * (copy/…) in exact arithmetic: random sizes, rectangles and formats, with every instruction
 * set. */
#include "check_main.h"
#include "tex_helpers.h"
#include "util/cpu.h"

#include <math.h>
#include <stdlib.h>

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)seed * n) >> 32);
}

/* --- Reference sampler ------------------------------------------------------------------------ */

/* Position in 1/256 pixel from the centre of the first pixel: (2i + 1) sw / 2dw - 1/2, rounded to
 * nearest, half up. */
static int64_t position(uint32_t i, uint32_t dw, uint32_t sw)
{
    int64_t n = (int64_t)(2 * i + 1) * sw * 256 - (int64_t)dw * 256, d = 2 * (int64_t)dw;
    int64_t down = n >= 0 ? n / d : -((-n + d - 1) / d), rest = n - down * d;

    return 2 * rest >= d ? down + 1 : down;
}

struct axis {
    uint32_t at[2], weight[2]; /* of 256 */
};

static struct axis axis(uint32_t i, uint32_t dw, uint32_t sw, bool linear)
{
    int64_t p = position(i, dw, sw), last = (int64_t)(sw - 1) * 256;
    struct axis a = {{0, 0}, {256, 0}};

    if (!linear) { /* the pixel whose area contains the centre */
        a.at[0] = (uint32_t)((uint64_t)(2 * i + 1) * sw / (2 * (uint64_t)dw));
        return a;
    }
    p = p < 0 ? 0 : p > last ? last : p;
    a.at[0] = (uint32_t)(p / 256);
    a.at[1] = a.at[0] + 1 < sw ? a.at[0] + 1 : a.at[0];
    a.weight[1] = (uint32_t)(p % 256);
    a.weight[0] = 256 - a.weight[1];
    return a;
}

struct job {
    struct tex_image *dst, *src;
    uint32_t dst_face, dst_level, src_face, src_level;
    struct tex_box to, from;
    bool linear;
};

/* 65536 times the exact value of a channel, whose source has `scale` steps. */
static double blend(const struct job *j, uint32_t x, uint32_t y, int c, double scale)
{
    struct axis ax = axis(x, j->to.x1 - j->to.x0, j->from.x1 - j->from.x0, j->linear);
    struct axis ay = axis(y, j->to.y1 - j->to.y0, j->from.y1 - j->from.y0, j->linear);
    double sum = 0.0;

    for (int k = 0; k < 4; k++) {
        double weight = (double)(ax.weight[k & 1] * ay.weight[k >> 1]);
        float texel[4];

        if (weight == 0.0)
            continue;
        tex_read_pixel(j->src, j->src_face, j->src_level, j->from.x0 + ax.at[k & 1],
                       j->from.y0 + ay.at[k >> 1], 0, texel);
        sum += weight * (scale != 0.0 ? rint((double)texel[c] * scale) : (double)texel[c]);
    }
    return sum;
}

/* --- Expected results ------------------------------------------------------------------------- */

static uint32_t raw_texel(const struct job *j, uint32_t x, uint32_t y)
{
    const struct tex_level *level = tex_image_level(j->dst, j->dst_face, j->dst_level);
    uint32_t texel = 0;

    memcpy(&texel, tex_level_at(level, j->dst->format, j->to.x0 + x, j->to.y0 + y, 0),
           j->dst->format->bytes < 4 ? j->dst->format->bytes : 4);
    return texel;
}

/* Exact sums of bytes, rounded half up; missing alpha is 1, unused bits are ones. */
static void check_bytes(const struct job *j, uint32_t x, uint32_t y)
{
    const struct tex_format *f = j->dst->format;
    uint32_t texel = raw_texel(j, x, y);

    for (int c = 0; c < 4; c++) {
        uint32_t want = ((uint32_t)blend(j, x, y, c, 255.0) + 32768) >> 16;
        uint32_t shift = f->channel[c].bits ? f->channel[c].shift : 24;

        if (!f->channel[c].bits)
            want = 255;
        ck_assert_msg((texel >> shift & 255) == want,
                      "channel %d of pixel %u %u: %02x in place of %02x", c, x, y,
                      texel >> shift & 255, want);
    }
}

static double steps(const struct tex_format *f, int c)
{
    unsigned bits = f->channel[c].bits;

    if (f->layout == TEX_LAYOUT_FLOAT16 || f->layout == TEX_LAYOUT_FLOAT32)
        return 0.0;
    return (double)((1u << (f->snorm_mask >> c & 1 ? bits - 1 : bits)) - 1);
}

/* The nearest code to the exact value, within the error of single precision. */
static void check_value(const struct job *j, uint32_t x, uint32_t y, int c)
{
    const struct tex_format *f = j->dst->format;
    double exact = blend(j, x, y, c, 0.0) / 65536.0, n = steps(f, c), got, slack;
    float texel[4];

    tex_read_pixel(j->dst, j->dst_face, j->dst_level, j->to.x0 + x, j->to.y0 + y, 0, texel);
    got = (double)texel[c];
    if (n != 0.0) {
        exact = fmin(fmax(exact, f->snorm_mask >> c & 1 ? -1.0 : 0.0), 1.0);
        slack = 0.5 / n + 3e-7;
    } else {
        slack = fabs(exact) * (f->layout == TEX_LAYOUT_FLOAT16 ? 0x1p-11 : 4e-7) + 6e-8;
    }
    ck_assert_msg(fabs(got - exact) <= slack, "channel %d of pixel %u %u: %.9g in place of %.9g", c,
                  x, y, got, exact);
}

static void check(const struct job *j, bool bytes)
{
    for (uint32_t y = 0; y < j->to.y1 - j->to.y0; y++)
        for (uint32_t x = 0; x < j->to.x1 - j->to.x0; x++) {
            if (bytes) {
                check_bytes(j, x, y);
                continue;
            }
            for (int c = 0; c < 4; c++)
                if (j->dst->format->channel[c].bits)
                    check_value(j, x, y, c);
        }
}

/* --- Random jobs ------------------------------------------------------------------------------ */

static const D3DFORMAT byte_formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8,
                                         D3DFMT_X8B8G8R8};
static const D3DFORMAT byte_sources[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8,
                                         D3DFMT_X8B8G8R8, D3DFMT_R8G8B8,   D3DFMT_DXT1,
                                         D3DFMT_DXT5,     D3DFMT_YUY2,     D3DFMT_UYVY};
static const D3DFORMAT other_formats[] = {
    D3DFMT_R5G6B5,      D3DFMT_A1R5G5B5,    D3DFMT_X4R4G4B4,     D3DFMT_R3G3B2,
    D3DFMT_L8,          D3DFMT_A8,          D3DFMT_A8L8,         D3DFMT_L16,
    D3DFMT_G16R16,      D3DFMT_A2R10G10B10, D3DFMT_R16F,         D3DFMT_A16B16G16R16,
    D3DFMT_G16R16F,     D3DFMT_R32F,        D3DFMT_V8U8,         D3DFMT_A16B16G16R16F,
    D3DFMT_A2B10G10R10, D3DFMT_Q8W8V8U8,    D3DFMT_A32B32G32R32F};
enum {
    BYTES = sizeof(byte_formats) / sizeof(byte_formats[0]),
    SOURCES = sizeof(byte_sources) / sizeof(byte_sources[0]),
    OTHERS = sizeof(other_formats) / sizeof(other_formats[0])
};

static void fill_float(uint8_t *p, bool half)
{
    float value = (float)((int)below(4000) - 1000) / 257.0f;
    static const uint16_t halves[] = {0x0000, 0x3c00, 0xbc00, 0x3555,
                                      0x4248, 0xb801, 0x7bff, 0x0400};

    if (half)
        memcpy(p, &halves[below(8)], 2);
    else
        memcpy(p, &value, 4);
}

static void fill_random(struct tex_image *image)
{
    bool half = image->format->layout == TEX_LAYOUT_FLOAT16;

    if (half || image->format->layout == TEX_LAYOUT_FLOAT32) {
        for (size_t i = 0; i + 4 <= image->bytes; i += half ? 2 : 4)
            fill_float(image->memory + i, half);
        return;
    }
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)below(256);
}

static void choose_box(struct tex_box *box, uint32_t w, uint32_t h)
{
    uint32_t x = below(w), y = below(h);

    *box = (struct tex_box){x, y, 0, x + 1 + below(w - x), y + 1 + below(h - y), 1};
    if (!below(4))
        *box = (struct tex_box){0, 0, 0, w, h, 1};
}

/* Occasionally makes the size exactly half, or equal in one direction or both. */
static void relate(struct job *j)
{
    uint32_t w = j->from.x1 - j->from.x0, h = j->from.y1 - j->from.y0, kind = below(6);

    if (kind < 2 && j->to.x0 + w <= j->dst->desc.width)
        j->to.x1 = j->to.x0 + w;
    if (kind == 1 && j->to.y0 + h <= j->dst->desc.height)
        j->to.y1 = j->to.y0 + h;
    if (kind == 2 && w > 1 && h > 1 && j->to.x0 + w / 2 <= j->dst->desc.width &&
        j->to.y0 + h / 2 <= j->dst->desc.height) {
        j->to.x1 = j->to.x0 + w / 2;
        j->to.y1 = j->to.y0 + h / 2;
        j->from.x1 = j->from.x0 + w / 2 * 2;
        j->from.y1 = j->from.y0 + h / 2 * 2;
    }
}

static struct tex_image *random_image(D3DFORMAT format)
{
    uint32_t limit = below(8) ? 24 : 150;
    struct tex_image *image =
        make_2d(format, (1 + below(limit) + 3) & ~3u, (1 + below(24) + 3) & ~3u);

    fill_random(image);
    return image;
}

static bool outside_is_kept(const struct job *j, const uint8_t *before)
{
    const struct tex_level *level = j->dst->level;
    size_t bytes = j->dst->format->bytes;

    for (uint32_t y = 0; y < level->height; y++)
        for (uint32_t x = 0; x < level->width; x++) {
            const uint8_t *p = tex_level_at(level, j->dst->format, x, y, 0);
            bool inside = x >= j->to.x0 && x < j->to.x1 && y >= j->to.y0 && y < j->to.y1;

            if (!inside && memcmp(p, before + (p - j->dst->memory), bytes))
                return false;
        }
    return true;
}

static void run(D3DFORMAT from, D3DFORMAT to, bool bytes)
{
    struct job j = {.dst = random_image(to), .src = random_image(from), .linear = below(3)};
    uint8_t *before = malloc(j.dst->bytes);

    choose_box(&j.to, j.dst->desc.width, j.dst->desc.height);
    choose_box(&j.from, j.src->desc.width, j.src->desc.height);
    relate(&j);
    memcpy(before, j.dst->memory, j.dst->bytes);
    ck_assert_int_eq(
        stretch_boxes(j.dst, &j.to, j.src, &j.from, j.linear ? D3DTEXF_LINEAR : below(2)), ST_OK);
    ck_assert_msg(outside_is_kept(&j, before), "pixels outside of the rectangle changed");
    if (from != to || (j.linear && (j.to.x1 - j.to.x0 != j.from.x1 - j.from.x0 ||
                                    j.to.y1 - j.to.y0 != j.from.y1 - j.from.y0)))
        check(&j, bytes);
    free(before);
    tex_image_unref(&j.dst);
    tex_image_unref(&j.src);
}

START_TEST(bytes_blend_exactly)
{
    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    seed = 1;
    for (int i = 0; i < 600; i++)
        run(byte_sources[below(SOURCES)], byte_formats[below(BYTES)], true);
}
END_TEST

START_TEST(others_blend_as_floats)
{
    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    seed = 2;
    for (int i = 0; i < 600; i++) {
        D3DFORMAT other = other_formats[below(OTHERS)];

        if (below(2))
            run(byte_sources[below(SOURCES)], other, false);
        else
            run(other, below(2) ? byte_formats[below(BYTES)] : other_formats[below(OTHERS)], false);
    }
}
END_TEST

/* Bits without a channel, NaN, and both codes of -1. */
START_TEST(point_keeps_bits_within_a_format)
{
    static const D3DFORMAT formats[] = {D3DFMT_X8R8G8B8, D3DFMT_R5G6B5,       D3DFMT_X4R4G4B4,
                                        D3DFMT_R3G3B2,   D3DFMT_L8,           D3DFMT_R8G8B8,
                                        D3DFMT_Q8W8V8U8, D3DFMT_R32F,         D3DFMT_A16B16G16R16F,
                                        D3DFMT_P8,       D3DFMT_A32B32G32R32F};
    struct tex_box all = {0, 0, 0, 5, 3, 1}, part = {1, 2, 0, 8, 9, 1};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        struct tex_image *src = make_2d(formats[i], 5, 3), *dst = make_2d(formats[i], 9, 9);

        if (!tex_packer(src->format)) {
            tex_image_unref(&src);
            tex_image_unref(&dst);
            continue;
        }
        for (size_t b = 0; b < src->bytes; b++)
            src->memory[b] = (uint8_t)(0xff - b * 37 % 41);
        ck_assert_int_eq(stretch_boxes(dst, &part, src, &all, D3DTEXF_POINT), ST_OK);
        for (uint32_t y = 0; y < 7; y++)
            for (uint32_t x = 0; x < 7; x++)
                ck_assert(!memcmp(tex_level_at(dst->level, dst->format, 1 + x, 2 + y, 0),
                                  tex_level_at(src->level, src->format, (2 * x + 1) * 5 / 14,
                                               (2 * y + 1) * 3 / 14, 0),
                                  src->format->bytes));
        tex_image_unref(&src);
        tex_image_unref(&dst);
    }
}
END_TEST

/* --- Mip maps --------------------------------------------------------------------------------- */

/* Each level equals a LINEAR or POINT StretchRect of the one above. */
static void check_chain(struct tex_image *image, bool linear, bool bytes)
{
    for (uint32_t face = 0; face < image->faces; face++) {
        for (uint32_t l = 1; l < image->desc.levels; l++) {
            const struct tex_level *to = tex_image_level(image, face, l);
            const struct tex_level *from = tex_image_level(image, face, l - 1);
            struct job j = {image,
                            image,
                            face,
                            l,
                            face,
                            l - 1,
                            {0, 0, 0, to->width, to->height, 1},
                            {0, 0, 0, from->width, from->height, 1},
                            linear};

            check(&j, bytes);
        }
    }
}

START_TEST(mip_maps_follow_the_rule)
{
    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    seed = 3;
    for (int i = 0; i < 60; i++) {
        bool bytes = below(2), cube = !below(4), linear = below(4);
        D3DFORMAT format = bytes ? byte_formats[below(BYTES)] : other_formats[below(OTHERS)];
        uint32_t w = 1 + below(below(3) ? 9 : 80), h = cube ? w : below(3) ? 1 + below(20) : 1;
        struct tex_image *image = make_image(format, cube ? TEX_CUBE_MAP : TEX_2D, w, h, 1, 0);

        fill_random(image);
        ck_assert_int_eq(tex_generate_mips(image, linear ? D3DTEXF_LINEAR : D3DTEXF_POINT), ST_OK);
        if (linear || bytes)
            check_chain(image, linear, bytes && linear);
        tex_image_unref(&image);
    }
}
END_TEST

/* --- Refusals ----------------------------------------------------------------------------------
 */

START_TEST(refusals)
{
    struct tex_image *depth = make_2d(D3DFMT_D24S8, 8, 8), *colour = make_2d(D3DFMT_A8R8G8B8, 8, 8);
    struct tex_image *dxt = make_2d(D3DFMT_DXT1, 8, 8), *depth2 = make_2d(D3DFMT_D24S8, 8, 8);
    struct tex_box all = {0, 0, 0, 8, 8, 1}, large = {0, 0, 0, 9, 8, 1};

    ck_assert_int_eq(stretch_boxes(colour, &all, depth, &all, D3DTEXF_NONE), ST_UNSUPPORTED);
    ck_assert_int_eq(stretch_boxes(dxt, &all, colour, &all, D3DTEXF_NONE), ST_UNSUPPORTED);
    ck_assert_int_eq(stretch_boxes(colour, &large, colour, &all, D3DTEXF_NONE), ST_INVALID);
    ck_assert_int_eq(tex_fill(depth, 0, 0, &all, 0), ST_UNSUPPORTED);
    poke(depth, 0, 0, 3, 3, 0, 0x12345678);
    ck_assert_int_eq(stretch_boxes(depth2, &all, depth, &all, D3DTEXF_LINEAR), ST_OK);
    ck_assert(!memcmp(depth->memory, depth2->memory, depth->bytes));
    tex_image_unref(&depth);
    tex_image_unref(&depth2);
    tex_image_unref(&colour);
    tex_image_unref(&dxt);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex stretch");
    TCase *tc = tcase_create("stretch");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, bytes_blend_exactly, 0, ISA_COUNT);
    tcase_add_loop_test(tc, others_blend_as_floats, 0, ISA_COUNT);
    tcase_add_test(tc, point_keeps_bits_within_a_format);
    tcase_add_loop_test(tc, mip_maps_follow_the_rule, 0, ISA_COUNT);
    tcase_add_test(tc, refusals);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
