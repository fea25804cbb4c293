/* Anisotropic sampling: level, number of taps and direction of the line
 * (reference: texture/anisotropic). */
#include "check_main.h"
#include "oracle_sample.h"
#include "tex_helpers.h"
#include "util/cpu.h"

static void leave(void)
{
    ck_assert_int_eq(cpu_set_isa(ISA_SCALAR), ST_OK);
    leave_fp_mode();
}

/* Red byte of a sample at the texture's centre, with these derivatives in texels. */
static double red_of(struct tex_image *image, const struct tex_sampler_state *state, double ux,
                     double vx, double uy, double vy)
{
    struct sample_batch at, dx, dy, out;
    struct sample s = {.lod_mode = LOD_GRADIENT,
                       .coord = {at.c[0], at.c[1]},
                       .ddx = {dx.c[0], dx.c[1]},
                       .ddy = {dy.c[0], dy.c[1]}};

    for (int i = 0; i < TEX_LANES; i++) {
        at.c[0][i] = at.c[1][i] = 0.5f;
        dx.c[0][i] = (float)(ux / image->desc.width);
        dx.c[1][i] = (float)(vx / image->desc.height);
        dy.c[0][i] = (float)(uy / image->desc.width);
        dy.c[1][i] = (float)(vy / image->desc.height);
    }
    sample_lanes(image, state, &s, &out);
    for (int i = 1; i < TEX_LANES; i++)
        ck_assert(out.c[0][i] == out.c[0][0]);
    return (double)out.c[0][0] * 255.0;
}

static struct tex_sampler_state anisotropic_state(uint8_t max)
{
    struct tex_sampler_state state = default_state();

    state.min_filter = D3DTEXF_ANISOTROPIC;
    state.mag_filter = state.mip_filter = D3DTEXF_LINEAR;
    state.max_anisotropy = max;
    return state;
}

/* A footprint of 8x1 texels: isotropic filtering selects level 3, anisotropic filtering eight taps
 * of level 0, whose mean is that of the eight texels. */
START_TEST(taps_follow_the_longer_axis)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_2D, 64, 64, 1, 4);
    struct tex_sampler_state state = default_state();
    struct sample_batch in, dx, dy, out;
    struct sample s = {.lod_mode = LOD_GRADIENT,
                       .coord = {in.c[0], in.c[1]},
                       .ddx = {dx.c[0], dx.c[1]},
                       .ddy = {dy.c[0], dy.c[1]}};

    for (uint32_t i = 0; i < 64 * 64; i++)
        tex_image_level(image, 0, 0)->data[i] = (uint8_t)(i % 64 * 4);
    memset(tex_image_level(image, 0, 3)->data, 255, 64);
    memset(&dx, 0, sizeof(dx));
    memset(&dy, 0, sizeof(dy));
    for (int i = 0; i < TEX_LANES; i++) {
        in.c[0][i] = 32.0f / 64.0f;
        in.c[1][i] = 0.5f;
        dx.c[0][i] = 8.0f / 64.0f;
        dy.c[1][i] = 1.0f / 64.0f;
    }
    state.mip_filter = D3DTEXF_LINEAR;
    state.min_filter = D3DTEXF_LINEAR;
    sample_lanes(image, &state, &s, &out);
    ck_assert_double_eq_tol(out.c[0][5] * 255.0, 255, 1e-3);
    state.min_filter = D3DTEXF_ANISOTROPIC;
    state.max_anisotropy = 16;
    sample_lanes(image, &state, &s, &out);
    ck_assert_double_eq_tol(out.c[0][5] * 255.0, (28 + 35) / 2.0 * 4, 1e-3);
    state.max_anisotropy = 4; /* four taps of level 1, which is black */
    sample_lanes(image, &state, &s, &out);
    ck_assert_double_eq_tol(out.c[0][5] * 255.0, 0, 1e-3);
    tex_image_unref(&image);
}
END_TEST

/* Level l is 20 * l everywhere. */
static struct tex_image *steps(void)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_2D, 256, 128, 1, 8);

    for (uint32_t l = 0; l < 8; l++) {
        struct tex_level *level = tex_image_level(image, 0, l);

        memset(level->data, (int)(20 * l), (size_t)level->row_pitch * level->height);
    }
    return image;
}

/* Derivatives in texels, and the level: log2 of the shorter axis of the ellipse, or of the longer
 * one divided by the maximum ratio. */
static const struct {
    double ux, vx, uy, vy;
    uint8_t max;
    double level;
} levels[] = {
    {8, 0, 0, 1, 16, 0},
    {8, 0, 0, 8, 16, 3},
    {0, 4, 32, 0, 16, 2},
    {64, 0, 0, 1, 4, 4},
    {64, 0, 0, 64 / 4.5, 16, 3.830075}, /* log2(64 / 4.5): not that of an integral number of taps */
    {8, 0, 0, 7.9, 16, 2.981853},       /* nearly round: the shorter axis, not half the longer */
    {64, 0, 0, 0, 16, 2},               /* a line */
    {0, 0, 0, 32, 8, 2},
    {36, 48, 48, 36, 16, 3.584963},  /* 3600, 3600 and 3456: axes 84 and 12 */
    {10, 0, 8, 6, 16, 2.160964},     /* 100, 100 and 80: axes sqrt(180) and sqrt(20) */
    {40, 20, 40, -20, 16, 4.821928}, /* 2000, 2000 and 1200: axes sqrt(3200) and sqrt(800) */
    {3, 4, -4, 3, 16, 2.321928},     /* a rotated square */
};

START_TEST(level_of_the_shorter_axis)
{
    struct tex_image *image = steps();
    struct tex_sampler_state state = anisotropic_state(levels[_i].max);
    double want = levels[_i].level;

    ck_assert_double_eq_tol(
        red_of(image, &state, levels[_i].ux, levels[_i].vx, levels[_i].uy, levels[_i].vy) / 20.0,
        want, 1.0 / 256.0 + 1e-4);
    tex_image_unref(&image);
}
END_TEST

/* A pixel of 4 x 1/4 texels takes four taps of level 0. The LOD before biases is -2, so a bias of 3
 * selects level 1; with the longer axis it would select 5. */
START_TEST(bias_applies_before_clamping)
{
    struct tex_image *image = steps();
    struct tex_sampler_state state = anisotropic_state(16);

    ck_assert_double_eq_tol(red_of(image, &state, 4, 0, 0, 0.25), 0.0, 1e-3);
    state.lod_bias = 3.0f;
    ck_assert_double_eq_tol(red_of(image, &state, 4, 0, 0, 0.25), 20.0, 1e-3);
    tex_image_unref(&image);
}
END_TEST

/* White where |x - y| <= 1 texel, else black, so the diagonal is white. Derivatives (5,4) and (4,5)
 * stretch along it: nine texels by one. */
START_TEST(sheared_footprints_follow_the_ellipse)
{
    struct tex_image *image = make_2d(D3DFMT_L8, 32, 32);
    struct tex_sampler_state state = anisotropic_state(16);

    for (uint32_t i = 0; i < 32 * 32; i++)
        if (i % 32 + 1 >= i / 32 && i % 32 <= i / 32 + 1)
            poke(image, 0, 0, i % 32, i / 32, 0, 255);
    ck_assert_double_eq_tol(red_of(image, &state, 5, 4, 4, 5), 255.0, 1e-3);
    ck_assert_double_eq_tol(red_of(image, &state, 4, 5, 5, 4), 255.0, 1e-3);
    ck_assert_double_eq_tol(red_of(image, &state, -4, -5, 5, 4), 255.0, 1e-3);
    ck_assert(red_of(image, &state, 5, -4, -4, 5) < 100.0);
    ck_assert(red_of(image, &state, -5, 4, -4, 5) < 100.0);
    tex_image_unref(&image);
}
END_TEST

START_TEST(special_derivatives_are_harmless)
{
    static const double special[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e19, 1e-30, 0};
    enum { COUNT = sizeof(special) / sizeof(special[0]) };
    struct tex_image *image = steps();
    struct tex_sampler_state state = anisotropic_state(16);

    for (int i = 0; i < COUNT * COUNT * COUNT * COUNT; i++) {
        double red = red_of(image, &state, special[i % COUNT], special[i / COUNT % COUNT],
                            special[i / COUNT / COUNT % COUNT], special[i / COUNT / COUNT / COUNT]);

        ck_assert(red >= 0.0 && red <= 140.001);
    }
    tex_image_unref(&image);
}
END_TEST

/* --- Against a reference sampler -------------------------------------------------------------- */

/* Mean over n taps as the rule defines it, in double precision. */
static double slow_sample(const struct oracle *o, const double dx[2], const double dy[2], int n,
                          double lod)
{
    double w = o->image->desc.width, h = o->image->desc.height, sum = 0.0;
    double ux = dx[0] * w, vx = dx[1] * h, uy = dy[0] * w, vy = dy[1] * h;
    /* The most stretched screen direction has half the angle of this vector. */
    double angle = atan2(2.0 * (ux * uy + vx * vy), ux * ux + vx * vx - uy * uy - vy * vy) / 2.0;

    for (int p = 0; p < n; p++) {
        double along = n == 1 ? 0.0 : (2 * p + 1) / (2.0 * n) - 0.5;
        double at[3] = {0.5 + along * (cos(angle) * dx[0] + sin(angle) * dy[0]),
                        0.5 + along * (cos(angle) * dx[1] + sin(angle) * dy[1]), 0.0};

        sum += oracle_with_level(o, at, 0.0, 0, oracle_fixed(lod)).c[0];
    }
    return sum / n;
}

static bool near_whole(double x)
{
    return fabs(x - floor(x + 0.5)) < 1e-4;
}

/* Random footprints: long, short, sheared and mirrored. Tap positions may differ by 1/256 texel and
 * the level by 1/256, so a difference of 255 becomes three of 255. */
START_TEST(random_footprints)
{
    static const struct oracle_format l8 = {D3DFMT_L8, ORACLE_UNORM, 1, {{0, 8}}, "rrr1", 0, 0};
    struct tex_image *image;
    struct tex_sampler_state state;
    struct oracle o = {&l8, NULL, &state, false};
    uint32_t seed = 12345;

    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    o.image = image = make_image(D3DFMT_L8, TEX_2D, 64, 32, 1, 7);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
    for (int i = 0; i < 4000; i++) {
        double m[4], longer, shorter, ratio, area, sum, lod, got, want;
        int n;

        for (int k = 0; k < 4; k++) {
            m[k] = ldexp((double)(int32_t)(seed = seed * 1664525 + 1013904223), -31);
            m[k] *= exp2((seed >> 9 & 255) / 40.0 - 1.0);
        }
        state = anisotropic_state((uint8_t)(2 + i % 15));
        state.lod_bias = i % 3 == 0 ? 0.37f : 0.0f;
        sum = m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3];
        area = fabs(m[0] * m[3] - m[1] * m[2]);
        longer = sqrt((sum + sqrt(sum * sum - 4.0 * area * area)) / 2.0);
        shorter = area / longer;
        ratio = longer / fmax(shorter, 1.0);
        n = (int)ceil(fmin(fmax(ratio - 1.0 / 256.0, 1.0), state.max_anisotropy));
        lod = log2(fmax(shorter, longer / state.max_anisotropy)) + (double)state.lod_bias;
        if (near_whole(ratio - 1.0 / 256.0))
            continue;
        want = slow_sample(&o, (double[]){m[0] / 64, m[1] / 32}, (double[]){m[2] / 64, m[3] / 32},
                           n, lod);
        got = red_of(image, &state, m[0], m[1], m[2], m[3]) / 255.0;
        ck_assert_msg(fabs(got - want) < 3.0 / 255.0,
                      "(%g,%g) (%g,%g) of %d: %d probes, level %g: %g, not %g", m[0], m[1], m[2],
                      m[3], state.max_anisotropy, n, lod, got * 255, want * 255);
    }
    tex_image_unref(&image);
}
END_TEST

static double any(double least, double most)
{
    static uint32_t state = 1;

    state = state * 1664525u + 1013904223u;
    return least + (most - least) * (state >> 8) / (double)(1 << 24);
}

/* Comparisons tell few taps, and roots tell more. A quad whose footprint overflows makes all quads
 * take roots; the others must not notice. */
START_TEST(few_taps_by_comparison)
{
    struct tex_image *image = make_2d(D3DFMT_L8, 256, 1);

    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)any(0, 256);
    for (int i = 0; i < 6000; i++) {
        struct tex_sampler_state state = anisotropic_state(i % 3 ? 8 : (uint8_t)(2 + i % 4));
        struct sample_batch at, few, roots;
        struct sample s = {.lanes = ~UINT64_C(0), .coord = {at.c[0], at.c[1], at.c[0]}};

        for (int lane = 0; lane < TEX_LANES; lane++) {
            static double ratio, shorter;

            if (lane % 4 == 0) {
                ratio = (int)any(1, i % 2 ? 3 : 5) + 1.0 / 256 + any(-1.5, 1.5) * exp2(-i % 24);
                shorter = i % 5 ? any(0.5, 3.0) : 1.0;
            }
            at.c[0][lane] = (float)(lane & 1 ? fmax(shorter, 1.0) * ratio / 256 : 0.0);
            at.c[1][lane] = (float)(lane & 2 ? shorter / 256 : 0.0);
        }
        sample_lanes(image, &state, &s, &few);
        at.c[0][61] = 1e30f;
        sample_lanes(image, &state, &s, &roots);
        for (int c = 0; c < 4; c++)
            ck_assert_msg(!memcmp(few.c[c], roots.c[c], 60 * sizeof(float)), "case %d", i);
    }
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex anisotropic");
    TCase *tc = tcase_create("anisotropic");

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, enter_fp_mode, leave);
    tcase_add_test(tc, taps_follow_the_longer_axis);
    tcase_add_loop_test(tc, level_of_the_shorter_axis, 0, sizeof(levels) / sizeof(levels[0]));
    tcase_add_test(tc, bias_applies_before_clamping);
    tcase_add_test(tc, sheared_footprints_follow_the_ellipse);
    tcase_add_test(tc, special_derivatives_are_harmless);
    tcase_add_loop_test(tc, random_footprints, 0, ISA_COUNT);
    tcase_add_loop_test(tc, few_taps_by_comparison, 0, ISA_COUNT);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
