/* Sampling: the arguments of the sampler, and which texture instructions share a call. */
#include "unit/vm/run_shader.h"

#include <stdio.h>

START_TEST(sampler_arguments)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_2d s3\ntexldp r0, v0, s3.wzyx\n"
                    "mov oC0, r0\n");
    set4(&s, VM_USAGE_TEXCOORD, 0, 1, 2, 3, 4);
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 3, 0.75f, 0.5f, 0.25f);
    ck_assert_int_eq(s.sampled.lod_mode, LOD_IMPLICIT);
    shader_close(&s);

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s1\ntexldb r0, v0, s1\nmov oC0, r0.xyww\n");
    set4(&s, VM_USAGE_TEXCOORD, 0, 1, 2, 3, 4);
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 1, 2, 5, 5);
    ck_assert_int_eq(s.sampled.lod_mode, LOD_BIAS);
    ck_assert(s.sampled.texel[2] == NULL); /* blue is not read */
    shader_close(&s);

    shader_open(
        &s, "vs_3_0\ndcl_position v0\ndcl_2d s2\ndcl_position o0\ntexldl r0, v0, s2\nmov o0, r0\n");
    set4(&s, VM_USAGE_POSITION, 0, 1, 2, 3, 4);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 1, 2, 3, 6);
    ck_assert_int_eq(s.sampled.lod_mode, LOD_EXPLICIT);
    shader_close(&s);

    shader_open(
        &s,
        "ps_3_0\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_2d s0\ntexldd r0, v0, s0, v1, -v0.yxzw\n"
        "mov oC0, r0\n");
    set4(&s, VM_USAGE_TEXCOORD, 0, 1, 2, 3, 4);
    set4(&s, VM_USAGE_TEXCOORD, 1, 5, 6, 7, 8);
    shader_run(&s);
    ck_assert_int_eq(s.sampled.lod_mode, LOD_GRADIENT);
    ck_assert(s.sampled.ddx[1][7] == 6 && s.sampled.ddy[0][7] == -2 && s.sampled.ddy[2][7] == -3);
    shader_close(&s);
}
END_TEST

/* Consecutive texture instructions with unchanged equal coordinates are one call. */
START_TEST(samples_with_equal_operands_are_grouped)
{
    static const struct {
        const char *text;
        unsigned grouped;
        float expected[4];
    } cases[] = {
        {"texld r0, v0, s0\ntexld r1, v0, s1\ntexld r2, v0, s2\n", 3, {1, 2, 3, 3}},
        {"texld r0, v0, s0\ntexld r1, v0.yxzw, s1\ntexld r2, v0, s2\n", 0, {1, 1, 3, 3}},
        {"texld r0, v0, s0\ntexldb r1, v0, s1\ntexldb r2, v0, s2\n", 2, {1, 2, 3, 11}},
        {"mov r0, v0\ntexld r0, r0.yxzw, s0\ntexld r1, r0, s1\ntexld r2, r0, s2\n",
         2,
         {2, 1, 3, 3}},
        {"texldl r0, c0, s0\ntexldl r1, c0, s1\ntexldl r2, c0, s2\n", 3, {6, 6, 6, 21}},
    };
    char text[512];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct shader s;

        snprintf(text, sizeof(text),
                 "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndcl_2d s1\ndcl_2d s2\ndef c0, 6, 6, 6, 6\n%s"
                 "mov r3.x, r0.x\nmov r3.y, r1.y\nmov r3.z, r2.z\nadd r3.w, r0.w, r1.w\n"
                 "add r3.w, r3.w, r2.w\nmov oC0, r3\n",
                 cases[i].text);
        shader_open(&s, text);
        set4(&s, VM_USAGE_TEXCOORD, 0, 1, 2, 3, 4);
        shader_run(&s);
        ck_assert_msg(s.n_grouped == cases[i].grouped, "%s: %u grouped", cases[i].text,
                      s.n_grouped);
        expect4(&s, VM_USAGE_TARGET, 0, cases[i].expected[0], cases[i].expected[1],
                cases[i].expected[2], cases[i].expected[3]);
        shader_close(&s);
    }
}
END_TEST

START_TEST(sampling_in_a_branch_uses_active_lanes)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndef c0, 0, 0, 0, 0\nmov r0, v0.w\n"
                    "if_gt v0.x, c0.x\ntexldl r0, v0, s0\nendif\nmov oC0, r0\n");
    set4(&s, VM_USAGE_TEXCOORD, 0, 0, 2, 3, 4);
    shader_run(&s);
    ck_assert_uint_eq(s.n_sampled, 0);
    shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[60] = 9;
    shader_run(&s);
    ck_assert(s.sampled.lanes == UINT64_C(1) << 60);
    ck_assert(shader_output(&s, VM_USAGE_TARGET, 0, 0)[60] == 9);
    ck_assert(shader_output(&s, VM_USAGE_TARGET, 0, 0)[59] == 4);
    shader_close(&s);
}
END_TEST

/* Work memory of a shader that samples n times, each at the texel before, and reads all texels in the end. */
static size_t work_of_samples(unsigned n, bool at_once)
{
    char text[4096] = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nmov r0, v0\nmov r1, v0\n";
    struct shader s;
    size_t bytes;

    for (unsigned i = 0; i < n; i++)
        strcat(text, at_once ? "texldl r0, r0.yzwx, s0\nadd r1, r1, r0\n" : "texldd r0, r0, s0, r0.yzwx, r0.zwxy\n");
    strcat(text, "add r0, r0, r1\nmov oC0, r0\n");
    shader_open(&s, text);
    bytes = vm_code_work_bytes(s.code);
    shader_close(&s);
    return bytes;
}

/* Operands and results of one call take the places of those of the call before. */
START_TEST(samples_share_memory)
{
    for (unsigned at_once = 0; at_once < 2; at_once++)
        ck_assert_uint_eq(work_of_samples(40, at_once), work_of_samples(4, at_once));
}
END_TEST

/* Texels outlive later calls. */
START_TEST(texels_are_kept_over_later_samples)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndcl_2d s1\ndef c0, 1, 2, 3, 4\n"
                    "texldl r0, v0, s0\ntexldl r1, v0.yxzw, s1\ntexldl r2, c0, s0\nrep i0\n"
                    "add r1.x, r1.x, r0.z\ntexldl r2, r2.yxwz, s1\nendrep\n"
                    "mov r1.zw, r2.xyxy\nmov r1.y, r0.x\nmov oC0, r1\n");
    s.i[0][0] = 3;
    set4(&s, VM_USAGE_TEXCOORD, 0, 10, 20, 30, 0);
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 20 + 3 * 30, 10, 2, 1);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/sample");
    TCase *t = tcase_create("sample");

    tcase_add_test(t, sampler_arguments);
    tcase_add_test(t, samples_with_equal_operands_are_grouped);
    tcase_add_test(t, sampling_in_a_branch_uses_active_lanes);
    tcase_add_test(t, samples_share_memory);
    tcase_add_test(t, texels_are_kept_over_later_samples);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
