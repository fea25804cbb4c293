/* util/alloc: alignment, counting, overflow and fault injection. */
#include "check_main.h"

#include "util/alloc.h"

#include <string.h>

START_TEST(blocks_are_aligned_and_counted)
{
    int64_t before = mem_live_blocks();
    void *block[100];

    for (size_t i = 0; i < 100; i++) {
        block[i] = mem_alloc(i * 7);
        ck_assert_ptr_nonnull(block[i]);
        ck_assert_uint_eq((uintptr_t)block[i] % 64, 0);
        memset(block[i], 0xa5, i * 7);
    }
    ck_assert_int_eq(mem_live_blocks(), before + 100);
    for (size_t i = 0; i < 100; i++)
        mem_free(block[i]);
    mem_free(NULL);
    ck_assert_int_eq(mem_live_blocks(), before);
}
END_TEST

#ifdef __linux__
enum { LARGE_PAGES = sizeof(void *) > 4 };
#else
enum { LARGE_PAGES = 0 };
#endif

/* Sizes around those at which blocks become huge-page aligned and round up to a whole huge page. */
START_TEST(large_blocks_are_aligned_zeroed_and_writable)
{
    const size_t page = 2 << 20;
    const size_t size[] = {page - 1,        page,         page + 1,        page + page / 2 - 1,
                           page + page / 2, 2 * page - 1, 3 * page + 12345};

    for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
        unsigned char *block = mem_calloc(1, size[i]);
        size_t aligned = LARGE_PAGES && size[i] >= page ? page : 64, set = 0;

        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % aligned, 0);
        for (size_t at = 0; at < size[i]; at++)
            set += block[at] != 0;
        ck_assert_uint_eq(set, 0);
        memset(block, 0xa5, size[i]);
        block = mem_realloc(block, size[i] + page);
        ck_assert_ptr_nonnull(block);
        ck_assert(block[0] == 0xa5 && block[size[i] - 1] == 0xa5);
        mem_free(block);
    }
}
END_TEST

START_TEST(one_allocation_fails_on_request)
{
    void *first, *third;

    mem_fail_once(1);
    first = mem_alloc(1);
    ck_assert_ptr_nonnull(first);
    ck_assert(!mem_has_failed());
    ck_assert_ptr_null(mem_alloc(1));
    ck_assert(mem_has_failed());
    third = mem_alloc(1);
    ck_assert_ptr_nonnull(third);
    mem_free(first);
    mem_free(third);
    mem_fail_after(-1);
    ck_assert(!mem_has_failed());
}
END_TEST

START_TEST(sizes_that_overflow_are_refused)
{
    ck_assert_ptr_null(mem_calloc(SIZE_MAX / 2, 3));
    ck_assert_ptr_null(mem_alloc(SIZE_MAX));
    ck_assert_ptr_null(mem_alloc(SIZE_MAX - 100));
}
END_TEST

START_TEST(realloc_keeps_contents_and_the_old_block_on_failure)
{
    char *a = mem_alloc(10), *b;

    memcpy(a, "novem-9-9", 10);
    b = mem_realloc(a, 1000);
    ck_assert_str_eq(b, "novem-9-9");
    mem_fail_after(0);
    ck_assert_ptr_null(mem_realloc(b, 100000));
    mem_fail_after(-1);
    ck_assert_str_eq(b, "novem-9-9");
    b = mem_realloc(b, 4);
    ck_assert_mem_eq(b, "nove", 4);
    mem_free(b);
}
END_TEST

START_TEST(injection_counts_down)
{
    void *a, *b;

    mem_fail_after(2);
    a = mem_alloc(1);
    b = mem_calloc(1, 1);
    ck_assert_ptr_null(mem_alloc(1));
    ck_assert_ptr_null(mem_strdup("x"));
    mem_fail_after(-1);
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    mem_free(a);
    mem_free(b);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/alloc");
    TCase *t = tcase_create("alloc");

    tcase_add_test(t, one_allocation_fails_on_request);
    tcase_add_test(t, blocks_are_aligned_and_counted);
    tcase_add_test(t, large_blocks_are_aligned_zeroed_and_writable);
    tcase_add_test(t, sizes_that_overflow_are_refused);
    tcase_add_test(t, realloc_keeps_contents_and_the_old_block_on_failure);
    tcase_add_test(t, injection_counts_down);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
