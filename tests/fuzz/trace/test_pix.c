/* Fuzz test of PIX run files: truncation at every byte, flipped bits, and decompression bombs. All
 * calls before the damage are delivered and replayed. No crash, no hang, and memory stays within
 * the limits of docs/formats.md. */
#include "check_main.h"
#include "damage.h"
#include "read_all.h"
#include "replay_all.h"
#include "unit/trace/pix_stream.h"

#include "util/alloc.h"

#include <stdlib.h>
#include <zlib.h>

/* --- Reading ---------------------------------------------------------------------------------- */

START_TEST(cut_at_every_byte)
{
    struct stream s = {0};
    unsigned before = 0, calls;
    enum status st;

    put_pix_sample(&s);
    for (size_t n = 0; n <= s.n; n++) {
        calls = read_all(s.bytes, n, &st);
        ck_assert_msg(calls >= before && calls <= before + 2, "%zu bytes: %u calls", n, calls);
        before = calls;
    }
    ck_assert_int_eq(st, ST_OK);
    ck_assert_uint_eq(before, 32);
    read_all(s.bytes, s.n - 1, &st);
    ck_assert_int_eq(st, ST_DAMAGED);
    free(s.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Damages bytes after the first chunk's type, which is the format's magic. */
START_TEST(flipped_bits)
{
    struct stream s = {0};
    uint32_t seed = (uint32_t)_i * 77 + 1;
    enum status st;

    put_pix_sample(&s);
    for (int round = 0; round < 20000; round++) {
        struct damage done = damage(s.bytes, 8, s.n, 1 + (unsigned)round % 3, &seed);

        read_all(s.bytes, s.n, &st);
        mend(s.bytes, &done);
    }
    ck_assert_uint_eq(read_all(s.bytes, s.n, &st), 32);
    free(s.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(noise)
{
    uint8_t bytes[400];
    uint32_t seed = (uint32_t)_i + 1;
    enum status st;

    for (int round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] = (uint8_t)next_random(&seed);
        memcpy(bytes, "\x04\0\0\0\xe8\x03\0\0", 8);
        if (round % 2) /* an attribute that holds a call */
            memcpy(bytes + 12, "\xec\x03\0\0\x01\0\0\0\x13\0\0\0", 12);
        read_all(bytes, 8 + next_random(&seed) % (sizeof(bytes) - 8), &st);
    }
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* --- Memory ----------------------------------------------------------------------------------- */

/* A call of `zeros` zero bytes after its number, in gzip. */
static size_t pack_bomb(uint8_t *out, size_t room, uint32_t number, uint32_t zeros)
{
    static uint8_t nothing[1 << 16];
    struct stream s = {0};
    z_stream z = {.next_out = out, .avail_out = (uInt)room};

    put_pix_header(&s);
    put_word(&s, 4 + 8 + 4 + 8 + zeros);
    put_word(&s, 0x3ec);
    put_word(&s, 1);
    put_word(&s, 19);
    put_word(&s, 8 + zeros);
    put_word(&s, number);
    put_word(&s, 1);
    ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, 0), Z_OK);
    z.next_in = s.bytes;
    z.avail_in = (uInt)s.n;
    ck_assert_int_eq(deflate(&z, Z_NO_FLUSH), Z_OK);
    for (uint32_t left = zeros; left;) {
        uInt n = left < sizeof(nothing) ? left : (uInt)sizeof(nothing);

        z.next_in = nothing;
        z.avail_in = n;
        ck_assert_int_eq(deflate(&z, Z_NO_FLUSH), Z_OK);
        left -= n;
    }
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    free(s.bytes);
    return room - z.avail_out;
}

static long peak_kib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Bounds of memory are far below a bomb's size: libraries and sanitizers take some of their own.
 *
 * 200 MiB in 200 KiB exceed the limit of a call in a compressed file of that size. 60 MiB are
 * allowed; as constants they yield at most LIST_MAX values. */
START_TEST(bombs)
{
    static uint8_t packed[1 << 20];
    enum status st;
    size_t n = pack_bomb(packed, sizeof(packed), 330, 200u << 20);
    long before = peak_kib();

    ck_assert_uint_lt(n, 250u << 10);
    ck_assert_uint_eq(read_all(packed, n, &st), 0);
    ck_assert_int_eq(st, ST_DAMAGED);
    ck_assert_int_lt(peak_kib() - before, 8 << 10);
    n = pack_bomb(packed, sizeof(packed), 330, 60u << 20);
    ck_assert_uint_eq(read_all(packed, n, &st), 1);
    ck_assert_int_eq(st, ST_OK);
#ifndef SANITIZED
    ck_assert_int_lt(peak_kib() - before, 140 << 10);
#endif
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* --- Replaying -------------------------------------------------------------------------------- */

static unsigned pictures;

static enum status run(const uint8_t *bytes, size_t n)
{
    return replay_all(bytes, n, false, &pictures);
}

/* The frame before the damage is shown. */
START_TEST(frames_before_the_damage)
{
    struct stream s = {0};
    size_t one;

    put_pix_header(&s);
    put_pix_device(&s);
    put_pix_frame(&s);
    one = s.n;
    put_pix_frame(&s);
    ck_assert_int_eq(run(s.bytes, s.n), ST_OK);
    ck_assert_uint_eq(pictures, 2);
    ck_assert_int_eq(run(s.bytes, s.n - 3), ST_DAMAGED);
    ck_assert_uint_eq(pictures, 1);
    memset(s.bytes + one, 0, 4); /* a chunk too short for its type */
    ck_assert_int_eq(run(s.bytes, s.n), ST_DAMAGED);
    ck_assert_uint_eq(pictures, 1);
    free(s.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(flipped_calls)
{
    uint32_t seed = (uint32_t)_i * 7919 + 1;
    struct stream s = {0};

    limit_memory(4);
    put_pix_sample(&s);
    for (int round = 0; round < 200; round++) {
        size_t at = 64 + next_random(&seed) % (s.n - 64);
        uint8_t old = s.bytes[at];

        s.bytes[at] = (uint8_t)(next_random(&seed) & 1 ? old ^ 1u << (seed >> 29) : seed >> 20 & 7);
        (void)!run(s.bytes, s.n);
        s.bytes[at] = old;
        ck_assert_msg(mem_live_blocks() == 0, "round %d, byte %zu", round, at);
    }
    free(s.bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("broken PIX run files");
    TCase *tc = tcase_create("broken");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_test(tc, cut_at_every_byte);
    tcase_add_loop_test(tc, flipped_bits, 0, 2);
    tcase_add_loop_test(tc, noise, 0, 2);
    tcase_add_test(tc, bombs);
    tcase_add_test(tc, frames_before_the_damage);
    tcase_add_loop_test(tc, flipped_calls, 0, 2);
    tcase_set_timeout(tc, 120);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
