/* Coverage kernel: each instruction set against the edge functions of every pixel and block. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/prim/coverage_kern.h"

enum { ROUNDS = 400 };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_coverage_kern *k = KERN_FOR(raster_coverage_kern, isa_);          \
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

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/coverage");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, cover_agrees);
    tcase_add_test(tc, cover_blocks_agrees);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
