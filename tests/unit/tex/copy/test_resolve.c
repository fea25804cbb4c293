/* Resolves of multisampled surfaces. */
#include "check_main.h"
#include "tex_helpers.h"
#include "util/cpu.h"

START_TEST(multisampled_surfaces_resolve)
{
    struct tex_desc desc = desc_of(D3DFMT_A8R8G8B8, TEX_2D, 4, 4, 1, 1, 2);
    struct tex_image *ms, *dst = make_2d(D3DFMT_A8R8G8B8, 8, 8);
    struct tex_box half = {0, 0, 0, 2, 2, 1}, all = {0, 0, 0, 8, 8, 1}, small = {0, 0, 0, 4, 4, 1};

    ck_assert_int_eq(tex_image_create(&ms, &desc, NULL), ST_OK);
    for (uint32_t i = 0; i < 16; i++) {
        poke(ms, 0, 0, i & 3, i >> 2, 0, 0xff2000ff);
        poke(ms, 0, 0, i & 3, i >> 2, 1, 0x40608000);
    }
    ck_assert_int_eq(stretch_boxes(dst, &all, ms, &half, D3DTEXF_POINT), ST_OK);
    ck_assert_uint_eq(read_argb(dst, 7, 7, 0), 0xa0404080); /* rounds half up */
    ck_assert_int_eq(tex_fill(dst, 0, 0, &all, 0x01020304), ST_OK);
    ck_assert_int_eq(stretch_boxes(ms, &small, dst, &all, D3DTEXF_LINEAR), ST_OK);
    ck_assert_uint_eq(read_argb(ms, 3, 3, 1), 0x01020304);
    tex_image_unref(&ms);
    tex_image_unref(&dst);
}
END_TEST

/* multisample/resolve: the exact sum of each channel, rounded half up. */
START_TEST(resolves_are_exact)
{
    static const enum cpu_isa isas[] = {ISA_SCALAR, ISA_SSE2, ISA_AVX2, ISA_AVX512, ISA_NEON};

    if (!cpu_has_isa(isas[_i]))
        return;
    ck_assert_int_eq(cpu_set_isa(isas[_i]), ST_OK);
    for (uint32_t samples = 2; samples <= 16; samples *= 2) {
        for (uint32_t width = 1; width <= 35; width++) {
            struct tex_desc desc = desc_of(D3DFMT_X8R8G8B8, TEX_2D, width, 3, 1, 1, samples);
            struct tex_image *ms, *dst = make_2d(D3DFMT_X8R8G8B8, width, 3);

            ck_assert_int_eq(tex_image_create(&ms, &desc, NULL), ST_OK);
            for (size_t i = 0; i < ms->bytes; i++)
                ((uint8_t *)ms->memory)[i] = (uint8_t)(i * i * 37 >> 4 ^ i / 5);
            ck_assert_int_eq(tex_resolve(dst, ms), ST_OK);
            for (uint32_t y = 0; y < 3; y++)
                for (uint32_t i = 0; i < 4 * width; i++) {
                    uint32_t sum = 0;

                    for (uint32_t s = 0; s < samples; s++)
                        sum += tex_level_at(ms->level, ms->format, 0, y, s)[i];
                    ck_assert_uint_eq(tex_level_at(dst->level, dst->format, 0, y, 0)[i],
                                      (2 * sum + samples) / (2 * samples));
                }
            tex_image_unref(&ms);
            tex_image_unref(&dst);
        }
    }
}
END_TEST

START_TEST(float_surfaces_resolve)
{
    struct tex_desc desc = desc_of(D3DFMT_R32F, TEX_2D, 70, 1, 1, 1, 4);
    struct tex_image *ms, *dst = make_2d(D3DFMT_R32F, 70, 1);

    ck_assert_int_eq(tex_image_create(&ms, &desc, NULL), ST_OK);
    for (uint32_t s = 0; s < 4; s++) {
        float v = (float)(1u << s);
        uint32_t bits;

        memcpy(&bits, &v, 4);
        poke(ms, 0, 0, 69, 0, s, bits);
    }
    ck_assert_int_eq(tex_resolve(dst, ms), ST_OK);
    ck_assert_float_eq(*(float *)(void *)tex_level_at(dst->level, dst->format, 69, 0, 0), 3.75f);
    tex_image_unref(&ms);
    tex_image_unref(&dst);
}
END_TEST

/* The formats that targets of several samples have. */
static const D3DFORMAT formats[] = {D3DFMT_R5G6B5,   D3DFMT_X1R5G5B5,      D3DFMT_A1R5G5B5,
                                    D3DFMT_A4R4G4B4, D3DFMT_A2R10G10B10,   D3DFMT_A2B10G10R10,
                                    D3DFMT_G16R16,   D3DFMT_A16B16G16R16,  D3DFMT_L8,
                                    D3DFMT_A8,       D3DFMT_A8L8,          D3DFMT_R16F,
                                    D3DFMT_G16R16F,  D3DFMT_A16B16G16R16F, D3DFMT_R32F,
                                    D3DFMT_G32R32F,  D3DFMT_A32B32G32R32F};

/* Unpacks the samples of a row, adds them in order, divides and packs. */
static void expect_row(const struct tex_image *ms, uint32_t y, uint8_t *out)
{
    uint32_t n = ms->desc.width, samples = ms->desc.samples;
    _Alignas(64) float sum[4][TEX_LANES], more[4][TEX_LANES];

    for (uint32_t s = 0; s < samples; s++) {
        tex_unpacker(ms->format)(ms->format, tex_level_at(ms->level, ms->format, 0, y, s), n,
                                 (float *[4]){more[0], more[1], more[2], more[3]});
        for (uint32_t i = 0; i < 4 * TEX_LANES; i++)
            sum[i / TEX_LANES][i % TEX_LANES] =
                s ? sum[i / TEX_LANES][i % TEX_LANES] + more[i / TEX_LANES][i % TEX_LANES]
                  : more[i / TEX_LANES][i % TEX_LANES];
    }
    for (uint32_t i = 0; i < 4 * TEX_LANES; i++)
        sum[i / TEX_LANES][i % TEX_LANES] /= (float)samples;
    tex_packer(ms->format)(ms->format, out, n, (const float *[4]){sum[0], sum[1], sum[2], sum[3]});
}

/* _i: the format. Random bits, which are also NaN, infinities and denormals. */
START_TEST(resolves_match_floats)
{
    static const enum cpu_isa isas[] = {ISA_SCALAR, ISA_SSE2, ISA_AVX2, ISA_AVX512, ISA_NEON};
    uint32_t bits = 1;
    uint8_t want[TEX_LANES * 16];

    for (unsigned isa = 0; isa < 5; isa++) {
        if (!cpu_has_isa(isas[isa]))
            continue;
        ck_assert_int_eq(cpu_set_isa(isas[isa]), ST_OK);
        for (uint32_t samples = 2; samples <= 16; samples *= 2)
            for (uint32_t width = 1; width <= TEX_LANES; width += 5) {
                struct tex_desc desc = desc_of(formats[_i], TEX_2D, width, 9, 1, 1, samples);
                struct tex_image *ms, *dst = make_2d(formats[_i], width, 9);

                ck_assert_int_eq(tex_image_create(&ms, &desc, NULL), ST_OK);
                for (size_t i = 0; i < ms->bytes; i++) {
                    bits = bits * 1664525 + 1013904223;
                    ((uint8_t *)ms->memory)[i] = (uint8_t)(bits >> 24);
                }
                ck_assert_int_eq(tex_resolve(dst, ms), ST_OK);
                for (uint32_t y = 0; y < 9; y++) {
                    expect_row(ms, y, want);
                    ck_assert_msg(!memcmp(want, tex_level_at(dst->level, dst->format, 0, y, 0),
                                          (size_t)width * dst->format->bytes),
                                  "%s, %s, %u samples, width %u", dst->format->name,
                                  cpu_isa_name(isas[isa]), (unsigned)samples, (unsigned)width);
                }
                tex_image_unref(&ms);
                tex_image_unref(&dst);
            }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex resolve");
    TCase *tc = tcase_create("resolve");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, multisampled_surfaces_resolve);
    tcase_add_loop_test(tc, resolves_are_exact, 0, 5);
    tcase_add_test(tc, float_surfaces_resolve);
    tcase_add_loop_test(tc, resolves_match_floats, 0, sizeof(formats) / sizeof(formats[0]));
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
