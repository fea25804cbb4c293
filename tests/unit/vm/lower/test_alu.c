/* Arithmetic instructions one by one, with their corner cases. */
#include "unit/vm/run_shader.h"

#include <float.h>

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
    {VS2 "def c3, 3, 3, 3, 3\ndef c4, 4, 4, 4, 4\nmov a0.xyzw, v0\nmov r0.x, c2[a0.x].x\n"
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

static Suite *suite(void)
{
    Suite *s = suite_create("vm/alu");
    TCase *t = tcase_create("alu");

    tcase_add_loop_test(t, single_instructions, 0, sizeof(rows) / sizeof(rows[0]));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
