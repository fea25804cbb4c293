/* Fuzz test of the R500 back end: packet parser, checker, chip model, disassembler and file reader
 * return on any damaged stream or file. */
#include "check_main.h"

#include "present/r500/shader/code.h"
#include "present/r500/stream/encode.h"
#include "present/r500/stream/pm4.h"
#include "present/r500/r500.h"
#include "present/r500/stream/regs.h"
#include "util/alloc.h"
#include "util/clock.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 24, HEIGHT = 10, PITCH = 64, DWORDS = 400 };

static uint32_t seed = 1;

static uint32_t next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8 ^ seed << 20;
}

static uint32_t below(uint32_t n)
{
    return next_random() % n;
}

static uint8_t target[PITCH * HEIGHT * 4], texture[WIDTH * HEIGHT * 4];
static struct r500_buffer buffers[] = {{1, sizeof(target), target}, {2, sizeof(texture), texture}};
static const struct r500_memory memory = {buffers, 2};
static const struct r500_reloc relocs[2] = {{1, 4, 4, 0}, {2, 4, 0, 0}};

static uint32_t base(uint32_t *stream)
{
    const struct r500_quad quad = {below(R500_CHIPS),
                                   below(R500_FORMS),
                                   WIDTH,
                                   HEIGHT,
                                   WIDTH,
                                   WIDTH,
                                   HEIGHT,
                                   PITCH,
                                   0,
                                   0,
                                   WIDTH,
                                   HEIGHT,
                                   false};
    uint32_t n;

    ck_assert_int_eq(r500_encode_quad(stream, &n, &quad), ST_OK);
    return n;
}

/* Flips a bit, replaces or copies a dword, removes a range, or replaces a register. */
static uint32_t damage(uint32_t *stream, uint32_t n)
{
    uint32_t at = below(n), length = 1 + below(8);

    switch (below(6)) {
    case 0:
        stream[at] ^= 1u << below(32);
        break;
    case 1:
        stream[at] = next_random();
        break;
    case 2:
        stream[at] = stream[below(n)];
        break;
    case 3:
        length = length < n - at ? length : n - at;
        memmove(stream + at, stream + at + length, (n - at - length) * 4);
        n -= length;
        break;
    case 4:
        if (n + 2 <= DWORDS) {
            memmove(stream + at + 2, stream + at, (n - at) * 4);
            stream[at] = PM4_TYPE0(below(R500_REGISTER_BYTES), 1);
            stream[at + 1] = next_random();
            n += 2;
        }
        break;
    default:
        stream[at] += below(17) - 8;
        break;
    }
    return n;
}

static FILE *nowhere;

static void try_stream(const uint32_t *stream, uint32_t n, unsigned *taken)
{
    /* Exact size, so that the sanitizer sees overreads. */
    uint32_t *copy = mem_alloc(n * 4 + 1);
    struct r500_submit submit = {copy, n, relocs, 2, {below(2), 0}};
    struct r500_error error;

    memcpy(copy, stream, n * 4);
    *taken += r500_check(&submit, &memory, below(R500_CHIPS), &error) == ST_OK;
    if (r500_dump(nowhere, &submit, &error) != ST_OK)
        ck_assert_uint_ne(error.text[0], 0);
    if (r500_run(&submit, &memory, &error) != ST_OK)
        ck_assert_uint_ne(error.text[0], 0);
    mem_free(copy);
}

START_TEST(damaged_streams)
{
    uint64_t end = clock_now() + 2 * (uint64_t)CLOCK_SECOND;
    uint32_t stream[DWORDS];
    unsigned taken = 0, tried = 0;

    while (clock_now() < end) {
        uint32_t n = base(stream);

        for (unsigned k = below(6); k && n > 1; k--)
            n = damage(stream, n);
        try_stream(stream, n, &taken);
        tried++;
    }
    ck_assert_uint_gt(taken, tried / 100);
    ck_assert_uint_lt(taken, tried);
}
END_TEST

START_TEST(noise)
{
    uint32_t stream[64];
    unsigned taken = 0;

    for (unsigned k = 0; k < 20000; k++) {
        uint32_t n = 1 + below(64);

        for (uint32_t i = 0; i < n; i++)
            stream[i] = next_random() & (below(2) ? UINT32_MAX : 0xc000ff7f);
        try_stream(stream, n, &taken);
    }
}
END_TEST

static void read_all(const uint8_t *bytes, size_t n)
{
    struct r500_buffers made = {0};
    struct r500_item item;
    enum r500_chip chip;
    const char *reason;
    size_t at;

    if (r500_file_open(bytes, n, &at, &chip, &reason) != ST_OK)
        return;
    while (r500_file_next(bytes, n, &at, &item, &reason) == ST_OK) {
        struct r500_error error;

        if (item.kind == R500_ITEM_BUFFER &&
            r500_buffers_apply(&made, &item, true, &reason) != ST_OK)
            break;
        if (item.kind == R500_ITEM_SUBMIT &&
            (r500_check(&item.submit, &made.memory, chip, &error) != ST_OK ||
             r500_run(&item.submit, &made.memory, &error) != ST_OK))
            break;
    }
    r500_buffers_fini(&made);
}

START_TEST(damaged_files)
{
    uint64_t end = clock_now() + (uint64_t)CLOCK_SECOND;
    uint32_t stream[DWORDS];
    struct r500_submit submit = {stream, base(stream), relocs, 2, {1, 0}};
    const struct r500_flip flip = {1, WIDTH, HEIGHT, PITCH * 4, 0, 0};
    char *bytes;
    size_t size;
    FILE *file = open_memstream(&bytes, &size);

    ck_assert_int_eq(r500_file_begin(file, R500_RV515), ST_OK);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(r500_file_buffer(file, &buffers[i]), ST_OK);
    ck_assert_int_eq(r500_file_submit(file, &submit), ST_OK);
    ck_assert_int_eq(r500_file_flip(file, &flip), ST_OK);
    fclose(file);
    while (clock_now() < end) {
        size_t n = below(4) ? size : below((uint32_t)size);
        uint8_t *copy = mem_alloc(n + 1);

        memcpy(copy, bytes, n);
        for (unsigned k = below(5); k && n; k--)
            copy[below(below(2) ? (uint32_t)n : 64) % n] = (uint8_t)next_random();
        read_all(copy, n);
        mem_free(copy);
    }
    free(bytes);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

/* Instruction texts with changed characters. */
START_TEST(damaged_programs)
{
    char text[CODE_TEXT];
    uint32_t words[US_WORDS * 4];
    unsigned taken = 0;

    for (unsigned k = 0; k < 30000; k++) {
        enum code_shader shader = below(2) ? SHADER_US : SHADER_PVS;
        struct code_error error;
        size_t n;

        for (unsigned w = 0; w < US_WORDS; w++)
            words[w] = next_random() & next_random();
        code_disassemble(text, words, shader);
        for (unsigned i = below(4); i; i--)
            text[below((uint32_t)strlen(text))] = (char)(10 + below(117));
        if (code_assemble(words, US_WORDS * 4, &n, text, shader, &error) == ST_OK)
            taken++;
        else
            ck_assert_uint_ne(error.text[0], 0);
    }
    ck_assert_uint_gt(taken, 5000);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("fuzz/present/r500");
    TCase *tc = tcase_create("damage");

    nowhere = fopen("/dev/null", "w");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, damaged_streams);
    tcase_add_test(tc, noise);
    tcase_add_test(tc, damaged_files);
    tcase_add_test(tc, damaged_programs);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
