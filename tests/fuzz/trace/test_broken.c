/* Fuzz test of the apitrace reader: captures truncated at every byte, and with flipped bits. It
 * must not crash or hang, and must deliver all calls before the damage. */
#include "check_main.h"
#include "damage.h"
#include "read_all.h"
#include "unit/trace/stream.h"

#include "util/alloc.h"

/* A stream with every kind of call detail, some dozens of calls long. */
static void put_sample(struct stream *s)
{
    static const char *const args[] = {"this", "data", "value", NULL};

    put_header(s);
    for (unsigned i = 0; i < 40; i++) {
        put_enter(s, i % 3, i % 5, i < 5 ? "IDirect3DDevice9::SetThing" : NULL, args);
        put_arg(s, 0);
        put_opaque(s, 0x1000 + i);
        put_arg(s, 1);
        put(s, 0x0b);
        put_var(s, 4);
        put_blob(s, "some bytes of data", i % 18);
        put_float(s, (float)i);
        put(s, 0x0c);
        put_var(s, 7);
        if (!i) {
            put_text(s, "POINT");
            put_var(s, 2);
            put_text(s, "x");
            put_text(s, "y");
        }
        put_uint(s, i);
        put(s, 0x00);
        put(s, 0x07);
        put_text(s, "text");
        put_end(s);
        put_leave(s, i);
        put_arg(s, 2);
        put(s, 0x09);
        put_var(s, 3);
        if (!i) {
            put_var(s, 1);
            put_text(s, "OK");
            put(s, 4);
            put_var(s, 0);
        }
        put(s, 3);
        put_var(s, i);
        put_ret(s);
        put(s, 0x0f);
        put_var(s, 2);
        put_var(s, 'a');
        put_var(s, 300);
        put_end(s);
    }
}

START_TEST(cut_at_every_byte)
{
    struct stream s = {0}, file, cut;
    unsigned before = 0;
    enum status st;

    put_sample(&s);
    for (size_t n = 1; n <= s.n; n++) {
        unsigned calls;

        cut = s;
        cut.n = n;
        file = pack_snappy(&cut, 100);
        calls = read_all(file.bytes, file.n, &st);
        ck_assert(calls == before || calls == before + 1);
        before = calls;
        free(file.bytes);
    }
    ck_assert_uint_eq(before, 40);
    ck_assert_int_eq(st, ST_OK);
    /* The compressed file too, in the middle of its chunks. */
    file = pack_snappy(&s, 100);
    before = 0;
    for (size_t n = 0; n <= file.n; n++) {
        unsigned calls = read_all(file.bytes, n, &st);

        ck_assert(calls == before || calls == before + 1 || calls == before + 2);
        before = calls;
    }
    ck_assert_uint_eq(before, 40);
    free(file.bytes);
    free(s.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Flips in the stream before compression, so that they reach the parser; then flips in the file. */
START_TEST(flipped_bits)
{
    struct stream s = {0}, file;
    uint32_t seed = (uint32_t)_i * 77 + 1;
    enum status st;

    put_sample(&s);
    for (int round = 0; round < 4000; round++) {
        struct damage done = damage(s.bytes, 0, s.n, 1 + (unsigned)round % 3, &seed);

        file = pack_snappy(&s, 512);
        read_all(file.bytes, file.n, &st);
        free(file.bytes);
        mend(s.bytes, &done);
    }
    file = pack_snappy(&s, 512);
    for (int round = 0; round < 4000; round++) {
        struct damage done = damage(file.bytes, 0, file.n, 1, &seed);

        read_all(file.bytes, file.n, &st);
        mend(file.bytes, &done);
    }
    ck_assert_uint_eq(read_all(file.bytes, file.n, &st), 40);
    free(file.bytes);
    free(s.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Random bytes: raw brotli has no magic, so the brotli decoder gets them. */
START_TEST(noise)
{
    uint8_t bytes[300];
    uint32_t seed = (uint32_t)_i + 1;
    enum status st;

    for (int round = 0; round < 3000; round++) {
        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] = (uint8_t)next_random(&seed);
        if (round % 2)
            memcpy(bytes, "at\x20\0\0\0", 6);
        read_all(bytes, sizeof(bytes), &st);
    }
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("broken captures");
    TCase *tc = tcase_create("broken");

    tcase_add_test(tc, cut_at_every_byte);
    tcase_add_loop_test(tc, flipped_bits, 0, 4);
    tcase_add_loop_test(tc, noise, 0, 2);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
