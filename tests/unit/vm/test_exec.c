/* Whole shaders: flow control, masks, models' own rules. */
#include "unit/vm/run_shader.h"

START_TEST(moves_and_arithmetic)
{
    struct shader s;

    shader_open(&s, "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\nadd r0, v0, c4\nmov oD0, -r0.wzyx\n"
                    "mad oT0, r0, c5.x, v0\n");
    for (unsigned r = 0; r < 4; r++)
        s.f[r][r] = (float)(r + 1);
    s.f[4][0] = -3.25f;
    s.f[4][3] = -1.5f;
    s.f[5][0] = 2.0f;
    set4(&s, VM_USAGE_POSITION, 0, 1, 2, 3, 1);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 1, 4, 9, 4);
    expect4(&s, VM_USAGE_COLOR, 0, 0.5f, 0, 0, 1);
    expect4(&s, VM_USAGE_TEXCOORD, 0, -2.25f * 2 + 1, 6, 9, -0.5f * 2 + 1);
    shader_close(&s);
}
END_TEST

START_TEST(a_divergent_if_merges_both_sides)
{
    struct shader s;
    const float *x;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndef c0, 0, 1, 2, 3\nmov r0, c0.x\nif_gt v0.x, c0.x\n"
                    "add r0, v0.x, c0.y\nif_lt v0.x, c0.w\nmov r0.y, c0.z\nendif\nelse\n"
                    "mov r0.xz, v0.y\nendif\nmov oC0, r0\n");
    for (unsigned i = 0; i < VM_LANES; i++) {
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)(int)i - 20;
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 1)[i] = 100.0f + (float)i;
    }
    shader_run(&s);
    for (unsigned c = 0; c < 4; c++) {
        x = shader_output(&s, VM_USAGE_TARGET, 0, c);
        for (unsigned i = 0; i < VM_LANES; i++) {
            float v = (float)(int)i - 20, wanted = v > 0 ? v + 1 : 0;

            if (v > 0 && v < 3 && c == 1)
                wanted = 2;
            if (v <= 0 && (c == 0 || c == 2))
                wanted = 100.0f + (float)i;
            ck_assert_msg(x[i] == wanted, "%u %u: %g %g", c, i, (double)x[i], (double)wanted);
        }
    }
    shader_close(&s);
}
END_TEST

START_TEST(loops_count_and_index)
{
    struct shader s;

    /* facts: i0 = (2, 10, -3, 0) runs aL = 10, 7. */
    shader_open(&s, "vs_2_0\ndcl_position v0\ndef c20, 0, 0, 0, 0\nmov r0, c20\nloop aL, i0\n"
                    "add r0, r0, c0[aL]\nendloop\nmov oPos, r0\n");
    s.i[0][0] = 2;
    s.i[0][1] = 10;
    s.i[0][2] = -3;
    for (unsigned r = 0; r < 16; r++)
        s.f[r][0] = (float)(1 << r);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 1024 + 128, 0, 0, 0);
    s.i[0][0] = 0;
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 0, 0, 0, 0);
    shader_close(&s);
}
END_TEST

START_TEST(break_takes_lanes_out_one_by_one)
{
    struct shader s;
    const float *x;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndef c0, 0, 1, 0, 0\ndefi i0, 50, 0, 0, 0\nmov r0, c0.x\n"
                    "rep i0\nbreak_ge r0.x, v0.x\nadd r0.x, r0.x, c0.y\nendrep\nadd r0.y, r0.x, c0.y\n"
                    "mov oC0, r0\n");
    for (unsigned i = 0; i < VM_LANES; i++)
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)i;
    shader_run(&s);
    x = shader_output(&s, VM_USAGE_TARGET, 0, 0);
    for (unsigned i = 0; i < VM_LANES; i++) {
        ck_assert(x[i] == (i < 50 ? (float)i : 50.0f));
        ck_assert(shader_output(&s, VM_USAGE_TARGET, 0, 1)[i] == x[i] + 1);
    }
    shader_close(&s);
}
END_TEST

START_TEST(calls_return_and_conditions_hold)
{
    struct shader s;

    shader_open(&s, "vs_2_0\ndcl_position v0\nmov r0, v0\ncall l0\ncallnz l1, b0\ncallnz l1, !b0\n"
                    "if b1\nadd r0.w, r0.w, r0.w\nendif\nmov oPos, r0\nret\n"
                    "label l0\nadd r0, r0, r0\nret\nlabel l1\nadd r0.x, r0.x, c0.x\nret\n");
    s.f[0][0] = 100;
    s.b[1] = 1;
    set4(&s, VM_USAGE_POSITION, 0, 1, 2, 3, 4);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 102, 4, 6, 16);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("exec");
    TCase *tc = tcase_create("shaders");

    tcase_add_test(tc, moves_and_arithmetic);
    tcase_add_test(tc, a_divergent_if_merges_both_sides);
    tcase_add_test(tc, loops_count_and_index);
    tcase_add_test(tc, break_takes_lanes_out_one_by_one);
    tcase_add_test(tc, calls_return_and_conditions_hold);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
