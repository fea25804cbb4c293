/* util/half against its definition, for every half and around every rounding boundary. */
#include "check_main.h"

#include "util/half.h"

#include <math.h>

static double half_value(unsigned h)
{
    unsigned e = h >> 10 & 31, f = h & 1023;
    double v = e ? ldexp(1024 + f, (int)e - 25) : ldexp(f, -24);

    return h & 0x8000 ? -v : v;
}

START_TEST(every_half_round_trips)
{
    for (unsigned h = 0; h < 65536; h++) {
        float value = half_to_float((uint16_t)h);

        if ((h & 0x7c00) == 0x7c00 && (h & 1023)) {
            ck_assert(isnan(value));
            ck_assert_uint_eq(half_from_float(value), 0x7e00);
            continue;
        }
        if ((h & 0x7fff) == 0x7c00)
            ck_assert(isinf(value) && !signbit(value) == !(h >> 15));
        else
            ck_assert_msg((double)value == half_value(h), "half %04x", h);
        ck_assert_uint_eq(half_from_float(value), h);
    }
}
END_TEST

/* Between neighbours a and b, one step apart: below the midpoint rounds to a, above it to b, at it
 * to the even one. */
START_TEST(rounding_is_to_nearest_even)
{
    for (unsigned h = 0; h < 0x7bff; h++) {
        double a = half_value(h), b = half_value(h + 1), middle = (a + b) / 2;
        float m = (float)middle;

        ck_assert_uint_eq(half_from_float(nextafterf(m, 0.0f)), h);
        ck_assert_uint_eq(half_from_float(nextafterf(m, 1e9f)), h + 1);
        ck_assert_uint_eq(half_from_float(m), h & 1 ? h + 1 : h);
        ck_assert_uint_eq(half_from_float(-m), 0x8000 | (h & 1 ? h + 1 : h));
    }
    ck_assert_uint_eq(half_from_float(65519.996f), 0x7bff);
    ck_assert_uint_eq(half_from_float(65520.0f), 0x7c00);
    ck_assert_uint_eq(half_from_float(INFINITY), 0x7c00);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/half");
    TCase *t = tcase_create("half");

    tcase_add_test(t, every_half_round_trips);
    tcase_add_test(t, rounding_is_to_nearest_even);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
