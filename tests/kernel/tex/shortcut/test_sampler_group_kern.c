/* Sampler groups return what separate sampling returns, with every instruction set, for samplers
 * with shared and with different states. */
#include "check_main.h"
#include "kernel/bits.h"
#include "still.h"
#include "tex/shortcut/shortcut.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <string.h>

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

struct lanes {
    _Alignas(64) float c[4][TEX_LANES];
};

static struct tex_image *new_image(D3DFORMAT format, uint32_t width, uint32_t height)
{
    struct tex_desc desc = {
        .format = format, .width = width, .height = height, .depth = 1, .samples = 1};
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)below(256);
    return image;
}

static struct tex_sampler_state new_state(void)
{
    struct tex_sampler_state state = {.min_filter = (uint8_t)(1 + below(2)),
                                      .mag_filter = (uint8_t)(1 + below(2)),
                                      .mip_filter = (uint8_t)below(3),
                                      .max_anisotropy = 1};

    for (int a = 0; a < 3; a++)
        state.address[a] = (uint8_t)(below(4) ? D3DTADDRESS_WRAP : 1 + below(5));
    return state;
}

/* 8x8 pixels of a rotated plane with some texels per pixel, twice as many at the far end; or
 * axis-aligned in either direction, where texels are close together. */
static void fill_coordinates(struct lanes *l, uint32_t size)
{
    float u = (float)below(64) / 32.0f, v = (float)below(64) / 32.0f;
    float a = (float)below(300) / 100.0f / (float)size,
          b = (float)below(300) / 100.0f / (float)size;
    bool straight = below(3) == 0, mirrored = below(2);

    for (int i = 0; i < TEX_LANES; i++) {
        float x = (float)(i / 4 % 4 * 2 + (i & 1)), y = (float)(i / 16 * 2 + (i >> 1 & 1));
        float scale = straight ? 1.0f : 1.0f + y / 8.0f, turn = straight ? 0.0f : b;

        l->c[0][i] = u + (a * (mirrored ? 7.0f - x : x) - turn * y) * scale;
        l->c[1][i] = v + (turn * x + a * y) * scale;
        l->c[2][i] = 0.5f;
        l->c[3][i] = (float)below(64) / 16.0f - 1.0f; /* an explicit LOD */
    }
}

static void point_at(struct sample *s, struct lanes *to)
{
    memset(to, 0x55, sizeof(*to));
    for (int c = 0; c < 4; c++)
        s->texel[c] = below(8) ? to->c[c] : NULL;
}

static unsigned find_first(const struct tex_sampler *sampler, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if (!tex_can_group_samplers(&sampler[0], &sampler[i]))
            return i;
    return n;
}

/* Samples the first n samplers separately and as a group. A constant LOD is that of one sampler:
 * textures of others may not be decoded yet. */
static void compare(const struct tex_sampler *sampler, unsigned n,
                    const struct tex_const_lod *const_lod, const struct tex_gradients *gradients,
                    const struct sample *first, const char *isa)
{
    static struct lanes alone[TEX_MAX_SAMPLER_GROUP], grouped_out[TEX_MAX_SAMPLER_GROUP];
    const struct tex_sampler *samplers[TEX_MAX_SAMPLER_GROUP] = {NULL};
    struct sample s[TEX_MAX_SAMPLER_GROUP] = {{0}};

    for (unsigned i = 0; i < n; i++) {
        samplers[i] = &sampler[i];
        s[i] = *first;
        point_at(&s[i], &alone[i]);
        if (const_lod->lod_and_filter < 0) {
            tex_sample(&sampler[i], &s[i]);
        } else {
            struct tex_const_lod own;

            tex_sampler_const_lod(&sampler[i], gradients, &own);
            ck_assert_int_eq(own.lod_and_filter, const_lod->lod_and_filter);
            tex_sample_const_lod(&sampler[i], &own, &s[i]);
        }
        memset(&grouped_out[i], 0x55, sizeof(grouped_out[i]));
        for (int c = 0; c < 4; c++)
            s[i].texel[c] = s[i].texel[c] ? grouped_out[i].c[c] : NULL;
    }
    tex_sample_group(samplers, const_lod, s, n);
    for (unsigned i = 0; i < n; i++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < TEX_LANES; k++)
                ck_assert_msg(!(first->lanes >> k & 1) ||
                                  !memcmp(&alone[i].c[c][k], &grouped_out[i].c[c][k], 4),
                              "%s: texture %u of %u, LOD %d, channel %d, lane %d: %a, alone %a",
                              isa, i, n, const_lod->lod_and_filter, c, k, grouped_out[i].c[c][k],
                              alone[i].c[c][k]);
    bits_floats(grouped_out[0].c[0], TEX_LANES);
}

/* Textures of one size, occasionally one of another size or with other states; all, some or none of
 * them with quad texels. */
static void make_samplers(struct tex_sampler *sampler, struct tex_image **image, uint32_t size)
{
    static const D3DFORMAT formats[2][5] = {
        {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8, D3DFMT_A8R8G8B8, D3DFMT_DXT1},
        {D3DFMT_DXT1, D3DFMT_DXT5, D3DFMT_R5G6B5, D3DFMT_A4R4G4B4, D3DFMT_L8}};
    unsigned decoded = below(2);
    struct tex_sampler_state state = new_state();
    uint32_t changing = below(3);

    for (unsigned i = 0; i < TEX_MAX_SAMPLER_GROUP; i++) {
        D3DFORMAT format = formats[below(8) ? decoded : !decoded][below(5)];
        uint32_t height = below(8) ? size : size / 2;

        image[i] = new_image(format, size, height);
        if (!below(8))
            state = new_state();
        if (changing && !below(changing * changing))
            ck_assert_int_eq(tex_sampler_init(&sampler[i], image[i], &state), ST_OK);
        else
            init_still(&sampler[i], image[i], &state);
    }
}

START_TEST(groups_equal_separate_samples)
{
    unsigned found = 0, const_lods = 0;
    struct fp_mode old = fp_enter();

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    ck_assert_int_eq(cpu_set_isa((enum cpu_isa)_i), ST_OK);
    seed = 7;
    for (int n = 0; n < 600; n++) {
        struct tex_sampler sampler[TEX_MAX_SAMPLER_GROUP];
        struct tex_image *image[TEX_MAX_SAMPLER_GROUP];
        struct lanes at;
        struct sample s = {.lod_mode = below(4) ? LOD_IMPLICIT : (enum lod)(1 + below(2)),
                           .coord = {at.c[0], at.c[1], at.c[2]},
                           .lod = at.c[3],
                           .lanes = below(3) ? ~UINT64_C(0) : below(1 << 24) * UINT64_C(0xf00f0f)};
        uint32_t size = 8u << below(5);
        struct tex_gradients gradients = {.error_bound = {1e-6, 1e-6}};
        unsigned grouped;
        struct tex_const_lod const_lod, none = {.lod_and_filter = -1};

        cpu_fast_gathers = !cpu_fast_gathers; /* alternates between gathers and separate loads */
        make_samplers(sampler, image, size);
        fill_coordinates(&at, size);
        grouped = find_first(sampler, TEX_MAX_SAMPLER_GROUP);
        gradients.step[0][0] = gradients.step[1][1] = (double)below(300) / 100.0 / size;
        tex_sampler_const_lod(&sampler[0], &gradients, &const_lod);
        if (grouped > 1)
            compare(sampler, grouped, &none, &gradients, &s, cpu_isa_name((enum cpu_isa)_i));
        if (grouped > 1 && const_lod.lod_and_filter >= 0)
            compare(sampler, grouped, &const_lod, &gradients, &s, cpu_isa_name((enum cpu_isa)_i));
        found += grouped > 1;
        const_lods += grouped > 1 && const_lod.lod_and_filter >= 0;
        for (unsigned i = 0; i < TEX_MAX_SAMPLER_GROUP; i++)
            tex_image_unref(&image[i]);
    }
    ck_assert_msg(found > 100 && const_lods > 25, "%u were grouped, %u with a constant LOD", found,
                  const_lods);
    if (_i == ISA_SCALAR) /* the other instruction sets were only compared within themselves */
        bits_print("sampler groups", 0);
    fp_leave(old);
}
END_TEST

static bool can_group(const struct tex_sampler_state *a, const struct tex_image *one,
                      const struct tex_sampler_state *b, const struct tex_image *other)
{
    struct tex_sampler sampler[2];

    ck_assert_int_eq(tex_sampler_init(&sampler[0], (struct tex_image *)(uintptr_t)one, a), ST_OK);
    ck_assert_int_eq(tex_sampler_init(&sampler[1], (struct tex_image *)(uintptr_t)other, b), ST_OK);
    return tex_can_group_samplers(&sampler[0], &sampler[1]);
}

START_TEST(different_samplers_do_not_group)
{
    struct tex_sampler_state state = {.address = {1, 1, 1},
                                      .min_filter = D3DTEXF_LINEAR,
                                      .mag_filter = D3DTEXF_LINEAR,
                                      .mip_filter = D3DTEXF_LINEAR};
    struct tex_sampler_state other = state;
    struct tex_image *a = new_image(D3DFMT_A8R8G8B8, 64, 64);
    struct tex_image *b = new_image(D3DFMT_X8R8G8B8, 64, 64);
    struct tex_image *small = new_image(D3DFMT_A8R8G8B8, 64, 32);

    ck_assert(can_group(&state, a, &state, b));
    ck_assert(!can_group(&state, a, &state, small));
    ck_assert(!can_group(&state, a, &state, NULL));
    other.address[1] = D3DTADDRESS_CLAMP;
    ck_assert(!can_group(&state, a, &other, b));
    other = state;
    other.lod_bias = 0.5f;
    ck_assert(!can_group(&state, a, &other, b));
    other = state;
    other.max_mip_level = 1;
    ck_assert(!can_group(&state, a, &other, b));
    tex_image_unref(&a);
    tex_image_unref(&b);
    tex_image_unref(&small);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("sampler groups");
    TCase *tc = tcase_create("sampler groups");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, groups_equal_separate_samples, 0, ISA_COUNT);
    tcase_add_test(tc, different_samplers_do_not_group);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
