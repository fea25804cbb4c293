/* Texel kinds: depth, palettes, and memory that needs the decode cache. */
#include "check_main.h"
#include "tex/image/image.h"
#include "tex_helpers.h"

START_TEST(shadow_formats_compare)
{
    static const struct {
        D3DFORMAT format;
        uint32_t half;
    } cases[] = {{D3DFMT_D16, 0x8000},         {D3DFMT_D16_LOCKABLE, 0x8000},
                 {D3DFMT_D24S8, 0x800000ff},   {D3DFMT_D24X8, 0x80000000},
                 {D3DFMT_D24X4S4, 0x8000000f}, {D3DFMT_D15S1, 0x8001},
                 {D3DFMT_D32, 0x80000000},     {D3DFMT_D32F_LOCKABLE, 0x3f000000},
                 {D3DFMT_D24FS8, 0xe00000ff}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_image *image = make_2d(cases[i].format, 2, 1);
        struct tex_sampler_state state = default_state();

        poke(image, 0, 0, 1, 0, 0, cases[i].half);
        check_rgba(sample_at(image, &state, 0.75f, 0, 0.499f, 0), 1, 1, 1, 1);
        check_rgba(sample_at(image, &state, 0.75f, 0, 0.501f, 0), 0, 0, 0, 0);
        check_rgba(sample_at(image, &state, 0.75f, 0, NAN, 0), 0, 0, 0, 0);
        check_rgba(sample_at(image, &state, 0.25f, 0, 0.0f, 0), 1, 1, 1, 1);
        state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
        state.address[0] = D3DTADDRESS_CLAMP;
        check_rgba(sample_at(image, &state, 0.625f, 0, 0.25f, 0), 0.75f, 0.75f, 0.75f, 0.75f);
        tex_image_unref(&image);
    }
}
END_TEST

START_TEST(depth_as_plain_values)
{
    struct tex_sampler_state state = default_state();
    struct tex_image *image = make_2d(TEX_FMT_INTZ, 1, 1);

    poke(image, 0, 0, 0, 0, 0, 0x80000033);
    check_near(sample_at(image, &state, 0, 0, 0, 0), 0.5, 0.5, 0.5, 0.5, 1e-6);
    tex_image_unref(&image);
    image = make_2d(TEX_FMT_DF24, 1, 1);
    poke(image, 0, 0, 0, 0, 0, 0xffffff00);
    check_rgba(sample_at(image, &state, 0, 0, 0, 0), 1, 0, 0, 1);
    tex_image_unref(&image);
    image = make_2d(TEX_FMT_DF16, 1, 1);
    poke(image, 0, 0, 0, 0, 0, 0xffff);
    check_rgba(sample_at(image, &state, 0, 0, 0, 0), 1, 0, 0, 1);
    tex_image_unref(&image);
}
END_TEST

START_TEST(palette_lookup)
{
    uint32_t palette[256] = {0, 0x80ff0000, 0xff0000ff};
    struct tex_image *image = make_2d(D3DFMT_P8, 4, 1);
    struct tex_sampler_state state = default_state();

    state.palette = palette;
    poke(image, 0, 0, 0, 0, 0, 1);
    poke(image, 0, 0, 1, 0, 0, 2);
    check_rgba(sample_at(image, &state, 0.125f, 0, 0, 0), 1, 0, 0, 128.0f / 255.0f);
    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    check_near(sample_at(image, &state, 0.25f, 0, 0, 0), 0.5, 0, 0.5, 383.0 / 510.0, 1e-6);
    tex_image_unref(&image);
    image = make_2d(D3DFMT_A8P8, 1, 1);
    poke(image, 0, 0, 0, 0, 0, 0xff01);
    check_rgba(sample_at(image, &state, 0, 0, 0, 0), 1, 0, 0, 1);
    tex_image_unref(&image);
}
END_TEST

START_TEST(decode_cache_follows_the_contents)
{
    struct tex_image *image = make_2d(D3DFMT_DXT1, 4, 4);
    struct tex_sampler_state state = default_state();
    struct tex_box all = {0, 0, 0, 4, 4, 1};

    ck_assert_int_eq(tex_fill(image, 0, 0, &all, 0xffff0000), ST_OK);
    check_rgba(sample_at(image, &state, 0.6f, 0.6f, 0, 0), 1, 0, 0, 1);
    ck_assert_int_eq(tex_fill(image, 0, 0, &all, 0xff0000ff), ST_OK);
    check_rgba(sample_at(image, &state, 0.6f, 0.6f, 0, 0), 0, 0, 1, 1);
    tex_image_unref(&image);
}
END_TEST

START_TEST(unaligned_memory_uses_the_decode_cache)
{
    static uint8_t memory[33 * 33];
    struct tex_desc desc = desc_of(D3DFMT_L8, TEX_2D, 33, 33, 1, 1, 1);
    struct tex_sampler_state state = default_state();
    struct tex_image *image;

    for (int i = 0; i < 33 * 33; i++)
        memory[i] = (uint8_t)(i % 33 * 7);
    ck_assert_int_eq(tex_image_create(&image, &desc, memory), ST_OK);
    ck_assert_uint_eq(image->level[0].row_pitch, 33);
    check_near(sample_at(image, &state, 16.5f / 33.0f, 30.5f / 33.0f, 0, 0), 112 / 255.0,
               112 / 255.0, 112 / 255.0, 1, 1e-6);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex texel kind");
    TCase *tc = tcase_create("texel_kind");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, shadow_formats_compare);
    tcase_add_test(tc, depth_as_plain_values);
    tcase_add_test(tc, palette_lookup);
    tcase_add_test(tc, decode_cache_follows_the_contents);
    tcase_add_test(tc, unaligned_memory_uses_the_decode_cache);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
