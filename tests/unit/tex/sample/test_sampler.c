/* Sampler: cases computed by hand, for every address mode and filter. */
#include "check_main.h"
#include "tex/image/image.h"
#include "tex_helpers.h"

/* A row of L8 texels 10, 20, 30, 40. */
static struct tex_image *ramp(void)
{
    struct tex_image *image = make_2d(D3DFMT_L8, 4, 1);

    for (uint32_t x = 0; x < 4; x++)
        poke(image, 0, 0, x, 0, 0, 10 * (x + 1));
    return image;
}

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
    struct tex_image *image = ramp();
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
    struct tex_image *image = ramp();
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
    struct tex_image *image = ramp();
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
    struct tex_image *image = ramp();
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

START_TEST(bilinear_is_exact_on_bytes)
{
    struct tex_image *image = make_2d(D3DFMT_A8R8G8B8, 2, 2);
    struct tex_sampler_state state = default_state();
    static const uint32_t texel[4] = {0x00102030, 0xff4050f0, 0x80ff0001, 0x7f01fe80};

    for (uint32_t i = 0; i < 4; i++)
        poke(image, 0, 0, i & 1, i >> 1, 0, texel[i]);
    state.address[0] = state.address[1] = D3DTADDRESS_CLAMP;
    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    for (int fy = 0; fy < 256; fy += 17) {
        for (int fx = 0; fx < 256; fx += 15) {
            struct rgba got = sample_at(image, &state, (float)(fx + 128) / 512.0f,
                                        (float)(fy + 128) / 512.0f, 0.0f, 0.0f);

            for (int c = 0; c < 4; c++) {
                unsigned shift = c == 3 ? 24 : 16u - 8u * (unsigned)c;
                unsigned sum = 0;

                for (int i = 0; i < 4; i++)
                    sum += (texel[i] >> shift & 255) * (unsigned)(i & 1 ? fx : 256 - fx) *
                           (unsigned)(i >> 1 ? fy : 256 - fy);
                ck_assert_msg(got.c[c] == (float)((double)sum / (255.0 * 65536.0)), "%d %d %d", fx,
                              fy, c);
            }
        }
    }
    tex_image_unref(&image);
}
END_TEST

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

START_TEST(unbound_is_opaque_black)
{
    struct tex_sampler_state state = default_state();

    check_rgba(sample_at(NULL, &state, 0.5f, 0.5f, 0, 0), 0, 0, 0, 1);
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
        {D3DFMT_R8G8B8, 0x7f7f7f, 127 / 255.0},
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

START_TEST(border_colour_is_a_texel_of_the_format)
{
    struct tex_image *image = make_2d(D3DFMT_R5G6B5, 1, 1);
    struct tex_sampler_state state = default_state();

    state.address[0] = state.address[1] = D3DTADDRESS_BORDER;
    state.border = 0x00ff8004;
    check_rgba(sample_at(image, &state, 2, 2, 0, 0), 1, 32.0f / 63.0f, 0, 1);
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
        {D3DFMT_L6V5U5, 1, 8 / 15.0f, 16 / 63.0f, 1},
        {D3DFMT_Q16W16V16U16, 1, 16448 / 32767.0f, 8224 / 32767.0f, 0},
        {D3DFMT_A8, 0, 0, 0, 0},
        {D3DFMT_A8L8, 1, 1, 1, 0},
        {D3DFMT_R32F, 1, 1, 1, 1},
        {D3DFMT_A16B16G16R16F, 1, 0x1.01p-1f, 0x1.01p-2f, 0},
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
    struct tex_image *image = ramp();
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

/* --- Depth ------------------------------------------------------------------------------------ */

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

/* --- Palettes, Fetch4 and decode cache -------------------------------------------------------- */

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

START_TEST(fetch4_gathers)
{
    static const uint8_t rows[4][4] = {{0x13, 0x12, 0x11, 0x10},
                                       {0x02, 0xf2, 0xf1, 0x01},
                                       {0x04, 0xf4, 0xf3, 0x03},
                                       {0x23, 0x22, 0x21, 0x20}};
    static const uint32_t expect[2][4] = {{0x131202f2, 0x1211f2f1, 0x1110f101, 0x10100101},
                                          {0x23222322, 0x22212221, 0x21202120, 0x20202020}};
    struct tex_image *image = make_2d(D3DFMT_L8, 4, 4);
    struct tex_sampler_state state = default_state();
    uint32_t get4 = 0x34544547; /* 'GET4' */

    memcpy(&state.lod_bias, &get4, 4);
    state.address[0] = state.address[1] = D3DTADDRESS_CLAMP;
    memcpy(tex_image_level(image, 0, 0)->data, rows, 16);
    for (int y = 0; y < 2; y++) {
        for (int x = 0; x < 4; x++) {
            struct rgba got = sample_at(image, &state, 0.0625f + 0.25f * (float)x,
                                        0.0625f + 0.75f * (float)y, 0, 0);
            uint32_t e = expect[y][x];

            check_rgba(got, (float)(e >> 16 & 255) / 255.0f, (float)(e >> 8 & 255) / 255.0f,
                       (float)(e & 255) / 255.0f, (float)(e >> 24) / 255.0f);
        }
    }
    tex_image_unref(&image);
}
END_TEST

/* A coordinate just below 0 wraps to the far end, which is texel 0 again. */
START_TEST(fetch4_at_the_end)
{
    struct tex_image *image = ramp();
    struct tex_sampler_state state = default_state();
    uint32_t get4 = 0x34544547;

    memcpy(&state.lod_bias, &get4, 4);
    check_near(sample_at(image, &state, -1e-9f, 0, 0, 0), 20 / 255.0, 10 / 255.0, 20 / 255.0,
               10 / 255.0, 1e-6);
    check_near(sample_at(image, &state, -0.1f, 0, 0, 0), 10 / 255.0, 40 / 255.0, 10 / 255.0,
               40 / 255.0, 1e-6);
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
    struct tex_desc desc = {D3DFMT_L8, TEX_2D, 33, 33, 1, 1, 1, false};
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

START_TEST(zero_weight_ignores_infinities)
{
    struct tex_image *image = make_2d(D3DFMT_R32F, 2, 1);
    struct tex_sampler_state state = default_state();

    poke(image, 0, 0, 0, 0, 0, 0x3f800000);
    poke(image, 0, 0, 1, 0, 0, 0x7f800000);
    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    check_rgba(sample_at(image, &state, 0.25f, 0.5f, 0, 0), 1, 1, 1, 1);
    tex_image_unref(&image);
}
END_TEST

START_TEST(denormal_texels_are_zero)
{
    struct tex_image *image = make_2d(D3DFMT_R32F, 1, 1);
    struct tex_sampler_state state = default_state();
    struct rgba got;

    poke(image, 0, 0, 0, 0, 0, 0x807fffff);
    got = sample_at(image, &state, 0.5f, 0.5f, 0, 0);
    ck_assert(!memcmp(&got.c[0], &(uint32_t){0x80000000}, 4));
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
    tcase_add_test(tc, bilinear_is_exact_on_bytes);
    tcase_add_test(tc, missing_channels);
    tcase_add_test(tc, unbound_is_opaque_black);
    tcase_add_test(tc, srgb_decodes_before_filtering);
    tcase_add_test(tc, alpha_is_not_srgb);
    tcase_add_test(tc, border_colour_is_a_texel_of_the_format);
    tcase_add_test(tc, border_lacks_absent_channels);
    tcase_add_test(tc, mip_filters);
    tcase_add_test(tc, most_detailed_level);
    tcase_add_test(tc, magnification_uses_its_own_filter);
    tcase_add_test(tc, implicit_level_from_quads);
    tcase_add_test(tc, explicit_gradients_select_per_lane);
    tcase_add_test(tc, cube_faces_and_their_corners);
    tcase_add_test(tc, cube_edges_do_not_wrap);
    tcase_add_test(tc, volumes_filter_between_slices);
    tcase_add_test(tc, shadow_formats_compare);
    tcase_add_test(tc, depth_as_plain_values);
    tcase_add_test(tc, palette_lookup);
    tcase_add_test(tc, fetch4_gathers);
    tcase_add_test(tc, fetch4_at_the_end);
    tcase_add_test(tc, decode_cache_follows_the_contents);
    tcase_add_test(tc, unaligned_memory_uses_the_decode_cache);
    tcase_add_test(tc, denormal_texels_are_zero);
    tcase_add_test(tc, zero_weight_ignores_infinities);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
