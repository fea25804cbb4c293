/* Kernels of raster_kern.c: each instruction set against scalar, on usual and special values. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/raster_private.h"
#include "util/alloc.h"

#include <string.h>

enum { ROUNDS = 400, LANES = RASTER_LANES };

/* Runs the body for every instruction set of this processor, scalar included. */
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

/* An edge that crosses the tile, with the values that coverage.c computes. */
static void random_tile_edge(struct raster_tile_edges *edges, unsigned i)
{
    unsigned shift = random_u32() % 24;
    int32_t a = (int32_t)random_u32() >> (7 + shift), b = (int32_t)random_u32() >> (7 + shift);
    int64_t at = -(int64_t)a * (random_u32() % 64) - (int64_t)b * (random_u32() % 64);

    edges->a[i] = a;
    edges->b[i] = b;
    edges->least[i] = (int32_t)(at + 7 * ((a < 0 ? a : 0) + (b < 0 ? b : 0)));
    edges->most[i] = (int32_t)(at + 7 * ((a > 0 ? a : 0) + (b > 0 ? b : 0)));
}

START_TEST(cover_blocks_agrees)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct raster_tile_edges edges = {0};
        uint64_t wanted = random_u64() | random_u64(), some = wanted, whole = wanted, got[2];

        for (unsigned i = 0; i < 3; i++)
            if (random_u32() % 4)
                random_tile_edge(&edges, i);
        for (unsigned n = 0; n < 64; n++)
            for (unsigned i = 0; i < 3; i++) {
                int64_t to = (int64_t)edges.a[i] * (n % 8 * 8) + (int64_t)edges.b[i] * (n / 8 * 8);

                if (edges.most[i] + to < 0)
                    some &= ~(UINT64_C(1) << n);
                if (edges.least[i] + to < 0)
                    whole &= ~(UINT64_C(1) << n);
            }
        EACH_ISA(k)
        {
            k->cover_blocks(&edges, wanted, &got[0], &got[1]);
            ck_assert_uint_eq(got[0], some);
            ck_assert_uint_eq(got[1], whole);
        }
        bits_bytes(&some, sizeof(some));
        bits_bytes(&whole, sizeof(whole));
    }
    bits_print("cover_blocks", 0);
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

        random_floats(src[0], 4 * LANES);
        random_floats(dst[0], 4 * LANES);
        for (int kernel = 0; kernel < 3; kernel++) {
            EACH_ISA(k)
            {
                unsigned n = isa_ != ISA_SCALAR;
                float *to[4] = {out[n][0], out[n][1], out[n][2], out[n][3]};

                memset(out[n], 0, sizeof(out[n]));
                if (kernel == 0)
                    k->blend(&blend, s, d, to);
                else if (kernel == 1)
                    k->fog(&fog, src[3], s, to);
                else
                    k->saturate(src[0], to[0]);
                check_floats(out[n][0], out[0][0], 4 * LANES, cpu_isa_name((enum cpu_isa)isa_));
            }
            bits_floats(out[0][0], 4 * LANES);
        }
    }
    bits_print("colours", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, cover_agrees);
    tcase_add_test(tc, cover_blocks_agrees);
    tcase_add_test(tc, colours_agree);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
