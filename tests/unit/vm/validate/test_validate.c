/* Validator: refusals with word and reason, and unusual programs that are accepted. */
#include "refusal.h"

#include "vm/program/program.h"

static const struct vm_limits sm2 = {2, 2, .enforced = VM_RULES_DOCUMENTED};
static const struct vm_limits no_ps = {3, 0, .enforced = VM_RULES_DOCUMENTED};

#define HW &vm_limits_hardware
#define SW &vm_limits_software

struct refusal {
    const struct vm_limits *limits;
    const char *text;
    unsigned token; /* 0: not checked */
    const char *reason;
};

/* clang-format off */
static const struct refusal refusals[] = {
    /* Models above the device's, software models on hardware. */
    {&sm2, "vs_3_0", 0, "the highest model of the device is 2"},
    {&sm2, "ps_3_0", 0, "the highest model of the device is 2"},
    {&no_ps, "ps_1_1", 0, "the highest model of the device is 0"},
    {HW, "vs_2_sw", 0, "software models need software vertex"},
    {HW, "vs_3_sw", 0, "software models need software vertex"},
    {HW, "ps_2_sw", 0, "software models need software vertex"},
    {HW, "ps_3_sw", 0, "software models need software vertex"},

    /* Constant files: the size of the model, in def and in operands. */
    {HW, "vs_1_1\ndef c256, 0, 0, 0, 0", 1, "c256 is beyond the "},
    {HW, "vs_1_1\nmov oPos, c256", 1, "c256 is beyond the "},
    {HW, "vs_3_0\ndef c256, 0, 0, 0, 0", 1, "c256 is beyond the "},
    {HW, "vs_2_0\nmov r0, c256[a0.x]", 1, "c256 is beyond the "},
    {HW, "vs_2_0\nm4x4 r0, r1, c253", 1, "c256 is beyond the "},
    {HW, "vs_3_0\ndefi i16, 0, 0, 0, 0", 1, "i16 is beyond the "},
    {HW, "vs_3_0\nrep i16\nendrep", 1, "i16 is beyond the "},
    {HW, "vs_3_0\ndefb b16, true", 1, "b16 is beyond the "},
    {HW, "vs_3_0\nif b16\nendif", 1, "b16 is beyond the "},

    /* Registers of sources and destinations. */
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
    {HW, "ps_1_1\ntex r0", 1, "r0 cannot be the destination of tex"},
    {HW, "ps_1_1\nmov v0, c0", 1, "v0 cannot be the destination of mov"},
    {HW, "ps_1_1\ntexbem t1, r0", 1, "r0 cannot be source 1 of texbem"},
    {HW, "ps_1_1\ntexkill r0", 1, "r0 cannot be the destination of texkill"},
    {HW, "ps_1_4\nmov r0, t0", 1, "t0 cannot be source 1 of mov"},
    {HW, "ps_1_4\nmov t0, c0", 1, "t0 cannot be the destination of mov"},
    {HW, "ps_1_4\ntexld r0, c0", 1, "c0 cannot be source 1 of texld"},
    {HW, "ps_1_4\ntexcrd r0, r1", 1, "r1 cannot be source 1 of texcrd"},
    {HW, "ps_2_0\nmov t0, c0", 1, "t0 cannot be the destination of mov"},

    /* Modifiers. */
    {HW, "ps_1_1\ntexbem_sat t1, t0", 1, "texbem takes no modifier"},
    {HW, "ps_1_1\ntex_x2 t1", 1, "tex takes no modifier"},
    {HW, "ps_1_4\nmov r0, r1_dw", 1, "source 1 of mov has a modifier"},
    {HW, "vs_2_x\nsetp_gt_sat p0, r0, r1", 1, "setp cannot saturate"},
    {HW, "vs_2_0\nif -b0\nendif", 1, "source 1 of if has a modifier"},
    {HW, "ps_2_0\ndcl_2d s0\ntexld r0, t0, -s0", 4, "source 2 of texld has a modifier"},

    /* Relative addressing. */
    {HW, "vs_1_1\nmov r0, v0[a0.x]", 1, "this register cannot be indexed"},
    {HW, "vs_2_0\nmov oT0[a0.x], r0", 1, "this destination cannot be indexed"},
    {HW, "vs_3_0\nmov r0[a0.x], r0", 1, "this destination cannot be indexed"},
    {HW, "ps_3_0\nmov oC0, c0[aL]", 1, "this register cannot be indexed"},
    {HW, "vs_2_0\nmov r0, c0[aL]", 1, "aL is used outside of a loop"},
    {HW, "vs_2_0\nrep i0\nmov r0, c0[aL]\nendrep", 3, "aL is used outside of a loop"},
    {HW, "vs_3_0\nmov o[a0.x + 12], r0", 1, "o12 is beyond the "},

    /* Declarations. */
    {HW, "vs_1_1\nmov oPos, v0", 1, "v0 is used without a declaration"},
    {HW, "vs_3_0\ndcl_position o0\nmov o1, c0", 4, "o1 is used without a declaration"},
    {HW, "ps_3_0\nmov oC0, v0", 1, "v0 is used without a declaration"},
    {HW, "ps_3_0\nmov oC0, vFace", 1, "vFace is used without a declaration"},
    {HW, "vs_3_0\ndcl_position v0\nm3x3 r0, r1, v0", 4, "v1 is used without a declaration"},
    {HW, "ps_3_0\ndcl_position v0", 1, "position0 cannot be a pixel shader input"},
    {HW, "vs_2_0\ndcl_position oT0", 1, "oT0 cannot be declared"},
    {HW, "vs_3_0\ndcl_position r0", 1, "r0 cannot be declared"},

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
    {HW, "vs_2_0\nrep i0\nrep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\nendrep", 3,
     "loops cannot be nested"},

    /* Subroutines. */
    {HW, "vs_2_0\ncall l0", 1, "the label of a call does not exist"},
    {HW, "vs_2_0\nret\nlabel l0\ncall l0\nret", 4, "a call goes backwards"},
    {HW, "vs_2_0\nret\nlabel l0\nret\nlabel l1\ncall l0\nret", 7, "a call goes backwards"},
    {HW, "vs_2_0\nret\nlabel l0\nret\nlabel l0\nret", 5, "a label is defined twice"},
    {HW, "vs_2_0\nlabel l0\nret", 1, "a label does not follow a ret"},
    {HW, "vs_2_0\nret\nlabel l0", 2, "a subroutine does not end with ret"},
    {HW, "vs_2_0\nret\nmov r0, c1", 2, "instructions follow a ret without a label"},
    {HW, "vs_2_0\nif b0\nret\nendif", 3, "ret inside of a block"},
    {HW, "vs_2_0\nret\nlabel l16\nret", 2, "l16 is beyond the "},
    {HW, "vs_2_x\ncall l0\nret\nlabel l0\ncall l1\nret\nlabel l1\ncall l2\nret\nlabel l2\ncall l3\nret\n"
         "label l3\ncall l4\nret\nlabel l4\nret", 21, "more than 4 calls are nested"},

    /* ps_1_x. */
    {HW, "ps_1_4\nphase\nphase", 2, "there is a second phase instruction"},
    {HW, "ps_1_4\ntexcrd r0.rgb, t0\nphase\ntexdepth r0", 5, "texdepth works on r5 only"},
    {HW, "ps_1_1\ntex t0\ntexm3x2tex t1, t0", 3, "texm3x2tex lacks 1 pad before it"},
    {HW, "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3tex t2, t0", 6, "texm3x3tex lacks 1 pad before it"},
    {HW, "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t3, t0", 6, "texm3x2tex is not in the stage"},
    {HW, "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x3pad t2, t0", 6, "texm3x3pad follows a pad"},
    {HW, "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2pad t2, t0", 6, "there are more texm3x2pad"},
};
/* clang-format on */

START_TEST(refused)
{
    const struct refusal *r = &refusals[_i];
    struct shader s = shader_assemble(r->text);

    check_refused(s.words, s.n, r->limits, r->token, r->reason, r->text);
    shader_free(&s);
}
END_TEST

/* Words that assemblers refuse too. */
/* clang-format off */
static const struct {
    uint32_t words[12];
    unsigned n, token;
    const char *reason;
} word_refusals[] = {
    {{0xFFFF0101, 0x00000051, 0xA00F0008, 0, 0, 0, 0, 0xFFFF}, 8, 1, "c8 is beyond the "},
    {{0xFFFF0101, 0x00000002, 0x800F0000, 0x90E40000, 0xA0E40008, 0xFFFF}, 6, 1,
     "c8 is beyond the "},
    {{0xFFFF0200, 0x05000051, 0xA00F0020, 0, 0, 0, 0, 0xFFFF}, 8, 1, "c32 is beyond the "},
    {{0xFFFF0200, 0x02000001, 0x800F0000, 0xA0E40020, 0xFFFF}, 5, 1, "c32 is beyond the "},
    {{0xFFFF0300, 0x05000051, 0xA00F00E0, 0, 0, 0, 0, 0xFFFF}, 8, 1, "c224 is beyond the "},
    {{0xFFFF0300, 0x02000001, 0x800F0000, 0xA0E400E0, 0xFFFF}, 5, 1, "c224 is beyond the "},
    {{0xFFFF0300, 0x0200001F, 0x80000005, 0x900F000A, 0xFFFF}, 5, 1, "v10 is beyond the "},
    {{0xFFFF0300, 0x02000001, 0x800F0800, 0x90E4000A, 0xFFFF}, 5, 1, "v10 is beyond the "},
    /* ps_2_0 has no flow control and none of its registers. */
    {{0xFFFF0200, 0x01000028, 0xE0E40800, 0x0000002B, 0xFFFF}, 5, 1, "there is no if"},
    {{0xFFFF0200, 0x01000026, 0xF0E40000, 0x00000027, 0xFFFF}, 5, 1, "there is no rep"},
    {{0xFFFF0200, 0x0200002F, 0xE00F0800, 1, 0xFFFF}, 5, 1, "there is no defb"},
    {{0xFFFF0200, 0x05000030, 0xF00F0000, 0, 0, 0, 0, 0xFFFF}, 8, 1, "there is no defi"},
    {{0xFFFF0101, 0x00000042, 0xB00F0004, 0xFFFF}, 4, 1, "t4 is beyond the 4 texture registers"},
    {{0xFFFF0200, 0x02000001, 0x800F0804, 0xA0E40000, 0xFFFF}, 5, 1, "oC4 is beyond the 4 colour"},
    {{0xFFFE0101, 0x00000001, 0xE00F0008, 0xA0E40000, 0xFFFF}, 5, 1, "oT8 is beyond the 8 coordin"},
    {{0xFFFE0200, 0x02000001, 0xD00F0002, 0xA0E40000, 0xFFFF}, 5, 1, "oD2 is beyond the 2 colour"},
    /* No version has texm3x3diff. */
    {{0xFFFF0101, 0x0000004B, 0xB00F0001, 0xB0E40000, 0xFFFF}, 5, 1, "there is no texm3x3diff"},
    {{0xFFFE0200, 0x02000001, 0x80000000, 0x80E40000, 0xFFFF}, 5, 1, "the write mask of r0 is empty"},
    {{0xFFFF0101, 0x00000001, 0x840F0000, 0x80E40000, 0xFFFF}, 5, 1, "mov has a shift"},
    {{0xFFFF0200, 0x02000001, 0x810F0000, 0x80E40000, 0xFFFF}, 5, 1, "mov has a shift"},
    {{0xFFFE0200, 0x02000001, 0x800F0000, 0x8BE40000, 0xFFFF}, 5, 1, "source 1 of mov has a modifier"},
    {{0xFFFE0200, 0x02000001, 0x800F0000, 0x84E40000, 0xFFFF}, 5, 1, "source 1 of mov has a modifier"},
    {{0xFFFE0200, 0x0200001F, 0x8000000E, 0x900F0000, 0xFFFF}, 5, 1, "v0 is declared with usage 14"},
    {{0xFFFE0200, 0x0200001F, 0x80000000, 0x90000000, 0xFFFF}, 5, 1, "the declaration of v0 has an"},
    {{0xFFFE0200, 0x0200001F, 0x80000000, 0x901F0000, 0xFFFF}, 5, 1, "the declaration of v0 has a m"},
    {{0xFFFF0200, 0x0200001F, 0xA8000000, 0xA00F0800, 0xFFFF}, 5, 1, "the declaration of s0 has tex"},
};
/* clang-format on */

START_TEST(words_refused)
{
    check_refused(word_refusals[_i].words, word_refusals[_i].n, &vm_limits_hardware,
                  word_refusals[_i].token, word_refusals[_i].reason, word_refusals[_i].reason);
}
END_TEST

/* clang-format off */
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
    /* Violations of the documentation in shipped shaders. */
    {HW, "ps_3_0\nmov r0, c0_abs\nadd oC0, r0, c1"},
    {HW, "ps_3_0\ndcl vPos\nmov oC0, vPos"},
    {HW, "ps_3_0\ndcl_2d s0\ndcl_texcoord v0\ntexld oC0, v0, s0"},
    {HW, "vs_1_1\ndcl_position v0\nm3x3 r0, v0, c0\nmov oPos, r0"},
    {HW, "ps_3_0\ndcl vFace\ncmp r0, vFace, c0, c0.x\nmov oC0, r0"},
    {HW, "vs_1_1\nmov a0.x, c0.x\nmov r0, c0\nm4x4 oPos, r0, c253[a0.x]"},
    {HW, "vs_1_1\nnop\nmov oPos, c0\nmov oT3, c0"},
    {HW, "ps_1_1\ntex t0\nnop\nmov r0, t0"},
    {HW, "ps_2_0\nmov r0, v0\nmov oC0, r0"}, /* v0 without dcl */
    {HW, "ps_2_0\nmov r0.xy, c0.xyxx\nmov r0.zw, c0.wwyx\ndp3 r0.x, r0.xyzz, r0.wzyy\nmov oC0, r0"},
    {HW, "vs_3_0\ndcl_position o0\ndcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\nmov o0, c0\nmov o1, c0"},
    {HW, "vs_2_0\ncall l0\nmov oPos, r0\nret\nlabel l0\nmov r0, c0\nret"},
    {HW, "vs_2_0\nloop aL, i0\ncall l0\nendloop\nret\nlabel l0\nmov oPos, c0[aL]\nret"},
    {HW, "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0"},
    {HW, "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0\nmov r0, t3"},
    {HW, "ps_2_x\nmov r0, c0\nsetp_gt p0, r0, c0\n(p0) texkill r0\n(!p0.x) mov r0, c1\nmov oC0, r0"},
};
/* clang-format on */

START_TEST(accepted)
{
    vm_program_destroy(shader_program(acceptances[_i].text, acceptances[_i].limits));
}
END_TEST

/* Forms with an obvious meaning, which lenient limits accept. */
/* clang-format off */
static const struct {
    const char *text, *reason;
    unsigned token;
} form_refusals[] = {
    /* Declarations. */
    {"vs_1_1\nmov oPos, c0\ndcl_position v0", "the declaration of v0 follows", 4},
    {"vs_1_1\nmov oPos, c0\ndef c0, 0, 0, 0, 0", "def follows an instruction", 4},
    {"ps_2_0\ndcl_texcoord t0\nmov oC0, t0", "the declaration of t0 has a usage", 1},
    {"ps_3_0\ndcl_color v0.xy\ndcl_fog v0.yz", "components of v0 are declared twice", 4},
    {"ps_2_0\ndcl t0\ntexld r0, t0, s0", "s0 is used without a declaration", 4},
    {"ps_2_0\ndcl_1d s0", "the declaration of s0 lacks its texture type", 1},
    /* Swizzles, masks, modifiers. */
    {"ps_1_1\nmov r0, c0.b", "source 1 of mov has a swizzle", 1},
    {"ps_1_4\nmov r0, c0.rrgg", "source 1 of mov has a swizzle", 1},
    {"ps_2_0\ndcl v0\nmov r0, v0.xxyy", "source 1 of mov has a swizzle", 4},
    {"ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0.yxzw, s0", "source 1 of texld has a swizzle", 7},
    {"ps_2_0\nmov r0.xyz, c0.xyxx", "source 1 of mov has a swizzle", 1},
    {"ps_2_0\ndp3 r0, c0.xyxx, c0", "source 1 of dp3 has a swizzle", 1},
    {"vs_2_0\nrcp r0, c0", "source 1 of rcp needs a single component", 1},
    {"ps_1_4\nmov r0, -c0", "a constant has a modifier", 1},
    {"ps_1_1\nmov r0.rg, c0", "mov has a write mask", 1},
    {"ps_1_3\nmov_x8 r0, c0", "mov has a shift", 1},
    {"vs_2_0\nmov_sat r0, c0", "mov cannot saturate", 1},
    {"ps_2_0\nfrc_sat r0, c0", "frc cannot saturate", 1},
    {"vs_1_1\nfrc r0, c0", "frc has a write mask", 1},
    {"vs_2_0\ndcl_position v0\nm3x3 r0.xy, v0, c0", "m3x3 has a write mask", 4},
    {"vs_2_0\ndcl_position v0\ncrs r0, v0, c0", "crs has a write mask", 4},
    {"ps_1_1\ncnd r0, c0.a, c0, v0", "the condition of cnd must be r0.a", 1},
    /* Read ports. */
    {"vs_2_0\nadd r0, c0, c1", "add reads 2 different c registers, of which it can read 1", 1},
    {"vs_2_0\nmova a0, c0\nadd r0, c0[a0.x], c0[a0.y]", "add reads 2 different c registers", 4},
    {"ps_1_1\nmad r0, c0, c1, c2", "mad reads 3 different c registers", 1},
    /* Destinations that overwrite sources. */
    {"vs_2_0\nmov r0, c0\nnrm r0, r0", "nrm overwrites its source 1", 4},
    {"vs_2_0\nmov r2, c0\nmov r0, c0\nmov r1, c0\nmov r3, c0\nm4x4 r2, c0, r0",
     "m4x4 overwrites its source 2", 13},
    {"vs_2_0\npow oPos, c0.x, c0.y", "pow writes to r# only", 1},
    /* Reads of unwritten registers. */
    {"vs_1_1\nmov oPos, r0", "r0 is read before it is written", 1},
    {"vs_1_1\nmov r0.xyz, c0\nmov oPos, r0", "r0 is read before it is written", 4},
    {"vs_1_1\nmov oPos, c0[a0.x]", "a0 is read before it is written", 1},
    {"vs_2_x\n(p0) mov oPos, c0", "p0 is read before it is written", 1},
    {"ps_1_1\nmov r0, t0", "t0 is read before it is written", 1},
    {"ps_2_0\ntexkill r0", "r0 is read before it is written", 1},
    /* ps_1_x. */
    {"ps_1_1\n+mov r0, c0", "there is no instruction to pair mov with", 1},
    {"ps_1_1\nmov r0, c0\n+mov r0.a, c1", "a co-issued pair must write .rgb and .a", 4},
    {"ps_1_1\ntex t0\n+mov r0.a, c1", "tex and mov cannot be paired", 3},
    {"ps_1_1\nmov r0, c0\ntex t0", "tex follows an arithmetic", 4},
    {"ps_1_4\nmov r0, v0\nphase", "v# is read before phase", 4},
    {"ps_1_4\ntexcrd r0.rgb, t0\ntexld r1, r0\nphase", "r# is used as a coordinate before phase", 7},
    {"ps_1_4\nmov r0, c0\nphase\nmov r1, r0", "r0 is read before it is written", 5},
    {"ps_1_1\ntex t0\ntex t1\ntex t2\ntex t3\ntexkill t0\nmov r0, t0",
     "there are more than 4 texture", 9},
    {"ps_1_1\ntex t0\ntex t1\ntexm3x2pad t2, t0\ntexm3x2tex t3, t1\nmov r0, t3",
     "texm3x2tex and the preceding pad read different", 8},
    {"ps_1_1\nmov r0.rgb, c0", "r0 is not written completely", 0},
    /* ps_2_0 */
    {"ps_2_0\nadd oC0, c0, c0", "outputs are written by a plain mov", 1},
    {"ps_2_0\nmov oC0, c0\nmov oC0, c0", "oC0 is written twice", 4},
    {"ps_2_0\nmov oC1, c0", "oC0 is not written", 4},
    {"ps_2_0\nmov oC0, c0\nmov oC2, c0", "colour outputs have a gap", 7},
    {"ps_2_0\nmov oDepth, c0", "the source of oDepth needs a single", 1},
    {"ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\n"
     "texld r0, r0, s0\nmov oC0, r0",
     "more than 4 texture reads depend", 23},
    /* Flow and outputs of vertex shaders. */
    {"vs_1_1\nmov oPos.xyz, c0", "oPos is not written completely", 0},
};
/* clang-format on */

START_TEST(form_refused)
{
    static const struct vm_limits lenient = {3, 3, .enforced = VM_RULES_LIMIT};
    const char *text = form_refusals[_i].text;
    struct shader s = shader_assemble(text);

    vm_program_destroy(shader_program(text, &lenient));
    check_refused(s.words, s.n, HW, form_refusals[_i].token, form_refusals[_i].reason, text);
    shader_free(&s);
}
END_TEST

/* Violations of the documentation that shipped shaders contain: strict limits refuse them. */
START_TEST(strictly_refused)
{
    static const struct vm_limits strict = {3, 3, .enforced = VM_RULES_SHIPPED};
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {"ps_3_0\ndcl vPos\nmov oC0, vPos", "vPos has x and y only"},
        {"vs_1_1\ndcl_position v0\nm3x3 r0, v0, c0\nmov oPos, r0", "m3x3 has a write mask"},
    };
    struct shader s = shader_assemble(rows[_i].text);

    vm_program_destroy(shader_program(rows[_i].text, HW));
    check_refused(s.words, s.n, &strict, 0, rows[_i].reason, rows[_i].text);
    shader_free(&s);
}
END_TEST

/* Code as contemporary compilers and manuals write it. */
START_TEST(strictly_accepted)
{
    static const struct vm_limits strict = {3, 3, .enforced = VM_RULES_SHIPPED};
    static const char *const texts[] = {
        "vs_1_1\ndcl_position v0\ndef c0, 1, 2, 3, 4\nm4x4 oPos, v0, c4\nmov a0.x, v0.x\n"
        "mad r0.xyz, v0, c8[a0.x], -v0.wzyx\nmax oD0.xyz, r0, c0\nmov oFog, c0.x\nexpp r0.y, c0.x",
        "ps_1_1\ndef c0, 0.5, 0, 0, 1\ntex t0\ntexm3x3pad t1, t0_bx2\ntexm3x3pad t2, t0_bx2\n"
        "texm3x3vspec t3, t0_bx2\nmul_x2_sat r0.rgb, t3, 1-v0\n+mov_d2 r0.a, -t0_bx2.a\n"
        "cnd r0, r0.a, c0, v1",
        "ps_1_4\ntexld r0, t0_dw.xyw\ntexcrd r1.rgb, t1\nbem r1.rg, r1, r0\nphase\ntexld r2, r1\n"
        "mad_sat r0, r2, v0, r2",
        "ps_2_0\ndcl t0.xyz\ndcl v1\ndcl_cube s2\ndcl_2d s0\ntexld r0, t0, s0\ntexldb r1, t0, s2\n"
        "dp2add_sat r0.x, r0, r1, c3.y\nnrm r2, r0\npow r3, r2.x, r1.y\nmov oC0, r3\nmov oC1, r2\n"
        "mov oDepth, r0.x",
        /* A register read twice uses one port. */
        "ps_1_1\nmov r0, v0\nmov r1, v1\ncnd r0, r0.a, r0, r1\nmad r0, c0, c0, c1",
        "vs_2_0\nsincos r0.x, c0.x, c1, c2\nmov r0.yzw, c3\nmov oPos, r0",
        "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_color o1.xyz\ndcl_fog o1.w\nmul_sat r0, "
        "-v0_abs, c0\n"
        "mov o0, r0\nmov o1, r0",
    };

    vm_program_destroy(shader_program(texts[_i], &strict));
}
END_TEST

/* The last definition of a register counts. */
START_TEST(definitions)
{
    struct vm_program *p = shader_program("vs_2_0\ndef c1, 1, 1, 1, 1\ndef c0, 2, 2, 2, 2\n"
                                          "defi i0, 1, 2, 3, 4\ndef c1, 3, 3, 3, 3\nmov oPos, c1",
                                          &vm_limits_lenient);

    ck_assert_uint_eq(p->n_def, 3);
    for (unsigned i = 0; i < 3; i++) {
        if (p->def[i].file == VM_FILE_CONST)
            ck_assert_float_eq(p->def[i].value.f[0], p->def[i].index ? 3 : 2);
    }
    vm_program_destroy(p);
}
END_TEST

START_TEST(out_of_memory)
{
    struct shader s = shader_assemble("vs_2_0\ndcl_position v0\ndef c0, 1, 2, 3, 4\nif b0\n"
                                      "mov oPos, v0\nelse\nmov oPos, c0\nendif");
    int64_t live = mem_live_blocks();
    enum status st = ST_NOMEM;
    int64_t k;

    for (k = 0; st != ST_OK; k++) {
        struct vm_program *program;

        mem_fail_after(k);
        st = vm_program_create(&program, s.words, s.n, &vm_limits_lenient, NULL);
        mem_fail_after(-1);
        if (st == ST_OK)
            vm_program_destroy(program);
        else
            ck_assert_int_eq(st, ST_NOMEM);
        ck_assert_int_eq(mem_live_blocks(), live);
    }
    ck_assert_int_gt(k, 5);
    shader_free(&s);
}
END_TEST

static char told[4096];

static void tell(void *ctx, const struct vm_error *error)
{
    size_t used = strlen(told);

    (void)ctx;
    snprintf(told + used, sizeof(told) - used, "%zu: %s\n", error->token, error->text);
}

/* Each mistake is one error: what follows from it is not told. */
START_TEST(all_errors_are_told)
{
    static const struct {
        const char *text, *errors;
    } cases[] = {
        /* r7 and s0 count as good after the first place; the refused mov still writes r0. */
        {"ps_2_0\ndcl t0\nmov r0, r7\ntexld r1, t0, s0\ntexld r2, t0, s0\nadd r0, r0, r7\n"
         "mov oC0, r0\nmov oC0, r0\n",
         "4: ps_2_0: r7 is read before it is written, in 'mov r0, r7'\n"
         "7: ps_2_0: s0 is used without a declaration, in 'texld r1, t0, s0'\n"
         "22: ps_2_0: oC0 is written twice, in 'mov oC0, r0'\n"},
        /* Registers that do not exist. */
        {"vs_1_1\nmov oPos, c99\nmov r0, c300\nmov r1, c301\nmov a0.x, r0\n",
         "4: vs_1_1: c300 is beyond the 256 constants, in 'mov r0, c300'\n"
         "7: vs_1_1: c301 is beyond the 256 constants, in 'mov r1, c301'\n"},
        /* The whole program is judged if its instructions are good. */
        {"ps_3_0\nif b0\nmov oC0, c0\n", "1: ps_3_0: a block is not closed, in 'if b0'\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct vm_limits limits = vm_limits_hardware;
        struct shader s = shader_assemble(cases[i].text);
        struct vm_error first = {0, ""};
        struct vm_program *program;

        limits.refuse = tell;
        told[0] = 0;
        ck_assert_int_eq(vm_program_create(&program, s.words, s.n, &limits, &first), ST_INVALID);
        ck_assert_ptr_null(program);
        ck_assert_str_eq(told, cases[i].errors);
        ck_assert(strstr(strchr(told, ' '), first.text) == strchr(told, ' ') + 1);
        shader_free(&s);
    }
}
END_TEST

/* 70 instructions too many are one error. */
START_TEST(too_many_slots_are_told_once)
{
    struct vm_limits limits = vm_limits_hardware;
    struct vm_program *program;
    struct shader s;
    char text[4096] = "ps_2_0\n";

    for (int i = 0; i < 70; i++)
        strcat(text, "mov r0, c0\n");
    s = shader_assemble(strcat(text, "mov oC0, r0\n"));
    limits.refuse = tell;
    told[0] = 0;
    ck_assert_int_eq(vm_program_create(&program, s.words, s.n, &limits, NULL), ST_INVALID);
    ck_assert_str_eq(
        told, "193: ps_2_0: there are more than 64 arithmetic instructions, in 'mov r0, c0'\n");
    shader_free(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/validate");
    TCase *t = tcase_create("validate");

    tcase_add_loop_test(t, refused, 0, sizeof(refusals) / sizeof(refusals[0]));
    tcase_add_loop_test(t, words_refused, 0, sizeof(word_refusals) / sizeof(word_refusals[0]));
    tcase_add_loop_test(t, accepted, 0, sizeof(acceptances) / sizeof(acceptances[0]));
    tcase_add_loop_test(t, form_refused, 0, sizeof(form_refusals) / sizeof(form_refusals[0]));
    tcase_add_loop_test(t, strictly_refused, 0, 2);
    tcase_add_loop_test(t, strictly_accepted, 0, 7);
    tcase_add_test(t, definitions);
    tcase_add_test(t, out_of_memory);
    tcase_add_test(t, all_errors_are_told);
    tcase_add_test(t, too_many_slots_are_told_once);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
