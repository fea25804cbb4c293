/* Execution of whole shaders: flow control, lane masks, and the rules of each model. */
#include "unit/vm/run_shader.h"
#include "vm/run/frame.h"

#include <float.h>
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

/* --- Table of single instructions ------------------------------------------------------------- */

#define INF INFINITY
/* A shader with input 0 (position or texcoord 0) = a, input 1 (texcoord 0 or 1) = b, c0 = c. */
struct row {
    const char *text;
    float a[4], b[4], c[4], wanted[4];
};

#define VS1 "vs_1_1\ndcl_position v0\ndcl_texcoord v1\n"
#define VS2 "vs_2_0\ndcl_position v0\ndcl_texcoord v1\n"
#define VS3 "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\n"
#define PS2 "ps_2_0\ndcl t0\ndcl t1\n"
#define PS3 "ps_3_0\ndcl_texcoord0 v0\ndcl_texcoord1 v1\n"

/* clang-format off */
static const struct row rows[] = {
    /* Address registers: vs_1_1 rounds down, mova to nearest even; indices out of range read 0. */
    {VS1 "def c1, 1, 1, 1, 1\ndef c2, 2, 2, 2, 2\nmov a0.x, v0.x\nmov oPos, c1[a0.x]\n",
     {-0.1f}, {0}, {7, 8, 9, 10}, {7, 8, 9, 10}},
    {VS1 "def c1, 1, 1, 1, 1\ndef c2, 2, 2, 2, 2\nmov a0.x, v0.x\nmov oPos, c1[a0.x]\n",
     {1.9f}, {0}, {0}, {2, 2, 2, 2}},
    {VS1 "mov a0.x, v0.x\nmov oPos, c0[a0.x]\n", {-1}, {0}, {3, 3, 3, 3}, {0, 0, 0, 0}},
    {VS1 "mov a0.x, v0.x\nmov oPos, c0[a0.x]\n", {1e30f}, {0}, {3, 3, 3, 3}, {0, 0, 0, 0}},
    {VS2 "def c3, 3, 3, 3, 3\ndef c4, 4, 4, 4, 4\nmova a0.xyzw, v0\nmov r0.x, c2[a0.x].x\n"
         "mov r0.y, c2[a0.y].x\nmov r0.z, c2[a0.z].x\nmov r0.w, c2[a0.w].x\nmov oPos, r0\n",
     {1.6f, 0.5f, 1.5f, -2.4f}, {0}, {9, 9, 9, 9}, {4, 0, 4, 9}},
    {VS2 "mova a0.x, v0.x\nm4x3 r0.xyz, v1, c0[a0.x]\nmov r0.w, v1.w\nmov oPos, r0\n",
     {0}, {1, 2, 3, 4}, {1, 1, 1, 1}, {10, 0, 0, 4}},
    /* Instructions with corner cases. */
    {VS1 "expp oPos, v0.w\n", {0, 0, 0, 2.5f}, {0}, {0}, {4, 0.5f, 5.6568542f, 1}},
    {VS1 "logp oPos, v0.w\n", {0, 0, 0, -10}, {0}, {0}, {3, 1.25f, 3.3219281f, 1}},
    {VS1 "logp oPos, v0.w\n", {0, 0, 0, 0}, {0}, {0}, {-FLT_MAX, 1, -FLT_MAX, 1}},
    {VS2 "expp oPos, v0.w\n", {0, 0, 0, 3}, {0}, {0}, {8, 8, 8, 8}},
    {VS2 "logp oPos, v0.w\n", {0, 0, 0, 0}, {0}, {0}, {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX}},
    {VS2 "log oPos, v0.w\n", {0, 0, 0, 0}, {0}, {0}, {-INF, -INF, -INF, -INF}},
    {VS2 "rcp oPos, v0.x\n", {-0.0f}, {0}, {0}, {-INF, -INF, -INF, -INF}},
    {VS2 "rsq oPos, v0.x\n", {-4}, {0}, {0}, {0.5f, 0.5f, 0.5f, 0.5f}},
    {VS2 "rsq oPos, v0.x\n", {-0.0f}, {0}, {0}, {INF, INF, INF, INF}},
    {VS1 "rcp oPos, v0\n", {1, 2, 3, 4}, {0}, {0}, {0.25f, 0.25f, 0.25f, 0.25f}},
    {VS2 "pow r0, v0.x, v0.y\nmov oPos, r0\n", {0, 0}, {0}, {0}, {1, 1, 1, 1}},
    {VS2 "pow r0, v0.x, v0.y\nmov oPos, r0\n", {-3, 2}, {0}, {0}, {9.0000010f, 9.0000010f, 9.0000010f, 9.0000010f}},
    {VS1 "lit oPos, v0\n", {2, 4, -7, 0.5f}, {0}, {0}, {1, 2, 2, 1}},
    {VS1 "lit oPos, v0\n", {-2, 4, 0, 0.5f}, {0}, {0}, {1, 0, 0, 1}},
    {VS1 "lit oPos, v0\n", {0, 0, 0, 0}, {0}, {0}, {1, 0, 0, 1}},
    {VS1 "lit oPos, v0\n", {1, 2, 0, 1e9f}, {0}, {0}, {1, 1, 3.3936406e38f, 1}},
    {VS1 "dst oPos, v0, v1\n", {9, 2, 3, 9}, {8, 5, 8, 7}, {0}, {1, 10, 3, 7}},
    {VS2 "crs r0.xyz, v0, v1\nmov r0.w, v0.w\nmov oPos, r0\n",
     {1, 2, 3, 4}, {5, 6, 7, 8}, {0}, {-4, 8, -4, 4}},
    {VS2 "nrm r0, v0\nmov oPos, r0\n", {3, 0, 4, 10}, {0}, {0}, {0.6f, 0, 0.8f, 2}},
    {VS2 "nrm r0, v0\nmov oPos, r0\n", {0, -0.0f, 0, 0}, {0}, {0}, {0, -0.0f, 0, 0}},
    {VS2 "sgn oPos, v0, r0, r1\n", {-2, 0, 3, -0.0f}, {0}, {0}, {-1, 0, 1, 0}},
    {VS2 "def c1, 0, 0, 0, 0\ndef c2, 1, 1, 1, 1\nmov r0, v0\nsincos r0.xy, v0.w, c1, c2\nmov oPos, r0\n",
     {1, 2, 3, 0}, {0}, {0}, {1, 0, 3, 0}},
    {VS3 "sincos r0.y, v0.w\nmov r0.xzw, v0\nmov o0, r0\n", {1, 2, 3, 0}, {0}, {0}, {1, 0, 3, 0}},
    {VS1 "frc r0.xy, v0\nmov r0.zw, v0\nmov oPos, r0\n", {-0.25f, 1.5f, 7, 8}, {0}, {0}, {0.75f, 0.5f, 7, 8}},
    {VS1 "slt oPos, v0, v1\n", {1, 2, NAN, -0.0f}, {2, 2, 1, 0}, {0}, {1, 0, 0, 0}},
    {VS1 "sge oPos, v0, v1\n", {1, 2, NAN, -0.0f}, {2, 2, 1, 0}, {0}, {0, 1, 0, 1}},
    {VS1 "min oPos, v0, v1\n", {1, NAN, 3, -0.0f}, {2, 1, NAN, 0}, {0}, {1, 1, NAN, 0}},
    {VS1 "max oPos, v0, v1\n", {1, NAN, 3, -0.0f}, {2, 1, NAN, 0}, {0}, {2, 1, NAN, -0.0f}},
    {VS1 "m3x3 r0, v0, c0\nmov r0.w, v0.w\nmov oPos, r0\n", {1, 2, 3, 4}, {0}, {1, 1, 1, 50}, {6, 0, 0, 4}},
    {VS1 "mov r0, v0\nmov r0.xy, r0.yx\nmov oPos, r0\n", {1, 2, 3, 4}, {0}, {0}, {2, 1, 3, 4}},
    {VS3 "mad_sat o0, v0, v1, -v0_abs\n", {2, 3, -1, -0.1f}, {4, 1.2f, 1, -2}, {0}, {1, 0.6000001f, 0, 0.1f}},
    /* The zero rule. */
    {VS1 "mul oPos, v0, v1\n", {0, -0.0f, NAN, 1}, {INF, NAN, 0, NAN}, {0}, {0, 0, 0, NAN}},
    {VS1 "mad oPos, v0, v1, c0\n", {0, 2, INF, 1}, {INF, 3, 0, INF}, {1, 2, 3, -INF}, {1, 8, 3, NAN}},
    {VS1 "dp4 oPos, v0, v1\n", {1, 0, 3, 0}, {5, INF, 6, NAN}, {0}, {23, 23, 23, 23}},
    /* Colours are clamped on output, NaN to 0. */
    {VS1 "mov oPos, v0\nmov oD0, v1\n", {1, 1, 1, 1}, {2, -1, NAN, 0.5f}, {0}, {1, 1, 1, 1}},
    /* Predicates and comparisons. */
    {"vs_2_x\ndcl_position v0\ndcl_texcoord v1\nmov r0, v1\nsetp_gt p0, v0, v1\n(p0) mov r0, v0\n"
     "(!p0.x) add r0.w, r0.w, c0.x\nmov oPos, r0\n",
     {1, 5, NAN, 9}, {2, 3, 4, 5}, {100}, {2, 5, 4, 109}},
    {"vs_2_x\ndcl_position v0\ndcl_texcoord v1\nsetp_ne p0, v0, v1\nmov r0, c0\nif p0.z\nmov r0.x, v0.y\nelse\n"
     "mov r0.x, v0.w\nendif\nmov oPos, r0\n",
     {1, 5, NAN, 9}, {2, 3, 4, 5}, {0, 1, 2, 3}, {5, 1, 2, 3}},
    /* Pixel arithmetic. */
    {PS2 "cmp r0, t0, t1, c0\nmov oC0, r0\n", {-0.0f, NAN, 1, -1}, {1, 2, 3, 4}, {5, 6, 7, 8}, {1, 6, 3, 8}},
    {PS2 "lrp r0, t0, t1, c0\nmov oC0, r0\n", {0, 1, 0.5f, 2}, {10, 10, 10, 10}, {2, 2, 2, 2}, {2, 10, 6, 18}},
    {PS2 "dp2add_sat r0, t0, t1, c0.x\nmov oC0, r0\n", {1, 1}, {-5, 3}, {2.5f}, {0.5f, 0.5f, 0.5f, 0.5f}},
    {PS3 "mov r0, v0\nmov oC0, r0\nmov oC0.y, v1.w\n", {1, 2, 3, 4}, {5, 6, 7, 8}, {0}, {1, 8, 3, 4}},
};
/* clang-format on */
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

START_TEST(single_instructions)
{
    const struct row *row = &rows[_i];
    bool pixel = row->text[0] == 'p';
    unsigned first = pixel ? VM_USAGE_TEXCOORD : VM_USAGE_POSITION;
    struct shader s;

    shader_open(&s, row->text);
    memcpy(s.f[0], row->c, sizeof(row->c));
    set4(&s, first, 0, row->a[0], row->a[1], row->a[2], row->a[3]);
    set4(&s, VM_USAGE_TEXCOORD, pixel ? 1 : 0, row->b[0], row->b[1], row->b[2], row->b[3]);
    shader_run(&s);
    for (unsigned c = 0; c < 4; c++) {
        float got = shader_output(&s, pixel ? VM_USAGE_TARGET : VM_USAGE_POSITION, 0, c)[17];
        float wanted = row->wanted[c];

        ck_assert_msg(same_float(got, wanted) || fabsf(got - wanted) <= fabsf(wanted) * 3e-7f,
                      "row %d component %u: %.9g, not %.9g\n%s", _i, c, (double)got, (double)wanted,
                      row->text);
    }
    shader_close(&s);
}
END_TEST

/* --- ps_1_x ----------------------------------------------------------------------------------- */

/* Inputs t# are T(n) = (n + 0.25, n + 0.5, -n - 0.75, 2). The sampler returns its coordinates and
 * its number. */
static const struct {
    const char *text;
    float wanted[4];
} rows_1[] = {
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
enum { N_ROWS_1 = sizeof(rows_1) / sizeof(rows_1[0]) };

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

    shader_open(&s, rows_1[_i].text);
    set_stage_inputs(&s);
    shader_run(&s);
    for (unsigned c = 0; c < 4; c++) {
        float got = shader_output(&s, VM_USAGE_TARGET, 0, c)[30], wanted = rows_1[_i].wanted[c];

        ck_assert_msg(fabsf(got - wanted) <= 1e-6f, "row %d component %u: %.9g, not %.9g\n%s", _i,
                      c, (double)got, (double)wanted, rows_1[_i].text);
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

/* --- Lanes ------------------------------------------------------------------------------------ */

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

START_TEST(missing_constants_read_as_zero)
{
    struct shader s;

    shader_open(&s,
                "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nadd r0, v0, c100\nadd r0, r0, c1[a0.x]\n"
                "if b3\nadd r0, r0, r0\nendif\nrep i2\nadd r0, r0, r0\nendrep\nmov oPos, r0\n");
    s.constants.n_f = 2;
    s.constants.n_i = s.constants.n_b = 0;
    s.f[1][0] = 8;
    s.f[100][0] = 1000; /* beyond n_f */
    set4(&s, VM_USAGE_POSITION, 0, 0, 1, 2, 3);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 8, 1, 2, 3);
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
    /* Lanes share the limit, so that one may run far longer than others. */
    ck_assert_float_ge(count_iterations(3, 255, 255, 255, 255), 2 * most - 10);
    ck_assert_float_ge(count_iterations(~UINT64_C(0), INT32_MAX, 1, 1, 1), 32 * most);
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
    Suite *s = suite_create("exec");
    TCase *tc = tcase_create("shaders");

    tcase_add_test(tc, moves_and_arithmetic);
    tcase_add_test(tc, a_divergent_if_merges_both_sides);
    tcase_add_test(tc, loops_count_and_index);
    tcase_add_test(tc, break_deactivates_lanes_one_by_one);
    tcase_add_test(tc, calls_return_and_conditions_hold);
    tcase_add_loop_test(tc, single_instructions, 0, N_ROWS);
    tcase_add_loop_test(tc, single_instructions_of_ps_1_x, 0, N_ROWS_1);
    tcase_add_test(tc, reflections_of_texm3x3spec);
    tcase_add_test(tc, projected_stages_divide);
    tcase_add_test(tc, depth_of_ps_1_x);
    tcase_add_test(tc, texkill_tests_the_right_components);
    tcase_add_test(tc, texkill_in_a_branch_kills_its_lanes_only);
    tcase_add_test(tc, sampler_arguments);
    tcase_add_test(tc, samples_with_equal_operands_are_grouped);
    tcase_add_test(tc, sampling_in_a_branch_uses_active_lanes);
    tcase_add_test(tc, derivatives_of_quads);
    tcase_add_test(tc, pixel_system_values_and_depth);
    tcase_add_test(tc, registers_by_index_in_vs_3);
    tcase_add_test(tc, outputs_of_old_vertex_models_are_clamped);
    tcase_add_test(tc, ieee_option_disables_the_zero_rule);
    tcase_add_test(tc, missing_constants_read_as_zero);
    tcase_add_test(tc, loops_have_an_instruction_limit);
    tcase_add_test(tc, calls_have_an_instruction_limit);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
