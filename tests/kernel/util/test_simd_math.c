/* util/simd_math.h against libm in double precision, and every instruction set against scalar. */
#include "check_main.h"
#include "util/fpenv.h"
#include "util/math.h"
#include "util/math_kern.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 4096 };

static float from_bits(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, 4);
    return f;
}

static uint32_t to_bits(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, 4);
    return bits;
}

/* Distance in units of the last place of `exact` rounded to float. */
static double ulps(float got, double exact)
{
    double size = fabs(exact) < FLT_MIN ? FLT_MIN : fabs(exact);
    int exponent;

    frexp(size, &exponent);
    return fabs(got - exact) / ldexp(1.0, exponent - 24);
}

static uint32_t seed;
static uint32_t random_bits(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 13;
}

static float random_between(float low, float high)
{
    return low + (high - low) * (float)(random_bits() & 0xffffff) / 16777216.0f;
}

static const float specials[] = {
    0.0f,          -0.0f,  1.0f,    -1.0f,       INFINITY,   -INFINITY,  NAN,        FLT_MIN,
    -FLT_MIN,      1e-40f, -1e-40f, 0.5f,        128.0f,     127.99999f, -126.0f,    -126.00001f,
    -127.0f,       2.0f,   FLT_MAX, -FLT_MAX,    1e5f,       -1e5f,      102943.7f,  8388608.0f,
    2147483648.0f, 1e30f,  3.0f,    0.99999994f, 1.0000001f, 1.5707964f, 3.1415927f, 0.78539819f,
};
enum { N_SPECIALS = sizeof(specials) / sizeof(specials[0]) };

START_TEST(all_sets_give_the_same_bits)
{
    static float a[BLOCK], b[BLOCK], expected[7][BLOCK], got[7][BLOCK];
    struct fp_mode old = fp_enter();

    seed = (uint32_t)_i + 1;
    for (int i = 0; i < BLOCK; i++) {
        a[i] = _i & 1 ? from_bits(random_bits() << 16 | (random_bits() & 0xffff))
                      : random_between(-200.0f, 200.0f);
        b[i] = random_between(-20.0f, 20.0f);
    }
    for (int i = 0; i < N_SPECIALS * N_SPECIALS && i < BLOCK; i++) {
        a[i] = specials[i % N_SPECIALS];
        b[i] = specials[i / N_SPECIALS];
    }
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        const struct math_kern *k = KERN_FOR(math_kern, isa);

        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        k->exp2(got[0], a, BLOCK);
        k->log2(got[1], a, BLOCK);
        k->sin(got[2], a, BLOCK);
        k->cos(got[3], a, BLOCK);
        k->rcp(got[4], a, BLOCK);
        k->rsq(got[5], a, BLOCK);
        k->pow(got[6], a, b, BLOCK);
        if (isa == ISA_SCALAR) {
            memcpy(expected, got, sizeof(got));
            continue;
        }
        for (int f = 0; f < 7; f++) {
            for (int i = 0; i < BLOCK; i++) {
                bool nan = isnan(got[f][i]) && isnan(expected[f][i]);

                ck_assert_msg(nan || to_bits(got[f][i]) == to_bits(expected[f][i]),
                              "%s: function %d of %a, %a: %a, scalar %a", cpu_isa_name(isa), f,
                              a[i], b[i], got[f][i], expected[f][i]);
            }
        }
    }
    for (int i = 0; i < BLOCK; i++) {
        float twins[] = {math_exp2f(a[i]), math_log2f(a[i]), math_sinf(a[i]),      math_cosf(a[i]),
                         math_rcpf(a[i]),  math_rsqf(a[i]),  math_powf(a[i], b[i])};

        for (int f = 0; f < 7; f++)
            ck_assert_msg(to_bits(twins[f]) == to_bits(expected[f][i]) ||
                              (isnan(twins[f]) && isnan(expected[f][i])),
                          "twin %d of %a", f, a[i]);
    }
    fp_leave(old);
}
END_TEST

/* Every exponent, 4096 mantissas each, both signs where they mean something. */
START_TEST(log2_and_rsq_are_accurate_at_every_exponent)
{
    static float x[BLOCK], l[BLOCK], r[BLOCK];
    const struct math_kern *k = KERN_PICK(math_kern);
    uint32_t exponent = (uint32_t)_i;
    struct fp_mode old = fp_enter();

    seed = exponent;
    for (int i = 0; i < BLOCK; i++)
        x[i] = from_bits(exponent << 23 |
                         (i < 2 ? (uint32_t)-i & 0x7fffff : random_bits() & 0x7fffff));
    k->log2(l, x, BLOCK);
    k->rsq(r, x, BLOCK);
    fp_leave(old);
    ck_assert(l[0] == (float)((int)exponent - 127));
    for (int i = 0; i < BLOCK; i++) {
        ck_assert_msg(ulps(l[i], log2(x[i])) <= 1.5, "log2 %a = %a", x[i], l[i]);
        ck_assert_msg(ulps(r[i], 1.0 / sqrt(x[i])) <= 1.5, "rsq %a = %a", x[i], r[i]);
    }
}
END_TEST

START_TEST(log2_is_accurate_around_one)
{
    struct fp_mode old = fp_enter();

    for (int i = 1; i < 20000; i++) {
        float above = from_bits(0x3f800000 + (uint32_t)(i * i / 50));
        float below = from_bits(0x3f800000 - (uint32_t)(i * i / 50));

        ck_assert_msg(ulps(math_log2f(above), log2(above)) <= 1.5, "%a", above);
        ck_assert_msg(ulps(math_log2f(below), log2(below)) <= 1.5, "%a", below);
    }
    fp_leave(old);
}
END_TEST

START_TEST(exp2_is_accurate)
{
    struct fp_mode old = fp_enter();

    for (int n = -126; n < 128; n++)
        ck_assert_msg(math_exp2f((float)n) == (float)ldexp(1.0, n), "2^%d", n);
    for (int exponent = -40; exponent < 7; exponent++) {
        for (int i = 0; i < 4000; i++) {
            float x = (float)ldexp(1.0 + (random_bits() & 0xffff) / 65536.0, exponent);

            ck_assert_msg(ulps(math_exp2f(x), exp2(x)) <= 1.2, "2^%a", x);
            if (x < 125.9f)
                ck_assert_msg(ulps(math_exp2f(-x), exp2(-x)) <= 1.2, "2^-%a", x);
        }
    }
    fp_leave(old);
}
END_TEST

START_TEST(sine_and_cosine_are_accurate)
{
    struct fp_mode old = fp_enter();

    for (int exponent = -40; exponent < 17; exponent++) {
        for (int i = 0; i < 4000; i++) {
            float x = (float)ldexp(1.0 + (random_bits() & 0xffffff) / 16777216.0, exponent);

            if (x > 1e5f)
                continue;
            if (x <= 0.78539816f)
                ck_assert_msg(ulps(math_sinf(x), sin(x)) <= 2.0, "sin %a", x);
            ck_assert_msg(fabs(math_sinf(x) - sin(x)) <= 1.5e-7, "sin %a", x);
            ck_assert_msg(fabs(math_cosf(x) - cos(x)) <= 1.5e-7, "cos %a", x);
            ck_assert(math_sinf(-x) == -math_sinf(x) && math_cosf(-x) == math_cosf(x));
        }
    }
    for (int exponent = 17; exponent < 128; exponent++) {
        for (int i = 0; i < 200; i++) {
            float x = from_bits((uint32_t)(exponent + 127) << 23 | (random_bits() & 0x7fffff));

            ck_assert(fabsf(math_sinf(x)) <= 1.0f && fabsf(math_cosf(x)) <= 1.0f);
        }
    }
    fp_leave(old);
}
END_TEST

START_TEST(pow_follows_its_logarithm)
{
    struct fp_mode old = fp_enter();

    for (int i = 0; i < 100000; i++) {
        float x = random_between(0.01f, 4.0f), y = random_between(-8.0f, 8.0f);
        double exact = pow(x, y);

        /* The error of y * log2 x, up to about 53, in ulps of the power: 53 * 2^-24 * ln 2. */
        ck_assert_msg(fabs(math_powf(x, y) - exact) <= exact * 4e-6, "%a ^ %a", x, y);
    }
    ck_assert(math_powf(0.0f, 0.0f) == 1.0f);
    ck_assert(math_powf(INFINITY, 0.0f) == 1.0f);
    ck_assert(math_powf(NAN, 0.0f) == 1.0f);
    ck_assert(math_powf(1.0f, INFINITY) == 1.0f);
    ck_assert(math_powf(0.0f, 2.5f) == 0.0f);
    ck_assert(math_powf(0.0f, -1.0f) == INFINITY);
    ck_assert(math_powf(-2.0f, 3.0f) == 8.0f);
    ck_assert(isnan(math_powf(NAN, 2.0f)));
    fp_leave(old);
}
END_TEST

START_TEST(special_arguments)
{
    struct fp_mode old = fp_enter();

    ck_assert(math_exp2f(INFINITY) == INFINITY && math_exp2f(128.0f) == INFINITY);
    ck_assert(to_bits(math_exp2f(-INFINITY)) == 0 && to_bits(math_exp2f(-127.0f)) == 0);
    ck_assert(math_exp2f(1e-40f) == 1.0f && isnan(math_exp2f(NAN)));
    ck_assert(math_log2f(0.0f) == -INFINITY && math_log2f(-0.0f) == -INFINITY);
    ck_assert(math_log2f(-1e-40f) == -INFINITY && math_log2f(-INFINITY) == INFINITY);
    ck_assert(math_log2f(-8.0f) == 3.0f && isnan(math_log2f(NAN)));
    ck_assert(to_bits(math_log2f(1.0f)) == 0);
    ck_assert(to_bits(math_sinf(0.0f)) == 0 && math_cosf(0.0f) == 1.0f);
    ck_assert(math_cosf(1e-40f) == 1.0f);
    ck_assert(isnan(math_sinf(INFINITY)) && isnan(math_cosf(-INFINITY)) && isnan(math_sinf(NAN)));
    ck_assert(math_rcpf(0.0f) == INFINITY && math_rcpf(-0.0f) == -INFINITY);
    ck_assert(math_rcpf(1e-40f) == INFINITY && math_rcpf(INFINITY) == 0.0f);
    ck_assert(math_rsqf(0.0f) == INFINITY && math_rsqf(-0.0f) == INFINITY);
    ck_assert(math_rsqf(-4.0f) == 0.5f && math_rsqf(INFINITY) == 0.0f);
    fp_leave(old);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("simd_math");
    TCase *tc = tcase_create("math");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, all_sets_give_the_same_bits, 0, 8);
    tcase_add_loop_test(tc, log2_and_rsq_are_accurate_at_every_exponent, 1, 255);
    tcase_add_test(tc, log2_is_accurate_around_one);
    tcase_add_test(tc, exp2_is_accurate);
    tcase_add_test(tc, sine_and_cosine_are_accurate);
    tcase_add_test(tc, pow_follows_its_logarithm);
    tcase_add_test(tc, special_arguments);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
