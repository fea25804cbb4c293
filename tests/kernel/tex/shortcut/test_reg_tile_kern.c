/* Register-tile sampling of 8x8-pixel batches equals tex_sample with every instruction set, even if
 * the batch violates its gradient bounds. */
#include "check_main.h"
#include "kernel/bits.h"
#include "still.h"
#include "tex/shortcut/shortcut.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <math.h>
#include <string.h>

static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Random value in -1 … 1. */
static float fraction(void)
{
    return (float)below(1 << 16) / 32768.0f - 1.0f;
}

struct lanes {
    _Alignas(64) float c[4][TEX_LANES];
};

static struct tex_image *new_image(void)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8,
                                        D3DFMT_DXT1,     D3DFMT_R5G6B5,   D3DFMT_A4R4G4B4};
    static const uint32_t sizes[] = {4, 8, 12, 32, 100, 256};
    struct tex_desc desc = {.format = formats[below(6)], .depth = 1, .samples = 1};
    struct tex_image *image;

    desc.levels = below(2);
    desc.width = sizes[below(6)];
    desc.height = sizes[below(6)];
    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)below(256);
    return image;
}

static struct tex_sampler_state new_state(void)
{
    struct tex_sampler_state state = {.min_filter = D3DTEXF_LINEAR,
                                      .mag_filter = D3DTEXF_LINEAR,
                                      .mip_filter = (uint8_t)below(2),
                                      .border = 0x80ff4020};

    for (int a = 0; a < 2; a++)
        state.address[a] = (uint8_t)(below(3) ? D3DTADDRESS_WRAP : 1 + below(5));
    return state;
}

/* A rotated affine mapping with up to 1.2 texels per pixel; sometimes axis-aligned. */
static void turn(struct tex_gradients *gradients, const struct tex_image *image)
{
    double scale = below(5) ? below(120) / 100.0 : 1.0, angle = below(3) ? below(628) / 100.0 : 0.0;
    double size[2] = {image->desc.width, image->desc.height};

    for (int a = 0; a < 2; a++) {
        gradients->step[a][a] = (double)(float)(scale * cos(angle) / size[a]);
        gradients->step[a][1 - a] = (double)(float)(scale * sin(angle) / (a ? -size[a] : size[a]));
        gradients->error_bound[a] = 1e-5 / size[a];
    }
}

static void fill_block(struct lanes *l, const struct tex_gradients *gradients, float u, float v)
{
    const float start[2] = {u, v};

    for (int i = 0; i < TEX_LANES; i++) {
        float x = (float)(i / 4 % 4 * 2 + (i & 1)), y = (float)(i / 16 * 2 + (i >> 1 & 1));

        for (int a = 0; a < 2; a++)
            l->c[a][i] =
                start[a] + ((float)gradients->step[a][0] * x + (float)gradients->step[a][1] * y);
    }
}

/* Coordinates that violate the bounds, including NaN and infinities. */
static void spoil(struct lanes *l)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f, 0.0f};

    for (unsigned n = 1 + below(3); n; n--)
        l->c[below(2)][below(TEX_LANES)] = below(2) ? strange[below(7)] : 3.0f * fraction();
}

static void compare(const struct tex_sampler *sampler, const struct tex_const_lod *const_lod,
                    const struct lanes *at, const char *isa)
{
    static struct lanes expected, got;
    struct sample s = {.lod_mode = LOD_IMPLICIT, .coord = {at->c[0], at->c[1], at->c[0]}};

    s.lanes = below(3) ? ~UINT64_C(0) : below(1 << 24) * UINT64_C(0xf00f0f);
    memset(&expected, 0x55, sizeof(expected));
    memset(&got, 0x55, sizeof(got));
    for (int c = 0; c < 4; c++)
        s.texel[c] = expected.c[c];
    tex_sample(sampler, &s);
    for (int c = 0; c < 4; c++)
        s.texel[c] = got.c[c];
    tex_sample_const_lod(sampler, const_lod, &s);
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < TEX_LANES; i++)
            ck_assert_msg(!(s.lanes >> i & 1) || bits_same(expected.c[c][i], got.c[c][i]),
                          "%s: LOD %x, tile of %u, channel %d, lane %d at %a, %a: %a, expected %a",
                          isa, const_lod->lod_and_filter, const_lod->tile_size, c, i, at->c[0][i],
                          at->c[1][i], got.c[c][i], expected.c[c][i]);
    bits_floats(got.c[0], TEX_LANES);
}

START_TEST(register_tiles_equal_samples)
{
    unsigned tiles[12] = {0}, const_lods = 0;
    struct fp_mode old = fp_enter();

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    ck_assert_int_eq(cpu_set_isa((enum cpu_isa)_i), ST_OK);
    seed = 11;
    for (int n = 0; n < 3000; n++) {
        struct tex_image *image = new_image();
        struct tex_sampler_state state = new_state();
        struct tex_gradients gradients;
        struct tex_sampler sampler;
        struct lanes at;
        float u = 2.0f * fraction(), v = below(4) ? 2.0f * fraction() : 1.0f / 64.0f;
        bool strange = below(4) == 0 && state.mip_filter == D3DTEXF_NONE;
        struct tex_const_lod const_lod;

        if (below(4))
            init_still(&sampler, image, &state);
        else
            ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
        turn(&gradients, image);
        fill_block(&at, &gradients, u, v);
        if (strange)
            spoil(&at);
        tex_sampler_const_lod(&sampler, &gradients, &const_lod);
        if (const_lod.lod_and_filter >= 0) {
            compare(&sampler, &const_lod, &at, cpu_isa_name((enum cpu_isa)_i));
            const_lods++;
            tiles[const_lod.tile_size]++;
        }
        tex_image_unref(&image);
    }
    ck_assert_msg(const_lods > 1000, "%u with a constant LOD", const_lods);
    ck_assert_msg(_i != ISA_AVX512 || !cpu_has_avx512_vbmi() || (tiles[8] > 50 && tiles[11] > 50),
                  "%u tiles of 8x8 texels, %u of 11x11", tiles[8], tiles[11]);
    if (_i == ISA_SCALAR) /* the other instruction sets were only compared within themselves */
        bits_print("register tile", 0);
    fp_leave(old);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tiles of textures");
    TCase *tc = tcase_create("register tiles");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, register_tiles_equal_samples, 0, ISA_COUNT);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
