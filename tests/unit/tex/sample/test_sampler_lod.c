/* LOD for known derivatives: log2 of texels per pixel to 1/256, for every source of derivatives
 * (reference: texture/mip-level). */
#include "check_main.h"
#include "tex/shortcut/shortcut.h"
#include "tex_helpers.h"
#include "util/cpu.h"

static void leave(void)
{
    ck_assert_int_eq(cpu_set_isa(ISA_SCALAR), ST_OK);
    leave_fp_mode();
}

enum { LEVELS = 9 };

/* 256x128; level l is 25 * l, so a sample reveals its level. */
static struct tex_image *steps(enum tex_shape shape)
{
    uint32_t height = shape == TEX_CUBE_MAP ? 256 : 128;
    struct tex_image *image =
        make_image(D3DFMT_L8, shape, 256, height, shape == TEX_VOLUME_MAP ? 2 : 1, LEVELS);

    for (uint32_t i = 0; i < image->faces * LEVELS; i++) {
        struct tex_level *level = &image->level[i];

        memset(level->data, (int)(25 * (i % LEVELS)), (size_t)level->slice_pitch * level->depth);
    }
    return image;
}

enum derivs { BY_QUAD, BY_GRADIENTS };

/* Derivatives of the coordinates along screen x and y. */
struct move {
    double x[3], y[3];
};

static double level_of(struct tex_image *image, const struct tex_sampler_state *state,
                       const struct move *m, enum derivs derivs)
{
    struct sample_batch at, dx, dy, out;
    struct sample s = {.lod_mode = derivs == BY_QUAD ? LOD_IMPLICIT : LOD_GRADIENT};

    for (int a = 0; a < 3; a++) {
        s.coord[a] = at.c[a];
        s.ddx[a] = dx.c[a];
        s.ddy[a] = dy.c[a];
        for (int i = 0; i < TEX_LANES; i++) {
            /* cube maps are sampled along +z */
            double middle = image->desc.shape == TEX_CUBE_MAP ? a == 2 : 0.0;

            dx.c[a][i] = (float)m->x[a];
            dy.c[a][i] = (float)m->y[a];
            at.c[a][i] = (float)middle;
            if (derivs == BY_QUAD) {
                at.c[a][i] += (i & 1 ? dx.c[a][i] : 0.0f) + (i & 2 ? dy.c[a][i] : 0.0f);
            }
        }
    }
    sample_lanes(image, state, &s, &out);
    return (double)out.c[0][0] * 255.0 / 25.0;
}

static void check(struct tex_image *image, const struct move *m, double texels)
{
    struct tex_sampler_state state = default_state();
    double lod = log2(texels);

    state.address[0] = state.address[1] = D3DTADDRESS_CLAMP;
    for (int derivs = BY_QUAD; derivs <= BY_GRADIENTS; derivs++) {
        double fraction = lod - floor(lod), linear, point;

        state.mip_filter = D3DTEXF_LINEAR;
        linear = level_of(image, &state, m, (enum derivs)derivs);
        ck_assert_msg(fabs(linear - fmin(fmax(lod, 0.0), LEVELS - 1.0)) <= 0.5 / 256.0 + 2e-5,
                      "%g texels, derivatives %d: level %.5f, not %.5f", texels, derivs, linear,
                      lod);
        state.mip_filter = D3DTEXF_POINT;
        point = level_of(image, &state, m, (enum derivs)derivs);
        if (fabs(fraction - 0.5) > 0.5 / 256.0 + 2e-5)
            ck_assert_double_eq_tol(point, fmin(fmax(floor(lod + 0.5), 0.0), LEVELS - 1.0), 1e-3);
    }
}

/* 1/4 to 1024 texels per pixel in steps of 2^(1/37), which avoids powers of two, in 16
 * directions. */
static void along_lines(enum tex_shape shape)
{
    struct tex_image *image = steps(shape);
    double w = image->desc.width, h = image->desc.height;

    if (shape == TEX_CUBE_MAP) /* a face is two units wide */
        w = h = w / 2;
    for (int i = -74; i < 370; i++) {
        double texels = exp2(i / 37.0), angle = i * 0.3926991;
        double u = texels * cos(angle) / w, v = texels * sin(angle) / h;
        struct move along_x = {{u, v, 0}, {0, 0, 0}}, along_y = {{0, 0, 0}, {-v / 4, u / 4, 0}};
        struct move both = {{v * h / w / 3, u * w / h / 3, 0}, {u, v, 0}};

        check(image, &along_x, texels);
        check(image, &both, texels);
        along_y.y[0] = -v * h / w;
        along_y.y[1] = u * w / h;
        check(image, &along_y, texels);
    }
    tex_image_unref(&image);
}

START_TEST(flat_textures)
{
    if (cpu_set_isa((enum cpu_isa)_i) == ST_OK)
        along_lines(TEX_2D);
}
END_TEST

START_TEST(cubes)
{
    if (cpu_set_isa((enum cpu_isa)_i) == ST_OK)
        along_lines(TEX_CUBE_MAP);
}
END_TEST

/* The third axis of a volume counts like the others. */
START_TEST(volumes)
{
    struct tex_image *image = steps(TEX_VOLUME_MAP);

    for (int i = -74; i < 370; i++) {
        double texels = exp2(i / 37.0), angle = i * 0.21;
        struct move m = {{texels * cos(angle) / 256, 0, texels * sin(angle) / 2}, {0, 0, 0}};

        check(image, &m, texels);
        m = (struct move){{0, 0, 0}, {0, texels * sin(angle) / 128, texels * cos(angle) / 2}};
        check(image, &m, texels);
    }
    tex_image_unref(&image);
}
END_TEST

/* POINT changes levels at 2^(n + 1/2) texels, and MAGFILTER yields to MINFILTER above one texel.
 * Tests slightly more than half of 1/256 on either side of each. */
START_TEST(switches)
{
    struct tex_image *image = steps(TEX_2D);
    double step = exp2(0.51 / 256.0);
    struct tex_sampler_state state = default_state();

    for (int n = 0; n < LEVELS - 1; n++) {
        for (int side = 0; side < 2; side++) {
            double texels = exp2(n + 0.5) * (side ? step : 1 / step);
            struct move m = {{texels / 256, 0, 0}, {0, 0, 0}};

            state.mip_filter = D3DTEXF_POINT;
            ck_assert_double_eq_tol(level_of(image, &state, &m, BY_QUAD), n + side, 1e-3);
        }
    }
    tex_image_unref(&image);
    image = make_2d(D3DFMT_L8, 2, 1); /* LINEAR returns the mean, POINT one of both */
    poke(image, 0, 0, 1, 0, 0, 200);
    for (int linear = 0; linear < 2; linear++) {
        for (int side = 0; side < 2; side++) {
            struct move m = {{(side ? step : 1 / step) / 2, 0, 0}, {0, 0, 0}};

            state = default_state();
            *(linear ? &state.min_filter : &state.mag_filter) = D3DTEXF_LINEAR;
            ck_assert_double_eq_tol(level_of(image, &state, &m, BY_QUAD) * 25.0,
                                    side == linear ? 100.0 : 0.0, 1e-3);
        }
    }
    tex_image_unref(&image);
}
END_TEST

/* Biases of any sign and fraction shift the LOD, for every source of derivatives. */
START_TEST(biases)
{
    struct tex_image *image = steps(TEX_2D);

    for (int i = -40; i < 40; i++) {
        struct tex_sampler_state state = default_state();
        struct move m = {{10.0 / 256, 0, 0}, {0, 0, 0}};
        double bias = i * 0.1373, want = log2(10.0) + bias;

        state.mip_filter = D3DTEXF_LINEAR;
        state.lod_bias = (float)bias;
        want = fmin(fmax(want, 0.0), LEVELS - 1.0);
        ck_assert_double_eq_tol(level_of(image, &state, &m, BY_QUAD), want, 0.5 / 256.0 + 2e-5);
        ck_assert_double_eq_tol(level_of(image, &state, &m, BY_GRADIENTS), want,
                                0.5 / 256.0 + 2e-5);
    }
    tex_image_unref(&image);
}
END_TEST

/* --- Constant LOD ----------------------------------------------------------------------------- */

static double any(double least, double most)
{
    static uint32_t state = 1;

    state = state * 1664525u + 1013904223u;
    return least + (most - least) * (state >> 8) / (double)(1 << 24);
}

/* A batch whose neighbours differ by the gradients plus part of the error bound. */
static void gradient_lanes(const struct tex_gradients *gradients, unsigned a, float lane[TEX_LANES])
{
    for (int i = 0; i < TEX_LANES; i += 4) {
        double bound = gradients->error_bound[a], corner = any(-3.0, 3.0);

        lane[i] = (float)corner;
        lane[i + 1] = (float)(lane[i] + gradients->step[a][0] + any(-bound, bound) * 0.9);
        lane[i + 2] = (float)(lane[i] + gradients->step[a][1] + any(-bound, bound) * 0.9);
        lane[i + 3] = lane[i + 1];
    }
}

static struct tex_sampler_state any_state(int i)
{
    struct tex_sampler_state state = default_state();

    state.min_filter = i & 1 ? D3DTEXF_LINEAR : D3DTEXF_POINT;
    state.mag_filter = i & 2 ? D3DTEXF_LINEAR : D3DTEXF_POINT;
    state.mip_filter = (uint8_t)(i / 4 % 4 == 3 ? D3DTEXF_NONE
                                 : i / 4 % 4    ? D3DTEXF_POINT
                                                : D3DTEXF_LINEAR);
    state.lod_bias = i % 5 == 4 ? -0.75f : 0.0f;
    state.lod = i % 7 == 6;
    state.max_mip_level = i % 11 == 10 ? 2 : 0;
    return state;
}

/* Results equal those with LOD computation, and most POINT cases have a constant LOD. */
START_TEST(const_lods)
{
    struct tex_image *image = steps(TEX_2D);
    int told = cpu_set_isa((enum cpu_isa)_i) == ST_OK ? 0 : 2000;

    for (int i = 0; i < 4000; i++) {
        struct tex_sampler_state state = any_state(i);
        double texels = exp2(any(-3.0, 10.0)), angle = any(0, 7), turn = any(0.5, 2.5);
        struct tex_gradients gradients = {.error_bound = {2e-6, 2e-6}};
        struct sample_batch at, want, got;
        struct sample s = {.lanes = ~UINT64_C(0), .coord = {at.c[0], at.c[1], at.c[0]}};
        struct tex_sampler sampler;
        struct tex_const_lod const_lod;

        gradients.step[0][0] = texels * cos(angle) / 256;
        gradients.step[1][0] = texels * sin(angle) / 128;
        gradients.step[0][1] = texels * any(0.1, 1.0) * cos(angle + turn) / 256;
        gradients.step[1][1] = texels * any(0.1, 1.0) * sin(angle + turn) / 128;
        gradient_lanes(&gradients, 0, at.c[0]);
        gradient_lanes(&gradients, 1, at.c[1]);
        if (i % 13 == 12) /* gradients are unknown */
            gradients.error_bound[i % 2] = INFINITY;
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
        tex_sampler_const_lod(&sampler, &gradients, &const_lod);
        if (const_lod.lod_and_filter < 0)
            continue;
        told++;
        for (int c = 0; c < 4; c++)
            s.texel[c] = want.c[c];
        tex_sample(&sampler, &s);
        for (int c = 0; c < 4; c++)
            s.texel[c] = got.c[c];
        tex_sample_const_lod(&sampler, &const_lod, &s);
        ck_assert_msg(!memcmp(want.c, got.c, sizeof(want.c)), "case %d, %g texels", i, texels);
    }
    ck_assert_int_ge(told, 2000);
    tex_image_unref(&image);
}
END_TEST

/* --- Uniform levels --------------------------------------------------------------------------- */

/* Lanes whose neighbours differ by `texels` texels of a 256x128 level. */
static void step_lanes(struct sample_batch *at, double texels, double angle)
{
    double u = texels * cos(angle) / 256, v = texels * sin(angle) / 128;

    for (int i = 0; i < TEX_LANES; i++) {
        at->c[0][i] = (float)(i & 1 ? u : 0.0);
        at->c[1][i] = (float)(i & 1 ? v : 0.0);
    }
}

/* Where all quads have one level and filter, comparisons select them instead of logarithms. A last
 * quad with another level prevents that; the others must not notice. */
START_TEST(uniform_levels)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_2D, 256, 128, 1, LEVELS);

    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)any(0, 256);
    for (int i = 0; i < 20000; i++) {
        static const double near[] = {0.0, 0.4e-3, -0.4e-3, 1.5e-3, -1.5e-3, 4e-3, -4e-3, 0.1};
        struct tex_sampler_state state = any_state(i);
        double lod = (int)any(-4, 20) / 2.0 + near[(int)any(0, 8)];
        struct sample_batch at, alike, mixed;
        struct sample s = {.lanes = ~UINT64_C(0), .coord = {at.c[0], at.c[1], at.c[0]}};

        state.min_filter = i % 17 == 0 ? D3DTEXF_ANISOTROPIC : state.min_filter;
        state.max_anisotropy = 4;
        if (i % 5 == 3)
            state.lod_bias = (float)any(-3.0, 3.0);
        step_lanes(&at, exp2(lod - (double)state.lod_bias), any(0, 7));
        sample_lanes(image, &state, &s, &alike);
        at.c[0][61] = lod > 3.0 ? 0.0f : 5.0f;
        at.c[1][61] = 0.0f;
        sample_lanes(image, &state, &s, &mixed);
        for (int c = 0; c < 4; c++)
            ck_assert_msg(!memcmp(alike.c[c], mixed.c[c], 60 * sizeof(float)),
                          "case %d, LOD %g: %a, by logarithms %a", i, lod, (double)alike.c[c][0],
                          (double)mixed.c[c][0]);
    }
    tex_image_unref(&image);
}
END_TEST

/* Without a linear mip filter comparisons select the levels of quads that differ, too. A bias of 0
 * makes a sample take logarithms, and it selects levels per lane. */
START_TEST(mixed_levels)
{
    static const _Alignas(64) float no_bias[TEX_LANES];
    struct tex_image *image = make_image(D3DFMT_L8, TEX_2D, 256, 128, 1, LEVELS);

    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)any(0, 256);
    for (int i = 0; i < 20000; i++) {
        static const double near[] = {0.0, 1.5e-3, -1.5e-3, 4e-3, -4e-3, 0.02, -0.02, 0.2};
        struct tex_sampler_state state = any_state(i);
        struct sample_batch at, got, want;
        struct sample s = {.lanes = ~UINT64_C(0), .coord = {at.c[0], at.c[1], at.c[0]}};

        state.min_filter = i % 7 == 0 ? D3DTEXF_ANISOTROPIC : state.min_filter;
        state.max_anisotropy = 4;
        if (i % 5 == 3)
            state.lod_bias = (float)any(-3.0, 3.0);
        for (int q = 0; q < TEX_LANES / 4; q++) {
            double lod = (int)any(-4, 20) / 2.0 + near[(int)any(0, 8)];
            double texels = exp2(lod - (double)state.lod_bias), angle = any(0, 7);

            for (int lane = 4 * q; lane < 4 * q + 4; lane++) {
                at.c[0][lane] = (float)(lane & 1 ? texels * cos(angle) / 256 : 0.0);
                at.c[1][lane] = (float)(lane & 1 ? texels * sin(angle) / 128 : 0.0);
            }
        }
        if (i % 11 == 0)
            at.c[0][(int)any(0, TEX_LANES)] = i % 2 ? NAN : INFINITY;
        sample_lanes(image, &state, &s, &got);
        s.lod_mode = LOD_BIAS;
        s.lod = no_bias;
        sample_lanes(image, &state, &s, &want);
        for (int c = 0; c < 4; c++)
            ck_assert_msg(!memcmp(got.c[c], want.c[c], sizeof(want.c[c])), "case %d", i);
    }
    tex_image_unref(&image);
}
END_TEST

/* Lanes with one explicit LOD select one level. A lane with another LOD prevents that. */
START_TEST(explicit_levels)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_2D, 256, 128, 1, LEVELS);

    if (cpu_set_isa((enum cpu_isa)_i) != ST_OK)
        return;
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)any(0, 256);
    for (int i = 0; i < 5000; i++) {
        struct tex_sampler_state state = any_state(i);
        struct sample_batch at, alike, mixed, other;
        _Alignas(64) float lods[TEX_LANES];
        struct sample s = {.lod_mode = LOD_EXPLICIT,
                           .lanes = ~UINT64_C(0),
                           .coord = {at.c[0], at.c[1], at.c[0]},
                           .lod = lods};
        float lod = i % 13 ? (float)any(-2 * 256, 10 * 256) / 256.0f : NAN;

        lod = i % 2 ? floorf(lod) : lod;
        for (int lane = 0; lane < TEX_LANES; lane++) {
            at.c[0][lane] = (float)any(-1, 2);
            at.c[1][lane] = (float)any(-1, 2);
            lods[lane] = lod;
        }
        sample_lanes(image, &state, &s, &alike);
        lods[61] = lod > 3.0f ? 0.0f : 5.0f;
        sample_lanes(image, &state, &s, &mixed);
        for (int lane = 0; lane < TEX_LANES; lane++)
            lods[lane] = lods[61];
        sample_lanes(image, &state, &s, &other);
        for (int c = 0; c < 4; c++) {
            ck_assert_msg(!memcmp(alike.c[c], mixed.c[c], 61 * sizeof(float)), "case %d, LOD %g", i,
                          (double)lod);
            ck_assert_float_eq(mixed.c[c][61], other.c[c][61]);
        }
    }
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex levels");
    TCase *tc = tcase_create("levels");

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, enter_fp_mode, leave);
    tcase_add_loop_test(tc, flat_textures, 0, ISA_COUNT);
    tcase_add_loop_test(tc, cubes, 0, ISA_COUNT);
    tcase_add_test(tc, volumes);
    tcase_add_test(tc, switches);
    tcase_add_test(tc, biases);
    tcase_add_loop_test(tc, const_lods, 0, ISA_COUNT);
    tcase_add_loop_test(tc, uniform_levels, 0, ISA_COUNT);
    tcase_add_loop_test(tc, mixed_levels, 0, ISA_COUNT);
    tcase_add_loop_test(tc, explicit_levels, 0, ISA_COUNT);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
