/* What lowering shares, hoists and drops: equal results are computed once, results of constants once a draw, and moves,
 * swizzles and dead results cost nothing. */
#include "unit/vm/instances.h"

START_TEST(moves_and_swizzles_are_free)
{
    struct shader s;

    shader_open(&s, "ps_2_0\ndcl t0\nmov r0, t0.wzyx\nmov r1, r0\nmov r2, -r1\nadd r3, r2, t0\nmov oC0, r3\n");
    ck_assert_uint_eq(count_ops(&s, IR_FSUB), 4); /* -w + x becomes x - w */
    ck_assert_uint_eq(count_arithmetic(&s), 4);
    shader_close(&s);
}
END_TEST

START_TEST(uniform_expressions_are_hoisted)
{
    struct shader s;

    shader_open(&s, "ps_2_0\ndcl t0\nmul r0, c0, c1.x\nrcp r1.x, c2.w\nmad r0, r0, r1.x, c0\nmul r0, r0, t0\n"
                    "mov oC0, r0\n");
    ck_assert_uint_eq(count_ops(&s, IR_FMUL0), 4);
    ck_assert_uint_eq(count_arithmetic(&s), 4);
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
    ck_assert_uint_eq(count_ops(&s, IR_FDIV), 1);
    ck_assert_uint_eq(count_ops(&s, IR_FMUL0), 6);
    ck_assert_uint_eq(count_ops(&s, IR_FADD), 3);
    shader_close(&s);
}
END_TEST

START_TEST(dead_code_is_eliminated)
{
    struct shader s;

    shader_open(&s, "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\nmul r0, v0, c5\nmul r1, r0, c6\n"
                    "mov oD0, r1.x\nmov oT0, r0.y\n");
    ck_assert_uint_eq(count_ops(&s, IR_FMUL0), 16 + 3); /* r0.x, r1.x and r0.y */
    for (unsigned i = 0; i < s.info->n_outputs; i++)
        if (s.info->output[i].usage == VM_USAGE_POSITION)
            s.options.live_outputs = 1u << i;
    shader_lower(&s);
    ck_assert_uint_eq(count_ops(&s, IR_FMUL0), 16);
    ck_assert_uint_eq(count_ops(&s, IR_STORE), 4);
    shader_close(&s);
}
END_TEST

/* Texture instructions in a row with the same coordinates share a call; another instruction may stand between them. */
START_TEST(samples_with_equal_coordinates_share_a_call)
{
    struct shader s;

    shader_open(&s, "ps_2_0\ndcl t0.xy\ndcl t1.xy\ndcl_2d s0\ndcl_2d s1\ndcl_2d s2\ntexld r0, t0, s0\n"
                    "texld r1, t0, s1\nadd r2, r0, r1\ntexld r1, t0, s2\nadd r2, r2, r1\ntexld r0, t1, s0\n"
                    "add r2, r2, r0\nmov oC0, r2\n");
    ck_assert_uint_eq(count_ops(&s, IR_CALL), 2);
    ck_assert_uint_eq(s.code->sample[0].n, 3);
    ck_assert_uint_eq(s.code->sample[1].n, 1);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/emit");
    TCase *t = tcase_create("emit");

    tcase_add_test(t, moves_and_swizzles_are_free);
    tcase_add_test(t, uniform_expressions_are_hoisted);
    tcase_add_test(t, common_subexpressions_are_merged);
    tcase_add_test(t, dead_code_is_eliminated);
    tcase_add_test(t, samples_with_equal_coordinates_share_a_call);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
