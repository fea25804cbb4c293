/* Cross-lane operations in shaders: texkill, derivatives, indexed registers. */
#include "unit/vm/run_shader.h"

START_TEST(texkill_tests_the_right_components)
{
    static const struct {
        const char *text;
        float x, y, z, w;
        bool killed;
    } cases[] = {
        {"ps_1_1\ntexkill t0\nmov r0, c0\n", 0, 0, -0.1f, 0, true},
        {"ps_1_1\ntexkill t0\nmov r0, c0\n", 0, 0, 0, -1, false},
        {"ps_1_4\ntexcrd r0.rgb, t0\nphase\ntexkill r0\nmov r0, c0\n", 0, -1, 0, 0, true},
        {"ps_2_0\ndcl t0\ntexkill t0\nmov r0, c0\nmov oC0, r0\n", 0, 0, 0, -1, true},
        {"ps_2_0\ndcl t0\ntexkill t0\nmov r0, c0\nmov oC0, r0\n", -0.0f, NAN, 1, 0, false},
        {"ps_3_0\ndcl_texcoord v0\ntexkill v0\nmov oC0, c0\n", -1, 0, 0, 0, true},
    };
    struct shader s;

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        shader_open(&s, cases[i].text);
        s.lanes = 0x00ffff0000ffff00;
        set4(&s, VM_USAGE_TEXCOORD, 0, 1, 1, 1, 1);
        for (unsigned lane = 0; lane < VM_LANES; lane += 2) {
            shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[lane] = cases[i].x;
            shader_input(&s, VM_USAGE_TEXCOORD, 0, 1)[lane] = cases[i].y;
            shader_input(&s, VM_USAGE_TEXCOORD, 0, 2)[lane] = cases[i].z;
            shader_input(&s, VM_USAGE_TEXCOORD, 0, 3)[lane] = cases[i].w;
        }
        shader_run(&s);
        ck_assert_msg(s.killed == (cases[i].killed ? s.lanes & 0x5555555555555555 : 0), "case %u",
                      i);
        shader_close(&s);
    }
}
END_TEST

START_TEST(texkill_in_a_branch_kills_its_lanes_only)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndef c0, 0, -1, 2, 0\nmov r0, c0.y\nif_gt v0.x, c0.x\n"
                    "texkill r0\nendif\nsetp_gt p0, v0.y, c0.x\n(p0.x) texkill r0\nmov oC0, c0\n");
    set4(&s, VM_USAGE_TEXCOORD, 0, 0, 0, 0, 0);
    shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[5] = 1;
    shader_input(&s, VM_USAGE_TEXCOORD, 0, 1)[40] = 1;
    shader_run(&s);
    ck_assert(s.killed == (UINT64_C(1) << 5 | UINT64_C(1) << 40));
    shader_close(&s);
}
END_TEST

START_TEST(derivatives_of_quads)
{
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndsx r0.xy, v0\ndsy r0.zw, v0.xyxy\nmov oC0, r0\n");
    for (unsigned i = 0; i < VM_LANES; i++) {
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)(i & 1) * 3 + (float)(i >> 1 & 1) * 5;
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 1)[i] = (float)(i * i);
    }
    shader_run(&s);
    for (unsigned i = 0; i < VM_LANES; i++) {
        unsigned l = i & ~1u, r = i | 1, t = i & ~2u, b = i | 2;

        ck_assert(shader_output(&s, VM_USAGE_TARGET, 0, 0)[i] == 3);
        ck_assert(shader_output(&s, VM_USAGE_TARGET, 0, 1)[i] == (float)(r * r) - (float)(l * l));
        ck_assert(shader_output(&s, VM_USAGE_TARGET, 0, 2)[i] == 5);
        ck_assert(shader_output(&s, VM_USAGE_TARGET, 0, 3)[i] == (float)(b * b) - (float)(t * t));
    }
    shader_close(&s);
}
END_TEST

START_TEST(registers_by_index_in_vs_3)
{
    struct shader s;

    shader_open(&s, "vs_3_0\ndcl_position v0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\ndcl_position o0\n"
                    "dcl_texcoord0 o1\ndcl_texcoord1 o2\nmov o0, v0\nmova a0.x, v0.x\n"
                    "mov r0, v1[a0.x]\nmov o1, r0\nmov o2, v0\nmov o1[a0.x], v0.y\n");
    set4(&s, VM_USAGE_POSITION, 0, 0, 50, 0, 1);
    set4(&s, VM_USAGE_TEXCOORD, 0, 1, 2, 3, 4);
    set4(&s, VM_USAGE_TEXCOORD, 1, 5, 6, 7, 8);
    for (unsigned i = 1; i < VM_LANES; i += 2)
        shader_input(&s, VM_USAGE_POSITION, 0, 0)[i] = 1;
    shader_run(&s);
    for (unsigned i = 0; i < VM_LANES; i++) {
        ck_assert(shader_output(&s, VM_USAGE_TEXCOORD, 0, 2)[i] == (i & 1 ? 7 : 50));
        ck_assert(shader_output(&s, VM_USAGE_TEXCOORD, 1, 1)[i] == 50);
        ck_assert(shader_output(&s, VM_USAGE_TEXCOORD, 1, 0)[i] == (i & 1 ? 50 : 0));
    }
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/cross_lane");
    TCase *t = tcase_create("cross_lane");

    tcase_add_test(t, texkill_tests_the_right_components);
    tcase_add_test(t, texkill_in_a_branch_kills_its_lanes_only);
    tcase_add_test(t, derivatives_of_quads);
    tcase_add_test(t, registers_by_index_in_vs_3);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
