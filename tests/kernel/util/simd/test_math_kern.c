/* util/simd/math.h against libm in double precision, and every instruction set against scalar. */
#include "check_main.h"
#include "kernel/bits.h"
#include "util/fpenv.h"
#include "util/math.h"
#include "util/simd/math_kern.h"

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

/* Error in units in the last place of `exact` rounded to float. */
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

/* A signalling NaN, which some instructions of AArch64 treat unlike a quiet one. */
#define SIGNALLING __builtin_nansf("1")

static const float specials[] = {
    0.0f,        -0.0f,      1.0f,           -1.0f,         INFINITY,      -INFINITY,   NAN,
    FLT_MIN,     -NAN,       -2147483648.0f, 2147483520.0f, 0.49999997f,   -0.5f,       1.5f,
    -2.5f,       8388607.5f, -FLT_MIN,       1e-40f,        -1e-40f,       0.5f,        128.0f,
    127.99999f,  -126.0f,    -126.00001f,    -127.0f,       2.0f,          FLT_MAX,     -FLT_MAX,
    1e5f,        -1e5f,      102943.7f,      8388608.0f,    2147483648.0f, 1e30f,       3.0f,
    0.99999994f, 1.0000001f, 1.5707964f,     3.1415927f,    0.78539819f,   0x1.9p-126f, SIGNALLING,
    -SIGNALLING,
};
enum { N_SPECIALS = sizeof(specials) / sizeof(specials[0]) };

/* Random numbers of all magnitudes, ordinary numbers, and all pairs of special values. */
static void fill(float *a, float *b, int round)
{
    seed = (uint32_t)round + 1;
    for (int i = 0; i < BLOCK; i++) {
        a[i] = round & 1 ? from_bits(random_bits() << 16 | (random_bits() & 0xffff))
                         : random_between(-200.0f, 200.0f);
        b[i] = round & 2 ? from_bits(random_bits() << 16 | (random_bits() & 0xffff))
                         : random_between(-20.0f, 20.0f);
    }
    for (int i = 0; i < N_SPECIALS * N_SPECIALS && i < BLOCK / 2; i++) {
        a[i] = specials[i % N_SPECIALS];
        b[i] = specials[i / N_SPECIALS];
    }
    /* Products on both sides of the least normal number, including less than a rounding error below
     * it. */
    for (int i = BLOCK / 2; i < BLOCK * 3 / 4; i++) {
        uint32_t m = random_bits() & (i & 1 ? 0x7fffff : 0xfff);
        double other = ldexp(1.0 - ldexp((double)(random_bits() & 7), -26), -126);

        a[i] = from_bits(0x3f800000 + m - (random_bits() % 60 << 23));
        b[i] = (float)(other / a[i]);
        b[i] = from_bits(to_bits(b[i]) + random_bits() % 3 - 1);
    }
}

START_TEST(all_sets_give_the_same_bits)
{
    static float a[BLOCK], b[BLOCK], expected[BLOCK], got[BLOCK];
    static const char *const names[] = MATH_NAMES;
    struct fp_mode old = fp_enter();

    fill(a, b, _i);
    for (int f = 0; f < MATH_COUNT; f++) {
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            KERN_FOR(math_kern, isa)->fn[f](isa == ISA_SCALAR ? expected : got, a, b, BLOCK);
            for (int i = 0; i < BLOCK && isa != ISA_SCALAR; i++)
                ck_assert_msg(bits_same(got[i], expected[i]), "%s: %s of %a, %a: %a, scalar %a",
                              cpu_isa_name(isa), names[f], a[i], b[i], got[i], expected[i]);
        }
        bits_floats(expected, BLOCK);
        bits_print(names[f], _i);
    }
    fp_leave(old);
}
END_TEST

START_TEST(scalar_functions_give_the_same_bits)
{
    static float a[BLOCK], b[BLOCK], y[BLOCK];
    static float (*const twins[])(float) = {
        [MATH_RCP] = math_rcpf,   [MATH_RSQ] = math_rsqf, [MATH_EXP2] = math_exp2f,
        [MATH_LOG2] = math_log2f, [MATH_SIN] = math_sinf, [MATH_COS] = math_cosf};
    const struct math_kern *k = KERN_PICK(math_kern);
    struct fp_mode old = fp_enter();

    fill(a, b, _i);
    for (int f = 0; f <= MATH_COS; f++) {
        k->fn[f](y, a, b, BLOCK);
        for (int i = 0; i < BLOCK; i++)
            ck_assert_msg(bits_same(twins[f](a[i]), y[i]), "twin %d of %a", f, a[i]);
    }
    k->fn[MATH_POW](y, a, b, BLOCK);
    for (int i = 0; i < BLOCK; i++)
        ck_assert_msg(bits_same(math_powf(a[i], b[i]), y[i]), "%a to the power of %a", a[i], b[i]);
    fp_leave(old);
}
END_TEST

/* A product less than half an ulp below FLT_MIN gives FLT_MIN; smaller ones give zero. */
START_TEST(products_at_the_edge_of_normal_numbers)
{
    static float a[BLOCK], b[BLOCK], y[BLOCK];
    struct fp_mode old = fp_enter();
    int rounded_up = 0;

    for (int round = 0; round < 8; round++) {
        fill(a, b, round);
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            KERN_FOR(math_kern, isa)->fn[MATH_MUL](y, a, b, BLOCK);
            for (int i = BLOCK / 2; i < BLOCK * 3 / 4; i++) {
                double exact = fabs((double)a[i] * (double)b[i]);

                if (!(exact < FLT_MIN && fabsf(b[i]) >= FLT_MIN))
                    continue;
                ck_assert_msg(fabsf(y[i]) == (exact >= FLT_MIN * (1 - 0x1p-25) ? FLT_MIN : 0.0f),
                              "%s: %a * %a = %a", cpu_isa_name(isa), a[i], b[i], y[i]);
                rounded_up += y[i] != 0;
            }
        }
    }
    fp_leave(old);
    ck_assert_int_gt(rounded_up, 10); /* otherwise the test covers nothing */
}
END_TEST

/* Every 24-bit numerator, and so every mantissa. */
START_TEST(division_by_a_constant_rounds_as_division)
{
    static float a[BLOCK], y[BLOCK];
    struct fp_mode old;

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    old = fp_enter();
    for (uint32_t first = 0; first < 1 << 24; first += BLOCK) {
        for (uint32_t i = 0; i < BLOCK; i++)
            a[i] = from_bits(0x3f000000 ^ (first + i)); /* only the low 24 bits are used */
        KERN_FOR(math_kern, _i)->fn[MATH_DIV_BY_255](y, a, a, BLOCK);
        for (uint32_t i = 0; i < BLOCK; i++)
            if (y[i] != (float)(to_bits(a[i]) & 0xffffff) / 255.0f)
                ck_abort_msg("%s: %u / 255 is %a", cpu_isa_name((enum cpu_isa)_i),
                             to_bits(a[i]) & 0xffffff, y[i]);
    }
    fp_leave(old);
}
END_TEST

static void check_reciprocals(int isa, const float a[BLOCK])
{
    static float expected[BLOCK], got[BLOCK];

    for (int f = MATH_RCP; f <= MATH_RSQ; f++) {
        KERN_FOR(math_kern, ISA_SCALAR)->fn[f](expected, a, a, BLOCK);
        KERN_FOR(math_kern, isa)->fn[f](got, a, a, BLOCK);
        for (int i = 0; i < BLOCK; i++)
            if (!bits_same(got[i], expected[i]))
                ck_abort_msg("%s: function %d of %a: %a, not %a", cpu_isa_name((enum cpu_isa)isa),
                             f, a[i], got[i], expected[i]);
    }
}

/* Every mantissa with an even and an odd exponent, with both signs in the same vectors. */
START_TEST(reciprocals_of_every_mantissa)
{
    static float a[BLOCK];
    struct fp_mode old;

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    old = fp_enter();
    for (uint32_t first = 0; first < 1 << 24; first += BLOCK) {
        for (uint32_t i = 0; i < BLOCK; i++)
            a[i] = from_bits((0x3f800000 ^ (first + i)) | (i & 2) << 30);
        check_reciprocals(_i, a);
    }
    fp_leave(old);
}
END_TEST

/* Mantissas at both ends and in between. */
START_TEST(reciprocals_at_every_exponent)
{
    static float a[BLOCK];
    struct fp_mode old;

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    old = fp_enter();
    for (uint32_t high = 0; high < 512; high++) {
        for (uint32_t i = 0; i < BLOCK; i++)
            a[i] = from_bits((high << 23) + (i & 64 ? i * 4079 & 0xffffff : 0 - (i & 7)));
        check_reciprocals(_i, a);
    }
    fp_leave(old);
}
END_TEST

/* Every exponent with 4096 mantissas each, and both signs where they are valid. */
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
    k->fn[MATH_LOG2](l, x, x, BLOCK);
    k->fn[MATH_RSQ](r, x, x, BLOCK);
    fp_leave(old);
    ck_assert(l[0] == (float)((int)exponent - 127));
    for (int i = 0; i < BLOCK; i++) {
        ck_assert_msg(ulps(l[i], log2(x[i])) <= 1.0, "log2 %a = %a", x[i], l[i]);
        ck_assert_msg(ulps(r[i], 1.0 / sqrt(x[i])) <= 0.86, "rsq %a = %a", x[i], r[i]);
    }
}
END_TEST

START_TEST(log2_is_accurate_around_one)
{
    struct fp_mode old = fp_enter();

    for (int i = 1; i < 20000; i++) {
        float above = from_bits(0x3f800000 + (uint32_t)(i * i / 50));
        float below = from_bits(0x3f800000 - (uint32_t)(i * i / 50));

        ck_assert_msg(ulps(math_log2f(above), log2(above)) <= 1.0, "%a", above);
        ck_assert_msg(ulps(math_log2f(below), log2(below)) <= 1.0, "%a", below);
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

            ck_assert_msg(ulps(math_exp2f(x), exp2(x)) <= 0.9, "2^%a", x);
            if (x < 125.9f)
                ck_assert_msg(ulps(math_exp2f(-x), exp2(-x)) <= 0.9, "2^-%a", x);
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
                ck_assert_msg(ulps(math_sinf(x), sin(x)) <= 1.0, "sin %a", x);
            ck_assert_msg(fabs(math_sinf(x) - sin(x)) <= 0x1p-23, "sin %a", x);
            ck_assert_msg(fabs(math_cosf(x) - cos(x)) <= 0x1p-23, "cos %a", x);
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

        /* Error of y * log2 x, up to about 53, in ulps of the power: 53 * 2^-24 * ln 2. */
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
    tcase_add_loop_test(tc, scalar_functions_give_the_same_bits, 0, 4);
    tcase_add_test(tc, products_at_the_edge_of_normal_numbers);
    tcase_add_loop_test(tc, division_by_a_constant_rounds_as_division, 0, ISA_COUNT);
    tcase_add_loop_test(tc, reciprocals_of_every_mantissa, 0, ISA_COUNT);
    tcase_add_loop_test(tc, reciprocals_at_every_exponent, 0, ISA_COUNT);
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
