/* Border colours: in the channels of the format, but not rounded to it. */
#include "check_main.h"
#include "tex_helpers.h"

START_TEST(border_colour_is_not_rounded)
{
    struct tex_image *image = make_2d(D3DFMT_R5G6B5, 1, 1);
    struct tex_sampler_state state = default_state();

    state.address[0] = state.address[1] = D3DTADDRESS_BORDER;
    state.border = 0x00ff8004;
    check_rgba(sample_at(image, &state, 2, 2, 0, 0), 1, 128.0f / 255.0f, 4.0f / 255.0f, 1);
    tex_image_unref(&image);
    image = make_2d(D3DFMT_A8R8G8B8, 1, 1);
    check_rgba(sample_at(image, &state, -2, 0.5f, 0, 0), 1, 128.0f / 255.0f, 4.0f / 255.0f, 0);
    check_rgba(sample_at(image, &state, 0.5f, 1.5f, 0, 0), 1, 128.0f / 255.0f, 4.0f / 255.0f, 0);
    check_rgba(sample_at(image, &state, 0.5f, 0.5f, 0, 0), 0, 0, 0, 0);
    tex_image_unref(&image);
}
END_TEST

/* The border colour lacks the channels that the format lacks, even if the decoded copy stores them.
 * Border 0x00ff8040. */
START_TEST(border_lacks_absent_channels)
{
    static const struct {
        uint32_t format;
        float r, g, b, a;
    } cases[] = {
        {D3DFMT_R8G8B8, 1, 128 / 255.0f, 64 / 255.0f, 1},
        {D3DFMT_YUY2, 1, 128 / 255.0f, 64 / 255.0f, 1},
        {D3DFMT_DXT1, 1, 128 / 255.0f, 64 / 255.0f, 0},
        {MAKEFOURCC('A', 'T', 'I', '1'), 1, 0, 0, 1},
        {MAKEFOURCC('A', 'T', 'I', '2'), 1, 128 / 255.0f, 1, 1},
        {D3DFMT_L6V5U5, 1, 128 / 255.0f, 64 / 255.0f, 1},
        {D3DFMT_Q16W16V16U16, 1, 128 / 255.0f, 64 / 255.0f, 0},
        {D3DFMT_A8, 0, 0, 0, 0},
        {D3DFMT_A8L8, 1, 1, 1, 0},
        {D3DFMT_R32F, 1, 1, 1, 1},
        {D3DFMT_A16B16G16R16F, 1, 128 / 255.0f, 64 / 255.0f, 0},
    };
    struct tex_sampler_state state = default_state();

    state.address[0] = D3DTADDRESS_BORDER;
    state.border = 0x00ff8040;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_image *image = make_2d((D3DFORMAT)cases[i].format, 4, 4);

        check_rgba(sample_at(image, &state, 2, 0.5f, 0, 0), cases[i].r, cases[i].g, cases[i].b,
                   cases[i].a);
        tex_image_unref(&image);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex border");
    TCase *tc = tcase_create("border");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, border_colour_is_not_rounded);
    tcase_add_test(tc, border_lacks_absent_channels);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
