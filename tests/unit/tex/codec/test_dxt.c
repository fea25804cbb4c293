/* Block decompression against its documentation in exact fractions: every endpoint pair and every
 * code (reference: format/dxt1 and others), for the scalar decoder and the kernels of each
 * instruction set. */
#include "check_main.h"
#include "tex/codec/dxt_kern.h"
#include "tex/image/image.h"
#include "tex_helpers.h"

#include <stdlib.h>

static const D3DFORMAT ati1 = (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1'),
                       ati2 = (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2');

static uint32_t noise = 1;

static uint32_t random16(void)
{
    noise = noise * 1664525u + 1013904223u;
    return noise >> 16;
}

/* --- Expected results ------------------------------------------------------------------------- */

/* Rounds p / q to the nearest integer, half up: n with n - 1/2 <= p / q < n + 1/2. */
static uint32_t nearest(uint32_t p, uint32_t q)
{
    uint32_t n = p / q;

    return 2 * p < (2 * n + 1) * q ? n : n + 1;
}

/* Replicates the bits of c from the top of a byte. */
static uint32_t widen(uint32_t c, int bits)
{
    uint32_t byte = 0;

    for (int to = 7, from = bits - 1; to >= 0; to--, from = from ? from - 1 : bits - 1)
        byte |= (c >> from & 1) << to;
    return byte;
}

static uint32_t channel(uint32_t c565, int which) /* red, green, blue */
{
    static const int shift[3] = {11, 5, 0}, bits[3] = {5, 6, 5};

    return widen(c565 >> shift[which] & ((1u << bits[which]) - 1), bits[which]);
}

/* Returns the A8R8G8B8 colour of a code. */
static uint32_t colour(uint32_t c0, uint32_t c1, uint32_t code, bool may_have_three)
{
    bool three = may_have_three && c0 <= c1;
    uint32_t argb = 255;

    if (three && code == 3)
        return 0;
    for (int i = 0; i < 3; i++) {
        uint32_t a = channel(c0, i), b = channel(c1, i);
        uint32_t value[4] = {a, b, nearest(2 * a + b, 3), nearest(a + 2 * b, 3)};

        if (three)
            value[2] = nearest(a + b, 2);
        argb = argb << 8 | value[code];
    }
    return argb;
}

static uint32_t ramp(uint32_t a0, uint32_t a1, uint32_t code)
{
    if (code < 2)
        return code ? a1 : a0;
    if (a0 > a1)
        return nearest((8 - code) * a0 + (code - 1) * a1, 7);
    if (code < 6)
        return nearest((6 - code) * a0 + (code - 1) * a1, 5);
    return code == 6 ? 0 : 255;
}

/* --- Building and checking blocks ------------------------------------------------------------- */

enum { MANY = 21 }; /* whole vectors and a remainder */

static void put_bits(uint8_t *bytes, unsigned bit, unsigned bits, uint32_t value)
{
    for (unsigned i = 0; i < bits; i++)
        bytes[(bit + i) / 8] |= (uint8_t)((value >> i & 1) << (bit + i) % 8);
}

/* Gives texel t the code (t + turn) modulo 4. */
static void put_colours(uint8_t block[8], uint32_t c0, uint32_t c1, unsigned turn)
{
    memset(block, 0, 8);
    put_bits(block, 0, 16, c0);
    put_bits(block, 16, 16, c1);
    for (unsigned t = 0; t < 16; t++)
        put_bits(block, 32 + 2 * t, 2, (t + turn) & 3);
}

/* Gives texel t the code (t + turn) modulo 8. */
static void put_ramp(uint8_t block[8], uint32_t a0, uint32_t a1, unsigned turn)
{
    memset(block, 0, 8);
    put_bits(block, 0, 8, a0);
    put_bits(block, 8, 8, a1);
    for (unsigned t = 0; t < 16; t++)
        put_bits(block, 16 + 3 * t, 3, (t + turn) & 7);
}

struct batch {
    D3DFORMAT format;
    unsigned n;
    uint32_t blocks[MANY][4];
    uint32_t expected[MANY][16];
};

static void check_texel(const struct batch *b, const char *who, unsigned i, unsigned t,
                        uint32_t got)
{
    if (got != b->expected[i][t]) /* an assertion would cost more than the decoding */
        ck_abort_msg("%s: %s %08x %08x %08x %08x: texel %u is %08x, not %08x", who,
                     tex_format_get(b->format)->name, b->blocks[i][0], b->blocks[i][1],
                     b->blocks[i][2], b->blocks[i][3], t, got, b->expected[i][t]);
}

static void check_kernel(const struct batch *b, enum cpu_isa isa)
{
    const struct tex_format *format = tex_format_get(b->format);
    uint32_t packed[MANY * 4], out[4][MANY * 4 + 1];

    for (unsigned i = 0; i < b->n; i++)
        memcpy((uint8_t *)packed + i * format->bytes, b->blocks[i], format->bytes);
    memset(out, 0x77, sizeof(out));
    KERN_FOR(tex_block_kern, isa)
        ->decode[tex_block_kind(format)](packed, b->n, out[0], MANY * 4 + 1);
    for (unsigned i = 0; i < b->n; i++)
        for (unsigned t = 0; t < 16; t++)
            check_texel(b, cpu_isa_name(isa), i, t, out[t / 4][4 * i + t % 4]);
    for (unsigned y = 0; y < 4; y++)
        if (out[y][4 * b->n] != 0x77777777)
            ck_abort_msg("%s: wrote past the end", cpu_isa_name(isa));
}

static void check_batch(struct batch *b)
{
    tex_block_fn *decode = tex_block_decoder(tex_format_get(b->format));

    for (unsigned i = 0; i < b->n; i++) {
        uint32_t texel[16];

        decode(texel, (const uint8_t *)b->blocks[i]);
        for (unsigned t = 0; t < 16; t++)
            check_texel(b, "plain", i, t, texel[t]);
    }
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (cpu_has_isa((enum cpu_isa)isa))
            check_kernel(b, (enum cpu_isa)isa);
    b->n = 0;
}

/* Checks a full batch; returns the index of a free block. */
static unsigned next(struct batch *b)
{
    if (b->n == MANY)
        check_batch(b);
    memset(b->blocks[b->n], 0, sizeof(b->blocks[b->n]));
    return b->n++;
}

/* --- Colours ---------------------------------------------------------------------------------- */

static void add_dxt1(struct batch *b, uint32_t c0, uint32_t c1, unsigned turn)
{
    unsigned i = next(b);

    put_colours((uint8_t *)b->blocks[i], c0, c1, turn);
    for (unsigned t = 0; t < 16; t++)
        b->expected[i][t] = colour(c0, c1, (t + turn) & 3, true);
}

/* Tests all pairs of a channel's codes. The other channels vary which colour is larger where red
 * does not decide it. */
START_TEST(dxt1_channels)
{
    static const int shift[3] = {11, 5, 0}, codes[3] = {32, 64, 32};
    struct batch b = {.format = D3DFMT_DXT1};
    uint32_t mask = (uint32_t)(codes[_i] - 1) << shift[_i];

    for (int a = 0; a < codes[_i]; a++) {
        for (int c = 0; c < codes[_i]; c++) {
            for (unsigned turn = 0; turn < 4; turn++) {
                uint32_t low = random16() & ~mask, high = random16() & ~mask;
                uint32_t x = (uint32_t)a << shift[_i], y = (uint32_t)c << shift[_i];

                add_dxt1(&b, low | x, high | y, turn);
                add_dxt1(&b, high | x, low | y, turn);
                add_dxt1(&b, low | x, low | y, turn);
            }
        }
    }
    check_batch(&b);
}
END_TEST

/* Tests every colour 0 with itself, its neighbours, its complement and others. */
START_TEST(dxt1_colours)
{
    struct batch b = {.format = D3DFMT_DXT1};

    for (uint32_t c0 = (uint32_t)_i << 12, end = c0 + (1 << 12); c0 < end; c0++) {
        uint32_t other[] = {c0, c0 + 1, c0 - 1,     ~c0,       c0 ^ 0x8000,
                            0,  0xffff, random16(), random16()};

        for (unsigned i = 0; i < sizeof(other) / sizeof(other[0]); i++)
            add_dxt1(&b, c0, other[i] & 0xffff, c0 + i);
    }
    check_batch(&b);
}
END_TEST

/* 16-byte formats use four colours in either endpoint order. */
START_TEST(never_three_colours)
{
    static const D3DFORMAT formats[] = {D3DFMT_DXT2, D3DFMT_DXT3, D3DFMT_DXT4, D3DFMT_DXT5};
    struct batch b = {.format = formats[_i]};

    for (uint32_t c0 = 0; c0 < 1 << 16; c0++) {
        uint32_t other[] = {c0, (c0 + 1) & 0xffff, random16()};
        unsigned i = next(&b);
        uint32_t c1 = other[c0 % 3];

        put_colours((uint8_t *)b.blocks[i] + 8, c0, c1, c0);
        for (unsigned t = 0; t < 16; t++) /* the alpha block is zero */
            b.expected[i][t] = colour(c0, c1, (t + c0) & 3, false) & 0xffffff;
    }
    check_batch(&b);
}
END_TEST

/* --- Alpha ------------------------------------------------------------------------------------ */

/* Tests every alpha value of every texel; colours are noise. */
START_TEST(dxt3_alpha)
{
    struct batch b = {.format = _i ? D3DFMT_DXT2 : D3DFMT_DXT3};

    for (uint32_t turn = 0; turn < 256; turn++) {
        uint32_t c0 = random16(), c1 = random16();
        unsigned i = next(&b);

        put_colours((uint8_t *)b.blocks[i] + 8, c0, c1, turn);
        for (unsigned t = 0; t < 16; t++) {
            uint32_t alpha = ((turn & 16 ? 15 - t : t) + turn) & 15;

            put_bits((uint8_t *)b.blocks[i], 4 * t, 4, alpha);
            b.expected[i][t] =
                (colour(c0, c1, (t + turn) & 3, false) & 0xffffff) | nearest(alpha * 255, 15) << 24;
        }
    }
    check_batch(&b);
}
END_TEST

/* Tests all endpoint pairs and all codes. */
START_TEST(dxt5_alpha)
{
    struct batch b = {.format = _i ? D3DFMT_DXT4 : D3DFMT_DXT5};

    for (uint32_t pair = 0; pair < 1 << 16; pair++) {
        uint32_t a0 = pair & 255, a1 = pair >> 8, c0 = random16(), c1 = random16(), turn = a0 + a1;
        unsigned i = next(&b);

        put_ramp((uint8_t *)b.blocks[i], a0, a1, turn);
        put_colours((uint8_t *)b.blocks[i] + 8, c0, c1, turn);
        for (unsigned t = 0; t < 16; t++)
            b.expected[i][t] = (colour(c0, c1, (t + turn) & 3, false) & 0xffffff) |
                               ramp(a0, a1, (t + turn) & 7) << 24;
    }
    check_batch(&b);
}
END_TEST

START_TEST(ati1_red)
{
    struct batch b = {.format = ati1};

    for (uint32_t pair = 0; pair < 1 << 16; pair++) {
        uint32_t a0 = pair & 255, a1 = pair >> 8;
        unsigned i = next(&b);

        put_ramp((uint8_t *)b.blocks[i], a0, a1, a0 + a1);
        for (unsigned t = 0; t < 16; t++)
            b.expected[i][t] = 0xff000000 | ramp(a0, a1, (t + a0 + a1) & 7) << 16;
    }
    check_batch(&b);
}
END_TEST

/* The green block comes first. Endpoint pairs of one channel increase while those of the other
 * decrease. */
START_TEST(ati2_red_and_green)
{
    struct batch b = {.format = ati2};

    for (uint32_t pair = 0; pair < 1 << 16; pair++) {
        uint32_t g0 = pair & 255, g1 = pair >> 8, r0 = (255 - g0) ^ 0x55, r1 = 255 - g1;
        unsigned i = next(&b);

        put_ramp((uint8_t *)b.blocks[i], g0, g1, g0 + g1);
        put_ramp((uint8_t *)b.blocks[i] + 8, r0, r1, g0);
        for (unsigned t = 0; t < 16; t++)
            b.expected[i][t] = 0xff0000ff | ramp(r0, r1, (t + g0) & 7) << 16 |
                               ramp(g0, g1, (t + g0 + g1) & 7) << 8;
    }
    check_batch(&b);
}
END_TEST

/* --- Levels ----------------------------------------------------------------------------------- */

/* Levels of any size, including those smaller than a block: each texel comes from its block. */
START_TEST(odd_sizes)
{
    static const uint32_t sizes[][2] = {{1, 1}, {2, 1}, {3, 7}, {5, 2}, {4, 4}, {13, 6}, {21, 10}};
    static const D3DFORMAT formats[] = {D3DFMT_DXT1, D3DFMT_DXT3, D3DFMT_DXT5};
    struct tex_sampler_state state = default_state();
    struct tex_image *image =
        make_image(formats[_i % 3], TEX_2D, sizes[_i / 3][0], sizes[_i / 3][1], 1, 0);
    tex_block_fn *decode = tex_block_decoder(image->format);

    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)random16();
    state.mip_filter = D3DTEXF_POINT;
    for (uint32_t l = 0; l < image->desc.levels; l++) {
        const struct tex_level *level = tex_image_level(image, 0, l);

        for (uint32_t y = 0; y < level->height; y++) {
            for (uint32_t x = 0; x < level->width; x++) {
                uint32_t texel[16], argb;
                float u = ((float)x + 0.5f) / (float)level->width;
                float v = ((float)y + 0.5f) / (float)level->height;

                decode(texel, tex_level_at(level, image->format, x & ~3u, y & ~3u, 0));
                argb = texel[y % 4 * 4 + x % 4];
                check_rgba(sample_at(image, &state, u, v, 0, (float)l),
                           (float)(argb >> 16 & 255) / 255.0f, (float)(argb >> 8 & 255) / 255.0f,
                           (float)(argb & 255) / 255.0f, (float)(argb >> 24) / 255.0f);
            }
        }
    }
    tex_image_unref(&image);
}
END_TEST

/* --- By hand ---------------------------------------------------------------------------------- */

static void decode_one(uint32_t argb[16], D3DFORMAT format, const uint8_t *block)
{
    tex_block_decoder(tex_format_get(format))(argb, block);
}

START_TEST(dxt1_modes)
{
    /* Red f800 and blue 001f; indices 0 1 2 3 in the first row. */
    static const uint8_t four[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4},
                         three[8] = {0x1f, 0x00, 0x00, 0xf8, 0xe4};
    static const uint8_t grey[8] = {0x10, 0x84, 0x08, 0x42, 0xe4};
    uint32_t t[16];

    decode_one(t, D3DFMT_DXT1, four);
    ck_assert_uint_eq(t[0], 0xffff0000);
    ck_assert_uint_eq(t[1], 0xff0000ff);
    ck_assert_uint_eq(t[2], 0xffaa0055);
    ck_assert_uint_eq(t[3], 0xff5500aa);
    ck_assert_uint_eq(t[4], 0xffff0000);
    decode_one(t, D3DFMT_DXT1, three);
    ck_assert_uint_eq(t[0], 0xff0000ff);
    ck_assert_uint_eq(t[2], 0xff800080);
    ck_assert_uint_eq(t[3], 0x00000000);
    decode_one(t, D3DFMT_DXT1, grey); /* 8410 = 132 130 132, 4208 = 66 65 66 */
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

    decode_one(t, D3DFMT_DXT3, block);
    for (uint32_t i = 0; i < 16; i++)
        ck_assert_uint_eq(t[i] >> 24, i * 17);
    ck_assert_uint_eq(t[0] & 0xffffff, 0xaa0055);
    decode_one(t, D3DFMT_DXT5, ramp); /* indices 0 … 7 twice */
    for (int i = 0; i < 16; i++)
        ck_assert_uint_eq(t[i] >> 24, eight[i & 7]);
    decode_one(t, D3DFMT_DXT4, ramp6);
    for (int i = 0; i < 16; i++)
        ck_assert_uint_eq(t[i] >> 24, six[i & 7]);
}
END_TEST

START_TEST(ati_channels)
{
    uint8_t ati1[8] = {0x7f, 0x7f}, ati2[16] = {0x7f, 0x7f, 0, 0, 0, 0, 0, 0, 0x10, 0x10};
    uint32_t t[16];

    decode_one(t, TEX_FMT_ATI1, ati1);
    ck_assert_uint_eq(t[5], 0xff7f0000);
    decode_one(t, TEX_FMT_ATI2, ati2); /* the green block comes first */
    ck_assert_uint_eq(t[5], 0xff107fff);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex blocks");
    TCase *tc = tcase_create("blocks");

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_loop_test(tc, dxt1_channels, 0, 3);
    tcase_add_loop_test(tc, dxt1_colours, 0, 16);
    tcase_add_loop_test(tc, never_three_colours, 0, 4);
    tcase_add_loop_test(tc, dxt3_alpha, 0, 2);
    tcase_add_loop_test(tc, dxt5_alpha, 0, 2);
    tcase_add_test(tc, ati1_red);
    tcase_add_test(tc, ati2_red_and_green);
    tcase_add_loop_test(tc, odd_sizes, 0, 21);
    tcase_add_test(tc, dxt1_modes);
    tcase_add_test(tc, dxt3_and_dxt5_alpha);
    tcase_add_test(tc, ati_channels);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
