/* util/arena: alignment, reuse after reset, the limit, and out-of-memory. */
#include "check_main.h"

#include "util/alloc.h"
#include "util/arena.h"

#include <stdint.h>
#include <string.h>

START_TEST(allocations_do_not_overlap)
{
    struct arena arena = {0};
    unsigned char *piece[200];

    for (unsigned i = 0; i < 200; i++) {
        piece[i] = arena_alloc(&arena, 1 + i * 977);
        ck_assert_ptr_nonnull(piece[i]);
        ck_assert_uint_eq((uintptr_t)piece[i] % 64, 0);
        memset(piece[i], (int)i, 1 + i * 977);
    }
    for (unsigned i = 0; i < 200; i++) {
        unsigned wrong = 0;

        for (unsigned j = 0; j < 1 + i * 977; j++)
            wrong += piece[i][j] != i;
        ck_assert_uint_eq(wrong, 0);
    }
    arena_fini(&arena);
}
END_TEST

START_TEST(reset_reuses_the_blocks)
{
    struct arena arena = {0};
    int64_t live;
    void *first = arena_alloc(&arena, 100);

    for (unsigned i = 0; i < 10; i++)
        ck_assert_ptr_nonnull(arena_alloc(&arena, 3 << 20));
    live = mem_live_blocks();
    arena_reset(&arena);
    ck_assert_uint_eq(arena.used_bytes, 0);
    ck_assert_ptr_eq(arena_alloc(&arena, 100), first);
    for (unsigned i = 0; i < 10; i++)
        ck_assert_ptr_nonnull(arena_alloc(&arena, 3 << 20));
    ck_assert_int_eq(mem_live_blocks(), live);
    arena_fini(&arena);
}
END_TEST

START_TEST(limit_and_shortage_give_null)
{
    struct arena arena = {.limit_bytes = 4096};

    ck_assert_ptr_nonnull(arena_alloc(&arena, 4000));
    ck_assert_ptr_null(arena_alloc(&arena, 200));
    arena_reset(&arena);
    ck_assert_ptr_nonnull(arena_alloc(&arena, 200));
    arena.limit_bytes = 0;
    mem_fail_after(0);
    ck_assert_ptr_null(arena_alloc(&arena, 8 << 20));
    mem_fail_after(-1);
    ck_assert_ptr_nonnull(arena_alloc(&arena, 8 << 20));
    arena_fini(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/arena");
    TCase *t = tcase_create("arena");

    tcase_add_test(t, allocations_do_not_overlap);
    tcase_add_test(t, reset_reuses_the_blocks);
    tcase_add_test(t, limit_and_shortage_give_null);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
