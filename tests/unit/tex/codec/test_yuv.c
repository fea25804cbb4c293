/* YUV and packed RGB over all codes, against BT.601 and by hand (reference: format/yuv). */
#include "check_main.h"
#include "tex/codec/codec.h"
#include "tex_helpers.h"

#include <stdlib.h>

static int clamped(double x)
{
    return x < 0.0 ? 0 : x > 255.0 ? 255 : (int)floor(x + 0.5);
}

/* The 8-bit integer formula that Microsoft recommends (reference: format/yuv). */
static uint32_t recommended(int y, int u, int v)
{
    int c = 298 * (y - 16) + 128, d = u - 128, e = v - 128;
    double r = floor((c + 409 * e) / 256.0), g = floor((c - 100 * d - 208 * e) / 256.0);

    return 0xff000000u | (uint32_t)clamped(r) << 16 | (uint32_t)clamped(g) << 8 |
           (uint32_t)clamped(floor((c + 516 * d) / 256.0));
}

static bool near(int got, double want, int by)
{
    return abs(got - clamped(want)) <= by;
}

/* All 2^24 (Y, U, V) against limited-range BT.601. The second pixel of a pair has another Y. */
START_TEST(all_yuv)
{
    const struct tex_format *uyvy = tex_format_get(D3DFMT_UYVY),
                            *yuy2 = tex_format_get(D3DFMT_YUY2);

    for (int u = 0; u < 256; u++)
        for (int v = 0; v < 256; v++)
            for (int y = 0; y < 256; y += 2) {
                const uint8_t a[4] = {(uint8_t)u, (uint8_t)y, (uint8_t)v, (uint8_t)(y + 1)};
                const uint8_t b[4] = {(uint8_t)y, (uint8_t)u, (uint8_t)(y + 1), (uint8_t)v};
                uint32_t argb[2], same[2];

                tex_yuv_decode(uyvy, argb, a);
                tex_yuv_decode(yuy2, same, b);
                ck_assert_msg(!memcmp(argb, same, sizeof(argb)), "differs");
                for (int i = 0; i < 2; i++) {
                    double luma = 255.0 / 219.0 * (y + i - 16), e = v - 128, d = u - 128;
                    int red = (int)(argb[i] >> 16 & 255), green = (int)(argb[i] >> 8 & 255),
                        blue = (int)(argb[i] & 255);

                    if (!near(red, luma + 1.59603 * e, 1) ||
                        !near(green, luma - 0.81297 * e - 0.39176 * d, 1) ||
                        !near(blue, luma + 2.01723 * d, 1) || argb[i] != recommended(y + i, u, v))
                        ck_abort_msg("Y %d U %d V %d: %08x", y + i, u, v, argb[i]);
                }
            }
}
END_TEST

/* Encodes every sixth colour; decoding returns it as closely as 8 bits allow. */
START_TEST(colours_to_yuv)
{
    const struct tex_format *f = tex_format_get(D3DFMT_YUY2);

    for (int r = 0; r < 256; r += 5)
        for (int g = 0; g < 256; g += 5)
            for (int b = 0; b < 256; b += 5) {
                uint32_t argb = 0xff000000u | (uint32_t)(r << 16 | g << 8 | b),
                         pair[2] = {argb, argb};
                uint8_t block[4];

                tex_yuv_encode(f, block, pair);
                ck_assert_msg(
                    near(block[0], 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256, 1) &&
                        block[0] == block[2],
                    "%d", __LINE__);
                ck_assert_msg(
                    near(block[1], 128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256, 1), "%d",
                    __LINE__);
                ck_assert_msg(
                    near(block[3], 128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256, 1), "%d",
                    __LINE__);
            }
}
END_TEST

/* Every byte value at every position reaches the right channel. */
START_TEST(all_packed_rgb)
{
    static const struct {
        D3DFORMAT format;
        uint8_t red, green0, green1, blue;
    } orders[] = {{D3DFMT_R8G8_B8G8, 1, 0, 2, 3}, {D3DFMT_G8R8_G8B8, 0, 1, 3, 2}};

    for (int o = 0; o < 2; o++)
        for (uint32_t word = 0; word < 1u << 24; word += 251) {
            const struct tex_format *f = tex_format_get(orders[o].format);
            const uint8_t block[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                                      (uint8_t)(word ^ word >> 12)};
            uint8_t back[4];
            uint32_t argb[2];

            tex_yuv_decode(f, argb, block);
            ck_assert_uint_eq(argb[0], 0xff000000u | (uint32_t)block[orders[o].red] << 16 |
                                           (uint32_t)block[orders[o].green0] << 8 |
                                           block[orders[o].blue]);
            ck_assert_uint_eq(argb[1], 0xff000000u | (uint32_t)block[orders[o].red] << 16 |
                                           (uint32_t)block[orders[o].green1] << 8 |
                                           block[orders[o].blue]);
            tex_yuv_encode(f, back, argb);
            ck_assert_msg(!memcmp(back, block, 4), "differs");
        }
}
END_TEST

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

static Suite *suite(void)
{
    Suite *s = suite_create("tex yuv");
    TCase *tc = tcase_create("yuv");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, all_yuv);
    tcase_add_test(tc, colours_to_yuv);
    tcase_add_test(tc, all_packed_rgb);
    tcase_add_test(tc, yuv_colours);
    tcase_add_test(tc, packed_rgb);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
