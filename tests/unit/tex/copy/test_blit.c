/* Block and YUV codecs, copies, ColorFill, StretchRect, mip generation and resolves. */
#include "check_main.h"

#include "util/cpu.h"
#include "tex/codec/codec.h"
#include "tex/image/image.h"
#include "tex_helpers.h"
#include "util/fpenv.h"

static struct fp_mode old_mode;

static void enter(void)
{
    old_mode = fp_enter();
}
static void leave(void)
{
    fp_leave(old_mode);
}

static uint32_t read_argb(struct tex_image *image, uint32_t x, uint32_t y, uint32_t z)
{
    float c[4];
    uint32_t argb = 0;

    tex_read_pixel(image, 0, 0, x, y, z, c);
    for (int i = 0; i < 4; i++)
        argb |= (uint32_t)(c[i] * 255.0f + 0.5f) << (i == 3 ? 24 : 16 - 8 * i);
    return argb;
}

static void decode(uint32_t argb[16], D3DFORMAT format, const uint8_t *block)
{
    tex_block_decoder(tex_format_get(format))(argb, block);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

START_TEST(dxt1_modes)
{
    /* Red f800 and blue 001f; indices 0 1 2 3 in the first row. */
    static const uint8_t four[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4},
                         three[8] = {0x1f, 0x00, 0x00, 0xf8, 0xe4};
    static const uint8_t grey[8] = {0x10, 0x84, 0x08, 0x42, 0xe4};
    uint32_t t[16];

    decode(t, D3DFMT_DXT1, four);
    ck_assert_uint_eq(t[0], 0xffff0000);
    ck_assert_uint_eq(t[1], 0xff0000ff);
    ck_assert_uint_eq(t[2], 0xffaa0055);
    ck_assert_uint_eq(t[3], 0xff5500aa);
    ck_assert_uint_eq(t[4], 0xffff0000);
    decode(t, D3DFMT_DXT1, three);
    ck_assert_uint_eq(t[0], 0xff0000ff);
    ck_assert_uint_eq(t[2], 0xff800080);
    ck_assert_uint_eq(t[3], 0x00000000);
    decode(t, D3DFMT_DXT1, grey); /* 8410 = 132 130 132, 4208 = 66 65 66 */
    ck_assert_uint_eq(t[0], 0xff848284);
    ck_assert_uint_eq(t[2], 0xff6e6c6e);
    ck_assert_uint_eq(t[3], 0xff585758);
}
END_TEST

START_TEST(dxt3_and_dxt5_alpha)
{
    /* Equal colours in three-colour order still use four colours: entry 3 is not transparent. */
    uint8_t block[16] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 0x1f, 0, 0, 0xf8, 0xff};
    uint8_t ramp[16] = {0xff, 0x00, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa};
    uint8_t ramp6[16] = {0x00, 0xff, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa};
    static const uint8_t eight[8] = {255, 0, 219, 182, 146, 109, 73, 36};
    static const uint8_t six[8] = {0, 255, 51, 102, 153, 204, 0, 255};
    uint32_t t[16];

    decode(t, D3DFMT_DXT3, block);
    for (uint32_t i = 0; i < 16; i++)
        ck_assert_uint_eq(t[i] >> 24, i * 17);
    ck_assert_uint_eq(t[0] & 0xffffff, 0xaa0055);
    decode(t, D3DFMT_DXT5, ramp); /* indices 0 … 7 twice */
    for (int i = 0; i < 16; i++)
        ck_assert_uint_eq(t[i] >> 24, eight[i & 7]);
    decode(t, D3DFMT_DXT4, ramp6);
    for (int i = 0; i < 16; i++)
        ck_assert_uint_eq(t[i] >> 24, six[i & 7]);
}
END_TEST

START_TEST(ati_channels)
{
    uint8_t ati1[8] = {0x7f, 0x7f}, ati2[16] = {0x7f, 0x7f, 0, 0, 0, 0, 0, 0, 0x10, 0x10};
    uint32_t t[16];

    decode(t, TEX_FMT_ATI1, ati1);
    ck_assert_uint_eq(t[5], 0xff7f0000);
    decode(t, TEX_FMT_ATI2, ati2); /* the green block comes first */
    ck_assert_uint_eq(t[5], 0xff107fff);
}
END_TEST

/* The expectations of the conformance suite for a volume of two slices with two blocks each. */
START_TEST(block_volume_slices_are_consecutive)
{
    static const uint8_t blocks[4][8] = {{0x00, 0xf8, 0x00, 0xf8, 0xf0, 0xf0, 0xf0, 0xf0},
                                         {0xe0, 0x07, 0xe0, 0x07},
                                         {0x1f, 0, 0x1f, 0},
                                         {0xff, 0xff, 0xff, 0xff}};
    struct tex_image *image = make_image(D3DFMT_DXT1, TEX_VOLUME_MAP, 8, 4, 2, 1);

    memcpy(image->memory, blocks, sizeof(blocks));
    ck_assert_uint_eq(read_argb(image, 0, 3, 0), 0xffff0000);
    ck_assert_uint_eq(read_argb(image, 2, 3, 0), 0x00000000);
    ck_assert_uint_eq(read_argb(image, 5, 0, 0), 0xff00ff00);
    ck_assert_uint_eq(read_argb(image, 1, 1, 1), 0xff0000ff);
    ck_assert_uint_eq(read_argb(image, 7, 3, 1), 0xffffffff);
    tex_image_unref(&image);
}
END_TEST

START_TEST(block_edges_of_odd_sizes)
{
    struct tex_image *image = make_2d(D3DFMT_DXT5, 7, 5);
    struct tex_sampler_state state = default_state();
    struct tex_box all = {0, 0, 0, 7, 5, 1};

    ck_assert_int_eq(tex_fill(image, 0, 0, &all, 0x80ff00ff), ST_OK);
    ck_assert_uint_eq(read_argb(image, 6, 4, 0), 0x80ff00ff);
    check_rgba(sample_at(image, &state, 6.5f / 7, 4.5f / 5, 0, 0), 1, 0, 1, 128.0f / 255.0f);
    tex_image_unref(&image);
}
END_TEST

/* --- YUV -------------------------------------------------------------------------------------- */

/* Expected colours and tolerance of the conformance suite. */
START_TEST(yuv_colours)
{
    static const struct {
        uint32_t word, uyvy[2], yuy2[2];
    } cases[] = {
        {0x4cff4c54, {0xff0000, 0xff0000}, {0x0b8b00, 0xb6ffa3}},
        {0x00800080, {0x000000, 0x000000}, {0x00ff00, 0x00ff00}},
        {0xff80ff80, {0xffffff, 0xffffff}, {0xff00ff, 0xff00ff}},
        {0x1c6b1cff, {0x0000fd, 0x0000fd}, {0x6dff45, 0x00d500}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int p = 0; p < 4; p++) {
            uint32_t argb[2], expect = p < 2 ? cases[i].uyvy[p] : cases[i].yuy2[p & 1];

            tex_yuv_decode(tex_format_get(p < 2 ? D3DFMT_UYVY : D3DFMT_YUY2), argb,
                           (const uint8_t *)&cases[i].word);
            for (int shift = 0; shift < 24; shift += 8)
                ck_assert_int_le(
                    abs((int)(argb[p & 1] >> shift & 255) - (int)(expect >> shift & 255)), 18);
        }
    }
}
END_TEST

START_TEST(packed_rgb)
{
    static const uint8_t grgb[4] = {0x11, 0x22, 0x33, 0x44};
    uint32_t argb[2];
    uint8_t back[4];

    tex_yuv_decode(tex_format_get(D3DFMT_G8R8_G8B8), argb, grgb);
    ck_assert_uint_eq(argb[0], 0xff112233);
    ck_assert_uint_eq(argb[1], 0xff114433);
    tex_yuv_encode(tex_format_get(D3DFMT_G8R8_G8B8), back, argb);
    ck_assert(!memcmp(back, grgb, 4));
    tex_yuv_decode(tex_format_get(D3DFMT_R8G8_B8G8), argb, grgb);
    ck_assert_uint_eq(argb[0], 0xff221144);
    ck_assert_uint_eq(argb[1], 0xff223344);
}
END_TEST

START_TEST(video_stretches_to_rgb)
{
    struct tex_image *src = make_2d(D3DFMT_UYVY, 4, 1), *dst = make_2d(D3DFMT_X8R8G8B8, 64, 8);
    struct tex_box from = {0, 0, 0, 4, 1, 1}, to = {0, 0, 0, 64, 8, 1};

    poke(src, 0, 0, 0, 0, 0, 0x1c6b1cff);
    poke(src, 0, 0, 2, 0, 0, 0xff80ff80);
    ck_assert_int_eq(tex_stretch(dst, 0, 0, &to, src, 0, 0, &from, D3DTEXF_POINT), ST_OK);
    ck_assert_uint_eq(read_argb(dst, 31, 7, 0) & 0xff, 0xff); /* blue */
    ck_assert_uint_le(read_argb(dst, 31, 7, 0) & 0xffff00, 0x040400);
    ck_assert_uint_eq(read_argb(dst, 32, 0, 0), 0xffffffff);
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

/* --- ColorFill -------------------------------------------------------------------------------- */

START_TEST(fills)
{
    static const struct {
        D3DFORMAT format;
        uint8_t bytes[16];
    } cases[] = {
        {D3DFMT_A8R8G8B8, {0xef, 0xbe, 0xad, 0xde}},
        {D3DFMT_R5G6B5, {0xfd, 0xad}},
        {D3DFMT_G16R16, {0xad, 0xad, 0xbe, 0xbe}},
        {D3DFMT_A16B16G16R16, {0xad, 0xad, 0xbe, 0xbe, 0xef, 0xef, 0xde, 0xde}},
        {D3DFMT_A16B16G16R16F, {0x6d, 0x39, 0xf5, 0x39, 0x7f, 0x3b, 0xf6, 0x3a}}, /* truncated */
        {D3DFMT_P8, {0xef}},
    };
    struct tex_box part = {4, 4, 0, 8, 8, 1}, outside = {30, 0, 0, 33, 1, 1},
                   empty = {4, 4, 0, 4, 8, 1};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_image *image = make_2d(cases[i].format, 32, 32);
        const struct tex_format *f = image->format;
        uint8_t zero[16] = {0};

        ck_assert_int_eq(tex_fill(image, 0, 0, &part, 0xdeadbeef), ST_OK);
        ck_assert(!memcmp(tex_level_at(image->level, f, 4, 4, 0), cases[i].bytes, f->bytes));
        ck_assert(!memcmp(tex_level_at(image->level, f, 7, 7, 0), cases[i].bytes, f->bytes));
        ck_assert(!memcmp(tex_level_at(image->level, f, 8, 7, 0), zero, f->bytes));
        ck_assert(!memcmp(tex_level_at(image->level, f, 7, 3, 0), zero, f->bytes));
        ck_assert_int_eq(tex_fill(image, 0, 0, &outside, 0), ST_INVALID);
        ck_assert_int_eq(tex_fill(image, 0, 0, &empty, 0), ST_INVALID);
        tex_image_unref(&image);
    }
}
END_TEST

START_TEST(fill_reaches_every_sample)
{
    struct tex_desc desc = {D3DFMT_A8R8G8B8, TEX_2D, 4, 4, 1, 1, 4, false};
    struct tex_box all = {0, 0, 0, 4, 4, 1};
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    ck_assert_int_eq(tex_fill(image, 0, 0, &all, 0x12345678), ST_OK);
    for (uint32_t s = 0; s < 4; s++)
        ck_assert_uint_eq(read_argb(image, 3, 3, s), 0x12345678);
    tex_image_unref(&image);
}
END_TEST

/* --- StretchRect ------------------------------------------------------------------------------ */

static struct tex_image *gradient(D3DFORMAT format, uint32_t size)
{
    struct tex_image *image = make_2d(format, size, size);

    for (uint32_t y = 0; y < size; y++)
        for (uint32_t x = 0; x < size; x++)
            poke(image, 0, 0, x, y, 0, 0xff000000 | x << 16 | y << 8 | (x ^ y));
    return image;
}

START_TEST(point_samples_at_pixel_centres)
{
    struct tex_image *src = gradient(D3DFMT_A8R8G8B8, 100), *dst = make_2d(D3DFMT_A8B8G8R8, 25, 25);
    struct tex_box from = {0, 0, 0, 100, 100, 1}, to = {0, 0, 0, 25, 25, 1};

    ck_assert_int_eq(tex_stretch(dst, 0, 0, &to, src, 0, 0, &from, D3DTEXF_NONE), ST_OK);
    for (uint32_t y = 0; y < 25; y++)
        for (uint32_t x = 0; x < 25; x++)
            ck_assert_uint_eq(read_argb(dst, x, y, 0), read_argb(src, 4 * x + 2, 4 * y + 2, 0));
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

START_TEST(linear_halving_averages)
{
    struct tex_image *src = gradient(D3DFMT_A8R8G8B8, 64), *dst = make_2d(D3DFMT_X8R8G8B8, 40, 40);
    struct tex_box from = {0, 0, 0, 64, 64, 1}, to = {8, 4, 0, 40, 36, 1};

    ck_assert_int_eq(tex_stretch(dst, 0, 0, &to, src, 0, 0, &from, D3DTEXF_LINEAR), ST_OK);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++)
            ck_assert_uint_eq(read_argb(dst, x + 8, y + 4, 0) >> 8,
                              0xff0000 | (2 * x + 1) << 8 | (2 * y + 1));
    ck_assert_uint_eq(read_argb(dst, 7, 4, 0), 0xff000000);
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

START_TEST(formats_convert)
{
    static const D3DFORMAT formats[] = {D3DFMT_R5G6B5, D3DFMT_A2R10G10B10, D3DFMT_A16B16G16R16F,
                                        D3DFMT_A32B32G32R32F};
    struct tex_image *src = gradient(D3DFMT_A8R8G8B8, 16), *back = make_2d(D3DFMT_A8R8G8B8, 16, 16);
    struct tex_box all = {0, 0, 0, 16, 16, 1};

    for (int i = 0; i < 4; i++) {
        struct tex_image *dst = make_2d(formats[i], 16, 16);

        ck_assert_int_eq(tex_stretch(dst, 0, 0, &all, src, 0, 0, &all, D3DTEXF_NONE), ST_OK);
        ck_assert_int_eq(tex_stretch(back, 0, 0, &all, dst, 0, 0, &all, D3DTEXF_LINEAR), ST_OK);
        if (i)
            ck_assert(!memcmp(back->memory, src->memory, src->bytes));
        else
            ck_assert_uint_eq(read_argb(back, 15, 4, 0), 0xff100408);
        tex_image_unref(&dst);
    }
    tex_image_unref(&src);
    tex_image_unref(&back);
}
END_TEST

START_TEST(refusals)
{
    struct tex_image *depth = make_2d(D3DFMT_D24S8, 8, 8), *colour = make_2d(D3DFMT_A8R8G8B8, 8, 8);
    struct tex_image *dxt = make_2d(D3DFMT_DXT1, 8, 8), *depth2 = make_2d(D3DFMT_D24S8, 8, 8);
    struct tex_box all = {0, 0, 0, 8, 8, 1}, large = {0, 0, 0, 9, 8, 1};

    ck_assert_int_eq(tex_stretch(colour, 0, 0, &all, depth, 0, 0, &all, D3DTEXF_NONE),
                     ST_UNSUPPORTED);
    ck_assert_int_eq(tex_stretch(dxt, 0, 0, &all, colour, 0, 0, &all, D3DTEXF_NONE),
                     ST_UNSUPPORTED);
    ck_assert_int_eq(tex_stretch(colour, 0, 0, &large, colour, 0, 0, &all, D3DTEXF_NONE),
                     ST_INVALID);
    ck_assert_int_eq(tex_fill(depth, 0, 0, &all, 0), ST_UNSUPPORTED);
    poke(depth, 0, 0, 3, 3, 0, 0x12345678);
    ck_assert_int_eq(tex_stretch(depth2, 0, 0, &all, depth, 0, 0, &all, D3DTEXF_LINEAR), ST_OK);
    ck_assert(!memcmp(depth->memory, depth2->memory, depth->bytes));
    tex_image_unref(&depth);
    tex_image_unref(&depth2);
    tex_image_unref(&colour);
    tex_image_unref(&dxt);
}
END_TEST

START_TEST(multisampled_surfaces_resolve)
{
    struct tex_desc desc = {D3DFMT_A8R8G8B8, TEX_2D, 4, 4, 1, 1, 2, false};
    struct tex_image *ms, *dst = make_2d(D3DFMT_A8R8G8B8, 8, 8);
    struct tex_box half = {0, 0, 0, 2, 2, 1}, all = {0, 0, 0, 8, 8, 1}, small = {0, 0, 0, 4, 4, 1};

    ck_assert_int_eq(tex_image_create(&ms, &desc, NULL), ST_OK);
    for (uint32_t i = 0; i < 16; i++) {
        poke(ms, 0, 0, i & 3, i >> 2, 0, 0xff2000ff);
        poke(ms, 0, 0, i & 3, i >> 2, 1, 0x40608000);
    }
    ck_assert_int_eq(tex_stretch(dst, 0, 0, &all, ms, 0, 0, &half, D3DTEXF_POINT), ST_OK);
    ck_assert_uint_eq(read_argb(dst, 7, 7, 0), 0xa0404080); /* rounds half up */
    ck_assert_int_eq(tex_fill(dst, 0, 0, &all, 0x01020304), ST_OK);
    ck_assert_int_eq(tex_stretch(ms, 0, 0, &small, dst, 0, 0, &all, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(read_argb(ms, 3, 3, 1), 0x01020304);
    tex_image_unref(&ms);
    tex_image_unref(&dst);
}
END_TEST

/* multisample/resolve: the exact sum of each channel, rounded half up. */
START_TEST(resolves_are_exact)
{
    static const enum cpu_isa isas[] = {ISA_SCALAR, ISA_SSE2, ISA_AVX2, ISA_AVX512, ISA_NEON};

    if (!cpu_has_isa(isas[_i]))
        return;
    ck_assert_int_eq(cpu_set_isa(isas[_i]), ST_OK);
    for (uint32_t samples = 2; samples <= 16; samples *= 2) {
        for (uint32_t width = 1; width <= 35; width++) {
            struct tex_desc desc = {D3DFMT_X8R8G8B8, TEX_2D, width, 3, 1, 1, samples, false};
            struct tex_image *ms, *dst = make_2d(D3DFMT_X8R8G8B8, width, 3);

            ck_assert_int_eq(tex_image_create(&ms, &desc, NULL), ST_OK);
            for (size_t i = 0; i < ms->bytes; i++)
                ((uint8_t *)ms->memory)[i] = (uint8_t)(i * i * 37 >> 4 ^ i / 5);
            ck_assert_int_eq(tex_resolve(dst, ms), ST_OK);
            for (uint32_t y = 0; y < 3; y++)
                for (uint32_t i = 0; i < 4 * width; i++) {
                    uint32_t sum = 0;

                    for (uint32_t s = 0; s < samples; s++)
                        sum += tex_level_at(ms->level, ms->format, 0, y, s)[i];
                    ck_assert_uint_eq(tex_level_at(dst->level, dst->format, 0, y, 0)[i],
                                      (2 * sum + samples) / (2 * samples));
                }
            tex_image_unref(&ms);
            tex_image_unref(&dst);
        }
    }
}
END_TEST

START_TEST(float_surfaces_resolve)
{
    struct tex_desc desc = {D3DFMT_R32F, TEX_2D, 70, 1, 1, 1, 4, false};
    struct tex_image *ms, *dst = make_2d(D3DFMT_R32F, 70, 1);

    ck_assert_int_eq(tex_image_create(&ms, &desc, NULL), ST_OK);
    for (uint32_t s = 0; s < 4; s++) {
        float v = (float)(1u << s);
        uint32_t bits;

        memcpy(&bits, &v, 4);
        poke(ms, 0, 0, 69, 0, s, bits);
    }
    ck_assert_int_eq(tex_resolve(dst, ms), ST_OK);
    ck_assert_float_eq(*(float *)(void *)tex_level_at(dst->level, dst->format, 69, 0, 0), 3.75f);
    tex_image_unref(&ms);
    tex_image_unref(&dst);
}
END_TEST

START_TEST(mips_average)
{
    struct tex_image *image = make_image(D3DFMT_A8R8G8B8, TEX_CUBE_MAP, 4, 4, 1, 0);
    static const uint8_t blue[4] = {1, 2, 3, 5}; /* mean 2.75 */

    for (uint32_t i = 0; i < 16; i++)
        poke(image, 5, 0, i & 3, i >> 2, 0, 0xff000000u | blue[(i & 1) + (i >> 2 & 1) * 2]);
    ck_assert_int_eq(tex_generate_mips(image, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 5, 1)->data, 0xff000003);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 5, 2)->data, 0xff000003);
    ck_assert_uint_eq(*(uint32_t *)(void *)tex_image_level(image, 4, 2)->data, 0);
    tex_image_unref(&image);
    image = make_image(D3DFMT_R16F, TEX_2D, 5, 1, 1, 0);
    for (uint32_t x = 0; x < 5; x++)
        poke(image, 0, 0, x, 0, 0, 0x4200); /* 3.0 */
    ck_assert_int_eq(tex_generate_mips(image, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(*(uint16_t *)(void *)tex_image_level(image, 0, 2)->data, 0x4200);
    tex_image_unref(&image);
}
END_TEST

START_TEST(copies_move_boxes)
{
    struct tex_image *src = make_image(D3DFMT_L8, TEX_VOLUME_MAP, 8, 8, 4, 1);
    struct tex_image *dst = make_image(D3DFMT_L8, TEX_VOLUME_MAP, 8, 8, 4, 1);
    struct tex_box box = {1, 2, 1, 4, 6, 3};

    for (size_t i = 0; i < src->bytes; i++)
        src->memory[i] = (uint8_t)(i + 1);
    tex_copy(src->format, dst->level, 4, 0, 2, src->level, &box);
    for (uint32_t z = 0; z < 4; z++) {
        for (uint32_t y = 0; y < 8; y++) {
            for (uint32_t x = 0; x < 8; x++) {
                bool inside = x >= 4 && x < 7 && y < 4 && z >= 2;
                uint32_t from = (z - 1) * 64 + (y + 2) * 8 + x - 3;

                ck_assert_uint_eq(*tex_level_at(dst->level, dst->format, x, y, z),
                                  inside ? (uint8_t)(from + 1) : 0);
            }
        }
    }
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex copies");
    TCase *tc = tcase_create("copies");

    tcase_add_checked_fixture(tc, enter, leave);
    tcase_add_test(tc, dxt1_modes);
    tcase_add_test(tc, dxt3_and_dxt5_alpha);
    tcase_add_test(tc, ati_channels);
    tcase_add_test(tc, block_volume_slices_are_consecutive);
    tcase_add_test(tc, block_edges_of_odd_sizes);
    tcase_add_test(tc, yuv_colours);
    tcase_add_test(tc, packed_rgb);
    tcase_add_test(tc, video_stretches_to_rgb);
    tcase_add_test(tc, fills);
    tcase_add_test(tc, fill_reaches_every_sample);
    tcase_add_test(tc, point_samples_at_pixel_centres);
    tcase_add_test(tc, linear_halving_averages);
    tcase_add_test(tc, formats_convert);
    tcase_add_test(tc, refusals);
    tcase_add_test(tc, multisampled_surfaces_resolve);
    tcase_add_loop_test(tc, resolves_are_exact, 0, 5);
    tcase_add_test(tc, float_surfaces_resolve);
    tcase_add_test(tc, mips_average);
    tcase_add_test(tc, copies_move_boxes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
