/* Snappy compressor: libsnappy decompresses its output to the input. */
#include "check_main.h"

#include "record/snappy.h"

#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

static uint8_t plain[MOST], packed[MOST + MOST / 6 + 32], back[MOST];
static struct snappy_table table;

static size_t check_pack(size_t n)
{
    size_t size = snappy_pack(&table, plain, n, packed), got = MOST;

    ck_assert_uint_le(size, snappy_bound(n));
    ck_assert_int_eq(snappy_uncompress((const char *)packed, size, (char *)back, &got), SNAPPY_OK);
    ck_assert_uint_eq(got, n);
    ck_assert(!memcmp(plain, back, n));
    return size;
}

static uint32_t next(uint32_t *seed)
{
    return *seed = *seed * 1664525u + 1013904223u;
}

START_TEST(test_noise_and_repetition)
{
    uint32_t seed = 1;

    for (unsigned kinds = 0; kinds < 9; kinds++) {
        for (size_t i = 0; i < MOST; i++)
            plain[i] = (uint8_t)(next(&seed) >> 24 & ((1u << kinds) - 1));
        check_pack(MOST);
        for (size_t n = 0; n < 300; n++)
            check_pack(n);
    }
    memset(plain, 7, MOST);
    ck_assert_uint_lt(check_pack(MOST), MOST / 20);
}
END_TEST

/* Copies of every length and distance, up to the ends of pieces. */
START_TEST(test_copies)
{
    uint32_t seed = 2;

    for (unsigned round = 0; round < 200; round++) {
        size_t n = 1 + next(&seed) % 200000, at = 0;

        while (at < n) {
            size_t run = 1 + next(&seed) % (next(&seed) & 1 ? 80 : 4000);
            size_t from = at ? next(&seed) % at : 0;

            for (size_t i = 0; i < run && at < n; i++, at++)
                plain[at] = next(&seed) & 64 && at ? plain[from + i] : (uint8_t)(seed >> 24);
        }
        check_pack(n);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("record/snappy");
    TCase *tests = tcase_create("snappy");

    tcase_add_test(tests, test_noise_and_repetition);
    tcase_add_test(tests, test_copies);
    suite_add_tcase(s, tests);
    return s;
}

TEST_MAIN(suite)
