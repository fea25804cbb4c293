/* Set-up of small triangles: each instruction set against scalar, which test_oracle.c compares with
 * the rule. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/raster_private.h"

#include <string.h>

enum { ROUNDS = 2000 };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_setup_kern *k = KERN_FOR(raster_setup_kern, isa_);                \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static int32_t within(int32_t reach)
{
    return (int32_t)(random_u32() % (2 * (uint32_t)reach + 1)) - reach;
}

/* Of up to some pixels, and some at any place that corners may have. */
static void random_group(struct raster_small_group *g)
{
    int32_t reach = 1 << random_u32() % 12;

    memset(g, 0, sizeof(*g));
    g->clockwise = random_u32() % 4;
    g->counter = random_u32() % 4;
    for (unsigned i = 0; i < 4; i++)
        g->rect[i] = (i < 2 ? -100 : 100) + within(30);
    for (unsigned k = 0; k < SMALL_GROUP; k++) {
        int32_t span = random_u32() % 8 ? 100 * SUBPIXEL : 1 << 23;

        for (unsigned i = 0; i < 3; i++) {
            g->x[i][k] = i && random_u32() % 16 ? g->x[0][k] + within(reach) : within(span);
            g->y[i][k] = i && random_u32() % 16 ? g->y[0][k] + within(reach) : within(span);
        }
    }
}

static void check_same(const struct raster_small_group *got, const struct raster_small_group *want,
                       const char *name)
{
    ck_assert_msg(got->drawn == want->drawn && got->other == want->other, "%s: %x %x, scalar %x %x",
                  name, got->drawn, got->other, want->drawn, want->other);
    for (unsigned k = 0; k < SMALL_GROUP; k++) {
        if (!(want->drawn >> k & 1))
            continue;
        for (unsigned i = 0; i < 4; i++)
            ck_assert_int_eq(got->box[i][k], want->box[i][k]);
        for (unsigned i = 0; i < 2; i++)
            ck_assert_uint_eq(got->pixels[i][k], want->pixels[i][k]);
    }
}

START_TEST(small_agrees)
{
    unsigned drawn = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_small_group g, out[2];

        random_group(&g);
        EACH_ISA(k)
        {
            struct raster_small_group *to = &out[isa_ != ISA_SCALAR];

            *to = g;
            k->small(to);
            check_same(to, &out[0], cpu_isa_name((enum cpu_isa)isa_));
        }
        drawn += (unsigned)__builtin_popcount(out[0].drawn);
        bits_bytes(&out[0].drawn, sizeof(out[0].drawn));
        for (unsigned k = 0; k < SMALL_GROUP; k++)
            if (out[0].drawn >> k & 1)
                bits_bytes(&out[0].pixels[0][k], sizeof(out[0].pixels[0][k]));
    }
    ck_assert_uint_gt(drawn, ROUNDS);
    bits_print("small", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/setup");
    TCase *tc = tcase_create("setup_kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, small_agrees);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
