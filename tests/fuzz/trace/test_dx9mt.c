/* Fuzz test of dx9mt frame files: truncation at every byte, flipped bits, replaced numbers, and
 * noise after a valid header, through reader and renderer in both modes. No crash, no hang, no
 * leak; the intact part of a frame is shown. */
#include "check_main.h"
#include "damage.h"
#include "read_all.h"
#include "replay_all.h"
#include "unit/trace/dx9mt_file.h"

#include "util/alloc.h"

#include <stdlib.h>

/* A render target that is also a texture and a StretchRect source, an uploaded texture, states of
 * all kinds. */
static struct stream sample(void)
{
    static const uint32_t texels[8] = {0xffff0000, 0xff00ff00, 0x80ffffff, 0xff0000ff};
    static struct frame f;
    struct stream out;
    uint8_t *d;

    frame_start(&f, 8, 8);
    frame_clear(&f, 7, 0xff102030, 1);
    d = frame_quad(&f, 4, 4, whole_target);
    set(d, D_TARGET, OTHER);
    set(d, D_TARGET_TEXTURE, OTHER_TEXTURE);
    frame_texture(&f, d, TEXTURE_ID, 21, 4, 2, 16, texels, sizeof(texels));
    d = frame_quad(&f, 8, 8, whole_target);
    frame_colour(&f, d, 1, 0.5f, 0, 0.5f);
    set_blend_by_alpha(d);
    set(d, D_ZENABLE, 1);
    set(d, D_ZWRITE, 1);
    set(d, D_STENCIL, 1);
    frame_texture(&f, frame_quad(&f, 8, 8, whole_target), OTHER_TEXTURE, 21, 4, 4, 16, NULL, 0);
    d = frame_stretch(&f, 8, 8);
    set(d, D_SRC_TEXTURE, TEXTURE_ID);
    set(d, D_DST_RECT + 8, 3);
    set(d, D_DST_RECT + 12, 3);
    out = frame_file(&f);
    free(f.bulk.bytes);
    f.bulk = (struct stream){0};
    return out;
}

static unsigned pictures;

static enum status run(const uint8_t *bytes, size_t n, bool viewer)
{
    return replay_all(bytes, n, viewer, &pictures);
}

START_TEST(sample_is_sound)
{
    struct stream s = sample();

    for (unsigned viewer = 0; viewer < 2; viewer++) {
        ck_assert_int_eq(run(s.bytes, s.n, viewer), ST_OK);
        ck_assert_uint_eq(pictures, 1);
    }
    free(s.bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* A frame with a complete header is shown as far as it goes. */
START_TEST(cut_at_every_byte)
{
    struct stream s = sample();

    limit_memory(6);
    for (size_t n = 0; n < s.n; n += n < 100 ? 1 : 37) {
        uint8_t *cut = malloc(n + 1); /* exact size, so that the sanitizer sees overreads */

        memcpy(cut, s.bytes, n);
        ck_assert_int_eq(run(cut, n, n % 2), ST_DAMAGED);
        ck_assert_uint_eq(pictures, n >= 60);
        free(cut);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    free(s.bytes);
}
END_TEST

/* Without the renderer, which is fast: any frame gives valid calls. */
START_TEST(flipped_and_read)
{
    struct stream s = sample();
    uint32_t seed = (uint32_t)_i * 77 + 1;
    enum status st;

    limit_memory(6);
    for (int round = 0; round < 4000; round++) {
        struct damage done = damage(s.bytes, 4, s.n, 1 + (unsigned)round % 4, &seed);

        read_all(s.bytes, s.n, &st);
        mend(s.bytes, &done);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    free(s.bytes);
}
END_TEST

/* With the renderer: header and draw fields get other small or large numbers, bulk data flipped
 * bits. */
START_TEST(flipped_and_drawn)
{
    static const uint32_t numbers[] = {0,          1,          2,      3,      5,       9,
                                       16,         64,         0x7fff, 0xffff, 0x10000, 0x7fffffff,
                                       0x80000000, 0xffffffff, 21,     113,    114,     0x31545844,
                                       0x35545844, TEXTURE_ID, SCREEN};
    struct stream s = sample();
    uint32_t seed = (uint32_t)_i * 7919 + 1;
    size_t words = (60 + 4 * (size_t)D_BYTES) / 4;

    limit_memory(6);
    for (int round = 0; round < 400; round++) {
        size_t at = 1 + next_random(&seed) % (words - 1);
        uint8_t old[4];

        if (round % 4 == 0)
            at = words + next_random(&seed) % (s.n / 4 - words);
        memcpy(old, s.bytes + 4 * at, 4);
        if (round % 4 == 0)
            s.bytes[4 * at + (seed >> 30)] ^= (uint8_t)(1u << (seed >> 27 & 7));
        else
            set(s.bytes, (unsigned)(4 * at),
                numbers[next_random(&seed) % (sizeof(numbers) / sizeof(numbers[0]))]);
        (void)!run(s.bytes, s.n, next_random(&seed) & 1);
        memcpy(s.bytes + 4 * at, old, 4);
        ck_assert_msg(mem_live_blocks() == 0, "round %d, byte %zu", round, 4 * at);
    }
    free(s.bytes);
}
END_TEST

/* Headers of every revision that announce draws, followed by noise. */
START_TEST(noise)
{
    uint8_t *bytes = malloc(4096);
    uint32_t seed = (uint32_t)_i + 1;
    enum status st;

    limit_memory(6);
    for (int round = 0; round < 3000; round++) {
        static const unsigned sizes[] = {120, 252, 272, 304, 308, 700, 748, 808};
        unsigned size = sizes[round % 8], header = size == 120 ? 56 : 60;
        unsigned n = 1 + next_random(&seed) % 3, bulk = (header + n * size + 15) / 16 * 16;

        for (size_t i = 0; i < 4096; i++)
            bytes[i] = (uint8_t)(next_random(&seed) % 3 ? 0 : seed >> 16);
        set(bytes, H_MAGIC, 0xdead9001);
        set(bytes, H_SEQUENCE, 1);
        set(bytes, H_DRAWS, n);
        set(bytes, header - 8, bulk);
        set(bytes, header - 4, (4096 - bulk) / 16 * 16);
        read_all(bytes, 4096, &st);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
    free(bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("broken frame files of dx9mt");
    TCase *tc = tcase_create("broken");

    setenv("NOVEM_THREADS", "1", 0);
    tcase_add_test(tc, sample_is_sound);
    tcase_add_test(tc, cut_at_every_byte);
    tcase_add_loop_test(tc, flipped_and_read, 0, 2);
    tcase_add_loop_test(tc, flipped_and_drawn, 0, 2);
    tcase_add_loop_test(tc, noise, 0, 2);
    tcase_set_timeout(tc, 120);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
