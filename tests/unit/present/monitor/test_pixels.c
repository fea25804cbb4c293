/* Pixel conversion kernels against the tables: every pixel value, every instruction set. */
#include "present/monitor/pixels.h"

#include "util/alloc.h"

#include "check_main.h"

#include <string.h>

enum { N = 1 << 16 };

static const D3DFORMAT formats[] = {D3DFMT_R5G6B5, D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5,
                                    D3DFMT_A2R10G10B10};
static _Alignas(64) uint8_t row[4 * N];
static uint32_t fast[N], slow[N];
static struct pixel_reader reader;

/* 16-bit formats: all values; 32-bit formats: all values of each channel. */
static void fill(const struct tex_format *format)
{
    for (uint32_t i = 0; i < N; i++) {
        uint32_t pixel = i & 1023, shift = i >> 10 & 31;

        pixel = format->bytes == 2 ? i : pixel << shift % 22 | (~pixel & 0x3ff) << (shift / 2 % 22);
        memcpy(row + i * format->bytes, &pixel, format->bytes);
    }
}

START_TEST(kernels_agree_with_tables)
{
    const struct tex_format *format = tex_format_get(formats[_i / ISA_COUNT]);

    if (!cpu_has_isa((enum cpu_isa)(_i % ISA_COUNT)))
        return;
    ck_assert_int_eq(cpu_set_isa((enum cpu_isa)(_i % ISA_COUNT)), ST_OK);
    fill(format);
    ck_assert_int_eq(pixels_begin(&reader, format, NULL), ST_OK);
    ck_assert(reader.fast != NULL);
    pixels_row(&reader, row, N, fast);
    reader.fast = NULL;
    pixels_row(&reader, row, N, slow);
    ck_assert_mem_eq(fast, slow, sizeof(fast));
    /* Rows of any length and alignment: no write behind them. */
    for (uint32_t n = 0; n < 100; n++) {
        ck_assert_int_eq(pixels_begin(&reader, format, NULL), ST_OK);
        memset(fast, 0xee, sizeof(fast));
        pixels_row(&reader, row + (n & 1) * 2 * format->bytes, n, fast);
        ck_assert_mem_eq(fast, slow + (n & 1) * 2, n * 4);
        ck_assert_uint_eq(fast[n], 0xeeeeeeee);
    }
}
END_TEST

/* Table entries are the quotient rounded to nearest. */
START_TEST(tables_round_to_nearest)
{
    for (unsigned f = 0; f < 4; f++) {
        const struct tex_format *format = tex_format_get(formats[f]);

        ck_assert_int_eq(pixels_begin(&reader, format, NULL), ST_OK);
        for (unsigned c = 0; c < 3; c++) {
            double most = (1u << format->channel[c].bits) - 1;

            for (unsigned v = 0; v <= most; v++)
                ck_assert_uint_eq(reader.table[c][v] >> (16 - 8 * c),
                                  (unsigned)(v / most * 255 + 0.5));
        }
    }
}
END_TEST

/* Scan-out of A2B10G10R10_XR_BIAS (reference: format/xr-bias): code 384 is 0, code 894 is 1. */
START_TEST(extended_range_is_clamped)
{
    const struct tex_format *format = tex_format_get(D3DFMT_A2B10G10R10_XR_BIAS);
    uint32_t words[3] = {0xc0000000 | 894 << 20 | 640 << 10 | 384, 1023 << 20 | 385 << 10 | 383,
                         0x40000000 | 892 << 20 | 386 << 10 | 895};
    uint32_t pixels[3];

    ck_assert_int_eq(pixels_begin(&reader, format, NULL), ST_OK);
    for (unsigned c = 0; c < 3; c++)
        for (int v = 0; v < 1024; v++) {
            double value = (v - 384) / 510.0;

            value = value < 0 ? 0 : value > 1 ? 1 : value;
            ck_assert_uint_eq(reader.table[c][v] >> (16 - 8 * c), (unsigned)(value * 255 + 0.5));
        }
    pixels_row(&reader, (const uint8_t *)words, 3, pixels);
    ck_assert_uint_eq(pixels[0] & 0xffffff, 0x0080ff);
    ck_assert_uint_eq(pixels[1] & 0xffffff, 0x0001ff);
    ck_assert_uint_eq(pixels[2] & 0xffffff, 0xff01fe);
}
END_TEST

START_TEST(gamma_goes_through_every_format)
{
    static struct view_gamma gamma;
    static const D3DFORMAT all[] = {D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, D3DFMT_A2R10G10B10,
                                    D3DFMT_A16B16G16R16F};
    uint32_t pixel;

    for (unsigned i = 0; i < 256; i++) {
        gamma.table[0][i] = (uint8_t)(255 - i);
        gamma.table[1][i] = 7;
        gamma.table[2][i] = (uint8_t)i;
    }
    memset(row, 0, 8);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_int_eq(pixels_begin(&reader, tex_format_get(all[i]), &gamma), ST_OK);
        pixels_row(&reader, row, 1, &pixel);
        ck_assert_uint_eq(pixel & 0xffffff, 0xff0700);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pixels");
    TCase *tc = tcase_create("pixels");

    tcase_add_loop_test(tc, kernels_agree_with_tables, 0, 4 * ISA_COUNT);
    tcase_add_test(tc, tables_round_to_nearest);
    tcase_add_test(tc, extended_range_is_clamped);
    tcase_add_test(tc, gamma_goes_through_every_format);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
