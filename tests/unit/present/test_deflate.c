/* What another library makes of it is what went in. */
#include "present/deflate.h"

#include "util/alloc.h"

#include "check_main.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BYTES_MAX = 300000 };

static void round_trip(const uint8_t *bytes, size_t n)
{
    static uint8_t back[BYTES_MAX + 1];
    uLongf back_n = sizeof(back);
    size_t packed_n;
    uint8_t *packed = deflate_quickly(bytes, n, &packed_n);

    ck_assert_ptr_nonnull(packed);
    ck_assert_uint_le(packed_n, n + n / 8 + 16);
    ck_assert_int_eq(uncompress(back, &back_n, packed, packed_n), Z_OK);
    ck_assert_uint_eq(back_n, n);
    ck_assert(!memcmp(back, bytes, n));
    mem_free(packed);
}

static uint32_t next(uint32_t *state)
{
    return (*state = *state * 1664525u + 1013904223u) >> 8;
}

/* Runs of every length and copies from every distance, between bytes of few or many values. */
static void fill(uint8_t *bytes, size_t n, uint32_t seed)
{
    uint32_t mask = seed % 3 == 0 ? 255 : seed % 3 == 1 ? 3 : 0, state = seed;

    for (size_t at = 0; at < n;) {
        size_t run = next(&state) % 600, distance = 1 + next(&state) % 40000;

        for (size_t i = 0; i < run && at < n; i++, at++)
            bytes[at] =
                (uint8_t)(seed % 2 && distance <= at ? bytes[at - distance] : next(&state) & mask);
    }
}

START_TEST(every_short_size)
{
    uint8_t bytes[600];

    for (uint32_t n = 0; n <= sizeof(bytes); n++)
        for (uint32_t seed = 0; seed < 6; seed++) {
            fill(bytes, n, seed);
            round_trip(bytes, n);
        }
}
END_TEST

START_TEST(long_ones)
{
    static uint8_t bytes[BYTES_MAX];

    for (uint32_t seed = 0; seed < 60; seed++) {
        fill(bytes, sizeof(bytes) - seed, seed);
        round_trip(bytes, sizeof(bytes) - seed);
    }
    memset(bytes, 255, sizeof(bytes));
    round_trip(bytes, sizeof(bytes));
}
END_TEST

START_TEST(memory_runs_out)
{
    static const uint8_t bytes[100];
    size_t n;

    for (int64_t i = 0; i < 2; i++) {
        mem_fail_after(i);
        ck_assert_ptr_null(deflate_quickly(bytes, sizeof(bytes), &n));
        mem_fail_after(-1);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("deflate");
    TCase *tc = tcase_create("deflate");

    tcase_add_test(tc, every_short_size);
    tcase_add_test(tc, long_ones);
    tcase_add_test(tc, memory_runs_out);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
