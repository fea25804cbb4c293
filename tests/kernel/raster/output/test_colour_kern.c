/* Colour kernel: each instruction set against scalar, on usual and special values. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/output/colour_kern.h"

enum { ROUNDS = 400, LANES = RASTER_LANES };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_colour_kern *k = KERN_FOR(raster_colour_kern, isa_);              \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

START_TEST(fog_agrees)
{
    static _Alignas(64) float src[4][LANES], out[2][4][LANES];
    const float *const rgb[3] = {src[0], src[1], src[2]};

    for (int round = 0; round < ROUNDS * 4; round++) {
        struct raster_fog_params fog = {(uint8_t)(random_u32() % 5),
                                        random_float(),
                                        random_float(),
                                        random_float(),
                                        {random_float(), random_float(), random_float()}};

        random_floats(src[0], 4 * LANES);
        EACH_ISA(k)
        {
            unsigned n = isa_ != ISA_SCALAR;
            float *const to[3] = {out[n][0], out[n][1], out[n][2]};

            k->fog(&fog, src[3], rgb, to);
            check_floats(out[n][0], out[0][0], 3 * LANES, cpu_isa_name((enum cpu_isa)isa_));
        }
        bits_floats(out[0][0], 3 * LANES);
    }
    bits_print("fog", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/colour");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, fog_agrees);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
