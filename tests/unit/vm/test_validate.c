/* What is refused, where and why; and what is accepted although it looks odd. */
#include "shader.h"

#include <stdio.h>

static const struct vm_limits sm2 = {.vs_major = 2, .ps_major = 2};
static const struct vm_limits no_ps = {.vs_major = 3, .ps_major = 0};

#define HW &vm_limits_hardware
#define SW &vm_limits_software

struct refusal {
    const struct vm_limits *limits;
    const char *text;
    unsigned token; /* 0: not looked at */
    const char *reason;
};

/* clang-format off */
static const struct refusal refusals[] = {
    /* Models above the caps, software models on hardware. */
    {&sm2, "vs_3_0", 0, "vs_3_0 is above the highest model of the device, 2"},
    {&sm2, "ps_3_0", 0, "ps_3_0 is above the highest model of the device, 2"},
    {&no_ps, "ps_1_1", 0, "ps_1_1 is above the highest model of the device, 0"},
    {HW, "vs_2_sw", 0, "vs_2_sw needs software processing"},
    {HW, "vs_3_sw", 0, "vs_3_sw needs software processing"},
    {HW, "ps_2_sw", 0, "ps_2_sw needs software processing"},
    {HW, "ps_3_sw", 0, "ps_3_sw needs software processing"},

    /* Constant files: the model's own size, in def and in use. */
    {HW, "vs_1_1\ndef c256, 0, 0, 0, 0", 1, "vs_1_1 has no register c256"},
    {HW, "vs_1_1\nmov oPos, c256", 1, "vs_1_1 has no register c256"},
    {HW, "vs_3_0\ndef c256, 0, 0, 0, 0", 1, "vs_3_0 has no register c256"},
    {HW, "vs_2_0\nmov r0, c256[a0.x]", 1, "vs_2_0 has no register c256"},
    {HW, "vs_2_0\nm4x4 r0, r1, c253", 1, "vs_2_0 has no register c256"},
    {HW, "vs_3_0\ndefi i16, 0, 0, 0, 0", 1, "vs_3_0 has no register i16"},
    {HW, "vs_3_0\nrep i16\nendrep", 1, "vs_3_0 has no register i16"},
    {HW, "vs_3_0\ndefb b16, true", 1, "vs_3_0 has no register b16"},
    {HW, "vs_3_0\nif b16\nendif", 1, "vs_3_0 has no register b16"},

    /* Where a register may stand. */
    {HW, "vs_1_1\nmov c0, r0", 1, "c0 cannot be the destination of mov"},
    {HW, "vs_1_1\nmov v0, r0", 1, "v0 cannot be the destination of mov"},
    {HW, "vs_2_0\nmov a0, r0", 1, "a0 cannot be the destination of mov"},
    {HW, "vs_1_1\nadd a0.x, r0, r0", 1, "a0 cannot be the destination of add"},
    {HW, "vs_2_0\nmova r0, r0", 1, "r0 cannot be the destination of mova"},
    {HW, "vs_2_x\nmov p0, r0", 1, "p0 cannot be the destination of mov"},
    {HW, "vs_2_x\nsetp_gt r0, r0, r1", 1, "r0 cannot be the destination of setp"},
    {HW, "vs_1_1\nmov r0, oPos", 1, "oPos cannot be source 1 of mov"},
    {HW, "vs_1_1\nmov r0, a0", 1, "a0 cannot be source 1 of mov"},
    {HW, "vs_2_0\nmov r0, i0", 1, "i0 cannot be source 1 of mov"},
    {HW, "vs_2_0\nmov r0, b0", 1, "b0 cannot be source 1 of mov"},
    {HW, "vs_2_0\nloop i0, i0\nendloop", 1, "i0 cannot be source 1 of loop"},
    {HW, "vs_2_0\nrep c0\nendrep", 1, "c0 cannot be source 1 of rep"},
    {HW, "vs_2_0\ncall r0", 1, "r0 cannot be source 1 of call"},
    {HW, "vs_2_0\nif r0\nendif", 1, "r0 cannot be source 1 of if"},
    {HW, "ps_3_0\ndcl_2d s0\nmov oC0, s0", 4, "s0 cannot be source 1 of mov"},
    {HW, "ps_2_0\nmov r0, oC0", 1, "oC0 cannot be source 1 of mov"},
    {HW, "ps_2_0\ndcl_2d s0\ntexld r0, s0, s0", 4, "s0 cannot be source 1 of texld"},
    {HW, "ps_2_0\ntexld r0, t0, c0", 1, "c0 cannot be source 2 of texld"},
    {HW, "ps_1_1\ntex r0", 1, "r0 cannot be the destination of texld"},
    {HW, "ps_1_1\nmov v0, c0", 1, "v0 cannot be the destination of mov"},
    {HW, "ps_1_1\ntexbem t1, r0", 1, "r0 cannot be source 1 of texbem"},
    {HW, "ps_1_1\ntexkill r0", 1, "r0 cannot be the destination of texkill"},
    {HW, "ps_1_4\nmov r0, t0", 1, "t0 cannot be source 1 of mov"},
    {HW, "ps_1_4\nmov t0, c0", 1, "t0 cannot be the destination of mov"},
    {HW, "ps_1_4\ntexld r0, c0", 1, "c0 cannot be source 1 of texld"},
    {HW, "ps_1_4\ntexcrd r0, r1", 1, "r1 cannot be source 1 of texcoord"},
    {HW, "ps_2_0\nmov t0, c0", 1, "t0 cannot be the destination of mov"},

    /* Modifiers. */
    {HW, "ps_1_1\ntexbem_sat t1, t0", 1, "texbem takes no modifier"},
    {HW, "ps_1_1\ntex_x2 t1", 1, "texld takes no modifier"},
    {HW, "ps_1_4\nmov r0, r1_dw", 1, "mov has a source modifier that it cannot have"},
    {HW, "vs_2_x\nsetp_gt_sat p0, r0, r1", 1, "setp cannot saturate"},
    {HW, "vs_2_0\nif -b0\nendif", 1, "if has a source modifier that it cannot have"},
    {HW, "ps_2_0\ndcl_2d s0\ntexld r0, t0, -s0", 4, "texld has a source modifier"},

    /* Indexing. */
    {HW, "vs_1_1\nmov r0, v0[a0.x]", 1, "a register is indexed that cannot be"},
    {HW, "vs_2_0\nmov oT0[a0.x], r0", 1, "a destination is indexed that cannot be"},
    {HW, "vs_3_0\nmov r0[a0.x], r0", 1, "a destination is indexed that cannot be"},
    {HW, "ps_3_0\nmov oC0, c0[aL]", 1, "a register is indexed that cannot be"},
    {HW, "vs_2_0\nmov r0, c0[aL]", 1, "aL is used outside of a loop"},
    {HW, "vs_2_0\nrep i0\nmov r0, c0[aL]\nendrep", 3, "aL is used outside of a loop"},
    {HW, "vs_3_0\nmov o[a0.x + 12], r0", 1, "vs_3_0 has no register o12"},

    /* Declarations. */
    {HW, "vs_1_1\nmov oPos, v0", 1, "v0 is used without a declaration"},
    {HW, "vs_3_0\ndcl_position o0\nmov o1, c0", 4, "o1 is used without a declaration"},
    {HW, "ps_3_0\nmov oC0, v0", 1, "v0 is used without a declaration"},
    {HW, "ps_3_0\nmov oC0, vFace", 1, "vFace is used without a declaration"},
    {HW, "vs_3_0\ndcl_position v0\nm3x3 r0, r1, v0", 4, "v1 is used without a declaration"},
    {HW, "ps_3_0\ndcl_position v0", 1, "position0 cannot be a pixel shader input"},
    {HW, "vs_2_0\ndcl_position oT0", 1, "oT0 cannot be declared in this version"},
    {HW, "vs_3_0\ndcl_position r0", 1, "r0 cannot be declared in this version"},

    /* Nesting. */
    {HW, "vs_2_0\nelse", 1, "else without if"},
    {HW, "vs_2_0\nendif", 1, "endif without if"},
    {HW, "vs_2_0\nendloop", 1, "endloop without loop"},
    {HW, "vs_2_0\nendrep", 1, "endrep without rep"},
    {HW, "vs_2_0\nif b0\nelse\nelse\nendif", 4, "else without if"},
    {HW, "vs_2_0\nif b0", 1, "a block is not closed"},
    {HW, "vs_2_0\nif b0\nrep i0\nendif\nendrep", 5, "endif without if"},
    {HW, "vs_2_0\nloop aL, i0\nendrep", 4, "endrep without rep"},
    {HW, "vs_2_x\nbreak", 1, "break outside of a loop"},
    {HW, "vs_2_x\nif b0\nbreak\nendif", 3, "break outside of a loop"},
    {HW, "vs_2_0\nrep i0\nrep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\nendrep", 9,
     "more than 4 loops are nested"},

    /* Subroutines. */
    {HW, "vs_2_0\ncall l0", 1, "the label of a call does not exist"},
    {HW, "vs_2_0\nret\nlabel l0\ncall l0\nret", 4, "a call goes backwards"},
    {HW, "vs_2_0\nret\nlabel l0\nret\nlabel l1\ncall l0\nret", 7, "a call goes backwards"},
    {HW, "vs_2_0\nret\nlabel l0\nret\nlabel l0\nret", 5, "a label stands twice"},
    {HW, "vs_2_0\nlabel l0\nret", 1, "a label does not follow a ret"},
    {HW, "vs_2_0\nret\nlabel l0", 2, "a subroutine does not end with ret"},
    {HW, "vs_2_0\nret\nmov r0, r1", 2, "instructions follow a ret without a label"},
    {HW, "vs_2_0\nif b0\nret\nendif", 3, "ret inside of a block"},
    {HW, "vs_2_0\nret\nlabel l16\nret", 2, "vs_2_0 has no register l16"},
    {HW, "vs_2_0\ncall l0\nret\nlabel l0\ncall l1\nret\nlabel l1\ncall l2\nret\nlabel l2\ncall l3\nret\n"
         "label l3\ncall l4\nret\nlabel l4\nret", 21, "more than 4 calls are nested"},

    /* ps_1_x. */
    {HW, "ps_1_4\nphase\nphase", 2, "there is a second phase instruction"},
    {HW, "ps_1_4\ntexdepth r0", 1, "texdepth works on r5 only"},
    {HW, "ps_1_1\ntex t0\ntexm3x2tex t1, t0", 3, "texm3x2tex lacks 1 pads before it"},
    {HW, "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3tex t2, t0", 6, "texm3x3tex lacks 1 pads"},
    {HW, "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t3, t0", 6, "texm3x2tex is not in the stage"},
    {HW, "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x3pad t2, t0", 6, "texm3x3pad follows a pad"},
    {HW, "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2pad t2, t0", 6, "there are more texm3x2pad"},
};
/* clang-format on */

static void check_refused(const uint32_t *words, size_t n, const struct vm_limits *limits,
                          unsigned token, const char *reason, const char *text)
{
    struct vm_error error = {0, ""};
    struct vm_program *program;
    int64_t live = mem_live_blocks();

    ck_assert_msg(vm_program_create(&program, words, n, limits, &error) == ST_INVALID,
                  "accepted: %s", text);
    ck_assert_ptr_null(program);
    ck_assert_int_eq(mem_live_blocks(), live);
    ck_assert_msg(!strncmp(error.text, reason, strlen(reason)), "%s\n'%s' instead of '%s'", text,
                  error.text, reason);
    ck_assert_msg(!token || error.token == token, "%s\nword %zu instead of %u", text, error.token,
                  token);
}

START_TEST(refused)
{
    const struct refusal *r = &refusals[_i];
    struct shader s = shader_assemble(r->text);

    check_refused(s.words, s.n, r->limits, r->token, r->reason, r->text);
    shader_free(&s);
}
END_TEST

/* What assemblers do not let through either. */
static const struct {
    uint32_t words[12];
    unsigned n, token;
    const char *reason;
} word_refusals[] = {
    {{0xFFFF0101, 0x00000051, 0xA00F0008, 0, 0, 0, 0, 0xFFFF}, 8, 1, "ps_1_1 has no register c8"},
    {{0xFFFF0101, 0x00000002, 0x800F0000, 0x90E40000, 0xA0E40008, 0xFFFF}, 6, 1,
     "ps_1_1 has no register c8"},
    {{0xFFFF0200, 0x05000051, 0xA00F0020, 0, 0, 0, 0, 0xFFFF}, 8, 1, "ps_2_0 has no register c32"},
    {{0xFFFF0200, 0x02000001, 0x800F0000, 0xA0E40020, 0xFFFF}, 5, 1, "ps_2_0 has no register c32"},
    {{0xFFFF0300, 0x05000051, 0xA00F00E0, 0, 0, 0, 0, 0xFFFF}, 8, 1, "ps_3_0 has no register c224"},
    {{0xFFFF0300, 0x02000001, 0x800F0000, 0xA0E400E0, 0xFFFF}, 5, 1, "ps_3_0 has no register c224"},
    {{0xFFFF0300, 0x0200001F, 0x80000005, 0x900F000A, 0xFFFF}, 5, 1, "ps_3_0 has no register v10"},
    {{0xFFFF0300, 0x02000001, 0x800F0800, 0x90E4000A, 0xFFFF}, 5, 1, "ps_3_0 has no register v10"},
    /* ps_2_0 has no flow control, nor anything that feeds it. */
    {{0xFFFF0200, 0x01000028, 0xE0E40800, 0x0000002B, 0xFFFF}, 5, 1, "ps_2_0 has no if"},
    {{0xFFFF0200, 0x01000026, 0xF0E40000, 0x00000027, 0xFFFF}, 5, 1, "ps_2_0 has no rep"},
    {{0xFFFF0200, 0x0200002F, 0xE00F0800, 1, 0xFFFF}, 5, 1, "ps_2_0 has no defb"},
    {{0xFFFF0200, 0x05000030, 0xF00F0000, 0, 0, 0, 0, 0xFFFF}, 8, 1, "ps_2_0 has no defi"},
    /* texm3x3diff was never shipped. */
    {{0xFFFF0101, 0x0000004B, 0xB00F0001, 0xB0E40000, 0xFFFF}, 5, 1, "ps_1_1 has no texm3x3diff"},
    {{0xFFFE0200, 0x02000001, 0x80000000, 0x80E40000, 0xFFFF}, 5, 1, "the write mask of r0 is empty"},
    {{0xFFFF0101, 0x00000001, 0x840F0000, 0x80E40000, 0xFFFF}, 5, 1, "mov has a shift"},
    {{0xFFFF0200, 0x02000001, 0x810F0000, 0x80E40000, 0xFFFF}, 5, 1, "mov has a shift"},
    {{0xFFFE0200, 0x02000001, 0x800F0000, 0x8BE40000, 0xFFFF}, 5, 1, "mov has a source modifier"},
    {{0xFFFE0200, 0x02000001, 0x800F0000, 0x84E40000, 0xFFFF}, 5, 1, "mov has a source modifier"},
    {{0xFFFE0200, 0x0200001F, 0x8000000E, 0x900F0000, 0xFFFF}, 5, 1, "v0 is declared with usage 14"},
    {{0xFFFE0200, 0x0200001F, 0x80000000, 0x90000000, 0xFFFF}, 5, 1, "the declaration of v0 has an"},
    {{0xFFFE0200, 0x0200001F, 0x80000000, 0x901F0000, 0xFFFF}, 5, 1, "the declaration of v0 has a m"},
    {{0xFFFF0200, 0x0200001F, 0xA8000000, 0xA00F0800, 0xFFFF}, 5, 1, "the declaration of s0 has tex"},
};

START_TEST(words_refused)
{
    check_refused(word_refusals[_i].words, word_refusals[_i].n, &vm_limits_hardware,
                  word_refusals[_i].token, word_refusals[_i].reason, word_refusals[_i].reason);
}
END_TEST

/* The other stage's code is told by the stage; containers of later models by their first word. */
START_TEST(stages)
{
    struct vm_program *program = shader_program("ps_1_1\nmov r0, v0", HW);

    ck_assert_int_eq(vm_program_info(program)->stage, VM_PIXEL);
    vm_program_destroy(program);
    program = shader_program("vs_1_1\ndcl_position v0\nmov oPos, v0", HW);
    ck_assert_int_eq(vm_program_info(program)->stage, VM_VERTEX);
    vm_program_destroy(program);
}
END_TEST

static const struct {
    const struct vm_limits *limits;
    const char *text;
} acceptances[] = {
    {HW, "vs_1_1\ndef c255, 0, 0, 0, 0\nmov oPos, c255"},
    {SW, "vs_1_1\ndef c256, 0, 0, 0, 0\nmov oPos, c256"},
    {SW, "vs_2_0\nmov oPos, c8191"},
    {SW, "vs_3_sw\ndcl_position o15\nmov o15, c8191\nrep i2047\nendrep"},
    {HW, "ps_3_0\ndcl_position1 v0\nmov oC0, v0"},
    {HW, "vs_3_0\ndcl_position1 o1\ndcl_position o0\nmov o0, c0\nmov o1, c0"},
    /* What shipped shaders do against the documentation. */
    {HW, "ps_3_0\nmov r0, c0_abs\nadd oC0, r0, c1"},
    {HW, "ps_3_0\ndcl vPos\nmov oC0, vPos"},
    {HW, "ps_3_0\ndcl_2d s0\ndcl_texcoord v0\ntexld oC0, v0, s0"},
    {HW, "vs_1_1\nm3x3 r0, r1, c0\nmov oPos, r0"},
    {HW, "ps_3_0\ndcl vFace\ncmp r0, vFace, c0, c1\nmov oC0, r0"},
    {HW, "vs_1_1\nnop\nmov oPos, c0\nmov oT3, c0"},
    {HW, "ps_1_1\ntex t0\nnop\nmov r0, t0"},
    {HW, "ps_2_0\nmov r0, v0\nmov oC0, r0"}, /* v0 without dcl */
    {HW, "ps_1_1\nmov r1, c0\n+mov r0, v0"}, /* co-issue bits set by hand */
    {HW, "vs_3_0\ndcl_position o0\ndcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\nmov o0, c0\nmov o1, c0"},
    {HW, "vs_2_0\ncall l0\nmov oPos, r0\nret\nlabel l0\nmov r0, c0\nret"},
    {HW, "vs_2_0\nloop aL, i0\ncall l0\nendloop\nret\nlabel l0\nmov oPos, c0[aL]\nret"},
    {HW, "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0"},
    {HW, "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0\nmov r0, t3"},
    {HW, "ps_2_x\n(p0) texkill r0\n(!p0.x) mov r0, r1\nmov oC0, r0"},
};

START_TEST(accepted)
{
    vm_program_destroy(shader_program(acceptances[_i].text, acceptances[_i].limits));
}
END_TEST

/* Instruction slots: the last that fits, the first that does not. */
START_TEST(slots)
{
    static const struct {
        const char *version, *instruction;
        unsigned fit;
    } rows[] = {
        {"vs_1_1", "mov r0, c0", 128}, {"vs_1_1", "exp r0, c0.x", 12}, {"vs_1_1", "m4x4 r0, r1, c0", 32},
        {"vs_2_0", "mov r0, c0", 256}, {"vs_2_x", "mov r0, c0", 256},  {"vs_3_0", "mov r0, c0", 32768},
        {"ps_1_1", "mov r0, c0", 12},  {"ps_1_4", "mov r0, c0", 28},   {"ps_1_2", "cmp r0, r1, c0, c1", 6},
        {"ps_2_0", "mov r0, c0", 96},  {"ps_2_x", "mov r0, c0", 512},  {"ps_3_0", "mov r0, c0", 32768},
        {"ps_2_x", "(p0) mov r0, c0", 256},
    };
    const char *version = rows[_i].version, *instruction = rows[_i].instruction;
    size_t size = 16 + (strlen(instruction) + 1) * (rows[_i].fit + 1), at;
    char *text = mem_alloc(size);
    struct shader s;

    at = (size_t)sprintf(text, "%s\n", version);
    for (unsigned i = 0; i < rows[_i].fit; i++)
        at += (size_t)sprintf(text + at, "%s\n", instruction);
    vm_program_destroy(shader_program(text, HW));
    sprintf(text + at, "%s\n", instruction);
    s = shader_assemble(text);
    check_refused(s.words, s.n, HW, 0, "there are more than the ", version);
    shader_free(&s);
    mem_free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/validate");
    TCase *t = tcase_create("validate");

    tcase_add_loop_test(t, refused, 0, sizeof(refusals) / sizeof(refusals[0]));
    tcase_add_loop_test(t, words_refused, 0, sizeof(word_refusals) / sizeof(word_refusals[0]));
    tcase_add_loop_test(t, accepted, 0, sizeof(acceptances) / sizeof(acceptances[0]));
    tcase_add_loop_test(t, slots, 0, 13);
    tcase_add_test(t, stages);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
