/* Stored channels of samplers: absent channels, sRGB and alpha. */
#include "check_main.h"
#include "tex/codec/codec.h"
#include "tex/sample/sample.h"
#include "tex_helpers.h"

START_TEST(missing_channels)
{
    static const struct {
        D3DFORMAT format;
        uint64_t texel;
        float r, g, b, a;
    } cases[] = {
        {D3DFMT_L8, 0xff, 1, 1, 1, 1},
        {D3DFMT_L8, 0, 0, 0, 0, 1},
        {D3DFMT_A8L8, 0x00ff, 1, 1, 1, 0},
        {D3DFMT_A8, 0xff, 0, 0, 0, 1},
        {D3DFMT_X8R8G8B8, 0x0000ff00, 0, 1, 0, 1},
        {D3DFMT_X8B8G8R8, 0x000000ff, 1, 0, 0, 1},
        {D3DFMT_A8B8G8R8, 0x00ff0000, 0, 0, 1, 0},
        {D3DFMT_R32F, 0, 0, 1, 1, 1},
        {D3DFMT_R16F, 0x4000, 2, 1, 1, 1},
        {D3DFMT_G16R16, 0xffff0000, 0, 1, 1, 1},
        {D3DFMT_G16R16F, 0x3c000000, 0, 1, 1, 1},
        {D3DFMT_V8U8, 0x8081, -1, -1, 1, 1},
        {D3DFMT_V8U8, 0x007f, 1, 0, 1, 1},
        {D3DFMT_Q8W8V8U8, 0x7f80817f, 1, -1, -1, 1},
        {D3DFMT_X8L8V8U8, 0x00ff7f81, -1, 1, 1, 1},
        {D3DFMT_L6V5U5, 0xfdf0, -1, 1, 1, 1},
        {D3DFMT_V16U16, 0x80007fff, 1, -1, 1, 1},
        {D3DFMT_A2W10V10U10, 0xc0000000, 0, 0, 0, 1},
        {D3DFMT_A1R5G5B5, 0x83e0, 0, 1, 0, 1},
        {D3DFMT_A4R4G4B4, 0x0f0f, 1, 0, 1, 0},
        {D3DFMT_R3G3B2, 0xe3, 1, 0, 1, 1},
        {D3DFMT_A2R10G10B10, 0x000003ff, 0, 0, 1, 0},
        {D3DFMT_A2B10G10R10, 0xc00003ff, 1, 0, 0, 1},
        {D3DFMT_L16, 0xffff, 1, 1, 1, 1},
        {D3DFMT_A16B16G16R16, 0xffff00000000ffff, 1, 0, 0, 1},
        {D3DFMT_A16B16G16R16F, 0x3c00c0003800bc00, -1, 0.5f, -2, 1},
        {D3DFMT_R8G8B8, 0xff00ff, 1, 0, 1, 1},
        {D3DFMT_A4L4, 0x0f, 1, 1, 1, 0},
        {D3DFMT_CxV8U8, 0x0000, 0, 0, 1, 1},
        {D3DFMT_G32R32F, 0x3f800000bf800000, -1, 1, 1, 1},
        {D3DFMT_Q16W16V16U16, 0x7fff80008001ffff, -1.0f / 32767.0f, -1, -1, 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_image *image = make_2d(cases[i].format, 4, 4);
        struct tex_sampler_state state = default_state();

        poke(image, 0, 0, 3, 1, 0, cases[i].texel);
        check_rgba(sample_at(image, &state, 0.875f, 0.375f, 0, 0), cases[i].r, cases[i].g,
                   cases[i].b, cases[i].a);
        /* A texel surrounded by equal ones filters to itself. */
        for (uint32_t p = 0; p < 16; p++)
            poke(image, 0, 0, p & 3, p >> 2, 0, cases[i].texel);
        state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
        check_near(sample_at(image, &state, 0.3f, 0.4f, 0, 0), cases[i].r, cases[i].g, cases[i].b,
                   cases[i].a, 1e-6);
        tex_image_unref(&image);
    }
}
END_TEST

START_TEST(srgb_decodes_before_filtering)
{
    static const struct {
        D3DFORMAT format;
        uint32_t grey;
        double code;
    } cases[] = {
        {D3DFMT_A8R8G8B8, 0xff7f7f7f, 127 / 255.0},
        {D3DFMT_L8, 0x7f, 127 / 255.0},
        {D3DFMT_R5G6B5, 15u << 11, 15 / 31.0},
        {D3DFMT_A1R5G5B5, 0x8000 | 15u << 10, 15 / 31.0},
        {D3DFMT_A8R8G8B8, 0xff050505, 5 / 255.0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_image *image = make_2d(cases[i].format, 2, 1);
        struct tex_sampler_state state = default_state();
        double c = cases[i].code;
        double linear = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);

        state.srgb = true;
        poke(image, 0, 0, 0, 0, 0, cases[i].grey);
        ck_assert_double_eq_tol(sample_at(image, &state, 0.25f, 0, 0, 0).c[0], linear, 1e-6);
        state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
        ck_assert_double_eq_tol(sample_at(image, &state, 0.5f, 0, 0, 0).c[0], linear / 2, 1e-6);
        tex_image_unref(&image);
    }
}
END_TEST

START_TEST(alpha_is_not_srgb)
{
    struct tex_image *image = make_2d(D3DFMT_A8R8G8B8, 1, 1);
    struct tex_sampler_state state = default_state();

    state.srgb = true;
    poke(image, 0, 0, 0, 0, 0, 0x80ffffff);
    check_rgba(sample_at(image, &state, 0, 0, 0, 0), 1, 1, 1, 128.0f / 255.0f);
    tex_image_unref(&image);
}
END_TEST

/* The reciprocals of a byte's divisor give the rounded quotients of all codes and of all weighted
 * sums, as the kernels compute them (f32v_div_each). */
static void check_divisor(const struct tex_byte_divisors *d, int c, unsigned max)
{
    uint32_t bad = 0;

    for (unsigned code = 0; code <= max; code++) {
        float product = (float)(TEX_CODE_FACTOR * code << (c < 2 ? 0 : 16)) * d->scale[c];

        ck_assert_msg(product == (float)code / (float)max, "%u of %u", code, max);
    }
    ck_assert(d->of[c] == (float)max * 65536.0f);
    for (uint32_t sum = 0; sum <= max * 65536; sum++)
        bad += fmaf((float)sum, d->high[c], (float)sum * d->low[c]) != (float)sum / d->of[c];
    ck_assert_msg(!bad, "%u sums of %u", bad, max);
}

START_TEST(byte_divisors_are_exact)
{
    bool checked[256] = {false};
    struct tex_sampler_state state = default_state();

    for (unsigned i = 0; i < tex_format_count(); i++) {
        const struct tex_format *f = tex_format_at(i);
        struct tex_sampler sampler;
        struct tex_image *image;

        if (!tex_has_byte_codes(f))
            continue;
        image = make_2d(f->d3d, 4, 4);
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
        for (int c = 0; c < 4; c++) {
            const struct tex_sampler_private *s = tex_sampler_private(&sampler);
            unsigned max = (unsigned)s->divisor[c];

            if (!checked[max])
                check_divisor(&s->bytes, c, max);
            checked[max] = true;
        }
        tex_image_unref(&image);
    }
    ck_assert(checked[1] && checked[3] && checked[7] && checked[15] && checked[31] && checked[63] &&
              checked[255]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex channels");
    TCase *tc = tcase_create("channels");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, missing_channels);
    tcase_add_test(tc, srgb_decodes_before_filtering);
    tcase_add_test(tc, alpha_is_not_srgb);
    tcase_add_test(tc, byte_divisors_are_exact);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
