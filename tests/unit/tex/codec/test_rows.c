/* Rows of pixels: slices of volumes and edges of compressed formats, and codes of packed ones. */
#include "check_main.h"
#include "tex/codec/codec.h"
#include "tex_helpers.h"

#include <stdlib.h>

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

/* Each byte is the code of its channel, for all words of a format. The row starts at an odd pixel
 * and does not fill a batch. */
START_TEST(codes_of_channels)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    static const uint8_t byte[4] = {2, 1, 0, 3};
    uint32_t width = 256 * (f->bytes == 2 ? 256 : 1), n = width - 3;
    struct tex_image *image;
    uint32_t *codes;

    if (!tex_has_byte_codes(f))
        return;
    image = make_2d(f->d3d, f->bytes == 2 ? 256 : width, f->bytes == 2 ? 256 : 1);
    codes = calloc(width, sizeof(*codes));
    for (uint32_t i = 0; i < width; i++)
        memcpy(image->memory + (size_t)i * f->bytes, &i, f->bytes);
    for (uint32_t y = 0; y < image->desc.height; y++) {
        n = image->desc.width - 3;
        codes[n] = 0x12345678;
        tex_read_row_codes(f, image->level, 1, y, 0, n, codes);
        ck_assert_uint_eq(codes[n], 0x12345678);
        for (uint32_t i = 0; i < n; i++)
            for (int c = 0; c < 4; c++) {
                bool grey = f->layout == TEX_LAYOUT_LUMINANCE && c < 3;
                struct tex_channel ch = f->channel[grey ? 0 : c];
                uint32_t word = y * 256 + i + 1;

                ck_assert_msg((codes[i] >> 8 * byte[c] & 255) ==
                                  (word >> ch.shift & ((1u << ch.bits) - 1)),
                              "%s: %x, channel %d: %08x", f->name, word, c, codes[i]);
            }
    }
    free(codes);
    tex_image_unref(&image);
}
END_TEST

/* Formats with byte codes have no wide, signed, float or palette channels. */
START_TEST(formats_with_byte_codes)
{
    static const D3DFORMAT yes[] = {D3DFMT_R5G6B5,   D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5,
                                    D3DFMT_A4R4G4B4, D3DFMT_X4R4G4B4, D3DFMT_R3G3B2,
                                    D3DFMT_A8R3G3B2, D3DFMT_A8,       D3DFMT_L8,
                                    D3DFMT_A8L8,     D3DFMT_A4L4};
    unsigned n = 0;

    for (unsigned i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        ck_assert_msg(tex_has_byte_codes(tex_format_get(yes[i])), "%u", i);
    for (unsigned i = 0; i < tex_format_count(); i++)
        n += tex_has_byte_codes(tex_format_at(i));
    ck_assert_uint_eq(n, sizeof(yes) / sizeof(yes[0]));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex rows");
    TCase *tc = tcase_create("rows");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, block_volume_slices_are_consecutive);
    tcase_add_test(tc, block_edges_of_odd_sizes);
    tcase_add_test(tc, formats_with_byte_codes);
    tcase_add_loop_test(tc, codes_of_channels, 0, (int)tex_format_count());
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
