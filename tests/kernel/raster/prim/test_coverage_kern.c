/* Coverage kernel: each instruction set against the edge functions of every pixel and block. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/prim/coverage_kern.h"

#include <string.h>

enum { ROUNDS = 400 };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_coverage_kern *k = KERN_FOR(raster_coverage_kern, isa_);          \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

/* An edge that crosses the tile, with the values that tile/coverage.c computes. */
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

/* Masks of other blocks and samples stay. */
START_TEST(cover_pixels_agrees)
{
    enum { BLOCKS = 64 };
    static uint64_t want[BLOCKS * MAX_SAMPLES], got[BLOCKS * MAX_SAMPLES];

    for (int round = 0; round < ROUNDS / 8; round++) {
        struct raster_tile_edges edges = {.samples = 1 + random_u32() % MAX_SAMPLES};
        uint64_t wanted = random_u64() & random_u64();

        for (unsigned i = 0; i < 3; i++) {
            random_tile_edge(&edges, i);
            for (unsigned s = 0; s < edges.samples; s++)
                edges.at[s][i] = edges.least[i] + (int32_t)(random_u32() % 4096);
        }
        memset(want, 0x55, sizeof(want));
        for (unsigned n = 0; n < BLOCKS; n++)
            for (unsigned s = 0; s < edges.samples && wanted >> n & 1; s++) {
                uint64_t *mask = &want[n * MAX_SAMPLES + s];

                *mask = 0;
                for (unsigned p = 0; p < RASTER_LANES; p++) {
                    int64_t x = n % 8 * 8 + p % 8, y = n / 8 * 8 + p / 8;
                    bool inside = true;

                    for (unsigned i = 0; i < 3; i++)
                        inside &= edges.at[s][i] + x * edges.a[i] + y * edges.b[i] >= 0;
                    *mask |= (uint64_t)inside << p;
                }
            }
        EACH_ISA(k)
        {
            memset(got, 0x55, sizeof(got));
            k->cover_pixels(&edges, wanted, got, MAX_SAMPLES);
            ck_assert_int_eq(memcmp(got, want, sizeof(got)), 0);
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("cover_pixels", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/coverage");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, cover_blocks_agrees);
    tcase_add_test(tc, cover_pixels_agrees);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
