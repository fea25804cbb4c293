/* Store kernel: each instruction set against loops over the lanes, with special values. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/output/store_kern.h"

#include <string.h>

enum { ROUNDS = 400, LANES = RASTER_LANES };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_store_kern *k = KERN_FOR(raster_store_kern, isa_);                \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

/* Pixel of a lane, from the order of quads in a block and of pixels in a quad. */
static unsigned lane_x(unsigned lane)
{
    unsigned quad = lane / 4, pixel = lane % 4;

    return quad % 4 * 2 + pixel % 2;
}

static unsigned lane_y(unsigned lane)
{
    unsigned quad = lane / 4, pixel = lane % 4;

    return quad / 4 * 2 + pixel / 2;
}

/* Rounds to nearest in 0 … 255, halves up; NaN gives 0. */
static uint8_t unorm8(float value)
{
    float clamped = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;

    return (uint8_t)(clamped * 255.0f + 0.5f);
}

START_TEST(packs_rgba8_rows)
{
    enum { PITCH = 41 }; /* unaligned */
    static _Alignas(64) float from[4][LANES];
    uint8_t want[8 * PITCH], got[8 * PITCH];

    for (int round = 0; round < ROUNDS; round++) {
        bool ones = round & 1;
        const float *const arrays[4] = {from[0], from[1], from[2], ones ? NULL : from[3]};

        memset(want, 0x77, sizeof(want));
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < LANES; i++) {
                /* midpoints between two codes, and other values */
                from[c][i] = random_u32() % 4 ? random_float()
                                              : ((float)(random_u32() % 256) + 0.5f) / 255.0f;
                want[lane_y(i) * PITCH + 4 * lane_x(i) + c] =
                    ones && c == 3 ? 255 : unorm8(from[c][i]);
            }
        EACH_ISA(k)
        {
            memset(got, 0x77, sizeof(got));
            k->pack_rgba8(got, PITCH, arrays);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s", cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("store_rgba8", 0);
}
END_TEST

START_TEST(packs_r32f_rows)
{
    enum { WORDS = 11 };
    static _Alignas(64) float from[LANES];
    uint32_t want[8][WORDS], got[8][WORDS];

    for (int round = 0; round < ROUNDS; round++) {
        memset(want, 0x77, sizeof(want));
        random_floats(from, LANES);
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t *word = &want[lane_y(i)][1 + lane_x(i)];

            memcpy(word, &from[i], sizeof(*word));
            if ((*word & 0x7fffffff) > 0x7f800000)
                *word = 0x7fc00000;
            else if ((*word & 0x7fffffff) < 0x00800000)
                *word &= 0x80000000;
        }
        EACH_ISA(k)
        {
            memset(got, 0x77, sizeof(got));
            k->pack_r32f((uint8_t *)&got[0][1], sizeof(got[0]), from);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s", cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("store_r32f", 0);
}
END_TEST

START_TEST(stores_masked_words)
{
    enum { WORDS = 11 };
    _Alignas(64) uint32_t saved[LANES];
    uint32_t written[8][WORDS], want[8][WORDS], got[8][WORDS];

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t mask = random_u64() | (round & 1 ? random_u64() << random_u32() % 64 : 0);

        for (unsigned i = 0; i < LANES; i++)
            saved[i] = random_u32();
        for (unsigned i = 0; i < 8 * WORDS; i++)
            written[i / WORDS][i % WORDS] = random_u32();
        memcpy(want, written, sizeof(want));
        for (unsigned i = 0; i < LANES; i++)
            if (mask >> i & 1)
                want[i / 8][2 + i % 8] = saved[i];
        EACH_ISA(k)
        {
            memcpy(got, written, sizeof(got));
            k->store_masked((uint8_t *)&got[0][2], sizeof(got[0]), (uint8_t *)saved, mask);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s", cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_bytes(want, sizeof(want));
    }
    bits_print("store_masked", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/store");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, packs_rgba8_rows);
    tcase_add_test(tc, packs_r32f_rows);
    tcase_add_test(tc, stores_masked_words);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
