/* Execution of whole shaders: flow control, lane masks, and the rules of each model. */
#include "unit/vm/run_shader.h"
#include "vm/run/frame.h"

#include <stdio.h>

START_TEST(moves_and_arithmetic)
{
    struct shader s;

    shader_open(&s,
                "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\nadd r0, v0, c4\nmov oD0, -r0.wzyx\n"
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

/* A pixel that does not execute a branch takes part in gradients with what its register held
 * before (reference: shader/gradients-in-flow), whatever the instructions around. */
START_TEST(gradients_in_branches_see_stored_registers)
{
    struct shader s;
    const float *x;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndef c0, 0.5, 100, 0, 0\nmov r0, v0\nmov r1, c0.z\n"
                    "if_gt v0.x, c0.x\nadd r0.x, r0.x, c0.y\ndsx r1, r0\nendif\nmov oC0, r1\n");
    for (unsigned i = 0; i < VM_LANES; i++)
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)(i & 1);
    shader_run(&s);
    x = shader_output(&s, VM_USAGE_TARGET, 0, 0);
    for (unsigned i = 0; i < VM_LANES; i++)
        ck_assert_float_eq(x[i], i & 1 ? 101.0f : 0.0f);
    shader_close(&s);
}
END_TEST

/* Lanes that have left the outer loop hold in the inner one what they held when they left. */
START_TEST(gradients_in_loops_see_stored_registers)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndef c0, 0.5, 100, 0, 0\nmov r0, v0\nmov r1, c0.z\n"
                    "rep i0\nbreak_gt v0.x, c0.x\nrep i0\nadd r0.x, r0.x, c0.y\ndsx r1, r0\n"
                    "endrep\nendrep\nmov oC0, r1\n");
    s.i[0][0] = 1;
    for (unsigned i = 0; i < VM_LANES; i++)
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)(i & 1);
    shader_run(&s);
    for (unsigned i = 0; i < VM_LANES; i++)
        ck_assert_float_eq(shader_output(&s, VM_USAGE_TARGET, 0, 0)[i], i & 1 ? 0.0f : -99.0f);
    shader_close(&s);
}
END_TEST

/* Ifs and loops on constants inside a divergent if sample its lanes only. */
START_TEST(samples_in_uniform_flow_take_the_lanes_around_it)
{
    static const char *const flow[][2] = {{"if b0", "endif"}, {"rep i0", "endrep"}};

    for (unsigned k = 0; k < 2; k++) {
        struct shader s;
        char text[256];

        snprintf(text, sizeof(text),
                 "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndef c0, 8, 0, 0, 0\nmov r0, v0\n"
                 "if_lt v0.x, c0.x\n%s\ntexldl r0, v0, s0\n%s\nendif\nmov oC0, r0\n",
                 flow[k][0], flow[k][1]);
        shader_open(&s, text);
        s.b[0] = s.i[0][0] = 1;
        for (unsigned i = 0; i < VM_LANES; i++)
            shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)i;
        shader_run(&s);
        ck_assert_uint_eq(s.sampled.lanes, 0xff);
        shader_close(&s);
    }
}
END_TEST

START_TEST(loops_count_and_index)
{
    struct shader s;

    /* i0 = (2, 10, -3, 0) runs aL = 10, 7. */
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

START_TEST(break_deactivates_lanes_one_by_one)
{
    struct shader s;
    const float *x;

    shader_open(&s,
                "ps_3_0\ndcl_texcoord v0\ndef c0, 0, 1, 0, 0\ndefi i0, 50, 0, 0, 0\nmov r0, c0.x\n"
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

START_TEST(pixel_system_values_and_depth)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl vPos.xy\ndcl vFace\ndef c0, 0, 1, 2, 3\nmov r0.xy, vPos\n"
                    "cmp r0.zw, vFace, c0.y, c0.z\nmov oC0, r0\nmov oDepth, vPos.x\n");
    set4(&s, VM_USAGE_VPOS, 0, 17, 23, 0, 0);
    set_lanes(shader_input(&s, VM_USAGE_VFACE, 0, 0), -1);
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 17, 23, 2, 2);
    ck_assert(shader_output(&s, VM_USAGE_DEPTH, 0, 0)[3] == 17);
    shader_close(&s);
}
END_TEST

START_TEST(outputs_of_old_vertex_models_are_clamped)
{
    struct shader s;

    shader_open(&s,
                "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oD0, v0\nmov oFog, v0.y\nmov oT0, v0\n"
                "mov oPts, v0.y\n");
    set4(&s, VM_USAGE_POSITION, 0, -1, 4, NAN, 0.5f);
    shader_run(&s);
    expect4(&s, VM_USAGE_COLOR, 0, 0, 1, 0, 0.5f);
    expect4(&s, VM_USAGE_TEXCOORD, 0, -1, 4, NAN, 0.5f);
    ck_assert(shader_output(&s, VM_USAGE_FOG, 0, 0)[0] == 1);
    ck_assert(shader_output(&s, VM_USAGE_PSIZE, 0, 0)[0] == 4);
    shader_close(&s);
}
END_TEST

START_TEST(ieee_option_disables_the_zero_rule)
{
    struct shader s;

    shader_open(&s, "vs_1_1\ndcl_position v0\nmul oPos, v0, c0\n");
    s.options.ieee = 1;
    shader_lower(&s);
    s.f[0][0] = INFINITY;
    s.f[0][1] = 2;
    set4(&s, VM_USAGE_POSITION, 0, 0, 3, 0, 0);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, NAN, 6, 0, 0);
    shader_close(&s);
}
END_TEST

/* Runs nested loops that add 1 to o0.x and returns the number of additions. Iterations: of the
 * innermost, second, third and outermost loop. */
static float count_iterations(uint64_t lanes, int inner, int second, int third, int outer)
{
    struct shader s;
    float rounds;

    shader_open(&s, "vs_3_0\ndcl_position v0\ndcl_position o0\ndef c0, 1, 0, 0, 0\n"
                    "mov r0, v0\nrep i0\nrep i1\nrep i2\nrep i3\nadd r0.x, r0.x, c0.x\nendrep\n"
                    "endrep\nendrep\nendrep\nmov o0, r0\n");
    s.i[3][0] = inner;
    s.i[2][0] = second;
    s.i[1][0] = third;
    s.i[0][0] = outer;
    s.lanes = lanes;
    set4(&s, VM_USAGE_POSITION, 0, 0, 0, 0, 0);
    shader_run(&s);
    rounds = shader_output(&s, VM_USAGE_POSITION, 0, 0)[0];
    shader_close(&s);
    return rounds;
}

/* Shaders within the advertised limits run to their end; shaders that hang hardware terminate
 * (reference: shader/budget). */
START_TEST(loops_have_an_instruction_limit)
{
    float most = count_iterations(1, 255, 255, 255, 255);

    ck_assert_float_eq(count_iterations(1, 255, 64, 1, 2), 255 * 64 * 2); /* 65,280 instructions */
    ck_assert_float_ge(most, 65536);
    ck_assert_float_le(most, VM_LANE_INSTRUCTION_LIMIT / 2); /* add and endrep */
    /* Each lane has a limit of its own, so other lanes do not matter. */
    ck_assert_float_eq(count_iterations(3, 255, 255, 255, 255), most);
    ck_assert_float_eq(count_iterations(~UINT64_C(0), 255, 255, 255, 255), most);
    ck_assert_float_le(count_iterations(~UINT64_C(0), INT32_MAX, 1, 1, 1),
                       VM_LANE_INSTRUCTION_LIMIT / 2);
}
END_TEST

/* A lane whose budget is spent leaves later loops at once, whatever its neighbours do. */
START_TEST(budgets_belong_to_lanes)
{
    struct shader s;

    shader_open(
        &s,
        "vs_3_0\ndcl_position v0\ndcl_position o0\ndef c0, 0, 1, 0, 0\nmov r0, c0.x\n"
        "if_gt v0.x, c0.x\nrep i0\nrep i0\nadd r1, r1, c0.y\nmul r1, r1, c0.y\nnop\nnop\nendrep\n"
        "endrep\nendif\nrep i1\nadd r0.x, r0.x, c0.y\nendrep\nmov o0, r0\n");
    s.i[0][0] = 255;
    s.i[1][0] = 10;
    for (unsigned i = 0; i < VM_LANES; i++)
        shader_input(&s, VM_USAGE_POSITION, 0, 0)[i] = i == 11 ? -1.0f : 1.0f;
    shader_run(&s);
    for (unsigned i = 0; i < VM_LANES; i++)
        ck_assert_float_eq(shader_output(&s, VM_USAGE_POSITION, 0, 0)[i], i == 11 ? 10.0f : 1.0f);
    shader_close(&s);
}
END_TEST

/* 255 * 255 * 20 calls of a short routine. */
START_TEST(calls_have_an_instruction_limit)
{
    struct shader s;
    float calls;

    shader_open(&s, "vs_3_0\ndcl_position v0\ndcl_position o0\ndef c0, 1, 0, 0, 0\n"
                    "defi i0, 255, 0, 0, 0\nmov r0, v0\nrep i0\nrep i0\ncall l0\nendrep\nendrep\n"
                    "mov o0, r0\nret\nlabel l0\n"
                    "call l1\ncall l1\ncall l1\ncall l1\ncall l1\n"
                    "call l1\ncall l1\ncall l1\ncall l1\ncall l1\n"
                    "call l1\ncall l1\ncall l1\ncall l1\ncall l1\n"
                    "call l1\ncall l1\ncall l1\ncall l1\ncall l1\n"
                    "ret\nlabel l1\nadd r0.x, r0.x, c0.x\nret\n");
    s.lanes = 1;
    set4(&s, VM_USAGE_POSITION, 0, 0, 0, 0, 0);
    shader_run(&s);
    calls = shader_output(&s, VM_USAGE_POSITION, 0, 0)[0];
    ck_assert_float_ge(calls, 65536);
    ck_assert_float_le(calls, VM_LANE_INSTRUCTION_LIMIT / 2); /* add and ret */
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/exec");
    TCase *tc = tcase_create("shaders");

    tcase_add_test(tc, moves_and_arithmetic);
    tcase_add_test(tc, a_divergent_if_merges_both_sides);
    tcase_add_test(tc, gradients_in_branches_see_stored_registers);
    tcase_add_test(tc, gradients_in_loops_see_stored_registers);
    tcase_add_test(tc, samples_in_uniform_flow_take_the_lanes_around_it);
    tcase_add_test(tc, loops_count_and_index);
    tcase_add_test(tc, break_deactivates_lanes_one_by_one);
    tcase_add_test(tc, calls_return_and_conditions_hold);
    tcase_add_test(tc, pixel_system_values_and_depth);
    tcase_add_test(tc, outputs_of_old_vertex_models_are_clamped);
    tcase_add_test(tc, ieee_option_disables_the_zero_rule);
    tcase_add_test(tc, loops_have_an_instruction_limit);
    tcase_add_test(tc, budgets_belong_to_lanes);
    tcase_add_test(tc, calls_have_an_instruction_limit);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
