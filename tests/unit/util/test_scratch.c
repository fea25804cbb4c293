/* Tests scratch buffers: they grow when asked for more, keep their memory otherwise, and start with
 * zeros. */
#include "check_main.h"

#include "util/scratch.h"

#include <stdint.h>

START_TEST(grows_only)
{
    struct scratch scratch = {0};
    uint8_t *first = scratch_get(&scratch, 100);

    ck_assert_ptr_nonnull(first);
    ck_assert_uint_eq((uintptr_t)first % 64, 0);
    first[0] = 7;
    ck_assert_ptr_eq(scratch_get(&scratch, 1), first);
    ck_assert_ptr_eq(scratch_get(&scratch, 150), first); /* reserves half as much again */
    ck_assert_uint_eq(first[0], 7);
    first = scratch_get(&scratch, 5000);
    for (unsigned i = 0; i < 5000; i++)
        ck_assert_uint_eq(first[i], 0);
    scratch_fini(&scratch);
    ck_assert_ptr_null(scratch.data);
    ck_assert_uint_eq(scratch.bytes, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/scratch");
    TCase *tc = tcase_create("scratch");

    tcase_add_test(tc, grows_only);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
