/* Hierarchical Z kernel: read_zrange against its definition, block tests against tests of every
 * pixel by the rule, each instruction set against scalar. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"
#include "kernel/raster/zs_rule.h"

#include "raster/prim/prim.h"
#include "raster/state/params.h"
#include "raster/zs/depth_kern.h"
#include "raster/zs/hiz_kern.h"

#include <string.h>

enum { ROUNDS = 400, LANES = RASTER_LANES };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_hiz_kern *k = KERN_FOR(raster_hiz_kern, isa_);                    \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static struct raster_depth_stencil random_test(void)
{
    static const uint8_t funcs[] = {D3DCMP_LESS, D3DCMP_LESSEQUAL, D3DCMP_GREATER,
                                    D3DCMP_GREATEREQUAL};
    uint8_t func = funcs[random_u32() % 4];

    switch (random_u32() % 6) {
    case 0:
        return (struct raster_depth_stencil){.depth_test = true,
                                             .depth_func = func,
                                             .code = RASTER_DEPTH_FLOAT32,
                                             .bits = 32,
                                             .depth_field = 0xffffffff};
    case 1:
        return (struct raster_depth_stencil){.depth_test = true,
                                             .depth_func = func,
                                             .code = RASTER_DEPTH_FLOAT24,
                                             .bits = 24,
                                             .shift = 8,
                                             .depth_field = 0xffffff00};
    case 4:
        return (struct raster_depth_stencil){.depth_test = true,
                                             .depth_func = func,
                                             .code = RASTER_DEPTH_UNORM32,
                                             .bits = 32,
                                             .depth_field = 0xffffffff};
    case 2:
        return (struct raster_depth_stencil){.depth_test = true,
                                             .depth_func = func,
                                             .code = RASTER_DEPTH_UNORM,
                                             .bits = 16,
                                             .bytes = 2,
                                             .depth_field = 0xffff};
    case 3:
        return (struct raster_depth_stencil){.depth_test = true,
                                             .depth_func = func,
                                             .code = RASTER_DEPTH_UNORM,
                                             .bits = 15,
                                             .shift = 1,
                                             .bytes = 2,
                                             .depth_field = 0xfffe};
    default:
        return (struct raster_depth_stencil){.depth_test = true,
                                             .depth_func = func,
                                             .code = RASTER_DEPTH_UNORM,
                                             .bits = 24,
                                             .shift = 8,
                                             .depth_field = 0xffffff00};
    }
}

/* A block of two samples among others. */
START_TEST(zranges_agree)
{
    enum { WIDTH = 20, ROWS = 16, BLOCK = 9 };
    static uint32_t stored[2][ROWS][WIDTH];
    uint32_t want[2];

    for (int round = 0; round < ROUNDS * 4; round++) {
        struct raster_depth_stencil ds = random_test();
        uint32_t base = random_u32(), spread = UINT32_C(0xffffffff) >> random_u32() % 32;
        unsigned samples = 1 + round % 2;
        struct hiz_surface words = {.base = (const uint8_t *)&stored[0][0][1],
                                    .pitch = sizeof(stored[0][0]),
                                    .sample_pitch = sizeof(stored[0]),
                                    .samples = samples};

        want[0] = UINT32_MAX;
        want[1] = 0;
        memset(stored, round & 1 ? 0 : 0xff, sizeof(stored));
        for (unsigned i = 0; i < LANES * samples; i++) {
            uint32_t word = base + (random_u32() & spread), depth = word & ds.depth_field;
            uint8_t *row = (uint8_t *)&stored[i / LANES][8 + i / 8 % 8][1];
            size_t bytes = ds.bytes == 2 ? 2 : 4;

            memcpy(row + (8 + i % 8) * bytes, &word, bytes);
            want[0] = depth < want[0] ? depth : want[0];
            want[1] = depth > want[1] ? depth : want[1];
        }
        EACH_ISA(k)
        {
            struct hiz got = {.zmin = {1}, .zmax = {2}};

            k->read_zrange(&ds, &words, UINT64_C(1) << BLOCK, &got);
            ck_assert(got.zmin[BLOCK] == want[0] && got.zmax[BLOCK] == want[1]);
            ck_assert(got.zmin[0] == 1 && got.zmax[0] == 2);
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("extent", 0);
}
END_TEST

static float small_float(float scale)
{
    return (float)((int32_t)random_u32() % 1000) / 1000.0f * scale;
}

/* Codes of a block's pixels at one offset within the margin. */
static void block_codes(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                        unsigned block, uint32_t *code)
{
    float off = (float)(random_u32() % 3) / 2.0f - 0.5f;
    float dx = plane->dx + (float)(block % 8 * 8) + 2.0f * off * plane->margin;
    float dy = plane->dy + (float)(block / 8 * 8) - 2.0f * off * plane->margin;

    for (unsigned i = 0; i < LANES; i++) {
        float z = raster_interp_at(plane->z, dx + (float)(i % 8), dy + (float)(i / 8));

        code[i] = raster_depth_kern_scalar.depth_code(ds, z + plane->offset);
    }
}

static void check_block(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                        const struct hiz *got, unsigned block)
{
    uint32_t code[LANES], words[2][LANES];
    uint64_t bit = UINT64_C(1) << block;

    block_codes(ds, plane, block, code);
    for (unsigned i = 0; i < LANES; i++) {
        ck_assert_uint_le(got->prim_zmin[block], code[i]);
        ck_assert_uint_ge(got->prim_zmax[block], code[i]);
        words[0][i] = got->zmin[block];
        words[1][i] = got->zmax[block];
    }
    for (unsigned end = 0; end < 2; end++) {
        uint64_t passed = 0;

        for (unsigned i = 0; i < LANES; i++)
            passed |= (uint64_t)zs_rule(ds, code[i], &words[end][i]) << i;
        ck_assert(!(got->passes & bit) || !~passed);
        ck_assert(!(got->fails & bit) || !passed);
    }
}

static struct raster_interp_plane random_plane(void)
{
    float slope = 1.0f / (float)(1 << random_u32() % 20);
    bool level = random_u32() % 4 == 0;

    return (struct raster_interp_plane){small_float(1.2f), level ? 0.0f : small_float(slope),
                                        level ? 0.0f : small_float(slope)};
}

/* Random stored ranges around the plane's depths. */
static void random_zranges(const struct raster_depth_stencil *ds, const struct hiz_plane *plane,
                           struct hiz *hiz)
{
    _Alignas(64) uint32_t code[LANES];

    for (unsigned block = 0; block < 64; block++) {
        uint32_t spread = (UINT32_C(0xffffffff) >> random_u32() % 32) & ds->depth_field;
        uint32_t least, most;

        block_codes(ds, plane, block, code);
        least = code[random_u32() % LANES] - (random_u32() % 3 ? 0 : random_u32() & spread);
        most = least + (random_u32() & spread);
        least &= ds->depth_field;
        most &= ds->depth_field;
        hiz->zmin[block] = least < most ? least : most;
        hiz->zmax[block] = least < most ? most : least;
    }
}

START_TEST(hiz_tests_agree)
{
    unsigned passes = 0, fails = 0, unsure = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_depth_stencil ds = random_test();
        struct raster_interp_plane z = random_plane();
        struct hiz_plane plane = {.z = &z,
                                  .dx = small_float(900.0f),
                                  .dy = small_float(900.0f),
                                  .offset = round % 3 ? 0.0f : small_float(0.01f),
                                  .margin = round % 2 ? 0.0f : 0.5f};
        uint64_t wanted = random_u64() | (round & 4 ? random_u64() : 0);
        struct hiz want = {.valid = ~UINT64_C(0)};

        plane.dx = (float)(int)plane.dx;
        plane.dy = (float)(int)plane.dy;
        random_zranges(&ds, &plane, &want);
        raster_hiz_kern_scalar.test(&ds, &plane, wanted, &want);
        ck_assert_uint_eq(want.tested, wanted);
        ck_assert(!((want.passes | want.fails) & ~wanted) && !(want.passes & want.fails));
        for (unsigned block = 0; block < 64; block++)
            if (wanted >> block & 1)
                check_block(&ds, &plane, &want, block);
        passes += want.passes != 0;
        fails += want.fails != 0;
        unsure += (wanted & ~(want.passes | want.fails)) != 0;
        EACH_ISA(k)
        {
            struct hiz got = want;

            got.passes = got.fails = got.tested = 0;
            k->test(&ds, &plane, wanted, &got);
            ck_assert(got.passes == want.passes && got.fails == want.fails && got.tested == wanted);
            for (unsigned block = 0; block < 64; block++)
                ck_assert(!(wanted >> block & 1) ||
                          (got.prim_zmin[block] == want.prim_zmin[block] &&
                           got.prim_zmax[block] == want.prim_zmax[block]));
        }
        bits_bytes(&want.passes, sizeof(want.passes));
        bits_bytes(&want.fails, sizeof(want.fails));
    }
    ck_assert(passes > ROUNDS / 10 && fails > ROUNDS / 10 && unsure > ROUNDS / 10);
    bits_print("test", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/hiz");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, zranges_agree);
    tcase_add_test(tc, hiz_tests_agree);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
