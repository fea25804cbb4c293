/* The filter CONVOLUTIONMONO against the formula of the driver interface's documentation, in double
 * precision (reference: texture/convolution). */
#include "check_main.h"
#include "tex_helpers.h"

enum { W = 21, H = 13 };

static struct tex_image *make_glyphs(void)
{
    struct tex_image *image = make_2d(D3DFMT_A1, W, H);
    uint32_t seed = 5;

    for (size_t i = 0; i < image->bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        image->memory[i] = (uint8_t)(seed >> 24);
    }
    return image;
}

static double texel(const struct tex_image *image, long x, long y)
{
    if (x < 0 || y < 0 || x >= W || y >= H)
        return 0.0; /* the border */
    return image->memory[(size_t)y * image->level->row_pitch + (size_t)x / 8] >> (7 - x % 8) & 1;
}

/* Result = sum of (R[i](1 - alpha) + R[i+1] alpha) / (Nu Nv), R[k] = sum of (T[k][j](1 - beta) +
 * T[k][j+1] beta). */
static double expected(const struct tex_image *image, int nu, int nv, double u, double v)
{
    double uf = u * W - nu * 0.5, vf = v * H - nv * 0.5, beta = uf - floor(uf);
    double alpha = vf - floor(vf), row[8], sum = 0.0;
    long x = (long)floor(uf), y = (long)floor(vf);

    for (int k = 0; k <= nv; k++) {
        row[k] = 0.0;
        for (int j = 0; j < nu; j++)
            row[k] +=
                texel(image, x + j, y + k) * (1.0 - beta) + texel(image, x + j + 1, y + k) * beta;
    }
    for (int i = 0; i < nv; i++)
        sum += row[i] * (1.0 - alpha) + row[i + 1] * alpha;
    return sum / (nu * nv);
}

static struct tex_sampler_state state_of(int nu, int nv)
{
    struct tex_sampler_state state = default_state();

    state.min_filter = D3DTEXF_CONVOLUTIONMONO;
    state.mip_filter = D3DTEXF_LINEAR; /* ignored, as address modes and the border colour */
    state.border = 0xffffffff;
    state.convolution = (uint32_t)(nu | nv << 8);
    return state;
}

/* All sizes of kernels at positions inside, at the edges and outside. */
START_TEST(kernels)
{
    struct tex_image *image = make_glyphs();

    for (int n = 0; n < 49; n++) {
        struct tex_sampler_state state = state_of(1 + n % 7, 1 + n / 7);

        for (int i = 0; i < 60; i++) {
            float u = (float)(i * 37 % 61) / 40.0f - 0.25f, v = (float)(i * 53 % 59) / 45.0f - 0.1f;
            struct rgba got = sample_at(image, &state, u, v, 0.0f, 3.0f);

            for (int c = 0; c < 3; c++)
                ck_assert(got.c[c] == 0.0f);
            ck_assert_msg(fabs(got.c[3] - expected(image, 1 + n % 7, 1 + n / 7, u, v)) < 1e-5,
                          "kernel %d, %g,%g", n, u, v);
        }
    }
    tex_image_unref(&image);
}
END_TEST

/* Other formats ignore the kernel and filter linearly; a kernel of no valid size filters A1 so. */
START_TEST(without_convolution)
{
    struct tex_image *image = make_glyphs(), *l8 = make_ramp();
    struct tex_sampler_state none = state_of(0, 0), large = state_of(8, 1),
                             linear = default_state();
    struct tex_sampler_state kernel = state_of(7, 7);

    linear.min_filter = D3DTEXF_LINEAR;
    none.mip_filter = large.mip_filter = kernel.mip_filter = D3DTEXF_NONE;
    none.border = large.border = kernel.border = 0;
    for (int i = 0; i < 20; i++) {
        float u = (float)i / 17.0f;
        struct rgba a = sample_at(image, &linear, u, 0.4f, 0.0f, 3.0f),
                    b = sample_at(image, &none, u, 0.4f, 0.0f, 3.0f),
                    c = sample_at(image, &large, u, 0.4f, 0.0f, 3.0f);

        ck_assert(a.c[3] == b.c[3] && a.c[3] == c.c[3]);
        a = sample_at(l8, &linear, u, 0.0f, 0.0f, 3.0f);
        b = sample_at(l8, &kernel, u, 0.0f, 0.0f, 3.0f);
        ck_assert(a.c[0] == b.c[0]);
    }
    tex_image_unref(&l8);
    tex_image_unref(&image);
}
END_TEST

START_TEST(positions_that_are_no_numbers)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f};
    struct tex_sampler_state state = state_of(7, 3);
    struct tex_image *image = make_glyphs();

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert(sample_at(image, &state, bad[i], 0.5f, 0.0f, 0.0f).c[3] == 0.0f);
        ck_assert(sample_at(image, &state, 0.5f, bad[i], 0.0f, 0.0f).c[3] == 0.0f);
    }
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex convolution");
    TCase *tc = tcase_create("convolution");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, kernels);
    tcase_add_test(tc, without_convolution);
    tcase_add_test(tc, positions_that_are_no_numbers);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
