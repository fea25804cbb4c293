/* Samplers of variant renderers: coordinates are rounded to steps of a texel, lengths of
 * derivatives are approximated, and anisotropic taps lie elsewhere. */
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

/* --- Level of detail and taps ------------------------------------------------------------------
 */

enum { WIDE = 256, LEVELS = 9 };

/* Level l is 25 * l, so that a sample tells its level. Level 0 has a step at u = 1/2 instead. */
static struct tex_image *make_levels(enum tex_shape shape, bool step)
{
    struct tex_image *image = make_image(D3DFMT_L8, shape, WIDE, WIDE, 1, LEVELS);

    for (uint32_t i = 0; i < image->faces * LEVELS; i++)
        memset(image->level[i].data, (int)(25 * (i % LEVELS)),
               (size_t)image->level[i].slice_pitch * image->level[i].depth);
    for (uint32_t y = 0; step && y < WIDE; y++)
        memset(image->level[0].data + (size_t)y * image->level[0].row_pitch + WIDE / 2, 255,
               WIDE / 2);
    return image;
}

/* Samples at u, v = 1/2 with these derivatives in texels, by quads or by gradients. */
static float sample_texels(struct tex_image *image, const struct tex_sampler_state *state, float u,
                           const float dx[2], const float dy[2], bool gradients)
{
    bool cube = image->desc.shape == TEX_CUBE_MAP;
    float scale = (cube ? 2.0f : 1.0f) / WIDE; /* cube maps are sampled along +z */
    struct sample_batch at, by[2], out;
    struct sample s = {.lod_mode = gradients ? LOD_GRADIENT : LOD_IMPLICIT};

    for (int a = 0; a < 3; a++) {
        s.coord[a] = at.c[a];
        s.ddx[a] = by[0].c[a];
        s.ddy[a] = by[1].c[a];
        for (int i = 0; i < TEX_LANES; i++) {
            float middle = cube ? (float)(a == 2) : a ? 0.5f : u;

            by[0].c[a][i] = a < 2 ? dx[a] * scale : 0.0f;
            by[1].c[a][i] = a < 2 ? dy[a] * scale : 0.0f;
            at.c[a][i] = middle + (gradients || !(i & 1) ? 0.0f : by[0].c[a][i]) +
                         (gradients || !(i & 2) ? 0.0f : by[1].c[a][i]);
        }
    }
    sample_lanes(image, state, &s, &out);
    return out.c[0][0] * 255.0f;
}

START_TEST(lengths_are_approximated)
{
    static const enum tex_shape shapes[] = {TEX_2D, TEX_CUBE_MAP};
    static const float dx[2] = {-12, 4}, dy[2] = {0, 2};
    double octagon = 12 + 4 * 11 / 32.0, mirrored = (144 + 16) / octagon;
    struct variant variant = {.length = _i & 1 ? VARIANT_MIRRORED : VARIANT_OCTAGON};
    struct tex_sampler_state state = default_state();
    struct tex_image *image = make_levels(shapes[_i >> 2], false);
    double wanted = 25 * log2(_i & 1 ? mirrored : octagon);

    state.mip_filter = D3DTEXF_LINEAR;
    variant_current = &variant;
    ck_assert_float_eq_tol(sample_texels(image, &state, 0, dx, dy, _i & 2), (float)wanted, 0.1f);
    variant_current = NULL;
    ck_assert_float_eq_tol(sample_texels(image, &state, 0, dx, dy, _i & 2),
                           (float)(25 * log2(hypot(12, 4))), 0.1f);
    tex_image_unref(&image);
}
END_TEST

/* The longest vector of the ellipse that dx and dy make of a circle, by trying all angles. */
START_TEST(lengths_are_those_of_the_ellipse)
{
    static const float pairs[][2][2] = {{{12, -4}, {2, 8}},
                                        {{3, 1}, {1, 3}},
                                        {{5, 2}, {-7, 4}},
                                        {{6, 0}, {0, 6}},
                                        {{0, 3}, {0, 9}}};
    const float *dx = pairs[_i][0], *dy = pairs[_i][1];
    struct variant variant = {.length = VARIANT_ELLIPSE};
    struct tex_sampler_state state = default_state();
    struct tex_image *image = make_levels(TEX_2D, false);
    double longest = 0, octagon = 0;

    for (double angle = 0; angle < 3.1416; angle += 0.0001) {
        double u = fabs(cos(angle) * (double)dx[0] + sin(angle) * (double)dy[0]);
        double v = fabs(cos(angle) * (double)dx[1] + sin(angle) * (double)dy[1]);

        if (hypot(u, v) > longest + 1e-6) {
            longest = hypot(u, v);
            octagon = fmax(u, v) + fmin(u, v) * 11 / 32;
        }
    }
    state.mip_filter = D3DTEXF_LINEAR;
    variant_current = &variant;
    ck_assert_float_eq_tol(sample_texels(image, &state, 0, dx, dy, true),
                           (float)(25 * log2(octagon)), 0.1f);
    variant_current = NULL;
    tex_image_unref(&image);
}
END_TEST

/* The line of 8 texels reaches from the left over the step between texels 127 and 128. */
START_TEST(taps_lie_on_a_line)
{
    static const float dx[2] = {8, 0}, dy[2] = {0, 1}, u = 125.0f / WIDE;
    struct variant variant = {.probes = 2, .probe_line = _i ? 1.3f : 1.0f};
    struct tex_sampler_state state = default_state();
    struct tex_image *image = make_levels(TEX_2D, true);

    state.min_filter = D3DTEXF_ANISOTROPIC;
    state.max_anisotropy = 8;
    state.mip_filter = D3DTEXF_POINT;
    /* 8 taps, 1 texel apart: one is beyond the step */
    ck_assert_float_eq_tol(sample_texels(image, &state, u, dx, dy, true), 255.0f / 8, 0.1f);
    /* 16 bilinear taps, 0.5 or 0.65 texels apart: the sum of their weights beyond it */
    variant_current = &variant;
    ck_assert_float_eq_tol(sample_texels(image, &state, u, dx, dy, true),
                           255.0f / 16 * (_i ? 3.425f : 2.0f), 0.1f);
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
    tcase_add_loop_test(tc, lengths_are_approximated, 0, 8);
    tcase_add_loop_test(tc, lengths_are_those_of_the_ellipse, 0, 5);
    tcase_add_loop_test(tc, taps_lie_on_a_line, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
