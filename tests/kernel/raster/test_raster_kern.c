/* Every kernel of the rasteriser: each instruction set against scalar, on plain and odd values. */
#include "check_main.h"
#include "kernel/bits.h"

#include "raster/raster_private.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 400, LANES = RASTER_LANES };

static uint64_t random_bits = 1;
static uint32_t random_u32(void)
{
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_bits >> 32);
}

static uint64_t random_u64(void)
{
    return (uint64_t)random_u32() << 32 | random_u32();
}

static float random_float(void)
{
    static const float odd[] = {0.0f,   -0.0f, 1.0f,     -1.0f,          NAN,  INFINITY, -INFINITY,
                                1e-40f, 0.5f,  0x1p-14f, 0x1.fffffep-1f, 3e38f};

    if (random_u32() % 8 == 0)
        return odd[random_u32() % (sizeof(odd) / sizeof(odd[0]))];
    return (float)(int32_t)random_u32() * 0x1p-30f;
}

static void random_floats(float *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = random_float();
}

/* The same number, or both none. */
static void check_floats(const float *got, const float *want, unsigned n, const char *what)
{
    for (unsigned i = 0; i < n; i++)
        ck_assert_msg(bits_same(got[i], want[i]), "%s, %u: %a, scalar %a", what, i, got[i],
                      want[i]);
}

/* Runs the body for every instruction set that this processor has, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_kern *k = KERN_FOR(raster_kern, isa_);                            \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

START_TEST(cover_agrees)
{
    for (int round = 0; round < ROUNDS; round++) {
        int32_t e[3], a[3], b[3];
        uint64_t want = 0;

        for (int i = 0; i < 3; i++) {
            unsigned shift = random_u32() % 24;

            a[i] = (int32_t)random_u32() >> (7 + shift);
            b[i] = (int32_t)random_u32() >> (7 + shift);
            e[i] = (int32_t)random_u32() >> (3 + shift);
        }
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                if (e[0] + x * a[0] + y * b[0] >= 0 && e[1] + x * a[1] + y * b[1] >= 0 &&
                    e[2] + x * a[2] + y * b[2] >= 0)
                    want |= UINT64_C(1) << (y * 8 + x);
        EACH_ISA(k)
        ck_assert_uint_eq(k->cover(e, a, b), want);
        bits_bytes(&want, sizeof(want));
    }
    bits_print("cover", 0);
}
END_TEST

START_TEST(block_plane_agrees)
{
    _Alignas(64) float want[LANES], got[LANES];

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_plane plane = {random_float(), random_float(), random_float()};
        float dx = (float)(random_u32() % 4096), dy = random_float(), offset = random_float();

        KERN_FOR(raster_kern, ISA_SCALAR)->block_plane(want, &plane, dx, dy, offset);
        EACH_ISA(k)
        {
            k->block_plane(got, &plane, dx, dy, offset);
            check_floats(got, want, LANES, "block_plane");
        }
        bits_floats(want, LANES);
    }
    bits_print("block_plane", 0);
}
END_TEST

enum { ATTRS = 6 };

static struct raster_prim *random_prim(void)
{
    struct raster_prim *prim = mem_calloc(1, sizeof(*prim) + ATTRS * sizeof(prim->attr[0]));

    prim->linear = random_u32() & 1;
    prim->constant = random_u32() & 63;
    prim->anchor_x = (float)(random_u32() % 65536) / 256.0f;
    prim->anchor_y = (float)(random_u32() % 65536) / 256.0f;
    prim->face = random_u32() & 1 ? 1.0f : -1.0f;
    random_floats(&prim->z.a, 3);
    random_floats(&prim->rhw.a, 3);
    for (int i = 0; i < ATTRS; i++)
        random_floats(&prim->attr[i].a, 3);
    return prim;
}

/* Runs of any length in any place, the last up to the end of the batch. */
START_TEST(interpolate_agrees)
{
    static _Alignas(64) float x[LANES], y[LANES];
    static _Alignas(64) float out[2][3 + ATTRS][LANES];
    struct raster_attr attr[ATTRS] = {{.slot = 3},
                                      {.slot = 1},
                                      {.slot = 0},
                                      {.slot = 5},
                                      {.slot = 2, .interp = RASTER_LINEAR},
                                      {.slot = 4, .interp = RASTER_LINEAR}};

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_run runs[QUADS];
        unsigned lane = 0, n_runs = 0;

        while (lane < LANES && (!lane || random_u32() % 12)) {
            unsigned quads = 1 + random_u32() % (round & 1 ? 3 : QUADS);
            unsigned end = lane + quads * 4;

            end = end < LANES ? end : LANES;
            runs[n_runs++] = (struct raster_run){random_prim(), lane, end};
            lane = end;
        }
        for (unsigned i = 0; i < LANES; i++) {
            x[i] = (float)(random_u32() % 16384);
            y[i] = (float)(random_u32() % 16384);
        }
        EACH_ISA(k)
        {
            float(*to)[LANES] = out[isa_ != ISA_SCALAR];
            struct raster_interpolation in = {
                .runs = runs,
                .n_runs = n_runs,
                .attr = attr,
                .n_attrs = ATTRS,
                .x = x,
                .y = y,
                .z = to[0],
                .w = to[1],
                .face = to[2],
                .work = to[3],
            };

            memset(to, 0x55, sizeof(out[0]));
            k->interpolate(&in);
            for (unsigned i = 0; i < 3 + ATTRS; i++)
                check_floats(to[i], out[0][i], lane, cpu_isa_name((enum cpu_isa)isa_));
        }
        for (unsigned i = 0; i < 3 + ATTRS; i++)
            bits_floats(out[0][i], lane);
        for (unsigned i = 0; i < n_runs; i++)
            mem_free((void *)runs[i].prim);
    }
    bits_print("interpolate", 0);
}
END_TEST

START_TEST(depth_and_stencil_agree)
{
    static const uint8_t bits[4] = {24, 32, 32, 24};
    _Alignas(64) float z[LANES];
    _Alignas(64) uint32_t code[2][LANES], words[2][LANES], stored[LANES];

    for (int round = 0; round < ROUNDS * 4; round++) {
        unsigned kind = random_u32() % 4;
        uint64_t lanes = random_u64() & random_u64(), passed = 0;
        struct raster_depth_stencil ds = {
            .depth_test = random_u32() & 1,
            .depth_write = random_u32() & 1,
            .stencil_test = random_u32() & 1,
            .bounds_test = round & 1,
            .code = (uint8_t)kind,
            .bits = bits[kind],
            .shift = bits[kind] == 24 ? 8 : 0,
            .depth_func = (uint8_t)(1 + random_u32() % 8),
            .stencil_func = (uint8_t)(1 + random_u32() % 8),
            .fail = (uint8_t)(1 + random_u32() % 8),
            .zfail = (uint8_t)(1 + random_u32() % 8),
            .pass = (uint8_t)(1 + random_u32() % 8),
            .depth_field = bits[kind] == 24 ? 0xffffff00 : 0xffffffff,
            .stencil_field = 0xff,
            .stencil_one = 1,
            .ref = random_u32() & 0xff,
            .mask = random_u32() & 0xff,
            .write_mask = random_u32() & 0xff,
            .bounds = {random_u32() >> 2, random_u32()},
        };

        random_floats(z, LANES);
        for (unsigned i = 0; i < LANES; i++)
            stored[i] = random_u32();
        EACH_ISA(k)
        {
            unsigned n = isa_ != ISA_SCALAR;
            uint64_t got;

            k->depth_encode(&ds, z, code[n]);
            for (unsigned i = 0; i < LANES && !n; i++)
                if (random_u32() & 1) /* make equality happen */
                    stored[i] = (stored[i] & ~ds.depth_field) | code[0][i];
            memcpy(words[n], stored, sizeof(stored));
            got = k->depth_stencil(&ds, code[n], words[n], lanes);
            passed = n ? passed : got;
            ck_assert_uint_eq(got, passed);
            ck_assert_uint_eq(got & ~lanes, 0);
            ck_assert(!memcmp(code[n], code[0], sizeof(code[0])));
            ck_assert(!memcmp(words[n], words[0], sizeof(words[0])));
            for (unsigned i = 0; i < LANES; i++)
                ck_assert(lanes >> i & 1 || words[n][i] == stored[i]);
        }
        bits_bytes(&passed, sizeof(passed));
        bits_bytes(code[0], sizeof(code[0]));
        bits_bytes(words[0], sizeof(words[0]));
    }
    bits_print("depth_stencil", 0);
}
END_TEST

/* Every set against the three kernels that it is made of; rows without lanes stay untouched. */
START_TEST(depth_of_blocks_agrees)
{
    enum { WORDS = 12, ROWS = BLOCK_DIM };
    static const uint8_t codes[3] = {RASTER_DEPTH_UNORM, RASTER_DEPTH_FLOAT32,
                                     RASTER_DEPTH_FLOAT24};
    _Alignas(64) float z[LANES];
    _Alignas(64) uint32_t code[LANES], words[LANES];
    uint32_t stored[ROWS][WORDS], want[ROWS][WORDS], got[ROWS][WORDS];

    for (int round = 0; round < ROUNDS * 4; round++) {
        unsigned kind = codes[random_u32() % 3];
        bool write = random_u32() % 4 != 0;
        uint64_t lanes = random_u64() << random_u32() % 64 >> random_u32() % 64, passed;
        struct raster_plane plane = {random_float(), random_float() * 0.1f, random_float() * 0.1f};
        struct raster_depth_stencil ds = {
            .depth_test = true,
            .depth_write = random_u32() % 4 != 0,
            .code = (uint8_t)kind,
            .bits = kind == RASTER_DEPTH_FLOAT32 ? 32 : 24,
            .shift = kind == RASTER_DEPTH_FLOAT32 ? 0 : 8,
            .depth_func = (uint8_t)(round & 1 ? D3DCMP_LESSEQUAL : 1 + random_u32() % 8),
            .depth_field = kind == RASTER_DEPTH_FLOAT32 ? 0xffffffff : 0xffffff00,
        };
        struct raster_depth_block block = {.z = &plane,
                                           .dx = random_float() * 8.0f,
                                           .dy = random_float() * 8.0f,
                                           .offset = random_u32() & 1 ? 0.0f : random_float(),
                                           .base = (uint8_t *)&got[0][3],
                                           .pitch = sizeof(got[0]),
                                           .write = write};

        if (random_u32() % 4 == 0) /* level */
            plane.b = plane.c = 0.0f;
        raster_kern_scalar.block_plane(z, &plane, block.dx, block.dy, block.offset);
        raster_kern_scalar.depth_encode(&ds, z, code);
        for (unsigned i = 0; i < ROWS * WORDS; i++)
            stored[i / WORDS][i % WORDS] = random_u32() & 1 ? random_u32() : 0x80000000;
        for (unsigned i = 0; i < LANES; i++) {
            if (random_u32() % 4 == 0) /* equal depths too */
                stored[i / BLOCK_DIM][3 + i % BLOCK_DIM] =
                    code[i] | (random_u32() & ~ds.depth_field);
            words[i] = stored[i / BLOCK_DIM][3 + i % BLOCK_DIM];
        }
        passed = raster_kern_scalar.depth_stencil(&ds, code, words, lanes);
        memcpy(want, stored, sizeof(want));
        for (unsigned i = 0; i < LANES && write; i++)
            want[i / BLOCK_DIM][3 + i % BLOCK_DIM] = words[i];
        EACH_ISA(k)
        {
            memcpy(got, stored, sizeof(got));
            ck_assert_msg(k->depth_block(&ds, &block, lanes) == passed, "%s",
                          cpu_isa_name((enum cpu_isa)isa_));
            ck_assert_mem_eq(got, want, sizeof(got));
        }
        bits_bytes(&passed, sizeof(passed));
    }
    bits_print("depth_block", 0);
}
END_TEST

/* Words that all pass are written; if one does not, none is. */
START_TEST(level_depths_agree)
{
    enum { WIDTH = 32, ROWS = 16 };
    uint32_t stored[ROWS][WIDTH + 2], want[ROWS][WIDTH + 2], got[ROWS][WIDTH + 2];

    for (int round = 0; round < ROUNDS * 4; round++) {
        unsigned func = round & 1 ? D3DCMP_LESSEQUAL : 1 + random_u32() % 8;
        struct raster_depth_stencil ds = {.depth_test = true,
                                          .depth_write = random_u32() % 4 != 0,
                                          .code = RASTER_DEPTH_UNORM,
                                          .bits = 24,
                                          .shift = 8,
                                          .depth_func = (uint8_t)func,
                                          .depth_field = 0xffffff00};
        uint32_t code = random_u32() & ds.depth_field;
        bool passes = true;

        memset(stored, 0x33, sizeof(stored));
        for (unsigned i = 0; i < WIDTH * ROWS; i++) {
            uint32_t *word = &stored[i / WIDTH][1 + i % WIDTH];
            _Alignas(64) uint32_t z[LANES] = {code}, one[LANES];

            *word = code | (random_u32() & 0xff); /* equal, or larger, and seldom anything */
            if (round % 3 == 0 && code < 0x80000000)
                *word |= 0x80000000;
            if (random_u32() % 700 == 0)
                *word = random_u32();
            one[0] = *word;
            passes &= raster_kern_scalar.depth_stencil(&ds, z, one, 1) == 1;
            want[i / WIDTH][1 + i % WIDTH] = one[0];
        }
        for (unsigned y = 0; y < ROWS; y++) {
            want[y][0] = want[y][WIDTH + 1] = 0x33333333;
            if (!passes)
                memcpy(want[y], stored[y], sizeof(want[y]));
        }
        EACH_ISA(k)
        {
            memcpy(got, stored, sizeof(got));
            ck_assert_int_eq(
                k->depth_level(&ds, code, (uint8_t *)&got[0][1], sizeof(got[0]), WIDTH, ROWS),
                passes);
            ck_assert_mem_eq(got, want, sizeof(got));
        }
        bits_bytes(&passes, sizeof(passes));
    }
    bits_print("depth_level", 0);
}
END_TEST

START_TEST(colours_agree)
{
    static _Alignas(64) float src[4][LANES], dst[4][LANES], out[2][4][LANES];
    const float *const s[4] = {src[0], src[1], src[2], src[3]};
    const float *const d[4] = {dst[0], dst[1], dst[2], dst[3]};

    for (int round = 0; round < ROUNDS * 4; round++) {
        struct raster_blend_params blend = {
            {(uint8_t)(random_u32() % 18), (uint8_t)(random_u32() % 18),
             (uint8_t)(1 + random_u32() % 5)},
            {(uint8_t)(random_u32() % 18), (uint8_t)(random_u32() % 18),
             (uint8_t)(1 + random_u32() % 5)},
            {random_float(), random_float(), random_float(), random_float()}};
        struct raster_fog_params fog = {(uint8_t)(random_u32() % 5),
                                        random_float(),
                                        random_float(),
                                        random_float(),
                                        {random_float(), random_float(), random_float()}};
        unsigned ref = random_u32() % 256, func = 1 + random_u32() % 8;
        uint64_t alpha = 0;

        random_floats(src[0], 4 * LANES);
        random_floats(dst[0], 4 * LANES);
        src[3][random_u32() % LANES] = (float)ref / 255.0f;
        for (int kernel = 0; kernel < 3; kernel++) {
            EACH_ISA(k)
            {
                unsigned n = isa_ != ISA_SCALAR;
                float *to[4] = {out[n][0], out[n][1], out[n][2], out[n][3]};
                uint64_t got = k->alpha_test(src[3], ref, func);

                memset(out[n], 0, sizeof(out[n]));
                if (kernel == 0)
                    k->blend(&blend, s, d, to);
                else if (kernel == 1)
                    k->fog(&fog, src[3], s, to);
                else
                    k->saturate(src[0], to[0]);
                alpha = n ? alpha : got;
                ck_assert_uint_eq(got, alpha);
                check_floats(out[n][0], out[0][0], 4 * LANES, cpu_isa_name((enum cpu_isa)isa_));
            }
            bits_floats(out[0][0], 4 * LANES);
        }
        bits_bytes(&alpha, sizeof(alpha));
    }
    bits_print("colours", 0);
}
END_TEST

static struct fp_mode old_mode;
static void set_mode(void)
{
    old_mode = fp_enter();
    random_bits = 1;
}
static void put_mode_back(void)
{
    fp_leave(old_mode);
}

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, cover_agrees);
    tcase_add_test(tc, block_plane_agrees);
    tcase_add_test(tc, interpolate_agrees);
    tcase_add_test(tc, depth_and_stencil_agree);
    tcase_add_test(tc, depth_of_blocks_agrees);
    tcase_add_test(tc, level_depths_agree);
    tcase_add_test(tc, colours_agree);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
