/* Packed-pixel sampling equals float sampling followed by conversion: every instruction set, both
 * filters, all address modes, inside, at edges and far away. So does axis-aligned sampling, at any
 * level. */
#include "check_main.h"
#include "kernel/bits.h"
#include "tex/shortcut/kernels.h"
#include "util/fpenv.h"

#include <math.h>

enum { ROUNDS = 3000 };

static uint64_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static uint8_t unorm8(float value)
{
    float clamped = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;

    return (uint8_t)(clamped * 255.0f + 0.5f);
}

/* Sums of bytes with weights in 1/65536 convert to the same code in floats and in integers. */
START_TEST(integer_and_float_sums_convert_equally)
{
    for (uint32_t sum = 0; sum <= 255 * 65536; sum++) {
        volatile float value = (float)sum / (255.0f * 65536.0f);

        if (unorm8(value) != (sum + 32768) >> 16)
            ck_abort_msg("%u", sum);
    }
}
END_TEST

static struct tex_image *filled_image(const struct tex_desc *desc)
{
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, desc, NULL), ST_OK);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)below(256);
    tex_image_touch(image);
    return image;
}

static struct tex_image *any_image(void)
{
    static const uint32_t size[] = {1, 2, 3, 8, 33, 64};
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8L8, D3DFMT_L8};
    struct tex_desc desc = {.format = formats[below(4)],
                            .width = size[below(6)],
                            .height = size[below(6)],
                            .depth = 1,
                            .levels = 1,
                            .samples = 1};

    return filled_image(&desc);
}

static void any_state(struct tex_sampler_state *state)
{
    *state = (struct tex_sampler_state){
        .address = {(uint8_t)(1 + below(5)), (uint8_t)(1 + below(5)), 1},
        .min_filter = (uint8_t)(1 + below(2)),
        .mip_filter = D3DTEXF_NONE,
        .max_anisotropy = 1,
        .border = below(UINT32_C(0x7fffffff)) * 2,
    };
    state->mag_filter = state->min_filter;
}

static void any_coordinates(float *t)
{
    float first = (float)below(3000) / 1000.0f - 1.0f;
    float step = (float)below(1000) / (below(2) ? 50000.0f : 5000.0f);

    for (unsigned i = 0; i < TEX_LANES; i++)
        t[i] = first + step * (float)(i % 8);
    if (below(8) == 0)
        t[below(TEX_LANES)] = below(2) ? NAN : 1e30f;
}

static void sample_floats(const struct tex_sampler *sampler, const float *u, const float *v,
                          uint32_t *pixels)
{
    static _Alignas(64) float rgba[4][TEX_LANES];
    struct sample in = {
        .lanes = ~UINT64_C(0), .coord = {u, v}, .texel = {rgba[0], rgba[1], rgba[2], rgba[3]}};

    tex_sample(sampler, &in);
    for (unsigned i = 0; i < TEX_LANES; i++)
        pixels[i] = (uint32_t)unorm8(rgba[3][i]) << 24 | (uint32_t)unorm8(rgba[0][i]) << 16 |
                    (uint32_t)unorm8(rgba[1][i]) << 8 | unorm8(rgba[2][i]);
}

START_TEST(packed_pixels_equal_converted_samples)
{
    static _Alignas(64) float u[TEX_LANES], v[TEX_LANES];
    static _Alignas(64) uint32_t want[TEX_LANES], got[TEX_LANES];

    for (int round = 0; round < ROUNDS; round++) {
        struct tex_image *image = any_image();
        struct tex_sampler_state state;

        any_state(&state);
        any_coordinates(u);
        any_coordinates(v);
        cpu_fast_gathers = !cpu_fast_gathers; /* alternates between gathers and separate loads */
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            struct tex_sampler sampler;
            tex_sample_packed_fn *fn;

            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            ck_assert_int_eq(cpu_set_isa((enum cpu_isa)isa), ST_OK);
            ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
            if (image->decode_cache) {
                tex_decode_cache_require_all(image->decode_cache);
                ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
            }
            fn = tex_sampler_packed(&sampler);
            ck_assert(fn != NULL);
            if (isa == 0)
                sample_floats(&sampler, u, v, want);
            fn(&sampler, u, v, got);
            for (unsigned i = 0; i < TEX_LANES; i++)
                ck_assert_msg(got[i] == want[i], "%s, round %d, lane %u: %08x, not %08x",
                              cpu_isa_name((enum cpu_isa)isa), round, i, got[i], want[i]);
        }
        bits_bytes(want, sizeof(want));
        tex_image_unref(&image);
    }
    bits_print("packed pixels", 0);
}
END_TEST

/* --- Axis-aligned areas ----------------------------------------------------------------------- */

static struct tex_image *leveled_image(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_DXT1, D3DFMT_L8};
    static const uint32_t size[] = {4, 8, 32, 64, 256};
    struct tex_desc desc = {.format = formats[below(4)],
                            .width = size[below(5)],
                            .height = size[below(5)],
                            .depth = 1,
                            .samples = 1};

    return filled_image(&desc);
}

static void any_filters(struct tex_sampler_state *state)
{
    any_state(state);
    state->min_filter = (uint8_t)(1 + below(3));
    state->mag_filter = (uint8_t)(1 + below(2));
    state->mip_filter = (uint8_t)below(3);
    state->max_anisotropy = 4;
    state->lod_bias = below(4) ? 0.0f : 0.375f;
}

/* Often 1 or 1.5 texels per pixel. */
static void any_axis(float *t, uint32_t size, float texels)
{
    float first = (float)below(3000) / 1000.0f - 1.0f;
    float step = (float)(below(400) + 1) / (below(2) ? 50000.0f : 5000.0f);

    if (below(4))
        step = texels / (float)size;
    for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i++)
        t[i] = first + step * (float)i;
    if (below(16) == 0)
        t[below(TEX_AXIS_ALIGNED_SIZE)] = below(2) ? NAN : -1e30f;
}

static void sample_block(const struct tex_sampler *sampler, const struct tex_axis_aligned *area,
                         unsigned x, unsigned y, uint32_t *pixels)
{
    static _Alignas(64) float u[TEX_LANES], v[TEX_LANES];

    for (unsigned i = 0; i < TEX_LANES; i++) {
        u[i] = area->u[x + i / 4 % 4 * 2 + i % 2];
        v[i] = area->v[y + i / 16 * 2 + i / 2 % 2];
    }
    sample_floats(sampler, u, v, pixels);
}

/* Returns false if the sampler has no axis-aligned path for the area. Hashes one instruction set
 * only, because hosts have different numbers of them. */
static bool compare_area(const struct tex_sampler *sampler, struct tex_axis_aligned *area,
                         bool hash)
{
    static _Alignas(64) uint32_t want[TEX_LANES];
    static uint32_t rows[TEX_AXIS_ALIGNED_SIZE][TEX_AXIS_ALIGNED_SIZE + 3];

    area->rows = (uint8_t *)rows;
    area->pitch = sizeof(rows[0]);
    if (!tex_sampler_axis_aligned(sampler) || !tex_sampler_axis_aligned(sampler)(sampler, area))
        return false;
    for (unsigned block = 0; block < TEX_AXIS_ALIGNED_SIZE; block++) {
        unsigned x = block % 8 * 8, y = block / 8 * 8;

        sample_block(sampler, area, x, y, want);
        for (unsigned i = 0; i < TEX_LANES; i++) {
            uint32_t got = rows[y + i / 16 * 2 + i / 2 % 2][x + i / 4 % 4 * 2 + i % 2];

            ck_assert_msg(got == (want[i] | area->set), "block %u, lane %u: %08x, not %08x", block,
                          i, got, want[i] | area->set);
        }
        if (hash)
            bits_bytes(want, sizeof(want));
    }
    return true;
}

START_TEST(axis_aligned_areas_equal_samples)
{
    static const float texels[] = {0.3f, 1.0f, 1.0f, 1.5f, 1.5f, 2.0f, 2.7f, -1.0f, -1.5f};
    unsigned areas = 0;

    for (int round = 0; round < ROUNDS / 4; round++) {
        struct tex_image *image = leveled_image();
        struct tex_sampler_state state;
        struct tex_axis_aligned area = {.set = below(2) ? 0xff000000 : 0};
        struct tex_sampler sampler;
        float across = texels[below(9)], down = below(2) ? across : texels[below(9)];

        any_filters(&state);
        any_axis(area.u, image->desc.width, across);
        any_axis(area.v, image->desc.height, down);
        cpu_fast_gathers = !cpu_fast_gathers; /* alternates between gathers and separate loads */
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            ck_assert_int_eq(cpu_set_isa((enum cpu_isa)isa), ST_OK);
            ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
            areas += compare_area(&sampler, &area, isa == 0) && isa == 0;
        }
        tex_image_unref(&image);
    }
    ck_assert_msg(areas > ROUNDS / 16, "%u areas", areas);
    bits_print("axis-aligned", 0);
}
END_TEST

/* Samplers whose results would differ have no packed path. */
START_TEST(unsupported_samplers_have_no_packed_path)
{
    static const struct {
        D3DFORMAT format;
        enum tex_shape shape;
        uint32_t levels;
        struct tex_sampler_state state;
    } cases[] = {
        {D3DFMT_A8R8G8B8, TEX_2D, 3, {.min_filter = 2, .mag_filter = 2, .mip_filter = 2}},
        {D3DFMT_A8R8G8B8, TEX_2D, 1, {.min_filter = 2, .mag_filter = 1}},
        {D3DFMT_A8R8G8B8, TEX_2D, 1, {.min_filter = 2, .mag_filter = 2, .srgb = true}},
        {D3DFMT_A8B8G8R8, TEX_2D, 1, {.min_filter = 2, .mag_filter = 2}},
        {D3DFMT_R5G6B5, TEX_2D, 1, {.min_filter = 2, .mag_filter = 2}},
        {D3DFMT_A4R4G4B4, TEX_2D, 1, {.min_filter = 2, .mag_filter = 2}},
        {D3DFMT_A8, TEX_2D, 1, {.min_filter = 2, .mag_filter = 2}},
        {D3DFMT_A8R8G8B8, TEX_CUBE_MAP, 1, {.min_filter = 2, .mag_filter = 2}},
        {D3DFMT_A8R8G8B8, TEX_VOLUME_MAP, 1, {.min_filter = 2, .mag_filter = 2}},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_desc desc = {.format = cases[i].format,
                                .shape = cases[i].shape,
                                .width = 8,
                                .height = 8,
                                .depth = 1,
                                .levels = cases[i].levels,
                                .samples = 1};
        struct tex_image *image;
        struct tex_sampler sampler;

        ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &cases[i].state), ST_OK);
        if (image->decode_cache) {
            tex_decode_cache_require_all(image->decode_cache);
            ck_assert_int_eq(tex_sampler_init(&sampler, image, &cases[i].state), ST_OK);
            ck_assert_msg(!tex_sampler_axis_aligned(&sampler), "case %u", i);
        }
        ck_assert_msg(!tex_sampler_packed(&sampler), "case %u", i);
        tex_image_unref(&image);
    }
    ck_assert(!tex_sampler_packed(&(struct tex_sampler){{0}}));
}
END_TEST

static struct fp_mode old_mode;
static void set_mode(void)
{
    old_mode = fp_enter();
    seed = 1;
}
static void put_mode_back(void)
{
    fp_leave(old_mode);
}

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/packed pixels");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, integer_and_float_sums_convert_equally);
    tcase_add_test(tc, packed_pixels_equal_converted_samples);
    tcase_add_test(tc, axis_aligned_areas_equal_samples);
    tcase_add_test(tc, unsupported_samplers_have_no_packed_path);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
