/* Depth and alpha kernel: each instruction set against scalar or a rule, with special values. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random_test.h"
#include "kernel/raster/zs_rule.h"

#include "raster/state/params.h"
#include "raster/zs/depth_kern.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 400, LANES = RASTER_LANES };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_depth_kern *k = KERN_FOR(raster_depth_kern, isa_);                \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

/* const_depth_test writes all words if all pass, else none. */
START_TEST(const_depths_agree)
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

            *word = code | (random_u32() & 0xff); /* equal or larger, rarely random */
            if (round % 3 == 0 && code < 0x80000000)
                *word |= 0x80000000;
            if (random_u32() % 700 == 0)
                *word = random_u32();
            want[i / WIDTH][1 + i % WIDTH] = *word;
            passes &= zs_rule(&ds, code, &want[i / WIDTH][1 + i % WIDTH]);
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
                k->const_depth_test(&ds, code, (uint8_t *)&got[0][1], sizeof(got[0]), WIDTH, ROWS),
                passes);
            ck_assert_mem_eq(got, want, sizeof(got));
        }
        bits_bytes(&passes, sizeof(passes));
    }
    bits_print("const_depth_test", 0);
}
END_TEST

/* The same for pixels of 16 bits. */
START_TEST(const_depths_of_16_bits_agree)
{
    enum { WIDTH = 32, ROWS = 16, PITCH = 2 * WIDTH + 3 };
    static uint8_t stored[ROWS * PITCH], want[ROWS * PITCH], got[ROWS * PITCH];
    unsigned n_passes = 0;

    for (int round = 0; round < ROUNDS * 4; round++) {
        struct raster_depth_stencil ds = {.depth_test = true,
                                          .depth_write = random_u32() % 4 != 0,
                                          .code = RASTER_DEPTH_UNORM,
                                          .bytes = 2,
                                          .bits = 16,
                                          .depth_field = 0xffff};
        uint32_t code;
        bool passes = true;

        if (round % 4 == 3) /* D15S1 */
            ds.bits = 15, ds.shift = 1, ds.depth_field = 0xfffe;
        ds.depth_func = (uint8_t)(1 + random_u32() % 8);
        code = random_u32() & ds.depth_field;
        memset(stored, 0x33, sizeof(stored));
        memcpy(want, stored, sizeof(want));
        for (unsigned i = 0; i < WIDTH * ROWS; i++) {
            size_t at = (size_t)(i / WIDTH) * PITCH + 1 + (size_t)(i % WIDTH) * 2;
            uint32_t word = code | (random_u32() & ~ds.depth_field & 1);

            if (round % 3 == 0) /* the test passes with most functions, or with its opposite */
                word = round % 2 ? 0xffff : word & 1;
            if (random_u32() % 900 == 0)
                word = random_u32() & 0xffff;
            memcpy(stored + at, &word, 2);
            passes &= zs_rule(&ds, code, &word);
            memcpy(want + at, &word, 2);
        }
        n_passes += passes;
        if (!passes)
            memcpy(want, stored, sizeof(want));
        EACH_ISA(k)
        {
            memcpy(got, stored, sizeof(got));
            ck_assert_int_eq(k->const_depth_test(&ds, code, got + 1, PITCH, WIDTH, ROWS), passes);
            ck_assert_mem_eq(got, want, sizeof(got));
        }
        bits_bytes(&passes, sizeof(passes));
    }
    ck_assert_uint_gt(n_passes, ROUNDS);
    ck_assert_uint_lt(n_passes, 3 * ROUNDS);
    bits_print("const_depth_test_16", 0);
}
END_TEST

static const unsigned precisions[4] = {8, 10, 16, 0};

/* bits 0: alpha as it is. */
static struct raster_alpha_test alpha_test(unsigned bits, unsigned ref, unsigned func)
{
    float max = (float)((1u << bits) - 1);

    return (struct raster_alpha_test){.func = (uint8_t)func,
                                      .floats = !bits,
                                      .max = max,
                                      .reference = bits ? roundf((float)ref / 255.0f * max)
                                                        : (float)ref / 255.0f};
}

START_TEST(alpha_agrees)
{
    _Alignas(64) float alpha[LANES];

    for (int round = 0; round < ROUNDS * 4; round++) {
        unsigned precision = precisions[random_u32() % 4], ref = random_u32() % 256;
        struct raster_alpha_test test = alpha_test(precision, ref, 1 + random_u32() % 8);
        uint64_t want;

        random_floats(alpha, LANES);
        alpha[random_u32() % LANES] = test.reference / (test.floats ? 1.0f : test.max);
        want = raster_depth_kern_scalar.alpha_test(alpha, &test);
        EACH_ISA(k)
        ck_assert_uint_eq(k->alpha_test(alpha, &test), want);
        bits_bytes(&want, sizeof(want));
    }
    bits_print("alpha_test", 0);
}
END_TEST

/* v in [0,1] as a code up to max: the product is rounded, the sum is not (numbers/unorm). */
static uint32_t alpha_code(float v, float max)
{
    float product = v * max;

    return (uint32_t)((double)product + 0.5);
}

/* All reference values at a precision, with alphas around the midpoints to the codes below and
 * above. */
static void alpha_at_halves_of(unsigned precision, unsigned func)
{
    float alpha[LANES];

    for (uint32_t i = 0; i < 512; i++) {
        struct raster_alpha_test test = alpha_test(precision, i / 2, func);
        float middle = (test.reference + (i & 1 ? 0.5f : -0.5f)) / test.max;
        uint32_t bits;
        uint64_t want = 0;

        memcpy(&bits, &middle, sizeof(bits));
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t word = bits + lane - LANES / 2;

            memcpy(&alpha[lane], &word, sizeof(word));
        }
        alpha[0] = -0.25f;
        alpha[1] = 1.25f;
        alpha[2] = NAN;
        for (unsigned lane = 0; lane < LANES; lane++) {
            float in = alpha[lane] > 0.0f ? alpha[lane] < 1.0f ? alpha[lane] : 1.0f : 0.0f;

            want |= (uint64_t)zs_compares(func, alpha_code(in, test.max), (uint32_t)test.reference)
                    << lane;
        }
        EACH_ISA(k)
        ck_assert_uint_eq(k->alpha_test(alpha, &test), want);
    }
}

START_TEST(alpha_at_halves)
{
    for (unsigned i = 0; i < 3; i++)
        alpha_at_halves_of(precisions[i], (unsigned)_i);
}
END_TEST

/* Floats neither clamp nor round; NaN passes NOTEQUAL alone. */
START_TEST(alpha_of_floats)
{
    float alpha[LANES];

    for (unsigned ref = 0; ref < 256; ref++) {
        struct raster_alpha_test test = alpha_test(0, ref, (unsigned)_i);
        uint64_t want = 0;

        random_floats(alpha, LANES);
        alpha[0] = test.reference;
        alpha[1] = nextafterf(test.reference, -1);
        alpha[2] = nextafterf(test.reference, 2);
        alpha[3] = 1.5f, alpha[4] = -0.5f, alpha[5] = NAN, alpha[6] = INFINITY,
        alpha[7] = -INFINITY;
        alpha[8] = -0.0f;
        for (unsigned lane = 0; lane < LANES; lane++) {
            float a = fabsf(alpha[lane]) < FLT_MIN ? 0.0f : alpha[lane]; /* denormals are 0 */
            unsigned outcome = a < test.reference ? 1 : a == test.reference ? 2 : 4;
            bool passes = isnan(a) ? _i == D3DCMP_NOTEQUAL : ((unsigned)_i - 1) & outcome;

            want |= (uint64_t)passes << lane;
        }
        EACH_ISA(k)
        ck_assert_uint_eq(k->alpha_test(alpha, &test), want);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster_depth");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, const_depths_agree);
    tcase_add_test(tc, const_depths_of_16_bits_agree);
    tcase_add_test(tc, alpha_agrees);
    tcase_add_loop_test(tc, alpha_at_halves, D3DCMP_NEVER, D3DCMP_ALWAYS + 1);
    tcase_add_loop_test(tc, alpha_of_floats, D3DCMP_NEVER, D3DCMP_ALWAYS); /* ALWAYS is no test */
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
