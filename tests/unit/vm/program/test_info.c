/* Reflection of programs: inputs, outputs, slots, samplers, flags. */
#include "shader.h"

#include "vm/program/program.h"

#include <stdio.h>

/* Incomplete programs. */
static const struct vm_limits lenient = {.vs_major = 3, .ps_major = 3, .enforced = VM_RULES_LIMIT};

/* Formats each entry as "usage:index:reg.mask", in order, * for centroid; usages as numbers. */
static void list_io(char *text, size_t size, const struct vm_io *io, unsigned n)
{
    size_t at = 0;

    text[0] = 0;
    for (unsigned i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, size - at, "%s%x:%u:%u.", i ? " " : "", io[i].usage,
                               io[i].index, io[i].reg);
        for (unsigned c = 0; c < 4; c++) {
            if (io[i].mask >> c & 1)
                at += (size_t)snprintf(text + at, size - at, "%c", "xyzw"[c]);
        }
        if (io[i].centroid)
            at += (size_t)snprintf(text + at, size - at, "*");
    }
}

/* Slots number the present components in order. */
static void check_slots(const struct vm_io *io, unsigned n, unsigned n_slots)
{
    int next = 0;

    for (unsigned i = 0; i < n; i++) {
        for (unsigned c = 0; c < 4; c++)
            ck_assert_int_eq(io[i].slot[c], io[i].mask >> c & 1 ? next++ : -1);
    }
    ck_assert_int_eq(next, (int)n_slots);
}

/* clang-format off */
static const struct {
    const char *text, *inputs, *outputs;
} rows[] = {
    /* Only used registers and components are listed. */
    {"vs_1_1\ndcl_position v0\ndcl_normal v3\ndcl_texcoord2 v5\n"
     "m4x4 oPos, v0, c0\nmov oT1.xy, v5.yx\nmov oFog, c0.x\nmov oPts.x, c0.x\nmov oD1.w, c0",
     "0:0:0.xyzw 5:2:5.xy", "0:0:0.xyzw b:0:1.x 4:0:2.x a:1:1.w 5:1:1.xy"},
    {"vs_2_0\ndcl_position v0\ndp3 r0.x, v0, c0\nmov oPos, r0.x", "0:0:0.xyz", "0:0:0.xyzw"},
    {"vs_2_0\ndcl_position v0\nrcp r0, v0.y\nlit r1.y, v0\nmov oPos, r0", "0:0:0.xy",
     "0:0:0.xyzw"},
    /* Matrix rows in inputs. */
    {"vs_3_0\ndcl_position v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\ndcl_texcoord3 v3\n"
     "dcl_position o0\nm3x3 o0.xyz, v0, v1",
     "0:0:0.xyz 5:1:1.xyz 5:2:2.xyz 5:3:3.xyz", "0:0:0.xyz"},
    /* A register declared in two parts. */
    {"vs_3_0\ndcl_position o0\ndcl_texcoord o1.xy\ndcl_color o1.zw\nmov o0, c0\nmov o1.yz, c0", "",
     "0:0:0.xyzw 5:0:1.y a:0:1.z"},
    /* Relative addressing reaches all declared registers. */
    {"vs_3_0\ndcl_position v0\ndcl_texcoord v1.xy\ndcl_position o0\ndcl_texcoord o1\ndcl_fog o2.x\n"
     "mova a0.x, c0.x\nmov o0, v0[a0.x]\nmov o[a0.x + 1].x, c0",
     "0:0:0.xyzw 5:0:1.xy", "0:0:0.xyzw 5:0:1.xyzw b:0:2.x"},
    /* Pixel shaders. */
    {"ps_2_0\ndcl_centroid t1\ndcl t0\nmov r0, t0\nmul r0, r0, t1\nmov oC0, r0",
     "5:0:0.xyzw 5:1:1.xyzw*", "22:0:0.xyzw"},
    {"ps_3_0\ndcl_texcoord2_centroid v1.xy\ndcl_color v0\nmov r0, v0\nadd r0.xy, r0, v1\n"
     "mov oC0, r0",
     "5:2:1.xy* a:0:0.xyzw", "22:0:0.xyzw"},
    {"ps_1_1\ntex t0\ntexcoord t2\nmul r0, v1, t0\nmov r0.rgb, t2", "a:1:1.xyzw 5:0:0.xyzw 5:2:2.xyz",
     "22:0:0.xyzw"},
    {"ps_1_1\ntex t0\ntexreg2ar t1, t0\ntexkill t2\nmov r0, t1", "5:0:0.xyzw 5:2:2.xyz",
     "22:0:0.xyzw"},
    {"ps_1_4\ntexld r0, t1_dw.xyw\ntexcrd r1.rg, t3", "5:1:1.xyw 5:3:3.xy", "22:0:0.xyzw"},
    {"ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0", "5:0:0.xyz",
     "22:0:0.xyzw c:0:0.x"},
    {"ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0",
     "5:0:0.xyzw 5:1:1.xyz 5:2:2.xyz", "22:0:0.xyzw c:0:0.x"},
    {"ps_2_0\ndcl t0.xy\ndcl v0.xyz\ndcl_2d s3\ntexld r0, t0, s3\nmul r0.xyz, r0, v0\nmov oC0, r0\n"
     "mov oDepth, r0.x",
     "a:0:0.xyz 5:0:0.xy", "22:0:0.xyzw c:0:0.x"},
    {"ps_3_0\ndcl_texcoord4 v7.zw\ndcl_color v2\ndcl vPos.xy\ndcl vFace\nadd r0, v7.z, vPos.y\n"
     "cmp r0, vFace, r0, v2.w\nmov oC2.xz, r0\ntexkill v2",
     "5:4:7.z a:0:2.xyzw 20:0:0.y 21:0:1.x", "22:2:2.xz"},
};
/* clang-format on */

START_TEST(inputs_and_outputs)
{
    struct vm_program *program = shader_program(rows[_i].text, &lenient);
    const struct vm_info *info = vm_program_info(program);
    char text[256];

    list_io(text, sizeof(text), info->input, info->n_inputs);
    ck_assert_msg(!strcmp(text, rows[_i].inputs), "%s\ninputs %s instead of %s", rows[_i].text,
                  text, rows[_i].inputs);
    list_io(text, sizeof(text), info->output, info->n_outputs);
    ck_assert_msg(!strcmp(text, rows[_i].outputs), "%s\noutputs %s instead of %s", rows[_i].text,
                  text, rows[_i].outputs);
    check_slots(info->input, info->n_inputs, info->n_input_slots);
    check_slots(info->output, info->n_outputs, info->n_output_slots);
    vm_program_destroy(program);
}
END_TEST

/* Colours and coordinates with one register number are different inputs; so are vPos and v0. */
START_TEST(slots_by_register)
{
    struct vm_program *p =
        shader_program("ps_2_0\ndcl v0\ndcl t0\nadd r0, v0, t0\nmov oC0, r0", &lenient);

    ck_assert_int_eq(vm_program_input_slot(p, VM_FILE_INPUT, 0, 1), 1);
    ck_assert_int_eq(vm_program_input_slot(p, VM_FILE_TEXTURE, 0, 1), 5);
    ck_assert_int_eq(vm_program_input_slot(p, VM_FILE_TEXTURE, 1, 1), -1);
    ck_assert_int_eq(vm_program_output_slot(p, VM_FILE_COLOROUT, 0, 3), 3);
    ck_assert_int_eq(vm_program_output_slot(p, VM_FILE_DEPTHOUT, 0, 0), -1);
    vm_program_destroy(p);

    p = shader_program("ps_3_0\ndcl_fog v0.x\ndcl vPos.xy\nadd oC0, v0.x, vPos.x",
                       &lenient);
    ck_assert_int_eq(vm_program_input_slot(p, VM_FILE_INPUT, 0, 0), 0);
    ck_assert_int_eq(vm_program_input_slot(p, VM_FILE_MISC, 0, 0), 1);
    vm_program_destroy(p);

    p = shader_program("vs_1_1\nmov oPos, c0\nmov oT0, c0\nmov oD0, c0\nmov oFog, c0.x",
                       &lenient);
    ck_assert_int_eq(vm_program_output_slot(p, VM_FILE_RASTOUT, 0, 2), 2);
    ck_assert_int_eq(vm_program_output_slot(p, VM_FILE_RASTOUT, 1, 0), 4);
    ck_assert_int_eq(vm_program_output_slot(p, VM_FILE_RASTOUT, 1, 1), -1);
    ck_assert_int_eq(vm_program_output_slot(p, VM_FILE_ATTROUT, 0, 0), 5);
    ck_assert_int_eq(vm_program_output_slot(p, VM_FILE_TEXCRDOUT, 0, 0), 9);
    vm_program_destroy(p);
}
END_TEST

START_TEST(flags)
{
    static const struct {
        const char *text;
        uint32_t samplers;
        bool kills, writes_depth, uses_derivatives;
        unsigned colours, float_constants, direct_constants;
    } cases[] = {
        {"ps_1_1\ntex t2\ntexcoord t0\nmov r0, c3", 4, false, false, false, 1, 4, 4},
        {"ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1", 3, false, false, false, 1, 0, 0},
        {"ps_1_1\ntexcoord t0\ntexkill t1\nmov r0, t0", 0, true, false, false, 1, 0, 0},
        {"ps_1_4\ntexld r3, t0\nmov r0, r3", 8, false, false, false, 1, 0, 0},
        {"ps_3_0\ndcl_volume s5\ntexldl r0, c0, s5\nmov oC3, r0\nmov oDepth, r0.x", 32, false, true,
         false, 8, 1, 1},
        {"ps_3_0\ndsx r0, c1\nmov oC0, r0", 0, false, false, true, 1, 2, 2},
        {"vs_3_0\ndcl_position o0\ndcl_2d s1\ntexldl r0, c0, s1\nm4x4 o0, r0, c9", 2, false, false,
         false, 0, 13, 13},
        {"vs_2_0\nmova a0.x, c7.x\nmov oPos, c4[a0.x]", 0, false, false, false, 0, 256, 8},
    };
    struct vm_program *program = shader_program(cases[_i].text, &lenient);
    const struct vm_info *info = vm_program_info(program);

    ck_assert_uint_eq(info->samplers, cases[_i].samplers);
    ck_assert_int_eq(info->kills, cases[_i].kills);
    ck_assert_int_eq(info->writes_depth, cases[_i].writes_depth);
    ck_assert_int_eq(info->uses_derivatives, cases[_i].uses_derivatives);
    ck_assert_uint_eq(info->colours, cases[_i].colours);
    ck_assert_uint_eq(info->float_constants, cases[_i].float_constants);
    ck_assert_uint_eq(info->direct_constants, cases[_i].direct_constants);
    vm_program_destroy(program);
}
END_TEST

START_TEST(sampler_kinds)
{
    struct vm_program *p =
        shader_program("ps_3_0\ndcl_2d s0\ndcl_cube s1\ndcl_volume s2\ndcl_1d s3\n"
                       "texldl r0, c0, s4\nmov oC0, r0",
                       &lenient);
    static const uint8_t kinds[] = {2, 3, 4, 2, 0};

    ck_assert_mem_eq(vm_program_info(p)->sampler_kind, kinds, sizeof(kinds));
    vm_program_destroy(p);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/info");
    TCase *t = tcase_create("info");

    tcase_add_loop_test(t, inputs_and_outputs, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(t, slots_by_register);
    tcase_add_loop_test(t, flags, 0, 8);
    tcase_add_test(t, sampler_kinds);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
