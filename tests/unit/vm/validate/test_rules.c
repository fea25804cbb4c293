/* Validator, one row per rule: a shader that breaks the rule, the word and reason, and the
 * corrected shader. Where only the documentation demands the rule, the shader runs nevertheless. */
#include "fuzz/vm/case.h"
#include "shader.h"

#include <stdio.h>

struct rule {
    const char *bad;
    unsigned token; /* 0: not checked */
    const char *reason, *good;
};

#define VS1 "vs_1_1\ndcl_position v0\nmov oPos, v0\n"
#define VS2 "vs_2_0\ndcl_position v0\nmov oPos, v0\n"
#define VS2X "vs_2_x\ndcl_position v0\nmov oPos, v0\n"
#define VS3 "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n"
#define PS2 "ps_2_0\ndcl t0\ndcl t1\ndcl v0\ndcl_2d s0\n"
#define PS2X "ps_2_x\ndcl t0\ndcl_2d s0\nmov r0, c0\nmov r1, c1\n"
#define PS3 "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nmov r0, c0\n"

/* clang-format off */
/* Rules of the documentation. */
static const struct rule rules[] = {
    /* Declarations. */
    {"vs_1_1\nmov oPos, c0\ndcl_position v0", 4, "the declaration of v0 follows",
     "vs_1_1\ndcl_position v0\nmov oPos, c0"},
    {"vs_1_1\nmov oPos, c0\ndef c0, 0, 0, 0, 0", 4, "def follows", "vs_1_1\ndef c0, 0, 0, 0, 0\nmov oPos, c0"},
    {"vs_1_1\ndcl_color v0\ndcl_color v1\nmov oPos, c0", 4, "the semantic of v1 is declared twice",
     "vs_1_1\ndcl_color v0\ndcl_color1 v1\nmov oPos, c0"},
    {"ps_3_0\ndcl_color v0.xy\ndcl_color v1.zw", 4, "the semantic of v1 is declared twice",
     "ps_3_0\ndcl_color v0.xy\ndcl_fog v0.zw"},
    {"ps_3_0\ndcl_color v0.xy\ndcl_fog v0.yz", 4, "components of v0 are declared twice",
     "ps_3_0\ndcl_color v0.xy\ndcl_fog v0.z"},
    {"vs_3_0\ndcl_position o0.xyz\nmov o0.xyz, c0", 1, "position0 needs all components of o0",
     "vs_3_0\ndcl_position o0\nmov o0, c0"},
    {"vs_3_0\ndcl_position1 o0\nmov o0, c0", 0, "no output is position0", "vs_3_0\ndcl_position0 o0\nmov o0, c0"},
    {"ps_2_0\ndcl_1d s0\nmov oC0, c0", 1, "the declaration of s0 lacks its texture type",
     "ps_2_0\ndcl_2d s0\nmov oC0, c0"},
    {"ps_2_0\ndcl_texcoord t0\nmov oC0, t0", 1, "the declaration of t0 has a usage", "ps_2_0\ndcl t0\nmov oC0, t0"},
    {"ps_2_0\ndcl t0\ntexld r0, t0, s0\nmov oC0, r0", 4, "s0 is used without a declaration",
     "ps_2_0\ndcl t0\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0"},
    {"vs_1_1\nmov oPos, v0", 1, "v0 is used without a declaration", "vs_1_1\ndcl_normal v0\nmov oPos, v0"},
    {"ps_3_0\nmov oC0, vFace", 1, "vFace is used without a declaration", "ps_3_0\ndcl vFace\nmov oC0, vFace"},
    /* Registers. */
    {"vs_2_0\nmov r12, c0\nmov oPos, c0", 1, "r12 is beyond the 12 temporaries", "vs_2_x\nmov r31, c0\nmov oPos, c0"},
    {"ps_2_0\nmov r12, c0\nmov oC0, c0", 1, "r12 is beyond the 12 temporaries", "ps_2_x\nmov r31, c0\nmov oC0, c0"},
    {"ps_1_1\nmov r0, c7\nmov r2, c0", 4, "r2 is beyond the 2 temporaries", "ps_1_4\nmov r0, c7\nmov r5, c0"},
    /* Registers of sources and destinations. */
    {VS2 "mov a0, c0", 0, "a0 cannot be the destination of mov", VS2 "mova a0, c0"},
    {"ps_1_4\nmov r0, t0", 1, "t0 cannot be source 1 of mov", "ps_1_4\ntexcrd r1.rgb, t0\nmov r0, c0\nmov r0.rgb, r1"},
    /* Swizzles. */
    {"ps_1_1\nmov r0, c0.b", 1, "source 1 of mov has a swizzle", "ps_1_1\nmov r0.rgb, c0\n+mov r0.a, c0.b"},
    {"ps_1_4\nmov r0, c0.rrgg", 1, "source 1 of mov has a swizzle", "ps_1_4\nmov r0, c0.g"},
    {"ps_2_0\ndcl v0\nmov r0, v0.xxyy\nmov oC0, r0", 4, "source 1 of mov has a swizzle",
     "ps_2_0\ndcl v0\nmov r0, v0.wzyx\nmov oC0, r0"},
    {PS2X "texld r0, r1.yxzw, s0\nmov oC0, r0", 0, "source 1 of texld takes no swizzle",
     PS2X "texld r0, r1, s0\nmov oC0, r0"},
    {PS2X "texld r0, -r1, s0\nmov oC0, r0", 0, "source 1 of texld takes no swizzle or modifier",
     PS3 "texld r0, r0.yxzw, s0\nmov oC0, r0"},
    {VS2 "rcp r0, c0", 0, "source 1 of rcp needs a single component", VS2 "rcp r0, c0.w"},
    {VS2 "pow r0, c0.x, c0", 0, "source 2 of pow needs a single component", VS2 "pow r0, c0.x, c0.y"},
    {"ps_2_0\ndp2add r0, c0, c0, c0\nmov oC0, r0", 1, "source 3 of dp2add needs",
     "ps_2_0\ndp2add r0, c0, c0, c0.x\nmov oC0, r0"},
    {VS2X "if_lt c0.x, c0\nendif", 0, "source 2 of if needs a single component", VS2X "if_lt c0.x, c0.y\nendif"},
    {VS2 "m4x4 r0, v0, c0.wzyx", 0, "source 2 of m4x4 takes no swizzle", VS2 "m4x4 r0, v0.wzyx, c0"},
    {VS2 "m4x4 r0, v0, -c0", 0, "source 2 of m4x4 takes no swizzle or modifier", VS2 "m4x4 r0, -v0, c0"},
    {VS2 "crs r0.xyz, v0.yzxw, c0", 0, "source 1 of crs takes no swizzle", VS2 "crs r0.xyz, -v0, c0"},
    {VS2X "setp_gt p0, v0, c0\n(p0.xyyy) mov r0, c0", 0, "a predicate takes no swizzle",
     VS2X "setp_gt p0, v0, c0\n(!p0.w) mov r0, c0"},
    {VS2X "setp_gt p0, v0, c0\n(p0) sincos r0.x, v0.x, c0, c1", 0, "the predicate of sincos",
     VS2X "setp_gt p0, v0, c0\n(p0.x) sincos r0.x, v0.x, c0, c1"},
    /* Source modifiers. */
    {"ps_1_4\nmov r0, -c0", 1, "a constant has a modifier", "ps_1_4\nmov r0, -v0"},
    {"ps_1_4\ntexld r0, t0_dz\nmov r0, c0", 1, "_dz belongs to r#", "ps_1_4\ntexld r0, t0_dw.xyw\nmov r0, c0"},
    {"ps_1_4\ntexld r0, t0\nphase\ntexld r1, r0_dw\nmov r0, c0", 5, "_dw belongs to t#",
     "ps_1_4\ntexld r0, t0\nphase\ntexld r1, r0_dz\nmov r0, c0"},
    {"ps_1_4\ntexld r0, t0_dw\nmov r0, c0", 1, "_dw needs .xyw", "ps_1_4\ntexld r0, t0_dw.xyw\nmov r0, c0"},
    /* Masks and result modifiers. */
    {"ps_1_1\nmov r0.rg, c0\nmov r0, c0", 1, "mov has a write mask", "ps_1_4\nmov r0.rg, c0\nmov r0, c0"},
    {"vs_1_1\nmov oPos, c0\nfrc r0, c0", 4, "frc has a write mask", "vs_1_1\nmov oPos, c0\nfrc r0.xy, c0"},
    {VS2 "m3x2 r0.xyz, v0, c0", 0, "m3x2 has a write mask", VS2 "m3x2 r0.xy, v0, c0"},
    {VS2 "crs r0, v0, c0", 0, "crs has a write mask", VS2 "crs r0.xz, v0, c0"},
    {VS2 "sincos r0.z, v0.x, c0, c1", 0, "sincos has a write mask", VS2 "sincos r0.xy, v0.x, c0, c1"},
    {PS2 "texld r0.xyz, t0, s0\nmov oC0, t0", 0, "texld has a write mask", PS3 "texld r0.xyz, v0, s0\nmov oC0, r0"},
    {"ps_1_4\ntexcrd r0, t0\nmov r0, c0", 1, "texcrd has a write mask", "ps_1_4\ntexcrd r0.rgb, t0\nmov r0, c0"},
    {"ps_1_4\ntexcrd r0.rgb, t0_dw.xyw\nmov r0, c0", 1, "texcrd with _dw writes .rg",
     "ps_1_4\ntexcrd r0.rg, t0_dw.xyw\nmov r0, c0"},
    {"ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r0, r0, r1\nmov r0, c0", 7, "bem has a write mask",
     "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r0.rg, r0, r1\nmov r0, c0"},
    {VS2 "mov_sat r0, c0", 0, "mov cannot saturate", VS3 "mov_sat r0, c0"},
    {PS2 "frc_sat r0, c0\nmov oC0, r0", 0, "frc cannot saturate", PS2 "add_sat r0, c0, c0\nmov oC0, r0"},
    {"ps_1_3\nmov_x8 r0, c0", 1, "mov has a shift that does not exist", "ps_1_4\nmov_x8 r0, c0"},
    {"ps_1_1\ntex_x2 t0\nmov r0, t0", 1, "tex takes no modifier", "ps_1_1\ntex t0\nmov_x2 r0, t0"},
    {PS2 "mov_centroid r0, c0\nmov oC0, r0", 0, "_centroid belongs to declarations", PS2 "mov_pp r0, c0\nmov oC0, r0"},
    /* Read ports. */
    {VS2 "add r0, c0, c1", 0, "add reads 2 different c registers, of which it can read 1", VS2 "add r0, c0, c0.x"},
    {"vs_1_1\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nadd r0, v0, v1", 0, "add reads 2 different v registers",
     "vs_1_1\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov r0, v1\nadd r0, v0, r0"},
    {PS2 "add r0, t0, t1\nmov oC0, r0", 0, "add reads 2 different t registers", PS2 "add r0, t0, v0\nmov oC0, r0"},
    {"ps_1_1\nmad r0, c0, c1, c2", 1, "mad reads 3 different c registers, of which it can read 2",
     "ps_1_1\nmad r0, c0, c1, c0"},
    {"ps_1_1\ntex t0\ntex t1\ntex t2\nmad r0, t0, t1, t2", 0, "mad reads 3 different t registers",
     "ps_1_2\ntex t0\ntex t1\ntex t2\nmad r0, t0, t1, t2"},
    {VS2 "mova a0.xy, c0\nadd r0, c0[a0.x], c0[a0.y]", 0, "add reads 2 different c registers",
     VS2 "mova a0.xy, c0\nadd r0, c0[a0.x], -c0[a0.x]"},
    /* Destinations and their sources. */
    {VS2 "mov r0, c0\nnrm r0, r0", 0, "nrm overwrites its source 1", VS2 "mov r0, c0\nnrm r1, r0"},
    {VS2 "mov r0.xyz, c0\ncrs r0.xyz, r0, c0", 0, "crs overwrites its source 1",
     VS2 "mov r0.xyz, c0\ncrs r1.xyz, r0, c0"},
    {VS2 "mov r0, c0\npow r0, c0.x, r0.x", 0, "pow overwrites its source 2", VS2 "mov r0, c0\npow r0, r0.x, c0.x"},
    {VS2 "mov r0, c0\nmov r1, c0\nmov r2, c0\nm3x3 r1.xyz, c0, r0", 0, "m3x3 overwrites its source 2",
     VS2 "mov r0, c0\nmov r1, c0\nmov r2, c0\nm3x3 r3.xyz, c0, r0"},
    {VS2 "nrm oT0, c0", 0, "nrm writes to r# only", VS2 "nrm r0, c0\nmov oT0, r0"},
    {VS2 "sincos oT0.x, c0.x, c1, c2", 0, "sincos writes to r# only", VS2 "sincos r0.x, c0.x, c1, c2"},
    {VS2 "sincos r0.x, c0.x, c1, c1", 0, "sources 2 and 3 of sincos are not two different c#",
     VS2 "sincos r0.x, c0.x, c1, c0"},
    {VS2 "mov r1, c0\nsgn r0, c0, r1, r1", 0, "sources 2 and 3 of sgn are not two different r#",
     VS2 "mov r1, c0\nmov r2, c0\nsgn r0, c0, r1, r2"},
    {"ps_1_2\nmov r0, c0\ncmp r0, r0, c0, c1", 4, "cmp overwrites its source 1",
     "ps_1_4\nmov r0, c0\ncmp r0, r0, c0, c1"},
    {"ps_1_1\nmov r0, c0\ncnd r0, c0.a, c0, v0", 4, "the condition of cnd must be r0.a",
     "ps_1_1\nmov r0, c0\ncnd r0, r0.a, c0, c1"},
    /* Reads of unwritten registers. */
    {"vs_1_1\nmov r0.xyz, c0\nmov oPos, r0", 4, "r0 is read before it is written",
     "vs_1_1\nmov r0.xyz, c0\nmov r0.w, c0\nmov oPos, r0"},
    {"vs_1_1\nmov oPos, c0[a0.x]", 1, "a0 is read before it is written", "vs_1_1\nmov a0.x, c0.x\nmov oPos, c0[a0.x]"},
    {VS2X "(p0) mov r0, c0", 0, "p0 is read before it is written", VS2X "setp_gt p0, v0, c0\n(p0) mov r0, c0"},
    {VS2X "setp_gt p0.x, v0, c0\n(p0) mov r0.xy, c0", 0, "p0 is read before it is written",
     VS2X "setp_gt p0.x, v0, c0\n(p0) mov r0.x, c0"},
    {"ps_1_1\nmov r0, t0", 1, "t0 is read before it is written", "ps_1_1\ntex t0\nmov r0, t0"},
    {PS2 "texkill r0\nmov oC0, c0", 0, "r0 is read before it is written", PS2 "texkill t0\nmov oC0, c0"},
    {"ps_1_4\nphase\ntexdepth r5\nmov r0, c0", 2, "r5 is read before it is written",
     "ps_1_4\nmov r5, c0\nphase\ntexdepth r5\nmov r0, c0"},
    {PS3 "mov r1.x, c0\ntexld r2, r1, s0\nmov oC0, r2", 0, "r1 is read before it is written",
     PS3 "mov r1.xy, c0\ntexld r2, r1, s0\nmov oC0, r2"},
    {PS3 "mov r1.xy, c0\ntexldb r2, r1, s0\nmov oC0, r2", 0, "r1 is read before it is written",
     PS3 "mov r1.xyw, c0\ntexldb r2, r1, s0\nmov oC0, r2"},
    {"vs_1_1\nmov oPos.xyz, c0", 0, "oPos is not written completely", "vs_1_1\nmov oPos.xyz, c0\nmov oPos.w, c1.x"},
    {"ps_1_1\nmov r0.rgb, c0", 0, "r0 is not written completely", "ps_1_1\nmov r0.rgb, c0\n+mov r0.a, c0"},
    {"ps_2_0\nmov oC1, c0", 0, "oC0 is not written", "ps_2_0\nmov oC0, c0\nmov oC1, c0"},
    {"ps_2_0\nmov oC0, c0\nmov oC2, c0", 0, "colour outputs have a gap",
     "ps_2_0\nmov oC0, c0\nmov oC1, c0\nmov oC2, c0"},
    {"ps_2_0\nmov oC0, c0\nmov oC0, c0", 4, "oC0 is written twice", "ps_3_0\nmov oC0, c0\nmov oC0, c0"},
    {"ps_2_0\nmov oC0, c0\nmov oDepth, c0.x\nmov oDepth, c0.x", 7, "oDepth is written twice",
     "ps_2_0\nmov oC0, c0\nmov oDepth, c0.x"},
    {"ps_2_0\nadd oC0, c0, c0", 1, "outputs are written by a plain mov", "ps_2_0\nadd r0, c0, c0\nmov oC0, r0"},
    {"ps_2_0\nmov oC0, -c0", 1, "the source of a colour output", "ps_2_0\nmov r0, -c0\nmov oC0, r0"},
    {"ps_2_0\nmov oC0, c0\nmov oDepth, c0", 4, "the source of oDepth needs a single component",
     "ps_2_0\nmov oC0, c0\nmov oDepth, c0.y"},
    /* ps_1_x. */
    {"ps_1_1\nmov r0, c0\n+mov r1.a, c1", 4, "a co-issued pair must write .rgb and .a",
     "ps_1_1\nmov r0, c0\nmov r1.rgb, c0\n+mov r0.a, c1"},
    {"ps_1_2\ndp4 r0, c0, c1\n+mov r0.a, c0", 5, "dp4 and mov cannot be paired",
     "ps_1_2\ndp3 r0.rgb, c0, c1\n+mov r0.a, c0"},
    {"ps_1_1\nmov r0, c0\ntex t0", 4, "tex follows an arithmetic", "ps_1_1\ntex t0\nmov r0, c0"},
    {"ps_1_4\nmov r0, v0\nphase\nmov r0, c0", 4, "v# is read before phase", "ps_1_4\nmov r0, c0\nphase\nmov r0, v0"},
    {"ps_1_4\ntexcrd r0.rgb, t0\ntexld r1, r0\nphase\nmov r0, c0", 7, "r# is used as a coordinate before phase",
     "ps_1_4\ntexcrd r0.rgb, t0\nphase\ntexld r1, r0\nmov r0, c0"},
    {"ps_1_4\nmov r0, c0\nphase\nmov r1, r0", 5, "r0 is read before it is written",
     "ps_1_4\nmov r0, c0\nphase\nmov r0.a, c0"},
    {"ps_1_1\ntex t0\ntex t1\ntexbem t0, t1\nmov r0, c0", 5, "texbem reads t1, which is no earlier stage",
     "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, c0"},
    {"ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t0", 6, "t0 has been read by texbem",
     "ps_1_1\ntex t0\ntexbem t1, t0\ntexbem t2, t0\nmov r0, t1"},
    {"ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t1", 9, "t1 is read before",
     "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2"},
    {"ps_1_1\ntex t0\ntex t1\ntexm3x2pad t2, t0\ntexm3x2tex t3, t1\nmov r0, t3", 8,
     "texm3x2tex and the preceding pad read different",
     "ps_1_1\ntex t0\ntex t1\ntexm3x2pad t2, t0\ntexm3x2tex t3, t0\nmov r0, t3"},
    {"ps_1_4\ntexld r0, t0\ntexcrd r1.rgb, t0.xyw\nmov r0, c0", 4, "t0 is read both as .xyz and as .xyw",
     "ps_1_4\ntexld r0, t0_dw.xyw\ntexcrd r1.rgb, t0.xyw\nmov r0, c0"},
    {"ps_1_4\nmov r5, c0\nphase\ntexdepth r5\nmov r0, r5", 7, "r5 is used after texdepth",
     "ps_1_4\nmov r5, c0\nphase\ntexdepth r5\nmov r0, c0"},
    {"ps_1_2\ncmp r0, v0, c0, c1\ncmp r0, v0, c0, c1\ncmp r0, v0, c0, c1\ncmp r0, v0, c0, c1", 16,
     "there are more than 3 cmp",
     "ps_1_2\ncmp r0, v0, c0, c1\ncmp r0, v0, c0, c1\ncmp r0, v0, c0, c1"},
    {"ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r0.rg, r0, r1\nbem r1.rg, r0, r1\nmov r0, c0", 11,
     "there is more than one bem",
     "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r0.rg, r0, r1\nmov r0, c0"},
    {"ps_1_4\nphase\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r0.rg, r0, r1\nmov r0, c0", 8, "bem follows phase",
     "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r0.rg, r0, r1\nphase\nmov r0, c0"},
    {"ps_1_4\ntexcrd r0.rgb, t0\nphase\ntexld r1, r0_dz\ntexld r2, r0_dz\ntexld r3, r0_dz\nmov r0, c0", 11,
     "there are more than 2 _dz",
     "ps_1_4\ntexcrd r0.rgb, t0\nphase\ntexld r1, r0_dz\ntexld r2, r0_dz\ntexld r3, r0\nmov r0, c0"},
    {"ps_1_1\ntex t0\ntexbeml t1, t0\ntexbeml t2, t0\nmov r0, c0\nmov r0, c0\nmov r0, c0\nmov r0, c0\nmov r0, c0\n"
     "mov r0, c0\nmov r0, c0", 0,
     "there are more than 8 arithmetic", "ps_1_1\ntex t0\ntexbeml t1, t0\ntexbeml t2, t0\nmov r0, c0\nmov r0, c0\n"
      "mov r0, c0\nmov r0, c0\nmov r0, c0\nmov r0, c0"},
    /* Dependent reads. */
    {PS2 "texld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\nmov oC0, r0", 0,
     "more than 4 texture reads depend", PS2 "texld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\n"
      "texld r0, r0, s0\nmov oC0, r0"},
    {PS2 "texld r0, t0, s0\ntexld r0, r0, s0\nadd r1, r0, r0\ntexld r2, r1, s0\nmul r2, r2, r2\ntexld r3, r2, s0\n"
     "texld r4, r3, s0\nmov oC0, r4", 0,
     "more than 4 texture reads depend",
     PS2 "texld r0, t0, s0\ntexld r0, r0, s0\nadd r1, r0, r0\ntexld r2, r1, s0\nmul r2, r2, r2\ntexld r3, r2, s0\n"
      "mov oC0, r3"},
    /* Flow control. */
    {VS2 "rep i0\nrep i1\nendrep\nendrep", 0, "loops cannot be nested",
     VS2X "rep i0\nloop aL, i1\nrep i2\nrep i3\nendrep\nendrep\nendloop\nendrep"},
    {VS2 "call l0\nret\nlabel l0\ncall l1\nret\nlabel l1\nret", 0, "calls cannot be nested",
     VS2X "call l0\nret\nlabel l0\ncall l1\nret\nlabel l1\nret"},
    {VS2 "if b0\nif b1\nelse\nendif\nendif\nif b0\nelse\nendif\nif b0\nelse\nendif\nif b0\nelse\nendif\nif b0\nelse\n"
     "endif\nif b0\nelse\nendif\nif b0\nelse\nendif\nif b0\nelse\nendif", 0,
     "there are more than 16 static flow", VS3 "if b0\nif b1\nelse\nendif\nendif\nif b0\nelse\nendif\nif b0\nelse\n"
      "endif\nif b0\nelse\nendif\nif b0\nelse\nendif\nif b0\nelse\nendif\nif b0\nelse\nendif\nif b0\nelse\nendif"},
    {VS2 "ret\nlabel l16\nret", 0, "l16 is beyond the 16 labels", VS3 "ret\nlabel l2047\nret"},
    /* Divergent flow. */
    {PS3 "if_gt v0.x, c0.x\ntexld r0, r0, s0\nendif\nmov oC0, r0", 0, "the gradient of r# is taken inside",
     PS3 "if_gt v0.x, c0.x\ntexld r0, v0, s0\nendif\nmov oC0, r0"},
    {PS3 "if_gt v0.x, c0.x\ndsx r0, r0\nendif\nmov oC0, r0", 0, "the gradient of r#",
     PS3 "if b0\ndsx r0, r0\nendif\nmov oC0, r0"},
    {PS3 "rep i0\ntexld r0, r0, s0\nbreak_gt r0.x, c0.x\nendrep\nmov oC0, r0", 0, "the gradient of r#",
     PS3 "rep i0\ntexld r0, r0, s0\nendrep\nmov oC0, r0"},
    {PS3 "setp_gt p0, v0, c0\nif p0.x\ntexld r0, r0, s0\nendif\nmov oC0, r0", 0, "the gradient of r#",
     PS3 "setp_gt p0, v0, c0\nif p0.x\ntexldl r0, r0, s0\nendif\nmov oC0, r0"},
    {PS3 "setp_gt p0, v0, c0\ncallnz l0, p0.x\nmov oC0, c0\nret\nlabel l0\ntexld r0, r0, s0\nret", 0,
     "the gradient of r#",
     PS3 "callnz l0, b0\nmov oC0, c0\nret\nlabel l0\ntexld r0, r0, s0\nret"},
    {PS3 "if_gt v0.x, c0.x\ncall l0\nendif\nmov oC0, c0\nret\nlabel l0\ncall l1\nret\nlabel l1\ndsy r0, r0\nret", 0,
     "the gradient of r#",
     PS3 "call l0\nmov oC0, c0\nret\nlabel l0\ncall l1\nret\nlabel l1\ndsy r0, r0\nret"},
    {PS2X "if_gt r0.x, r1.x\nmov oC0, c0\nendif", 0, "a colour output is written inside dynamic",
     PS2X "if b0\nmov oC0, c0\nendif"},
    {PS2X "mov oC0, c0\nif b0\nmov oDepth, c0.x\nendif", 0, "oDepth is written inside flow control",
     PS2X "mov oC0, c0\nmov oDepth, c0.x"},
};

/* Rules that refuse even if those of the documentation are not enforced. */
static const struct rule always[] = {
    {VS2 "setp_gt p0, c0, c0", 0, "there is no setp", VS2X "setp_gt p0, c0, c0"},
    {PS2 "dsx r0, t0\nmov oC0, r0", 0, "there is no dsx", "ps_2_x\ndcl t0\ndsx r0, t0\nmov oC0, r0"},
    {PS2 "mov r0, b0\nmov oC0, r0", 0, "there is no b0", PS2 "mov r0, v0\nmov oC0, r0"},
    {VS2 "mov r0, oPos", 0, "oPos cannot be source 1 of mov", VS2 "mov r0, v0"},
    {PS2 "texld r0, t0, t1\nmov oC0, r0", 0, "t1 cannot be source 2 of texld", PS2 "texld r0, t0, s0\nmov oC0, r0"},
    {"vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, v0[a0.x]", 0, "this register cannot be indexed",
     "vs_1_1\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, c0[a0.x]"},
    {VS2 "mova a0.x, v0.x\nmov oT0[a0.x], v0", 0, "this destination cannot be indexed",
     VS3 "mova a0.x, v0.x\nmov o0[a0.x], v0"},
    {PS3 "mov oC0, c0[aL]", 0, "this register cannot be indexed", PS3 "loop aL, i0\nmov oC0, v0[aL]\nendloop"},
    {VS2 "mov r0, c0[aL]", 0, "aL is used outside of a loop", VS2 "loop aL, i0\nmov r0, c0[aL]\nendloop"},
    {VS2 "if -b0\nendif", 0, "source 1 of if has a modifier", VS2 "if !b0\nendif"},
    {VS3 "rep i0\nrep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\nendrep", 0,
     "more than 4 loops are nested",
     VS3 "rep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep"},
    {VS2 "rep i0\nrep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\nendrep", 0, "loops cannot be nested",
     VS2X "rep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep"},
    {VS2 "call l0", 0, "the label of a call does not exist", VS2 "call l0\nret\nlabel l0\nret"},
    {VS2 "label l0\nret", 0, "a label does not follow a ret", VS2 "ret\nlabel l0\nret"},
    {VS2X "if b0\nbreak\nendif", 0, "break outside of a loop", VS2X "rep i0\nif b0\nbreak\nendif\nendrep"},
    {VS2 "rep i0\nif b0\nendrep\nendif", 0, "endrep without rep", VS2 "rep i0\nif b0\nendif\nendrep"},
};
/* clang-format on */

/* Assembles a text that the assembler refuses for its version in a later version with the same
 * encoding. */
static struct shader assemble_anyway(const char *text)
{
    static const char *const larger[][2] = {
        {"vs_2_0", "vs_2_x"}, {"ps_2_0", "ps_2_x"}, {"ps_1_1", "ps_1_4"}};
    char copy[1024];
    struct shader s;

    if (vm_assemble(&s.words, &s.n, text, NULL) == ST_OK)
        return s;
    snprintf(copy, sizeof(copy), "%s", text);
    for (unsigned i = 0; i < 3; i++) {
        if (!strncmp(copy, larger[i][0], 6))
            memcpy(copy, larger[i][1], 6);
    }
    s = shader_assemble(copy);
    s.words[0] = (s.words[0] & 0xffff0000) | (uint32_t)(text[3] - '0') << 8 | (text[5] - '0');
    return s;
}

static void check_enforced(const struct rule *r, const struct vm_limits *limits)
{
    struct shader s = assemble_anyway(r->bad);
    struct vm_error error = {0, ""};
    struct vm_program *program;

    ck_assert_msg(vm_program_create(&program, s.words, s.n, limits, &error) == ST_INVALID,
                  "accepted: %s", r->bad);
    ck_assert_msg(strstr(error.text, r->reason) != NULL, "%s\n'%s' instead of '%s'", r->bad,
                  error.text, r->reason);
    ck_assert_msg(!r->token || error.token == r->token, "%s\nword %zu", r->bad, error.token);
    vm_program_destroy(shader_program(r->good, &vm_limits_hardware));
    shader_free(&s);
}

START_TEST(rules_are_enforced)
{
    check_enforced(&rules[_i], &vm_limits_hardware);
}
END_TEST

START_TEST(rules_are_always_enforced)
{
    static const struct vm_limits limits = {3, 3, .enforced = VM_RULES_LIMIT};

    check_enforced(&always[_i], &limits);
}
END_TEST

/* --- Findings --------------------------------------------------------------------------------- */

struct findings {
    unsigned n[VM_RULE_COUNT];
    const char *reason; /* a part of the text of one of them */
    size_t token;       /* its word */
    bool met;
};

static void collect(void *ctx, const struct vm_finding *finding)
{
    struct findings *f = ctx;

    f->n[finding->rule]++;
    ck_assert_uint_eq(f->n[finding->rule], 1);
    ck_assert_int_eq(vm_rule_info[finding->rule].rule_class, VM_RULES_DOCUMENTED);
    if (f->met || !strstr(finding->error.text, f->reason))
        return;
    f->met = true;
    f->token = finding->error.token;
}

static enum status create_leniently(struct vm_program **program, const struct shader *s,
                                    struct findings *f, struct vm_error *error)
{
    const struct vm_limits limits = {
        3, 3, .enforced = VM_RULES_LIMIT, .report = collect, .report_ctx = f};

    return vm_program_create(program, s->words, s->n, &limits, error);
}

/* Without the documentation's rules, a program of the table is a program with a finding, and runs:
 * it stays in its memory, and gives the same results on each instruction set, with and without
 * single-stepping (fuzz/vm/case.h). */
START_TEST(findings_run)
{
    const struct rule *r = &rules[_i];
    struct shader s = assemble_anyway(r->bad);
    struct findings f = {.reason = r->reason};
    struct vm_error error = {0, ""};
    struct vm_program *program;
    uint8_t *data = calloc(1, CASE_HEADER + s.n * 4);

    ck_assert_msg(create_leniently(&program, &s, &f, &error) == ST_OK, "%s\n%s", r->bad,
                  error.text);
    vm_program_destroy(program);
    ck_assert_msg(f.met, "%s\nnothing is found", r->bad);
    ck_assert_msg(!r->token || f.token == r->token, "%s\nword %zu", r->bad, f.token);
    memcpy(data + CASE_HEADER, s.words, s.n * 4);
    for (unsigned turn = 0; turn < 4; turn++) {
        data[0] = (uint8_t)(CASE_OBSERVE | (turn & 1 ? CASE_MANY_LANES : 0));
        data[4] = (uint8_t)(turn * 37);
        ck_assert(case_try(data, CASE_HEADER + s.n * 4));
    }
    shader_free(&s);
    free(data);
}
END_TEST

/* The table breaks every rule of the documentation. */
START_TEST(all_rules_have_a_row)
{
    unsigned n[VM_RULE_COUNT] = {0};

    for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        struct shader s = assemble_anyway(rules[i].bad);
        struct findings f = {.reason = rules[i].reason};
        struct vm_error error = {0, ""};
        struct vm_program *program;

        if (create_leniently(&program, &s, &f, &error) == ST_OK)
            vm_program_destroy(program);
        for (unsigned k = 0; k < VM_RULE_COUNT; k++)
            n[k] += f.n[k];
        shader_free(&s);
    }
    for (unsigned k = 0; k < VM_RULE_COUNT; k++)
        ck_assert_msg(n[k] || vm_rule_info[k].rule_class != VM_RULES_DOCUMENTED, "no row breaks %s",
                      vm_rule_info[k].name);
}
END_TEST

/* Findings do not hide what refuses: the rule behind them is still met. */
START_TEST(refusals_follow_findings)
{
    struct shader s = assemble_anyway("ps_2_0\nmov r0, c0.xxyy\nmov r0, c1.xxyy\nmov r0, b0\nmov oC0, r0");
    struct findings f = {.reason = "swizzle"};
    struct vm_error error = {0, ""};
    struct vm_program *program;

    ck_assert_int_eq(create_leniently(&program, &s, &f, &error), ST_INVALID);
    ck_assert_ptr_nonnull(strstr(error.text, "there is no b0"));
    ck_assert_uint_eq(f.n[VM_RULE_SWIZZLE], 1);
    ck_assert_uint_eq(f.token, 1);
    shader_free(&s);
}
END_TEST

/* Registers beyond those of the version, up to the last one that runs. */
START_TEST(room_beyond_the_version)
{
    static const struct {
        uint32_t words[8];
        unsigned n, place[2]; /* the words that name the register */
        unsigned last;
    } rows[] = {
        /* vs_2_0: mov r, c0; mov oPos, c0 */
        {{0xfffe0200, 0x02000001, 0x800f0000, 0xa0e40000, 0x02000001, 0xc00f0000, 0xa0e40000, 0xffff},
         8, {2, 2}, 31},
        /* ps_1_4: mov r, c0; mov r0, c0 */
        {{0xffff0104, 1, 0x800f0000, 0xa0e40000, 1, 0x800f0000, 0xa0e40000, 0xffff}, 8, {2, 2}, 31},
        /* ps_3_0: dcl_texcoord v; mov oC0, v */
        {{0xffff0300, 0x0200001f, 0x80000005, 0x900f0000, 0x02000001, 0x800f0800, 0x90e40000, 0xffff},
         8, {3, 6}, 15},
    };

    for (unsigned more = 0; more < 2; more++) {
        uint32_t words[8];
        struct shader s = {words, rows[_i].n};
        struct findings f = {.reason = "is beyond the"};
        struct vm_error error = {0, ""};
        struct vm_program *program;
        enum status st;

        memcpy(words, rows[_i].words, sizeof(words));
        words[rows[_i].place[0]] += rows[_i].last + more;
        if (rows[_i].place[1] != rows[_i].place[0])
            words[rows[_i].place[1]] += rows[_i].last + more;
        st = create_leniently(&program, &s, &f, &error);
        ck_assert_msg(st == (more ? ST_INVALID : ST_OK), "%s", error.text);
        ck_assert_int_eq(f.met, !more);
        if (st == ST_OK)
            vm_program_destroy(program);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/rules");
    TCase *t = tcase_create("rules");

    tcase_add_loop_test(t, rules_are_enforced, 0, sizeof(rules) / sizeof(rules[0]));
    tcase_add_loop_test(t, rules_are_always_enforced, 0, sizeof(always) / sizeof(always[0]));
    tcase_add_loop_test(t, findings_run, 0, sizeof(rules) / sizeof(rules[0]));
    tcase_add_test(t, all_rules_have_a_row);
    tcase_add_test(t, refusals_follow_findings);
    tcase_add_loop_test(t, room_beyond_the_version, 0, 3);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
