/* Assembler: the encodings of contemporary assemblers, and every error with its location. */
#include "shader.h"

#include <stdio.h>

struct vector {
    const char *version, *text;
    uint32_t words[16];
    unsigned n;
};
#define W(...) {__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* clang-format off */
static const struct vector vectors[] = {
    {"vs_1_1", "add r0, r1, r2", W(0x00000002, 0x800F0000, 0x80E40001, 0x80E40002)},
    {"vs_1_1", "dcl_normal12 v15", W(0x0000001F, 0x800C0003, 0x900F000F)},
    {"vs_1_1", "dp4 r0.xw, r1.wzyx, r2.xxww", W(0x00000009, 0x80090000, 0x801B0001, 0x80F00002)},
    {"vs_1_1", "mov r0, c1[a0.x + 2]", W(0x00000001, 0x800F0000, 0xA0E42003)},
    {"vs_1_1", "mov oFog, c0.x", W(0x00000001, 0xC00F0001, 0xA0000000)},
    {"vs_2_0", "mov r0, -c0[a0.w+5].x", W(0x03000001, 0x800F0000, 0xA1002005, 0xB0FF0000)},
    {"vs_2_0", "mov r0, c[2 + a0.y + 3]", W(0x03000001, 0x800F0000, 0xA0E42005, 0xB0550000)},
    {"vs_2_0", "mov r0, c4[2]", W(0x02000001, 0x800F0000, 0xA0E40006)},
    {"vs_2_sw", "mov r0, c5000", W(0x02000001, 0x800F0000, 0xC0E40B88)},
    {"vs_2_0", "rep i0\nendrep", W(0x01000026, 0xF0E40000, 0x00000027)},
    {"vs_2_0", "loop aL, i0\nendloop", W(0x0200001B, 0xF0E40800, 0xF0E40000, 0x0000001D)},
    {"vs_2_0", "callnz l0, !b0", W(0x0200001A, 0xA0E41000, 0xEDE40800)},
    {"vs_2_x", "setp_gt p0, r0, r1", W(0x0301005E, 0xB00F1000, 0x80E40000, 0x80E40001)},
    {"vs_2_x", "(!p0) add r2, r2, r3",
     W(0x14000002, 0x800F0002, 0xBDE41000, 0x80E40002, 0x80E40003)},
    {"vs_2_x", "if_ge r0, r1\nbreak_ne r0, r1",
     W(0x02030029, 0x80E40000, 0x80E40001, 0x0205002D, 0x80E40000, 0x80E40001)},
    {"vs_2_x", "breakp p0.w", W(0x01000060, 0xB0FF1000)},
    {"vs_2_x", "callnz l0, !p0.z", W(0x0200001A, 0xA0E41000, 0xBDAA1000)},
    {"vs_3_0", "mov o[a0.x + 12], r0", W(0x03000001, 0xE00F200C, 0xB0000000, 0x80E40000)},
    {"vs_3_0", "mov r0, -c4_abs", W(0x02000001, 0x800F0000, 0xACE40004)},
    {"vs_3_0", "mov r0, c4[aL]_abs.y", W(0x03000001, 0x800F0000, 0xAB552004, 0xF0E40800)},
    {"ps_1_3", "mov_x2_sat r0, 1 - r1", W(0x00000001, 0x811F0000, 0x86E40001)},
    {"ps_1_3", "mov_sat_x2 r0, 1-r1", W(0x00000001, 0x811F0000, 0x86E40001)},
    {"ps_1_1", "mov_d8 r0, -r1", W(0x00000001, 0x8D0F0000, 0x81E40001)},
    {"ps_1_1", "mov_x4_sat r0.a, -r1_bx2.a", W(0x00000001, 0x82180000, 0x85FF0001)},
    {"ps_1_1", "tex t0\ntexcoord t1", W(0x00000042, 0xB00F0000, 0x00000040, 0xB00F0001)},
    {"ps_1_1", "add r0.rgb, r0, r1\n+mov r0.a, t0",
     W(0x00000002, 0x80070000, 0x80E40000, 0x80E40001, 0x40000001, 0x80080000, 0xB0E40000)},
    {"ps_1_4", "texld r5, r2_dz\nphase", W(0x00000042, 0x800F0005, 0x89E40002, 0x0000FFFD)},
    {"ps_1_4", "texld r5, r2_db", W(0x00000042, 0x800F0005, 0x89E40002)},
    {"ps_1_4", "texcrd r0.rg, t1_dw.xyw", W(0x00000040, 0x80030000, 0xBAF40001)},
    {"ps_2_0", "dcl_2d s2\ntexldp r0, t1, s2",
     W(0x0200001F, 0x90000000, 0xA00F0802, 0x03010042, 0x800F0000, 0xB0E40001, 0xA0E40802)},
    {"ps_2_0", "texldb_pp r0, t1, s2", W(0x03020042, 0x802F0000, 0xB0E40001, 0xA0E40802)},
    {"ps_2_0", "dcl_pp t0.xy", W(0x0200001F, 0x80000000, 0xB0230000)},
    {"ps_2_x", "texldd r0, v1, s2, r3, r4",
     W(0x0500005D, 0x800F0000, 0x90E40001, 0xA0E40802, 0x80E40003, 0x80E40004)},
    {"ps_2_0", "mov oDepth, c0.x", W(0x02000001, 0x900F0800, 0xA0000000)},
    {"ps_3_0", "dcl_texcoord0_centroid v0", W(0x0200001F, 0x80000005, 0x904F0000)},
    {"ps_3_0", "dcl_texcoord3 v1.xy", W(0x0200001F, 0x80030005, 0x90030001)},
    {"ps_3_0", "dcl vPos.xy\ndcl vFace",
     W(0x0200001F, 0x80000000, 0x90031000, 0x0200001F, 0x80000000, 0x900F1001)},
    {"ps_3_0", "mov r0, v[aL + 2]", W(0x03000001, 0x800F0000, 0x90E42002, 0xF0E40800)},
    {"ps_3_0", "defi i0, -1, 1, 10, 0\ndefb b0, true",
     W(0x05000030, 0xF00F0000, 0xFFFFFFFF, 0x00000001, 0x0000000A, 0x00000000, 0x0200002F,
       0xE00F0800, 0x00000001)},
    {"ps_2_0", "defb b0, false", W(0x0200002F, 0xE00F0800, 0x00000000)},
    {"vs_1_1", "def c7, 1, -0, 2.5e-1f, .5",
     W(0x00000051, 0xA00F0007, 0x3F800000, 0x80000000, 0x3E800000, 0x3F000000)},
    {"vs_2_0", "def c0, 1.#INF, -1.#INF, 1.#QNAN, 0x7fc12345",
     W(0x05000051, 0xA00F0000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC12345)},
    {"vs_1_1", "mov r0, c0.rgba", W(0x00000001, 0x800F0000, 0xA0E40000)},
    {"vs_1_1", "mov r1.xyb, r1.xygb", W(0x00000001, 0x80070001, 0x80940001)},
    {"vs_2_0", "MOV R0, C0.xy", W(0x02000001, 0x800F0000, 0xA0540000)},
};
/* clang-format on */
enum { N_VECTORS = sizeof(vectors) / sizeof(vectors[0]) };

static uint32_t version_word(const char *version)
{
    struct shader s = shader_assemble(version);
    uint32_t word = s.words[0];

    shader_free(&s);
    return word;
}

START_TEST(vector_assembles)
{
    const struct vector *v = &vectors[_i];
    char text[256];
    struct shader s;

    snprintf(text, sizeof(text), "%s\n%s", v->version, v->text);
    s = shader_assemble(text);
    ck_assert_uint_eq(s.n, v->n + 2);
    ck_assert_uint_eq(s.words[0], version_word(v->version));
    for (unsigned i = 0; i < v->n; i++)
        ck_assert_msg(s.words[1 + i] == v->words[i], "%s: word %u: %08x instead of %08x", v->text,
                      i, s.words[1 + i], v->words[i]);
    ck_assert_uint_eq(s.words[1 + v->n], 0x0000ffff);
    shader_free(&s);
}
END_TEST

START_TEST(versions)
{
    static const struct {
        const char *text;
        uint32_t word;
    } rows[] = {
        {"vs_1_0", 0xFFFE0100},  {"vs.1.1", 0xFFFE0101},  {"vs_2_0", 0xFFFE0200},
        {"vs_2_x", 0xFFFE0201},  {"vs_2_sw", 0xFFFE02FF}, {"vs_3_0", 0xFFFE0300},
        {"vs_3_sw", 0xFFFE03FF}, {"ps_1_0", 0xFFFF0100},  {"ps.1.4", 0xFFFF0104},
        {"ps_2_0", 0xFFFF0200},  {"ps_2_x", 0xFFFF0201},  {"ps_2_sw", 0xFFFF02FF},
        {"ps_3_0", 0xFFFF0300},  {"ps_3_sw", 0xFFFF03FF},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ck_assert_uint_eq(version_word(rows[i].text), rows[i].word);
}
END_TEST

START_TEST(comments_and_macros)
{
    struct shader a = shader_assemble("vs_1_1\n"
                                      "mov r0, c5.x\n"
                                      "mad r1.xyz, r0, c5, c6\n");
    struct shader b = shader_assemble("// a comment\n"
                                      "#define MATRIX c5\n"
                                      "#define SCALE MATRIX.x ; the first\n"
                                      "vs_1_1 /* two\nlines */\n"
                                      "#ifdef NOTHING\n"
                                      "this is not read\n"
                                      "#ifdef MATRIX\n"
                                      "nor this\n"
                                      "#endif\n"
                                      "#else\n"
                                      "mov r0, SCALE ; the end\n"
                                      "#endif\n"
                                      "#undef SCALE\n"
                                      "#ifndef SCALE\n"
                                      "mad r1.xyz, r0,\\\n"
                                      "    MATRIX,\n"
                                      "    c6\n"
                                      "#endif\n");

    ck_assert_uint_eq(a.n, b.n);
    ck_assert_mem_eq(a.words, b.words, a.n * sizeof(*a.words));
    shader_free(&a);
    shader_free(&b);
}
END_TEST

/* clang-format off */
static const struct {
    const char *text, *error; /* the start of the message */
} faults[] = {
    {"", "1:1: '' is not a shader version"},
    {"vs_4_0\n", "1:1: 'vs_4_0' is not a shader version"},
    {"vs_1_1\nfoo r0, r1", "2:1: 'foo' is not known"},
    {"vs_1_1\nmov r0, r1, r2", "2:5: mov with 2 sources"},
    {"vs_1_1\nmov r0", "2:5: mov with 0 sources"},
    {"vs_1_1\n  mov r0, q1", "2:11: a register is expected, not 'q1'"},
    {"vs_1_1\nmov r0, r12", "2:9: vs_1_1 has no register r12"},
    {"vs_1_1\nmov r0, i0", "2:9: vs_1_1 has no register i0"},
    {"vs_1_1\nmov oC0, r0", "2:5: vs_1_1 has no register oC0"},
    {"vs_3_0\nmov oPos, r0", "2:5: vs_3_0 has no register oPos"},
    {"ps_1_1\nmov r0, c8", "2:9: ps_1_1 has no register c8"},
    {"ps_3_0\nmov r0, t0", "2:9: ps_3_0 has no register t0"},
    {"vs_1_1\nmov r0, c", "2:10: a register lacks its number"},
    {"vs_1_1\nmov r0.xxyz, r1", "2:5: the components of a write mask are out of order"},
    {"vs_1_1\nmov r0.yx, r1", "2:5: the components of a write mask are out of order"},
    {"vs_1_1\nmov r0, r1.xyzwx", "2:12: 'xyzwx' is not a mask or swizzle"},
    {"vs_1_1\nmov r0, r1.xq", "2:12: 'xq' is not a mask or swizzle"},
    {"vs_1_1\nmov r0, c[a0.y]", "2:16: only a0.x can be an index"},
    {"vs_2_0\nmov r0, c[a0.x - 1]", "2:16: ']' expected, not '-'"},
    {"vs_2_0\nmov r0, c[a0.x + 1.5]", "2:18: an integer is expected"},
    {"vs_2_0\nmov r0, c[a0.x + aL]", "2:18: a register has two index registers"},
    {"vs_2_0\nmov r0, c[r0]", "2:11: 'r0' cannot be an index"},
    {"vs_2_0\nmov r0, c[aL.x]", "2:13: aL has no components"},
    {"vs_2_0\nmov r0, r1_abs", "2:9: source modifier '_abs' does not exist"},
    {"vs_2_0\nmov r0, r1_bx2", "2:9: source modifier '_bx2' does not exist"},
    {"vs_2_0\nmov r0, 1-r1", "2:9: source modifier '1-' does not exist"},
    {"vs_2_0\nmov_x2 r0, r1", "2:1: result shifts exist in ps_1_x only"},
    {"ps_1_1\nmov_x2_x4 r0, r1", "2:1: 'mov_x2_x4' is not known"},
    {"vs_2_0\nmov_pp r0, r1", "2:1: _pp and _centroid"},
    {"vs_2_0\n+mov r0, r1", "2:1: instructions are paired in ps_1_x only"},
    {"vs_2_0\n(p0) mov r0, r1", "2:1: this version has no predicates"},
    {"vs_2_x\n(p0) else", "2:6: else cannot be predicated"},
    {"vs_2_0\nif_gt r0.x, r1.x", "2:1: vs_2_0 has no if_gt"},
    {"vs_2_x\nsetp p0, r0, r1", "2:1: 'setp' lacks its comparison"},
    {"vs_2_x\nadd_gt r0, r0, r1", "2:1: 'add_gt' does not compare"},
    {"vs_1_1\nlrp r0, r1, r2, r3", "2:1: vs_1_1 has no lrp"},
    {"ps_1_4\ntexcoord t0", "2:1: 'texcoord' is not known in ps_1_4"},
    {"vs_3_0\ndcl_texcoord16 o1", "2:1: 'dcl_texcoord16' is not known"},
    {"vs_3_0\ndcl_texcoord_pp v1", "2:1: a vertex shader's declaration has a modifier"},
    {"ps_3_0\ndcl_2d v0\n", "3:1: only samplers"},
    {"ps_3_0\ndcl_texcoord o0", "2:14: ps_3_0 has no register o0"},
    {"ps_1_1\ndcl v0", "2:1: this version has no declarations"},
    {"vs_2_0\ndef c0, 1, 2, 3\n", "3:1: ',' expected, not 'end of text'"},
    {"vs_2_0\ndefi i0, 1, 2, 3.5, 4", "2:16: an integer is expected, not '3.5'"},
    {"vs_2_0\ndefb b0, yes", "2:10: true or false is expected, not 'yes'"},
    {"vs_2_0\ndef i0, 1, 2, 3, 4", "2:7: def defines another kind of register"},
    {"vs_2_0\nmov r0, r1 /* no end", "2:12: unterminated comment"},
    {"vs_2_0\n#ifdef X\n", "3:1: #endif is missing"},
    {"vs_2_0\n#else\n", "2:2: #else without #if"},
    {"vs_2_0\n#include \"x\"\n", "2:2: there are no files to #include here"},
};
/* clang-format on */

START_TEST(errors_have_locations)
{
    struct vm_error error = {0, ""};
    uint32_t *words = NULL;
    size_t n = 1;
    const char *text = faults[_i].text;

    ck_assert_int_eq(vm_assemble(&words, &n, text, &error), ST_INVALID);
    ck_assert_ptr_null(words);
    ck_assert_msg(!strncmp(error.text, faults[_i].error, strlen(faults[_i].error)),
                  "%s\ngives: %s\nnot:   %s", text, error.text, faults[_i].error);
}
END_TEST

/* Every allocation may fail: the status reports it and nothing leaks. */
START_TEST(out_of_memory)
{
    static const char text[] = "#define A c0\nvs_2_0\ndcl_position v0\nm4x4 oPos, v0, A\n";
    int64_t live = mem_live_blocks();

    for (int64_t k = 0;; k++) {
        uint32_t *words;
        size_t n;
        enum status st;

        mem_fail_after(k);
        st = vm_assemble(&words, &n, text, NULL);
        mem_fail_after(-1);
        if (st == ST_OK) {
            ck_assert_int_gt(k, 2);
            mem_free(words);
            break;
        }
        ck_assert_int_eq(st, ST_NOMEM);
        ck_assert_int_eq(mem_live_blocks(), live);
    }
    ck_assert_int_eq(mem_live_blocks(), live);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/asm");
    TCase *t = tcase_create("asm");

    tcase_add_loop_test(t, vector_assembles, 0, N_VECTORS);
    tcase_add_test(t, versions);
    tcase_add_test(t, comments_and_macros);
    tcase_add_loop_test(t, errors_have_locations, 0, sizeof(faults) / sizeof(faults[0]));
    tcase_add_test(t, out_of_memory);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
