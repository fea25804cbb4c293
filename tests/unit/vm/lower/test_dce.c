/* Dead-code elimination: instances whose results no live output needs. */
#include "unit/vm/instances.h"

START_TEST(dead_code_is_eliminated)
{
    struct shader s;

    shader_open(&s, "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\nmul r0, v0, c5\nmul r1, r0, c6\n"
                    "mov oD0, r1.x\nmov oT0, r0.y\n");
    ck_assert_uint_eq(count_instances(&s, VM_IR_DP4), 4);
    ck_assert_uint_eq(count_instances(&s, VM_IR_MUL3), 1); /* r0.x and r1.x */
    ck_assert_uint_eq(count_instances(&s, VM_IR_MUL), 1);  /* r0.y */
    for (unsigned i = 0; i < s.info->n_outputs; i++)
        if (s.info->output[i].usage == VM_USAGE_POSITION)
            s.options.live_outputs = 1u << i;
    shader_lower(&s);
    ck_assert_uint_eq(count_instances(&s, VM_IR_DP4), 4);
    ck_assert_uint_eq(count_instances(&s, VM_IR_MUL), 0);
    ck_assert_uint_eq(count_ops(s.code->op), 1);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/dce");
    TCase *t = tcase_create("dce");

    tcase_add_test(t, dead_code_is_eliminated);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
