/* Texture instructions of ps_1_x one by one, with the arithmetic around them. */
#include "unit/vm/run_shader.h"

/* Inputs t# are T(n) = (n + 0.25, n + 0.5, -n - 0.75, 2). The sampler returns its coordinates and
 * its number. */
static const struct {
    const char *text;
    float wanted[4];
} rows[] = {
    /* clang-format off */
    {"ps_1_1\ndef c0, 2, -3, 0.5, -0.25\nmov r0, c0\n", {1, 0, 0.5f, 0}},
    {"ps_1_1\ndef c0, 2, -3, 0.5, -0.25\nmov r0, -c0\n", {0, 1, 0, 0.25f}},
    {"ps_1_1\nmov r0, c1\nadd r0, r0, -c2\n", {0, 1, 0.25f, 0}}, /* c1 = (1, 3, 0.5, -2), c2 = (2, 0, 0.25, -.5) */
    {"ps_1_1\ntexcoord t0\nmov r0, t0\n", {0.25f, 0.5f, 0, 1}},
    {"ps_1_1\ntex t0\nmov r0, t0\n", {0.25f, 0.5f, 0, 0}},
    {"ps_1_1\ntex t1\nmov_d4 r0, t1\n", {0.3125f, 0.375f, 0, 0.25f}},
    {"ps_1_1\ntex t0\nmov_x2 r0, 1-t0\n", {1, 1, 1, 1}},
    {"ps_1_1\ntex t0\nmov r0, t0_bx2\n", {0, 0, 0, 0}},
    {"ps_1_1\ntex t0\nmov r0, -t0_bx2\n", {0.5f, 0, 1, 1}},
    {"ps_1_1\ntex t0\nmov r0, t0_bias\n", {0, 0, 0, 0}},
    {"ps_1_1\ntex t0\nmov r0, -t0_bias\n", {0.25f, 0, 1, 0.5f}},
    /* x2 applies before saturation; at the end only r0 is clamped. */
    {"ps_1_1\ntex t0\nadd_x2 r1, t0, t0\nmul_d2 r0, r1, t0\n", {0.125f, 0.5f, 1, 0}},
    {"ps_1_1\ntex t0\nadd_x2_sat r1, t0, t0\nmul_d2 r0, r1, t0\n", {0.125f, 0.25f, 0, 0}},
    /* A co-issued pair reads before it writes. */
    {"ps_1_1\ndef c0, 0.25, 0.5, 0.75, 1\nmov r0, c0\nmov r0.rgb, r0.a\n+mov r0.a, r0.b\n", {1, 1, 1, 0.75f}},
    /* cnd: r0.a > 0.5 decides for all components; a co-issued colour selects its second source. */
    {"ps_1_1\ndef c0, 0, 0, 0, 0.5\ndef c1, 1, 1, 1, 1\nmov r0, c0\ncnd r0, r0.a, c1, c0\n", {0, 0, 0, 0.5f}},
    {"ps_1_1\ndef c0, 0, 0, 0, 0.51\ndef c1, 1, 1, 1, 1\nmov r0, c0\ncnd r0, r0.a, c1, c0\n", {1, 1, 1, 1}},
    {"ps_1_1\ndef c0, 0, 0, 0, 0\ndef c1, 1, 1, 1, 1\nmov r0, c0\nmov r0.a, c0\n+cnd r0.rgb, r0.a, c1, c0\n",
     {1, 1, 1, 0}},
    {"ps_1_4\ndef c0, 0.6, 0.5, 0.4, 1\ndef c1, 1, 1, 1, 1\ndef c2, 0, 0, 0, 0.125\nmov r0, c0\ncnd r0, r0, c1, c2\n",
     {1, 0, 0, 1}},
    {"ps_1_2\ndef c0, 0.5, -0.5, 0, -1\ndef c1, 1, 1, 1, 1\ndef c2, 0, 0, 0, 0.125\nmov r1, c0\ncmp r0, r1, c1, c2\n",
     {1, 0, 1, 0.125f}},
    {"ps_1_1\ndef c0, 0.5, 0.25, 1, 1\ntex t0\ndp3 r0, t0, c0\n", {0, 0, 0, 0}},
    {"ps_1_1\ndef c0, 0.5, 0.25, 0, 1\ntex t0\ndp3_x4 r0, t0, c0\n", {1, 1, 1, 1}},
    /* Texture addressing: t(n) is the result of sampling. */
    {"ps_1_1\ntex t0\ntexreg2ar t1, t0\nmov r0, t1\n", {0, 0.25f, 0, 1}},
    {"ps_1_1\ntex t0\ntexreg2gb t1, t0\nmov r0, t1\n", {0.5f, 0, 0, 1}},
    {"ps_1_2\ntex t0\ntexreg2rgb t1, t0\nmov r0, t1\n", {0.25f, 0.5f, 0, 1}},
    /* T1 = (1.25, 1.5), M = (0.5, 0.25, -2, -1): u = 1.25 + .5 * .25 - 2 * .5, v = 1.5 + .25 * .25 - 1 * .5. */
    {"ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1\n", {0.375f, 1, 0, 1}},
    {"ps_1_1\ntex t0\ntexbeml t1, t0_bx2\nmov_d4 r0, t1\n", {0, 0, 0.4375f, 0}},
    /* dp3(T1, t0) = 1.25 * .25 + 1.5 * .5 + 1.75 * .75; T2, T3 likewise. */
    {"ps_1_2\ntex t0\ntexdp3 t1, t0\nmov_d4 r0, t1\n", {0.59375f, 0.59375f, 0.59375f, 0.59375f}},
    {"ps_1_2\ntex t0\ntexdp3tex t1, t0\nmov_d4 r0, t1\n", {0.59375f, 0, 0, 0.25f}},
    {"ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov_d4 r0, t2\n", {0.59375f, 0.96875f, 0, 0.5f}},
    {"ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov_d4 r0, t3\n",
     {0.59375f, 0.96875f, 1, 0.75f}},
    {"ps_1_2\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov_d4 r0, t3\n",
     {0.59375f, 0.96875f, 1, 0.25f}},
    /* Result modifiers, which break a rule. */
    {"ps_1_1\ntex_x2 t0\nmov_d4 r0, t0\n", {0.125f, 0.25f, 0, 0}},
    {"ps_1_2\ntex t0\ntexdp3_sat t1, t0\nmov_d4 r0, t1\n", {0.25f, 0.25f, 0.25f, 0.25f}},
    {"ps_1_2\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3_d2 t3, t0\nmov_d4 r0, t3\n",
     {0.296875f, 0.484375f, 0.671875f, 0.125f}},
    {"ps_1_4\ntexld_sat r0, t5\nmov_d4 r0, r0\n", {0.25f, 0.25f, 0, 0}},
    /* ps_1_4 coordinates. */
    {"ps_1_4\ntexld r0, t0\n", {0.25f, 0.5f, 0, 0}},
    {"ps_1_4\ntexld r1, t0_dw.xyw\nmov r0, r1\n", {0.125f, 0.25f, 1, 1}},
    {"ps_1_4\ntexcrd r0.rgb, t0\nmov r0.a, c1\n", {0.25f, 0.5f, 0, 0}},
    {"ps_1_4\ntexcrd r0.rg, t1_dw.xyw\nmov r0.ba, c1.r\n", {0.625f, 0.75f, 1, 1}},
    {"ps_1_4\ntexcrd r1.rgb, t0\nphase\ntexld r0, r1_dz\n", {0, 0, 1, 0}},
    {"ps_1_4\ntexcrd r1.rgb, t0\nphase\ntexld r2, r1\nmov r0, r2\n", {0.25f, 0.5f, 0, 1}},
    /* bem with M = (0.5, 0.5, 0, 0.5): r = .25 + .5 * .5, g = .5 + .5 * .5 + .5 * .25. */
    {"ps_1_4\ndef c0, 0.25, 0.5, 0, 0\ndef c3, 0.5, 0.25, 0, 0\nbem r0.rg, c0, c3\nmov r0.ba, c1.r\n",
     {0.5f, 0.875f, 1, 1}},
    /* clang-format on */
};
static void set_stage_inputs(struct shader *s)
{
    static const float matrix[] = {0.5f, 0.25f, -2, -1}, identity[] = {0.5f, 0.5f, 0, 0.5f};
    static const float c1[] = {1, 3, 0.5f, -2}, c2[] = {2, 0, 0.25f, -0.5f};

    for (unsigned n = 0; n < 6; n++) {
        float base = (float)n;

        set4(s, VM_USAGE_TEXCOORD, n, base + 0.25f, base + 0.5f, -base - 0.75f, 2);
    }
    memcpy(s->system[VM_SYSTEM_BUMP_MATRIX + 1], matrix, sizeof(matrix));
    memcpy(s->system[VM_SYSTEM_BUMP_MATRIX], identity, sizeof(identity));
    s->system[VM_SYSTEM_BUMP_LUMINANCE + 1][1] = -1;
    memcpy(s->f[1], c1, sizeof(c1));
    memcpy(s->f[2], c2, sizeof(c2));
}

START_TEST(single_instructions_of_ps_1_x)
{
    struct shader s;

    shader_open(&s, rows[_i].text);
    set_stage_inputs(&s);
    shader_run(&s);
    for (unsigned c = 0; c < 4; c++) {
        float got = shader_output(&s, VM_USAGE_TARGET, 0, c)[30], wanted = rows[_i].wanted[c];

        ck_assert_msg(fabsf(got - wanted) <= 1e-6f, "row %d component %u: %.9g, not %.9g\n%s", _i,
                      c, (double)got, (double)wanted, rows[_i].text);
    }
    shader_close(&s);
}
END_TEST

START_TEST(reflections_of_texm3x3spec)
{
    struct shader s;
    /* N = (T1.t0, T2.t0, T3.t0) with t0 = (1, 0, 0): N = (1, 2, 2); E from c# or from w of T1 … T3.
     */
    static const char *const text[] = {
        "ps_1_1\ntexcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0\nmov_d4 "
        "r0, t3\n",
        "ps_1_1\ntexcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3vspec t3, t0\nmov_d4 "
        "r0, t3\n",
    };

    for (unsigned i = 0; i < 2; i++) {
        shader_open(&s, text[i]);
        s.f[0][2] = 0.9f; /* E = (0, 0, 0.9) */
        set4(&s, VM_USAGE_TEXCOORD, 0, 1, 0, 0, 0);
        set4(&s, VM_USAGE_TEXCOORD, 1, 1, 8, 8, 0);
        set4(&s, VM_USAGE_TEXCOORD, 2, 2, 8, 8, 0);
        set4(&s, VM_USAGE_TEXCOORD, 3, 2, 8, 8, 0.9f);
        shader_run(&s);
        /* 2 (N.E) / (N.N) N - E = 0.4 N - E */
        ck_assert(fabsf(s.sampled.coord[0][5] - 0.4f) < 1e-6f);
        ck_assert(fabsf(s.sampled.coord[1][5] - 0.8f) < 1e-6f);
        ck_assert(fabsf(s.sampled.coord[2][5] + 0.1f) < 1e-6f);
        ck_assert_uint_eq(s.sampled.sampler, 3);
        shader_close(&s);
    }
}
END_TEST

START_TEST(projected_stages_divide)
{
    struct shader s;

    shader_open(&s, "ps_1_1\ntex t1\nmov r0, t1\n");
    set_stage_inputs(&s);
    s.options.projected[1] = 4;
    shader_lower(&s);
    set_stage_inputs(&s);
    shader_run(&s);
    ck_assert(s.sampled.coord[0][0] == 0.625f && s.sampled.coord[1][0] == 0.75f);
    s.options.projected[1] = 3;
    shader_lower(&s);
    set_stage_inputs(&s);
    shader_run(&s);
    ck_assert(s.sampled.coord[0][0] == 1.25f / -1.75f && s.sampled.coord[2][0] == 1.0f);
    shader_close(&s);
}
END_TEST

START_TEST(depth_of_ps_1_x)
{
    static const struct {
        float r, g, depth;
    } cases[] = {{0.25f, 0.5f, 0.5f}, {-0.25f, -0.5f, 0.5f}, {1, 0, 1}, {0.5f, 4, 0.5f}, {3, 1, 1}};
    struct shader s;

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        shader_open(&s, "ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0\n");
        set4(&s, VM_USAGE_TEXCOORD, 0, cases[i].r, cases[i].g, 0, 0);
        shader_run(&s);
        ck_assert(shader_output(&s, VM_USAGE_DEPTH, 0, 0)[9] == cases[i].depth);
        shader_close(&s);
    }
    shader_open(&s, "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, c0\n");
    set_stage_inputs(&s);
    shader_run(&s);
    ck_assert(fabsf(shader_output(&s, VM_USAGE_DEPTH, 0, 0)[9] - 2.375f / 3.875f) < 1e-6f);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/tex");
    TCase *t = tcase_create("tex");

    tcase_add_loop_test(t, single_instructions_of_ps_1_x, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(t, reflections_of_texm3x3spec);
    tcase_add_test(t, projected_stages_divide);
    tcase_add_test(t, depth_of_ps_1_x);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
