/* The filters PYRAMIDALQUAD and GAUSSIANQUAD against their formulas in double precision
 * (reference: texture/quad-filters). */
#include "check_main.h"
#include "oracle_sample.h"
#include "tex/sample/sample.h"
#include "tex_helpers.h"

enum { W = 6, H = 3 };

static double tent(double distance)
{
    return distance < 1.0 ? 1.0 - distance : 0.0;
}

static double bell(double distance)
{
    return exp(-2.0 * distance * distance) - exp(-2.0);
}

/* The weight of the second of two texels, in 1/256 as the fraction is. */
static double gaussian_weight(double f)
{
    return rint(256.0 * bell(1.0 - f) / (bell(f) + bell(1.0 - f))) / 256.0;
}

/* Weights of the texels (0, 0), (1, 0), (0, 1), (1, 1) for the fractions of a position. */
static void weigh(unsigned filter, double fx, double fy, double weight[4])
{
    double gx = gaussian_weight(fx), gy = gaussian_weight(fy), sum = 0.0;

    for (int k = 0; k < 4; k++) {
        double dx = k & 1 ? 1.0 - fx : fx, dy = k >> 1 ? 1.0 - fy : fy;

        if (filter == D3DTEXF_GAUSSIANQUAD)
            weight[k] = (k & 1 ? gx : 1.0 - gx) * (k >> 1 ? gy : 1.0 - gy);
        else
            weight[k] = tent(fmax(dx, dy));
        sum += weight[k];
    }
    for (int k = 0; k < 4; k++)
        weight[k] /= sum;
}

static struct tex_image *make_noise(D3DFORMAT format)
{
    struct tex_image *image = make_2d(format, W, H);
    uint32_t seed = 5;

    for (uint32_t y = 0; y < H; y++)
        for (uint32_t x = 0; x < W; x++) {
            seed = seed * 1664525u + 1013904223u;
            poke(image, 0, 0, x, y, 0, seed >> 8);
        }
    return image;
}

static struct tex_sampler_state state_of(unsigned filter, unsigned address)
{
    struct tex_sampler_state state = default_state();

    state.min_filter = state.mag_filter = (uint8_t)filter;
    state.address[0] = state.address[1] = (uint8_t)address;
    return state;
}

/* A texel as POINT reads it, beyond the edges, too. */
static struct rgba texel(struct tex_image *image, unsigned address, int x, int y)
{
    struct tex_sampler_state state = state_of(D3DTEXF_POINT, address);

    return sample_at(image, &state, ((float)x + 0.5f) / W, ((float)y + 0.5f) / H, 0.0f, 0.0f);
}

static void check_position(struct tex_image *image, unsigned filter, unsigned address, int x, int y,
                           int fx, int fy)
{
    struct tex_sampler_state state = state_of(filter, address);
    float u = (float)((x + 0.5 + fx / 256.0) / W), v = (float)((y + 0.5 + fy / 256.0) / H);
    struct rgba got = sample_at(image, &state, u, v, 0.0f, 0.0f);
    int px = oracle_position(u, W, address) - 128, py = oracle_position(v, H, address) - 128;
    double weight[4];

    x = (int)floor(px / 256.0);
    y = (int)floor(py / 256.0);
    weigh(filter, px / 256.0 - x, py / 256.0 - y, weight);
    for (int c = 0; c < 4; c++) {
        double expected = 0.0;

        for (int k = 0; k < 4; k++)
            expected += weight[k] * texel(image, address, x + (k & 1), y + (k >> 1)).c[c];
        ck_assert_msg(fabs(got.c[c] - expected) < 1e-6, "filter %u address %u: %d %d + %d %d",
                      filter, address, x, y, fx, fy);
    }
}

/* All fractions along an axis, inside. */
START_TEST(all_fractions)
{
    struct tex_image *image = make_noise(D3DFMT_A8R8G8B8);

    for (int f = 0; f < 256; f++) {
        check_position(image, (unsigned)_i, D3DTADDRESS_WRAP, 1, 1, f, 77);
        check_position(image, (unsigned)_i, D3DTADDRESS_WRAP, 1, 1, 200, f);
    }
    tex_image_unref(&image);
}
END_TEST

/* All address modes across all edges, of texels in place and decoded. */
START_TEST(all_address_modes)
{
    static const D3DFORMAT formats[] = {D3DFMT_R5G6B5, D3DFMT_A16B16G16R16, D3DFMT_UYVY};

    for (unsigned n = 0; n < sizeof(formats) / sizeof(formats[0]); n++) {
        struct tex_image *image = make_noise(formats[n]);

        for (unsigned address = D3DTADDRESS_WRAP; address <= D3DTADDRESS_MIRRORONCE; address++)
            for (int y = -2; y <= H; y++)
                for (int x = -2; x <= W; x++)
                    check_position(image, (unsigned)_i, address, x, y, 90, 201);
        tex_image_unref(&image);
    }
}
END_TEST

/* The filters change continuously from texel to texel, and are POINT on a centre. */
START_TEST(continuous)
{
    double weight[4], next[4];

    for (int f = 0; f <= 256; f += 32) {
        weigh((unsigned)_i, 1.0, f / 256.0, weight);
        weigh((unsigned)_i, 0.0, f / 256.0, next);
        for (int row = 0; row < 4; row += 2) {
            ck_assert(weight[row] == 0.0);
            ck_assert(fabs(weight[row + 1] - next[row]) < 1e-12);
        }
    }
}
END_TEST

/* Blends of levels, a mix of filters, and values that are not finite. */
START_TEST(two_levels)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_2D, 4, 4, 1, 2);
    struct tex_sampler_state state = state_of((unsigned)_i, D3DTADDRESS_CLAMP);
    struct rgba fine, coarse, both;

    for (uint32_t i = 0; i < 16; i++)
        poke(image, 0, 0, i & 3, i >> 2, 0, 16 * i);
    for (uint32_t i = 0; i < 4; i++)
        poke(image, 0, 1, i & 1, i >> 1, 0, 255 - 50 * i);
    state.mip_filter = D3DTEXF_LINEAR;
    state.mag_filter = D3DTEXF_POINT;
    fine = sample_at(image, &state, 0.45f, 0.55f, 0.0f, 0.0039f);
    coarse = sample_at(image, &state, 0.45f, 0.55f, 0.0f, 1.0f);
    both = sample_at(image, &state, 0.45f, 0.55f, 0.0f, 0.75f);
    ck_assert(fabs(both.c[0] - (0.25 * fine.c[0] + 0.75 * coarse.c[0])) < 2e-3);
    ck_assert(fabs(fine.c[0] - sample_at(image, &state, 0.45f, 0.55f, 0.0f, -1.0f).c[0]) > 0.01);
    tex_image_unref(&image);
}
END_TEST

START_TEST(texels_without_weight)
{
    struct tex_image *image = make_2d(D3DFMT_R32F, W, H);
    struct tex_sampler_state state = state_of((unsigned)_i, D3DTADDRESS_CLAMP);

    poke(image, 0, 0, 1, 1, 0, 0x3f800000);
    poke(image, 0, 0, 2, 1, 0, 0x7f800000);
    poke(image, 0, 0, 1, 2, 0, 0x7fc00000);
    ck_assert(sample_at(image, &state, 1.5f / W, 1.5f / H, 0.0f, 0.0f).c[0] == 1.0f);
    ck_assert(isinf(sample_at(image, &state, 1.75f / W, 1.5f / H, 0.0f, 0.0f).c[0]));
    tex_image_unref(&image);
}
END_TEST

/* Volumes filter as LINEAR. */
START_TEST(volumes)
{
    struct tex_image *image = make_image(D3DFMT_L8, TEX_VOLUME_MAP, 2, 2, 2, 1);
    struct tex_sampler_state state = state_of((unsigned)_i, D3DTADDRESS_CLAMP),
                             linear = state_of(D3DTEXF_LINEAR, D3DTADDRESS_CLAMP);

    for (uint32_t i = 0; i < 8; i++)
        poke(image, 0, 0, i & 1, i >> 1 & 1, i >> 2, 37 * i * i);
    ck_assert(sample_at(image, &state, 0.4f, 0.3f, 0.6f, 0.0f).c[0] ==
              sample_at(image, &linear, 0.4f, 0.3f, 0.6f, 0.0f).c[0]);
    tex_image_unref(&image);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex quad filters");
    TCase *tc = tcase_create("quad filters");
    int first = D3DTEXF_PYRAMIDALQUAD, end = D3DTEXF_GAUSSIANQUAD + 1;

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_loop_test(tc, all_fractions, first, end);
    tcase_add_loop_test(tc, all_address_modes, first, end);
    tcase_add_loop_test(tc, continuous, first, end);
    tcase_add_loop_test(tc, two_levels, first, end);
    tcase_add_loop_test(tc, texels_without_weight, first, end);
    tcase_add_loop_test(tc, volumes, first, end);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
