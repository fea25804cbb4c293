/* util/unwind_arm64: records for prologues of the kinds that src/ir/arm64 makes. The words are
 * those that the assembler of LLVM makes of the same instructions with their .seh directives. It
 * shares the codes of a prologue and an epilogue where they are equal, which ours does not. */
#include "check_main.h"
#include "util/unwind_arm64.h"

#include <string.h>

static void check(const struct executable_frame *frame, size_t bytes, const uint32_t *wanted,
                  unsigned n)
{
    uint32_t words[UNWIND_ARM64_WORDS];

    ck_assert_uint_eq(unwind_arm64(words, bytes, frame), n);
    for (unsigned i = 0; i < n; i++)
        ck_assert_msg(words[i] == wanted[i], "word %u is %#x instead of %#x", i, words[i],
                      wanted[i]);
}

START_TEST(calls_and_vectors)
{
    /* 11 instructions of the prologue, 5 others, 10 of the epilogue, 2 behind it */
    static const uint32_t wanted[] = {0x5040001c, 0x05000010, 0x8addcbdd, 0x08dd49dd,
                                      0x86dcc7dc, 0x04dc45dc, 0xe48be1e3, 0x45dc04dc,
                                      0xc7dc86dc, 0x49dd08dd, 0xcbdd8add, 0xe3e3e48b};
    struct executable_frame frame = {.pair_bytes = 96,
                                     .sets_pointer = true,
                                     .n_vectors = 8,
                                     .vectors_at = 32,
                                     .n_leaves = 1,
                                     .leave_at = {4 * 16}};

    check(&frame, 28 * 4, wanted, 12);
}
END_TEST

START_TEST(calls)
{
    static const uint32_t wanted[] = {0x1040000a, 0x01000006, 0xe48be1e3, 0xe3e3e48b};
    struct executable_frame frame = {
        .pair_bytes = 96, .sets_pointer = true, .n_leaves = 1, .leave_at = {4 * 6}};

    check(&frame, 10 * 4, wanted, 4);
}
END_TEST

START_TEST(leaf)
{
    static const uint32_t wanted[] = {0x08400004, 0x00400002, 0xe3e3e4e4};
    struct executable_frame frame = {.n_leaves = 1, .leave_at = {4 * 2}};

    check(&frame, 4 * 4, wanted, 3);
}
END_TEST

START_TEST(two_epilogues)
{
    static const uint32_t wanted[] = {0x10800010, 0x01000006, 0x0100000c, 0xe48be1e3, 0xe3e3e48b};
    struct executable_frame frame = {
        .pair_bytes = 96, .sets_pointer = true, .n_leaves = 2, .leave_at = {4 * 6, 4 * 12}};

    check(&frame, 16 * 4, wanted, 5);
}
END_TEST

START_TEST(long_code)
{
    struct executable_frame frame = {.n_leaves = 1, .leave_at = {0}};
    uint32_t words[UNWIND_ARM64_WORDS];

    ck_assert_uint_eq(unwind_arm64(words, (1 << 20) - 4, &frame), 3);
    ck_assert_uint_eq(words[0] & 0x3ffff, 0x3ffff);
    ck_assert_uint_eq(unwind_arm64(words, 1 << 20, &frame), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/unwind_arm64");
    TCase *t = tcase_create("unwind_arm64");

    tcase_add_test(t, calls_and_vectors);
    tcase_add_test(t, calls);
    tcase_add_test(t, leaf);
    tcase_add_test(t, two_epilogues);
    tcase_add_test(t, long_code);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
