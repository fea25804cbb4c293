/* Value numbering: equal results are shared, uniform ones hoisted, and moves, swizzles and negations
 * cost nothing. */
#include "unit/vm/instances.h"

START_TEST(moves_and_swizzles_are_free)
{
    struct shader s;

    shader_open(
        &s,
        "ps_2_0\ndcl t0\nmov r0, t0.wzyx\nmov r1, r0\nmov r2, -r1\nadd r3, r2, t0\nmov oC0, r3\n");
    ck_assert_uint_eq(count_instances(&s, VM_IR_MOV), 0);
    ck_assert_uint_eq(count_instances(&s, VM_IR_SUB),
                      4); /* -w + x becomes x - w, computed in the output's slot */
    ck_assert_uint_eq(count_ops(s.code->op), 1);
    shader_close(&s);
}
END_TEST

START_TEST(uniform_expressions_are_hoisted)
{
    struct shader s;

    shader_open(
        &s,
        "ps_2_0\ndcl t0\nmul r0, c0, c1.x\nrcp r1.x, c2.w\nmad r0, r0, r1.x, c0\nmul r0, r0, t0\n"
        "mov oC0, r0\n");
    ck_assert_uint_eq(count_ops(s.code->op), 1);
    ck_assert_uint_eq(count_instances(&s, VM_IR_MUL), 4);
    s.f[0][0] = 3;
    s.f[1][0] = 5;
    s.f[2][3] = 0.5f;
    set4(&s, VM_USAGE_TEXCOORD, 0, 2, 1, 1, 1);
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 66, 0, 0, 0);
    shader_close(&s);
}
END_TEST

START_TEST(common_subexpressions_are_merged)
{
    struct shader s;

    shader_open(&s, "ps_2_0\ndcl t0\ndcl t1\nrcp r0.w, t0.w\nmul r0.xyz, t0, r0.w\nrcp r1.w, t0.w\n"
                    "mul r1.xyz, t1, r1.w\nadd r0.xyz, r0, r1\nmov r0.w, r0.x\nmov oC0, r0\n");
    ck_assert_uint_eq(count_instances(&s, VM_IR_RCP), 1);
    ck_assert_uint_eq(count_instances(&s, VM_IR_DP2), 3);
    ck_assert_uint_eq(count_instances(&s, VM_IR_MUL), 0);
    shader_close(&s);
}
END_TEST

START_TEST(modified_operands_come_first)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord0 v0\nmad r0, v0, -v0_abs, v0.yzwx\nabs r1, v0\n"
                    "add r1, c0, r1\nmul oC0, r0, r1\n");
    ck_assert_uint_eq(count_instances_in_mode(&s, VM_IR_NMAD, VM_OPMODE_FIRST), 4);
    ck_assert_uint_eq(count_instances_in_mode(&s, VM_IR_ADD_MUL, VM_OPMODE_FIRST), 4);
    ck_assert_uint_eq(count_ops(s.code->op), 2);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/value_numbering");
    TCase *t = tcase_create("value_numbering");

    tcase_add_test(t, moves_and_swizzles_are_free);
    tcase_add_test(t, uniform_expressions_are_hoisted);
    tcase_add_test(t, common_subexpressions_are_merged);
    tcase_add_test(t, modified_operands_come_first);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
