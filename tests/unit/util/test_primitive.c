/* util/primitive: vertex counts of primitives. */
#include "check_main.h"

#include "util/primitive.h"

START_TEST(counts)
{
    ck_assert_uint_eq(primitive_vertices(D3DPT_POINTLIST, 7), 7);
    ck_assert_uint_eq(primitive_vertices(D3DPT_LINELIST, 7), 14);
    ck_assert_uint_eq(primitive_vertices(D3DPT_LINESTRIP, 7), 8);
    ck_assert_uint_eq(primitive_vertices(D3DPT_TRIANGLELIST, 7), 21);
    ck_assert_uint_eq(primitive_vertices(D3DPT_TRIANGLESTRIP, 7), 9);
    ck_assert_uint_eq(primitive_vertices(D3DPT_TRIANGLEFAN, 7), 9);
    ck_assert_uint_eq(primitive_vertices((D3DPRIMITIVETYPE)0, 7), 0);
    ck_assert_uint_eq(primitive_vertices((D3DPRIMITIVETYPE)7, 7), 0);
    ck_assert_uint_eq(primitive_vertices(D3DPT_LINESTRIP, 0), 0);
    ck_assert_uint_eq(primitive_vertices(D3DPT_TRIANGLEFAN, 0), 0);
    ck_assert_uint_eq(primitive_vertices(D3DPT_TRIANGLELIST, UINT32_MAX), UINT64_C(12884901885));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/primitive");
    TCase *t = tcase_create("primitive");

    tcase_add_test(t, counts);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
