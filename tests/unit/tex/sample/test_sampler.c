/* Sampler: cases computed by hand, for every address mode and filter. */
#include "check_main.h"
#include "tex_helpers.h"

static float red_at(struct tex_image *image, const struct tex_sampler_state *state, float u)
{
    return sample_at(image, state, u, 0.5f, 0.0f, 0.0f).c[0] * 255.0f;
}

struct address_case {
    int mode;
    float texel[8]; /* at texel positions -2.5, -1.5, … 4.5 */
    float between;  /* LINEAR half way between texels 3 and 4 (the right edge) */
    float left;     /* LINEAR at the left edge */
};

static const struct address_case address_cases[] = {
    {D3DTADDRESS_WRAP, {20, 30, 40, 10, 20, 30, 40, 10}, 25, 25},
    {D3DTADDRESS_MIRROR, {30, 20, 10, 10, 20, 30, 40, 40}, 40, 10},
    {D3DTADDRESS_CLAMP, {10, 10, 10, 10, 20, 30, 40, 40}, 40, 10},
    {D3DTADDRESS_BORDER, {99, 99, 99, 10, 20, 30, 40, 99}, 69.5f, 54.5f},
    {D3DTADDRESS_MIRRORONCE, {30, 20, 10, 10, 20, 30, 40, 40}, 40, 10},
};

START_TEST(every_address_mode)
{
    const struct address_case *c = &address_cases[_i];
    struct tex_image *image = make_ramp();
    struct tex_sampler_state state = default_state();

    state.address[0] = (uint8_t)c->mode;
    state.border = 99 << 16;
    for (int i = 0; i < 8; i++) {
        float u = ((float)i - 2.5f) / 4.0f;

        ck_assert_msg(fabsf(red_at(image, &state, u) - c->texel[i]) < 0.001f, "%d: u %g is %g", _i,
                      u, red_at(image, &state, u));
    }
    state.mag_filter = state.min_filter = D3DTEXF_LINEAR;
    for (int i = 0; i < 8; i++) { /* at texel centres linear equals point */
        float u = ((float)i - 2.5f) / 4.0f;

        ck_assert_float_eq_tol(red_at(image, &state, u), c->texel[i], 0.001f);
    }
    ck_assert_float_eq_tol(red_at(image, &state, 1.0f), c->between, 0.001f);
    ck_assert_float_eq_tol(red_at(image, &state, 0.0f), c->left, 0.001f);
    tex_image_unref(&image);
}
END_TEST

START_TEST(far_coordinates)
{
    struct tex_image *image = make_ramp();
    struct tex_sampler_state state = default_state();

    ck_assert_float_eq_tol(red_at(image, &state, 1000.125f), 10, 0.001f);
    ck_assert_float_eq_tol(red_at(image, &state, -999.875f), 10, 0.001f);
    state.address[0] = D3DTADDRESS_MIRROR;
    ck_assert_float_eq_tol(red_at(image, &state, 1000.125f), 10, 0.001f);
    ck_assert_float_eq_tol(red_at(image, &state, 1001.125f), 40, 0.001f);
    state.address[0] = D3DTADDRESS_MIRRORONCE;
    ck_assert_float_eq_tol(red_at(image, &state, -7.0f), 40, 0.001f);
    tex_image_unref(&image);
}
END_TEST

START_TEST(special_coordinates_are_harmless)
{
    static const float specials[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-42f, -1e-42f};
    struct tex_image *image = make_ramp();
    struct tex_sampler_state state = default_state();

    for (int mode = D3DTADDRESS_WRAP; mode <= D3DTADDRESS_MIRRORONCE; mode++) {
        for (int filter = D3DTEXF_POINT; filter <= D3DTEXF_LINEAR; filter++) {
            state.address[0] = state.address[1] = (uint8_t)mode;
            state.min_filter = state.mag_filter = (uint8_t)filter;
            for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++) {
                float red = red_at(image, &state, specials[i]);

                ck_assert(red >= 0.0f && red <= 40.001f);
            }
        }
    }
    tex_image_unref(&image);
}
END_TEST

/* Positions within 1/512 texel of an edge count as on it: coordinates that should hit a corner
 * exactly select the same texel whatever their last bits. */
START_TEST(texel_edges_are_robust)
{
    struct tex_image *image = make_ramp();
    struct tex_sampler_state state = default_state();

    for (int x = 1; x < 4; x++) {
        float edge = (float)x / 4.0f;

        ck_assert_float_eq_tol(red_at(image, &state, edge), 10.0f * (float)(x + 1), 0.001f);
        ck_assert_float_eq_tol(red_at(image, &state, edge - 1e-5f), 10.0f * (float)(x + 1), 0.001f);
        ck_assert_float_eq_tol(red_at(image, &state, edge - 0.004f), 10.0f * (float)x, 0.001f);
    }
    tex_image_unref(&image);
}
END_TEST

START_TEST(unbound_is_opaque_black)
{
    struct tex_sampler_state state = default_state();

    check_rgba(sample_at(NULL, &state, 0.5f, 0.5f, 0, 0), 0, 0, 0, 1);
}
END_TEST

/* --- Levels ----------------------------------------------------------------------------------- */

/* 128x128 with three levels of one colour each: 100, 50, 20 in L8. */
static struct tex_image *levels_image(void)
{
    static const uint32_t value[3] = {100, 50, 20};
    struct tex_image *image = make_image(D3DFMT_L8, TEX_2D, 128, 128, 1, 3);

    for (uint32_t l = 0; l < 3; l++)
        memset(tex_image_level(image, 0, l)->data, (int)value[l], (128u >> l) * (128u >> l));
    return image;
}

static double level_value(struct tex_image *image, const struct tex_sampler_state *state, float lod)
{
    return sample_at(image, state, 0.3f, 0.7f, 0, lod).c[0] * 255.0;
}

START_TEST(mip_filters)
{
    struct tex_image *image = levels_image();
    struct tex_sampler_state state = default_state();

    ck_assert_double_eq_tol(level_value(image, &state, 2.0f), 100, 1e-3);
    state.mip_filter = D3DTEXF_POINT;
    ck_assert_double_eq_tol(level_value(image, &state, -3.0f), 100, 1e-3);
    ck_assert_double_eq_tol(level_value(image, &state, 0.49f), 100, 1e-3);
    ck_assert_double_eq_tol(level_value(image, &state, 0.5f), 50, 1e-3);
    ck_assert_double_eq_tol(level_value(image, &state, 1.49f), 50, 1e-3);
    ck_assert_double_eq_tol(level_value(image, &state, 9.0f), 20, 1e-3);
    state.mip_filter = D3DTEXF_LINEAR;
    ck_assert_double_eq_tol(level_value(image, &state, 0.25f), 87.5, 1e-3);
    ck_assert_double_eq_tol(level_value(image, &state, 1.5f), 35, 1e-3);
    ck_assert_double_eq_tol(level_value(image, &state, 2.5f), 20, 1e-3);
    state.lod_bias = 0.5f;
    ck_assert_double_eq_tol(level_value(image, &state, 1.0f), 35, 1e-3);
    tex_image_unref(&image);
}
END_TEST

/* Table of the MAXMIPLEVEL rule: mip filter, MAXMIPLEVEL, LOD, level that magnification samples. */
START_TEST(most_detailed_level)
{
    static const uint8_t table[][4] = {
        {D3DTEXF_NONE, 0, 0, 0},  {D3DTEXF_NONE, 3, 0, 0},  {D3DTEXF_POINT, 0, 0, 0},
        {D3DTEXF_POINT, 1, 0, 1}, {D3DTEXF_POINT, 2, 0, 2}, {D3DTEXF_POINT, 3, 0, 2},
        {D3DTEXF_NONE, 0, 1, 1},  {D3DTEXF_POINT, 1, 2, 2}, {D3DTEXF_POINT, 2, 1, 2},
        {D3DTEXF_NONE, 2, 1, 1},
    };
    static const double value[3] = {100, 50, 20};
    struct tex_image *image = levels_image();

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct tex_sampler_state state = default_state();

        state.mip_filter = table[i][0];
        state.max_mip_level = table[i][1];
        state.lod = table[i][2];
        ck_assert_double_eq_tol(level_value(image, &state, -1.0f), value[table[i][3]], 1e-3);
    }
    tex_image_unref(&image);
}
END_TEST

START_TEST(magnification_uses_its_own_filter)
{
    struct tex_image *image = make_ramp();
    struct tex_sampler_state state = default_state();

    state.mag_filter = D3DTEXF_LINEAR;
    ck_assert_double_eq_tol(sample_at(image, &state, 0.25f, 0, 0, 0.0f).c[0] * 255, 15, 1e-3);
    ck_assert_double_eq_tol(sample_at(image, &state, 0.25f, 0, 0, 0.1f).c[0] * 255, 20, 1e-3);
    state.mag_filter = D3DTEXF_POINT;
    state.min_filter = D3DTEXF_LINEAR;
    ck_assert_double_eq_tol(sample_at(image, &state, 0.25f, 0, 0, 0.0f).c[0] * 255, 20, 1e-3);
    ck_assert_double_eq_tol(sample_at(image, &state, 0.25f, 0, 0, 0.1f).c[0] * 255, 15, 1e-3);
    tex_image_unref(&image);
}
END_TEST

/* Quad q has 2^(q mod 4) texels per pixel along x and half of that along y. */
START_TEST(implicit_level_from_quads)
{
    static const double value[4] = {100, 50, 20, 20};
    struct tex_image *image = levels_image();
    struct tex_sampler_state state = default_state();
    struct sample_batch in, out;
    struct sample s = {.lod_mode = LOD_IMPLICIT, .coord = {in.c[0], in.c[1]}};

    state.mip_filter = D3DTEXF_POINT;
    for (int i = 0; i < TEX_LANES; i++) {
        float step = (float)(1 << (i / 4 % 4)) / 128.0f;

        in.c[0][i] = 0.25f + (float)(i & 1) * step;
        in.c[1][i] = 0.5f + (float)(i >> 1 & 1) * step * 0.5f;
        in.c[2][i] = 1.0f; /* the bias, used later */
    }
    sample_lanes(image, &state, &s, &out);
    for (int i = 0; i < TEX_LANES; i++)
        ck_assert_double_eq_tol(out.c[0][i] * 255.0, value[i / 4 % 4], 1e-3);
    s.lod_mode = LOD_BIAS;
    s.lod = in.c[2];
    sample_lanes(image, &state, &s, &out);
    for (int i = 0; i < TEX_LANES; i++)
        ck_assert_double_eq_tol(out.c[0][i] * 255.0, value[i / 4 % 4 < 2 ? i / 4 % 4 + 1 : 2],
                                1e-3);
    tex_image_unref(&image);
}
END_TEST

START_TEST(explicit_gradients_select_per_lane)
{
    struct tex_image *image = levels_image();
    struct tex_sampler_state state = default_state();
    struct sample_batch in, dx, dy, out;
    struct sample s = {.lod_mode = LOD_GRADIENT,
                       .coord = {in.c[0], in.c[1]},
                       .ddx = {dx.c[0], dx.c[1]},
                       .ddy = {dy.c[0], dy.c[1]}};

    memset(&in, 0, sizeof(in));
    memset(&dx, 0, sizeof(dx));
    memset(&dy, 0, sizeof(dy));
    state.mip_filter = D3DTEXF_LINEAR;
    for (int i = 0; i < TEX_LANES; i++)
        dy.c[1][i] = i & 1 ? 1.0f / 128.0f : 2.0f / 128.0f;
    sample_lanes(image, &state, &s, &out);
    for (int i = 0; i < TEX_LANES; i++)
        ck_assert_double_eq_tol(out.c[0][i] * 255.0, i & 1 ? 100 : 50, 1e-3);
    tex_image_unref(&image);
}
END_TEST

/* --- Shapes ----------------------------------------------------------------------------------- */

/* Face f of a cube map is 10 * (f + 1); its pixel (x, y) of four adds 2x + y. */
static struct tex_image *cube(void)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_CUBE_MAP, 2, 2, 1, 1);

    for (uint32_t f = 0; f < 6; f++)
        for (uint32_t i = 0; i < 4; i++)
            poke(image, f, 0, i & 1, i >> 1, 0, 10 * (f + 1) + 2 * (i & 1) + (i >> 1));
    return image;
}

START_TEST(cube_faces_and_their_corners)
{
    /* Direction, face, and the pixel it hits: u from left to right, v from top to bottom. */
    static const float cases[][6] = {
        {1, 0.5f, 0.5f, 0, 0, 0},   {1, -0.5f, -0.5f, 0, 1, 1}, {-1, 0.5f, -0.5f, 1, 0, 0},
        {-1, 0.5f, 0.5f, 1, 1, 0},  {-0.5f, 1, -0.5f, 2, 0, 0}, {0.5f, 1, 0.5f, 2, 1, 1},
        {-0.5f, -1, 0.5f, 3, 0, 0}, {0.5f, -1, -0.5f, 3, 1, 1}, {-0.5f, 0.5f, 1, 4, 0, 0},
        {0.5f, -0.5f, 1, 4, 1, 1},  {0.5f, 0.5f, -1, 5, 0, 0},  {-0.5f, -0.5f, -1, 5, 1, 1},
        {0.5f, 0.5f, 9, 4, 1, 0},
    };
    struct tex_image *image = cube();
    struct tex_sampler_state state = default_state();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const float *c = cases[i];
        float expect = 10 * (c[3] + 1) + 2 * c[4] + c[5];

        ck_assert_float_eq_tol(sample_at(image, &state, c[0], c[1], c[2], 0).c[0] * 255, expect,
                               1e-3f);
    }
    tex_image_unref(&image);
}
END_TEST

START_TEST(cube_edges_do_not_wrap)
{
    struct tex_image *image = cube();
    struct tex_sampler_state state = default_state();

    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    state.border = 0xffffffff;
    for (int mode = D3DTADDRESS_WRAP; mode <= D3DTADDRESS_MIRRORONCE; mode++) {
        state.address[0] = state.address[1] = (uint8_t)mode;
        /* The corner of +Z towards (1, 1, 1): u = 1, v = 0. */
        ck_assert_float_eq_tol(sample_at(image, &state, 1, 1, 1, 0).c[0] * 255, 52, 1e-3f);
    }
    tex_image_unref(&image);
}
END_TEST

START_TEST(volumes_filter_between_slices)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_VOLUME_MAP, 2, 2, 2, 1);
    struct tex_sampler_state state = default_state();

    memset(tex_image_level(image, 0, 0)->data, 0x20, 8);
    for (uint32_t i = 0; i < 4; i++)
        poke(image, 0, 0, i & 1, i >> 1, 1, 0x40);
    for (uint32_t i = 0; i < 4; i++)
        poke(image, 0, 0, i & 1, i >> 1, 0, 0x20);
    ck_assert_float_eq_tol(sample_at(image, &state, 0, 0, 0.25f, 0).c[0] * 255, 0x20, 1e-3f);
    ck_assert_float_eq_tol(sample_at(image, &state, 0, 0, 0.75f, 0).c[0] * 255, 0x40, 1e-3f);
    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    ck_assert_float_eq_tol(sample_at(image, &state, 0, 0, 0.5f, 0).c[0] * 255, 0x30, 1e-3f);
    state.address[2] = D3DTADDRESS_BORDER;
    state.border = 0xff800000;
    ck_assert_float_eq_tol(sample_at(image, &state, 0, 0, 1.0f, 0).c[0] * 255, 0x60, 1e-3f);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex sampler");
    TCase *tc = tcase_create("sampler");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_loop_test(tc, every_address_mode, 0,
                        sizeof(address_cases) / sizeof(address_cases[0]));
    tcase_add_test(tc, far_coordinates);
    tcase_add_test(tc, special_coordinates_are_harmless);
    tcase_add_test(tc, texel_edges_are_robust);
    tcase_add_test(tc, unbound_is_opaque_black);
    tcase_add_test(tc, mip_filters);
    tcase_add_test(tc, most_detailed_level);
    tcase_add_test(tc, magnification_uses_its_own_filter);
    tcase_add_test(tc, implicit_level_from_quads);
    tcase_add_test(tc, explicit_gradients_select_per_lane);
    tcase_add_test(tc, cube_faces_and_their_corners);
    tcase_add_test(tc, cube_edges_do_not_wrap);
    tcase_add_test(tc, volumes_filter_between_slices);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
