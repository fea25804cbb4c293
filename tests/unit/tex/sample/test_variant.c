/* Samplers of variant renderers: coordinates are rounded to steps of a texel. */
#include "check_main.h"
#include "tex_helpers.h"
#include "util/variant.h"

static const struct {
    uint8_t round;
    float steps, position; /* in texels */
    float value;           /* in 1/255; texels are 0, 100, 200 and 40 */
} cases[] = {
    {VARIANT_NEAREST, 0, 1.25f, 75.0f}, /* not rounded */
    {VARIANT_NEAREST, 1, 1.25f, 50.0f}, {VARIANT_NEAREST, 1, 1.75f, 150.0f},
    {VARIANT_DOWN, 1, 1.75f, 50.0f},    {VARIANT_UP, 1, 1.25f, 150.0f},
    {VARIANT_NEAREST, 2, 1.3f, 100.0f}, {VARIANT_DOWN, 2, 1.4f, 50.0f},
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

START_TEST(coordinates_are_rounded)
{
    static const uint8_t texels[4] = {0, 100, 200, 40};
    struct variant variant = {.texel_steps = cases[_i].steps,
                              .texel_round = {cases[_i].round, VARIANT_NEAREST}};
    struct tex_sampler_state state = default_state();
    struct tex_image *image = make_2d(D3DFMT_L8, 4, 1);
    double value = cases[_i].value / 255.0;

    memcpy(image->memory, texels, sizeof(texels));
    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    variant_current = &variant;
    check_near(sample_at(image, &state, cases[_i].position / 4, 0.5f, 0, 0), value, value, value, 1,
               1e-6);
    variant_current = NULL;
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex variant");
    TCase *tc = tcase_create("variant");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_loop_test(tc, coordinates_are_rounded, 0, CASES);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
