/* Sampling, packing and unpacking give the scalar bits with every instruction set: random states,
 * formats, sizes, coordinates and LODs, including special values. */
#include "check_main.h"
#include "kernel/bits.h"
#include "still.h"
#include "tex/codec/pack_kern.h"
#include "tex/sample/kernels.h"
#include "util/fpenv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) ^ (uint32_t)(seed >> 17);
}
static uint32_t below(uint32_t n)
{
    return random32() % n;
}

static float from_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, 4);
    return f;
}

static float random_float(void)
{
    static const float specials[] = {0.0f,     -0.0f,     1.0f,        -1.0f,   0.5f,   NAN,
                                     INFINITY, -INFINITY, 1e-40f,      3e38f,   -3e38f, 8388608.0f,
                                     1e-7f,    -1e-7f,    0.99999994f, 65520.0f};

    switch (below(8)) {
    case 0:
        return specials[below(sizeof(specials) / sizeof(specials[0]))];
    case 1:
        return from_bits(random32());
    case 2:
        return (float)below(64) / 16.0f - 2.0f;
    default:
        return (float)(int32_t)random32() / 1073741824.0f;
    }
}

struct lanes {
    _Alignas(64) float c[4][TEX_LANES];
};

/* Smooth coordinates may stay inside a level, need one tap or several, in one direction or both. */
static void fill_lanes(struct lanes *l, int smooth)
{
    static const float scales[] = {0.03f, 0.004f, 0.0005f, 0.00006f};
    float base[4], step[4];

    for (int c = 0; c < 4; c++) {
        base[c] = random_float();
        step[c] = random_float() * scales[below(4)];
        for (int i = 0; i < TEX_LANES; i++)
            l->c[c][i] = smooth
                             ? base[c] + step[c] * (float)(i & 1) + step[c] * 3.0f * (float)(i >> 1)
                             : random_float();
    }
}

static bool same_bits(const struct lanes *a, const struct lanes *b, uint64_t lanes, int *at)
{
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < TEX_LANES; i++) {
            *at = c * TEX_LANES + i;
            if ((lanes >> i & 1) && !bits_same(a->c[c][i], b->c[c][i]))
                return false;
        }
    }
    return true;
}

/* --- Sampling --------------------------------------------------------------------------------- */

static struct tex_image *random_image(void)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 33, 64, 200, 256};
    struct tex_desc desc = {.samples = 1, .levels = below(3) ? 0 : 1};
    const struct tex_format *format;
    struct tex_image *image;

    do
        format = tex_format_at(below(tex_format_count()));
    while (!(format->caps & TEX_SAMPLE));
    desc.format = format->d3d;
    desc.shape = format->layout == TEX_LAYOUT_DEPTH ? TEX_2D : (enum tex_shape)below(3);
    desc.width = sizes[below(desc.shape == TEX_2D ? 12 : 10)];
    desc.height =
        desc.shape == TEX_CUBE_MAP ? desc.width : sizes[below(desc.shape == TEX_2D ? 12 : 10)];
    desc.depth = desc.shape == TEX_VOLUME_MAP ? sizes[below(7)] : 1;
    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)random32();
    return image;
}

static struct tex_sampler_state random_state(const uint32_t *palette)
{
    struct tex_sampler_state state = {.max_anisotropy = (uint8_t)below(18),
                                      .srgb = below(2),
                                      .max_mip_level = below(3),
                                      .lod = below(5) ? 0 : below(9),
                                      .border = random32(),
                                      .palette = below(4) ? palette : NULL};
    static const uint8_t filters[] = {
        D3DTEXF_NONE,        D3DTEXF_POINT,         D3DTEXF_POINT,
        D3DTEXF_LINEAR,      D3DTEXF_LINEAR,        D3DTEXF_ANISOTROPIC,
        D3DTEXF_ANISOTROPIC, D3DTEXF_PYRAMIDALQUAD, D3DTEXF_GAUSSIANQUAD};
    uint32_t get4 = 0x34544547;

    for (int a = 0; a < 3; a++)
        state.address[a] = (uint8_t)(1 + below(5));
    state.min_filter = filters[below(sizeof(filters))];
    state.mag_filter = filters[below(sizeof(filters))];
    state.mip_filter = (uint8_t)below(3);
    if (!below(3))
        state.lod_bias = random_float();
    if (!below(20))
        memcpy(&state.lod_bias, &get4, 4);
    return state;
}

/* Replaces functions that need AVX-512 VBMI. */
static void without_vbmi(struct tex_sampler *sampler, enum cpu_isa isa)
{
    struct tex_sampler_private *s = (struct tex_sampler_private *)(void *)sampler->opaque;
    const struct tex_sample_srgb_kern *srgb = KERN_FOR(tex_sample_srgb_kern, isa);
    const struct tex_sample_wide_kern *wide = KERN_FOR(tex_sample_wide_kern, isa);
    const struct tex_sample_point_kern *point = KERN_FOR(tex_sample_point_kern, isa);
    tex_level_fn **fn[] = {&s->minify, &s->magnify, &s->decoded_minify, &s->decoded_magnify};

    if (!srgb->linear)
        return;
    for (int i = 0; i < 4; i++) {
        if (*fn[i] == srgb->linear)
            *fn[i] = wide->linear[TEXEL_RGBA8_SRGB];
        if (*fn[i] == srgb->point)
            *fn[i] = point->point[TEXEL_RGBA8_SRGB];
    }
    if (s->minify_levels == srgb->levels)
        s->minify_levels = NULL;
}

/* Compares every instruction set with the scalar one, with and without quad texels, and without
 * AVX-512 VBMI. */
static void compare_isas(struct tex_image *image, const struct tex_sampler_state *state,
                         struct sample *s, int test, int n)
{
    struct lanes expected, got;
    int at = 0;

    cpu_fast_gathers = !cpu_fast_gathers; /* alternates between gathers and separate loads */
    for (int way = 0; way < 3 * ISA_COUNT; way++) {
        enum cpu_isa isa = (enum cpu_isa)(way / 3);
        struct lanes *out = way ? &got : &expected;
        struct tex_sampler sampler;

        if (!cpu_has_isa(isa))
            continue;
        memset(out, 0x55, sizeof(*out));
        for (int c = 0; c < 4; c++)
            s->texel[c] = out->c[c];
        ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
        if (way % 3 == 1)
            init_still(&sampler, image, state);
        else
            ck_assert_int_eq(tex_sampler_init(&sampler, image, state), ST_OK);
        if (way % 3 == 2)
            without_vbmi(&sampler, isa);
        tex_sample(&sampler, s);
        ck_assert_msg(same_bits(out, &expected, ~UINT64_C(0), &at),
                      "%s: case %d.%d, %s %ux%ux%u, way %d, lane %d: %a, scalar %a",
                      cpu_isa_name(isa), test, n, image->format->name, image->desc.width,
                      image->desc.height, image->desc.depth, way % 3, at, out->c[0][at],
                      expected.c[0][at]);
    }
    bits_floats(expected.c[0], 4 * TEX_LANES);
}

START_TEST(sampling)
{
    static uint32_t palette[256];
    struct lanes coord, lod, dx, dy;
    struct fp_mode old = fp_enter();

    seed = (uint64_t)_i * 77 + 5;
    for (int i = 0; i < 256; i++)
        palette[i] = random32();
    for (int n = 0; n < 60; n++) {
        struct tex_image *image = random_image();
        struct tex_sampler_state state = random_state(palette);
        struct sample s = {.lod_mode = (enum lod)below(4),
                           .coord = {coord.c[0], coord.c[1], coord.c[2], coord.c[3]},
                           .lod = lod.c[0],
                           .ddx = {dx.c[0], dx.c[1], dx.c[2]},
                           .ddy = {dy.c[0], dy.c[1], dy.c[2]}};

        s.lanes = below(3) ? ~UINT64_C(0) : (uint64_t)random32() << 32 | random32();
        fill_lanes(&coord, n & 1);
        fill_lanes(&lod, 0);
        fill_lanes(&dx, n & 2);
        fill_lanes(&dy, n & 2);
        compare_isas(image, &state, &s, _i, n);
        tex_image_unref(&image);
    }
    bits_print("sampling", _i);
    fp_leave(old);
}
END_TEST

/* 8x8 pixels of axis-aligned or nearly axis-aligned sampling: start, and texels per pixel. */
static void fill_block(struct lanes *l, const struct tex_image *image, float du, float dv)
{
    float u = (float)below(512) / 256.0f - 1.0f, v = (float)below(512) / 256.0f - 1.0f;
    float shear = below(4) ? 0.0f : 0.03f * (float)below(8);

    for (int i = 0; i < TEX_LANES; i++) {
        float x = (float)(i / 4 % 4 * 2 + (i & 1)), y = (float)(i / 16 * 2 + (i >> 1 & 1));

        l->c[0][i] = u + (du * x + shear * y) / (float)image->desc.width;
        l->c[1][i] = v + (dv * y + shear * x) / (float)image->desc.height;
        l->c[2][i] = l->c[3][i] = 0.25f;
    }
}

/* Kernels may load row neighbours together unless they are too far apart or at an edge. */
START_TEST(blocks)
{
    static const uint32_t sizes[] = {2, 4, 8, 16, 64, 100, 256};
    static const float texels[] = {0.0f, 0.4f, 1.0f, 1.5f, 1.99f, 2.0f, 2.2f, 5.0f};
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8,      D3DFMT_A8R8G8B8, D3DFMT_DXT1,
                                        D3DFMT_A16B16G16R16F, D3DFMT_G32R32F,  D3DFMT_R32F};
    struct lanes coord;
    struct fp_mode old = fp_enter();

    seed = (uint64_t)_i * 91 + 7;
    for (int n = 0; n < 60; n++) {
        struct tex_desc desc = {.format = formats[below(6)],
                                .width = sizes[below(7)],
                                .height = sizes[below(7)],
                                .depth = 1,
                                .samples = 1};
        float du = texels[below(8)], dv = texels[below(8)];
        struct tex_sampler_state state = random_state(NULL);
        struct sample s = {.coord = {coord.c[0], coord.c[1], coord.c[2], coord.c[3]},
                           .lanes = below(4) ? ~UINT64_C(0) : random32()};
        struct tex_image *image;

        ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
        for (size_t i = 0; i < image->bytes; i++)
            image->memory[i] = (uint8_t)random32();
        du = below(3) ? du : -du; /* separate, because argument order is unspecified */
        dv = below(3) ? dv : -dv;
        fill_block(&coord, image, du, dv);
        compare_isas(image, &state, &s, _i, n);
        tex_image_unref(&image);
    }
    bits_print("blocks", _i);
    fp_leave(old);
}
END_TEST

/* Point sampling of every byte code gives the correctly rounded quotient. */
START_TEST(codes)
{
    struct tex_desc desc = {.format = D3DFMT_A8R8G8B8,
                            .width = 256,
                            .height = 1,
                            .levels = 1,
                            .depth = 1,
                            .samples = 1};
    struct tex_sampler_state state = {.address = {D3DTADDRESS_CLAMP, D3DTADDRESS_CLAMP},
                                      .min_filter = D3DTEXF_POINT,
                                      .mag_filter = D3DTEXF_POINT};
    struct tex_image *image;
    struct lanes coord = {.c[1] = {0}}, out;
    struct sample s = {.lanes = ~UINT64_C(0), .coord = {coord.c[0], coord.c[1]}};
    struct tex_sampler sampler;

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    ck_assert_int_eq(cpu_set_isa((enum cpu_isa)_i), ST_OK);
    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    for (unsigned i = 0; i < 256; i++) /* blue, green, red, alpha */
        for (unsigned c = 0; c < 4; c++)
            image->memory[4 * i + c] = (uint8_t)(i + 16 * c);
    ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
    for (unsigned c = 0; c < 4; c++)
        s.texel[c] = out.c[c];
    for (unsigned first = 0; first < 256; first += TEX_LANES) {
        for (unsigned i = 0; i < TEX_LANES; i++)
            coord.c[0][i] = ((float)(first + i) + 0.5f) / 256.0f;
        tex_sample(&sampler, &s);
        for (unsigned i = 0; i < TEX_LANES; i++)
            for (unsigned c = 0; c < 4; c++) {
                unsigned byte = c < 3 ? 2 - c : 3;
                float code = (float)((first + i + 16 * byte) % 256);

                ck_assert_msg(out.c[c][i] == code / 255.0f, "%s: code %g is %a",
                              cpu_isa_name((enum cpu_isa)_i), code, out.c[c][i]);
            }
    }
    tex_image_unref(&image);
}
END_TEST

static float quotient(const struct tex_format *f, uint32_t word, unsigned c)
{
    struct tex_channel ch = f->channel[f->layout == TEX_LAYOUT_LUMINANCE && c < 3 ? 0 : c];
    uint32_t max = (1u << ch.bits) - 1;

    return ch.bits ? (float)(word >> ch.shift & max) / (float)max : f->absent[c];
}

/* So does that of all words of formats whose channels have at most 8 bits. */
static void check_words(const struct tex_format *f, const struct tex_sampler *sampler,
                        enum cpu_isa isa)
{
    struct lanes coord = {.c[1] = {0}}, out;
    struct sample s = {.lanes = ~UINT64_C(0), .coord = {coord.c[0], coord.c[1]}};

    for (unsigned c = 0; c < 4; c++)
        s.texel[c] = out.c[c];
    for (uint32_t first = 0; first < 1u << 8 * f->bytes; first += TEX_LANES) {
        for (unsigned i = 0; i < TEX_LANES; i++) {
            coord.c[0][i] = ((float)((first + i) % 256) + 0.5f) / 256.0f;
            coord.c[1][i] = ((float)((first + i) / 256) + 0.5f) / 256.0f;
        }
        tex_sample(sampler, &s);
        for (unsigned i = 0; i < TEX_LANES; i++)
            for (unsigned c = 0; c < 4; c++)
                ck_assert_msg(out.c[c][i] == quotient(f, first + i, c),
                              "%s: %s, channel %u of %x is %a", cpu_isa_name(isa), f->name, c,
                              first + i, out.c[c][i]);
    }
}

START_TEST(words)
{
    const struct tex_format *f = tex_format_at((unsigned)_i);
    struct tex_desc desc = {
        .format = f->d3d, .width = 256, .height = 256, .levels = 1, .depth = 1, .samples = 1};
    struct tex_sampler_state state = {.address = {D3DTADDRESS_CLAMP, D3DTADDRESS_CLAMP},
                                      .min_filter = D3DTEXF_POINT,
                                      .mag_filter = D3DTEXF_POINT};
    struct tex_image *image;

    if (!tex_has_byte_codes(f))
        return;
    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    for (uint32_t i = 0; i < 256 * 256; i++)
        memcpy(image->memory + (size_t)i * f->bytes, &i, f->bytes);
    for (enum cpu_isa isa = ISA_SCALAR; isa < ISA_COUNT; isa++) {
        struct tex_sampler sampler;

        if (!cpu_has_isa(isa))
            continue;
        ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
        tex_image_touch(image);
        ck_assert_int_eq(tex_sampler_init(&sampler, image, &state), ST_OK);
        check_words(f, &sampler, isa);
    }
    tex_image_unref(&image);
}
END_TEST

/* --- Packing ---------------------------------------------------------------------------------- */

START_TEST(packing)
{
    const struct tex_format *format = tex_format_at((unsigned)_i);
    enum tex_pack_kind kind = tex_pack_kind(format);
    uint8_t texels[16 * TEX_LANES], expected[16 * TEX_LANES + 1], got[16 * TEX_LANES + 1];
    struct lanes in, out[2];
    struct fp_mode old = fp_enter();
    int at = 0;

    if (kind == TEX_PACK_KINDS)
        return;
    seed = (uint64_t)_i;
    for (int round = 0; round < 300; round++) {
        unsigned n = round < 100 ? TEX_LANES : 1 + below(TEX_LANES);
        uint64_t lanes = n == TEX_LANES ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;

        fill_lanes(&in, 0);
        for (size_t i = 0; i < sizeof(texels); i++)
            texels[i] = (uint8_t)random32();
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            const struct tex_pack_kern *k = KERN_FOR(tex_pack_kern, isa);
            struct lanes *o = &out[isa != ISA_SCALAR];
            uint8_t *packed = isa == ISA_SCALAR ? expected : got;
            float *const to[4] = {o->c[0], o->c[1], o->c[2], o->c[3]};
            const float *const from[4] = {in.c[0], in.c[1], in.c[2], in.c[3]};

            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            memset(packed, 0xcd, sizeof(expected));
            k->unpack[kind](format, texels, n, to);
            k->pack[kind](format, packed, n, from);
            ck_assert_msg(packed[n * format->bytes] == 0xcd, "%s: wrote past the end",
                          format->name);
            ck_assert_msg(same_bits(o, &out[0], lanes, &at), "%s: unpacking %s, lane %d",
                          cpu_isa_name(isa), format->name, at);
            ck_assert_msg(!memcmp(packed, expected, sizeof(expected)), "%s: packing %s",
                          cpu_isa_name(isa), format->name);
        }
        for (int c = 0; c < 4; c++)
            bits_floats(out[0].c[c], n);
        bits_bytes(expected, n * format->bytes);
    }
    bits_print(format->name, _i);
    fp_leave(old);
}
END_TEST

START_TEST(srgb)
{
    struct lanes in, expected, got;
    struct fp_mode old = fp_enter();
    int at = 0;

    seed = (uint64_t)_i;
    fill_lanes(&in, 0);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        const struct tex_pack_kern *k = KERN_FOR(tex_pack_kern, isa);
        struct lanes *out = isa == ISA_SCALAR ? &expected : &got;

        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        *out = in;
        k->srgb_to_linear(out->c[0], TEX_LANES);
        k->linear_to_srgb(out->c[1], TEX_LANES);
        ck_assert_msg(same_bits(out, &expected, ~UINT64_C(0), &at), "%s: %d", cpu_isa_name(isa),
                      at);
    }
    bits_floats(expected.c[0], 4 * TEX_LANES);
    bits_print("srgb", _i);
    fp_leave(old);
}
END_TEST

/* With compiled functions where they are faster. */
static void use_code(void)
{
    tex_code_use();
}
static void leave_code(void)
{
    tex_code_leave();
}

static Suite *suite(void)
{
    Suite *s = suite_create("tex instruction sets");
    TCase *tc = tcase_create("isas");

    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, use_code, leave_code);
    tcase_add_loop_test(tc, sampling, 0, 200);
    tcase_add_loop_test(tc, blocks, 0, 40);
    tcase_add_loop_test(tc, codes, 0, ISA_COUNT);
    tcase_add_loop_test(tc, words, 0, (int)tex_format_count());
    tcase_add_loop_test(tc, packing, 0, (int)tex_format_count());
    tcase_add_loop_test(tc, srgb, 0, 50);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
