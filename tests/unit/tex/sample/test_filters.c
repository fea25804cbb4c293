/* Level functions: exact bilinear sums, Fetch4, and weights of zero. */
#include "check_main.h"
#include "still.h"
#include "tex/codec/codec.h"
#include "tex/sample/sample.h"
#include "tex_helpers.h"

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

static unsigned code_of(const struct tex_format *f, uint32_t texel, int c)
{
    struct tex_channel ch = f->channel[f->layout == TEX_LAYOUT_LUMINANCE && c < 3 ? 0 : c];

    return texel >> ch.shift & ((1u << ch.bits) - 1);
}

static void check_sum(const struct tex_format *f, const uint32_t texel[4], int fx, int fy,
                      const float *got)
{
    for (int c = 0; c < 4; c++) {
        struct tex_channel ch = f->channel[f->layout == TEX_LAYOUT_LUMINANCE && c < 3 ? 0 : c];
        unsigned sum = 0;

        for (int i = 0; i < 4 && ch.bits; i++)
            sum += code_of(f, texel[i], c) * (unsigned)(i & 1 ? fx : 256 - fx) *
                   (unsigned)(i >> 1 ? fy : 256 - fy);
        ck_assert_msg(got[c] == (ch.bits ? (float)((double)sum / (((1u << ch.bits) - 1) * 65536.0))
                                         : (float)f->absent[c]),
                      "%s: %d %d %d", f->name, fx, fy, c);
    }
}

/* Packed channels of up to 8 bits filter exactly, too: from codes in place, and from quad texels.
 */
START_TEST(bilinear_is_exact_on_codes)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    static const uint32_t texel[4] = {0x1234, 0xffff, 0x8001, 0x6b5e};
    struct tex_sampler_state state = default_state();
    struct tex_image *image;

    if (!tex_has_byte_codes(f))
        return;
    image = make_2d(f->d3d, 2, 2);
    for (uint32_t i = 0; i < 4; i++)
        poke(image, 0, 0, i & 1, i >> 1, 0, texel[i]);
    state.min_filter = state.mag_filter = D3DTEXF_LINEAR;
    for (int quads = 0; quads < 2; quads++) {
        struct tex_sampler sampler;

        if (quads) {
            init_still(&sampler, image, &state);
            ck_assert(tex_sampler_private(&sampler)->quad_texels ||
                      !KERN_PICK(tex_sample_rgba8_kern)->uses_quad_texels);
        }
        for (int fy = 0; fy < 256; fy += 17)
            for (int fx = 0; fx < 256; fx += 15)
                check_sum(f, texel, fx, fy,
                          sample_at(image, &state, (float)(fx + 128) / 512.0f,
                                    (float)(fy + 128) / 512.0f, 0.0f, 0.0f)
                              .c);
    }
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
    struct tex_image *image = make_ramp();
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
    Suite *s = suite_create("tex filters");
    TCase *tc = tcase_create("filters");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, bilinear_is_exact_on_bytes);
    tcase_add_loop_test(tc, bilinear_is_exact_on_codes, 0, (int)tex_format_count());
    tcase_add_test(tc, fetch4_gathers);
    tcase_add_test(tc, fetch4_at_the_end);
    tcase_add_test(tc, zero_weight_ignores_infinities);
    tcase_add_test(tc, denormal_texels_are_zero);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
