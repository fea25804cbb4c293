/* StretchRect and mip generation give the scalar build's bytes with every instruction set: random
 * formats, sizes, rectangles and texels, including special values. */
#include "check_main.h"
#include "kernel/bits.h"
#include "tex/tex.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static const D3DFORMAT formats[] = {
    D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8,      D3DFMT_X8B8G8R8,
    D3DFMT_R5G6B5,   D3DFMT_A1R5G5B5, D3DFMT_A4R4G4B4,      D3DFMT_R3G3B2,
    D3DFMT_L8,       D3DFMT_A8,       D3DFMT_A8L8,          D3DFMT_L16,
    D3DFMT_R16F,     D3DFMT_G16R16,   D3DFMT_A2R10G10B10,   D3DFMT_A16B16G16R16,
    D3DFMT_G16R16F,  D3DFMT_R32F,     D3DFMT_A16B16G16R16F, D3DFMT_V8U8,
    D3DFMT_Q8W8V8U8, D3DFMT_G32R32F,  D3DFMT_A32B32G32R32F, D3DFMT_R8G8B8,
    D3DFMT_DXT1,     D3DFMT_DXT5,     D3DFMT_YUY2,
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]), TARGETS = FORMATS - 4, RUNS = 400 };

/* Separate statements: argument evaluation order is unspecified, but the order of random numbers
 * must be fixed. */
static struct tex_image *create(D3DFORMAT format, uint32_t w, uint32_t h, uint32_t levels)
{
    struct tex_desc desc = {.format = format,
                            .shape = TEX_2D,
                            .width = w,
                            .height = h,
                            .depth = 1,
                            .levels = levels,
                            .samples = 1};
    struct tex_image *image = NULL;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)below(256);
    return image;
}

static uint32_t random_size(void)
{
    uint32_t limit = below(6) ? 24 : 200;

    return (1 + below(limit) + 3) & ~3u;
}

static struct tex_image *random_image(unsigned n)
{
    D3DFORMAT format = formats[below(n)];
    uint32_t w = random_size(), h = random_size();

    return create(format, w, h, 1);
}

static void choose_box(struct tex_box *box, const struct tex_desc *desc)
{
    uint32_t x = below(desc->width), y = below(desc->height);
    uint32_t w = 1 + below(desc->width - x), h = 1 + below(desc->height - y);

    *box = (struct tex_box){x, y, 0, x + w, y + h, 1};
    if (!below(3))
        *box = (struct tex_box){0, 0, 0, desc->width, desc->height, 1};
}

/* Hashes the scalar result; the other instruction sets must equal it. */
static void compare(struct tex_image *dst, enum status (*run)(struct tex_image *, void *),
                    void *ctx)
{
    uint8_t *before = malloc(dst->bytes), *expected = malloc(dst->bytes);

    memcpy(before, dst->memory, dst->bytes);
    cpu_fast_gathers = !cpu_fast_gathers; /* alternates between gathers and separate loads */
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (cpu_set_isa((enum cpu_isa)isa) != ST_OK)
            continue;
        memcpy(dst->memory, before, dst->bytes);
        ck_assert_int_eq(run(dst, ctx), ST_OK);
        if (isa == ISA_SCALAR)
            memcpy(expected, dst->memory, dst->bytes);
        else
            ck_assert_msg(!memcmp(expected, dst->memory, dst->bytes), "%s differs, to %s",
                          cpu_isa_name((enum cpu_isa)isa), dst->format->name);
    }
    bits_bytes(expected, dst->bytes);
    free(before);
    free(expected);
}

struct job {
    struct tex_image *src;
    struct tex_box to, from;
    unsigned filter;
};

static enum status stretch(struct tex_image *dst, void *ctx)
{
    struct job *j = ctx;

    return tex_stretch(&(struct tex_region){dst, 0, 0, j->to},
                       &(struct tex_region){j->src, 0, 0, j->from}, j->filter);
}

START_TEST(stretches_agree)
{
    struct fp_mode mode = fp_enter();

    seed = 7;
    for (int i = 0; i < RUNS; i++) {
        struct tex_image *dst = random_image(TARGETS);
        struct job j = {.src = random_image(FORMATS)};

        j.filter = below(3) ? D3DTEXF_LINEAR : D3DTEXF_POINT;
        choose_box(&j.to, &dst->desc);
        choose_box(&j.from, &j.src->desc);
        compare(dst, stretch, &j);
        tex_image_unref(&dst);
        tex_image_unref(&j.src);
    }
    bits_print("stretch", 0);
    fp_leave(mode);
}
END_TEST

static enum status generate(struct tex_image *image, void *ctx)
{
    return tex_generate_mips(image, *(unsigned *)ctx);
}

START_TEST(mip_maps_agree)
{
    struct fp_mode mode = fp_enter();

    seed = 8;
    for (int i = 0; i < 2 * TARGETS; i++) {
        unsigned filter = i & 1 ? D3DTEXF_LINEAR : D3DTEXF_ANISOTROPIC;
        uint32_t w = 1 + below(100), h = 1 + below(i & 2 ? 40 : 2);
        struct tex_image *image = create(formats[i / 2], w, h, 0);

        compare(image, generate, &filter);
        tex_image_unref(&image);
    }
    bits_print("mips", 0);
    fp_leave(mode);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex stretch instruction sets");
    TCase *tc = tcase_create("stretch");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, stretches_agree);
    tcase_add_test(tc, mip_maps_agree);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
