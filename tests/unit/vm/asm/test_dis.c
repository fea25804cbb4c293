/* Disassembler: the format of listings, and the round trip through the assembler for every
 * opcode. */
#include "corpus.h"
#include "shader.h"

#include <stdio.h>

static void check_words_return(const uint32_t *words, size_t n)
{
    struct vm_error error = {0, ""};
    uint32_t *again;
    size_t n_again;
    char *text;

    ck_assert_msg(vm_disassemble(&text, words, n, &error) == ST_OK, "%s", error.text);
    ck_assert_msg(vm_assemble(&again, &n_again, text, &error) == ST_OK, "%s\n%s", error.text, text);
    ck_assert_msg(n_again == n && !memcmp(again, words, n * sizeof(*words)), "%s", text);
    mem_free(again);
    mem_free(text);
}

/* Round trip of every opcode in every version with every modifier. */
static void check_item_round_trip(void *ctx, const struct vm_version *v, const struct vm_item *item)
{
    uint32_t words[VM_ITEM_WORDS + 2];
    unsigned *count = ctx;

    check_words_return(words, corpus_words(words, v, item));
    ++*count;
}

START_TEST(versions_round_trip)
{
    struct vm_version v;
    unsigned count = 0;

    if (!corpus_version(&v, (unsigned)_i))
        return;
    corpus_visit(&v, check_item_round_trip, &count);
    ck_assert_uint_gt(count, 400);
}
END_TEST

/* clang-format off */
static const char *const listings[] = {
    "    vs_1_1\n"
    "    dcl_position v0\n"
    "    dcl_texcoord3 v1\n"
    "    def c0, 1, -0, 0.333333343, 1.17549435e-38\n"
    "    m4x4 oPos, v0, c4\n"
    "    mov oFog, c0.x\n"
    "    mov a0.x, v1.x\n"
    "    mad oT0.xy, v1, c12[a0.x], -c0.wzyx\n"
    "\n// approximately 7 instruction slots used (0 texture, 7 arithmetic)\n",

    "    ps_1_1\n"
    "    tex t0\n"
    "    mul_x2_sat r0.xyz, t0, 1-v0\n"
    "   +mov_d2 r0.w, -t0_bx2.w\n"
    "\n// approximately 2 instruction slots used (1 texture, 1 arithmetic)\n",

    "    ps_2_x\n"
    "    dcl_pp t0.xy\n"
    "    dcl_cube s1\n"
    "    texldp_pp r0, t0, s1\n"
    "    setp_ge p0, r0, t0.x\n"
    "    (!p0.y) add_sat_pp r0.x, r0, -t0.y\n"
    "    mov oC0, r0\n"
    "\n// approximately 8 instruction slots used (4 texture, 4 arithmetic)\n",

    "    vs_3_0\n"
    "    dcl_position v0\n"
    "    dcl_texcoord11 o1.zw\n"
    "    dcl_position o0\n"
    "    defi i3, 4, 0, -1, 0\n"
    "    defb b2, true\n"
    "    loop aL, i3\n"
    "      if b2\n"
    "        mov o1[aL].z, -c3[a0.w]_abs.x\n"
    "      else\n"
    "        if_lt r0.x, r1.y\n"
    "          break\n"
    "        endif\n"
    "      endif\n"
    "    endloop\n"
    "    callnz l5, !b2\n"
    "    ret\n"
    "    label l5\n"
    "    ret\n"
    "\n// approximately 21 instruction slots used (0 texture, 21 arithmetic)\n",
};
/* clang-format on */

START_TEST(listings_round_trip)
{
    struct shader s = shader_assemble(listings[_i]);
    char *text;

    ck_assert_int_eq(vm_disassemble(&text, s.words, s.n, NULL), ST_OK);
    ck_assert_str_eq(text, listings[_i]);
    mem_free(text);
    shader_free(&s);
}
END_TEST

/* Every float survives with its bits. */
START_TEST(floats_round_trip)
{
    static const uint32_t bits[] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x3f800001,
                                    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                    0xffc00000, 0x7f800001, 0xffedcba9, 0x3eaaaaab, 0x4b800001};

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        uint32_t words[] = {0xFFFE0200, 0x05000051, 0xA00F0007, bits[i], 0, bits[i], 0, 0xFFFF};

        check_words_return(words, 8);
    }
}
END_TEST

/* Invalid programs are disassembled; undecodable ones are not. */
START_TEST(bad_programs)
{
    static const uint32_t senseless[] = {0xFFFE0101, 0x00000001, 0xA00F0005, 0xB0E40003, 0xFFFF};
    static const uint32_t unreadable[] = {0xFFFE0101, 0x00000001, 0xA00F0005, 0x00000003, 0xFFFF};
    struct vm_error error;
    char *text;

    ck_assert_int_eq(vm_disassemble(&text, senseless, 5, &error), ST_OK);
    ck_assert_ptr_nonnull(strstr(text, "    mov c5, a3\n"));
    mem_free(text);
    ck_assert_int_eq(vm_disassemble(&text, unreadable, 5, &error), ST_INVALID);
    ck_assert_ptr_null(text);
    ck_assert_uint_eq(error.token, 3);
}
END_TEST

START_TEST(out_of_memory)
{
    struct shader s = shader_assemble(listings[3]);
    int64_t live = mem_live_blocks();
    enum status st = ST_NOMEM;

    for (int64_t k = 0; st != ST_OK; k++) {
        char *text;

        mem_fail_after(k);
        st = vm_disassemble(&text, s.words, s.n, NULL);
        mem_fail_after(-1);
        if (st == ST_OK)
            mem_free(text);
        else
            ck_assert_int_eq(st, ST_NOMEM);
        ck_assert_int_eq(mem_live_blocks(), live);
    }
    shader_free(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/dis");
    TCase *t = tcase_create("dis");

    tcase_add_loop_test(t, versions_round_trip, 0, CORPUS_VERSIONS);
    tcase_add_loop_test(t, listings_round_trip, 0, sizeof(listings) / sizeof(listings[0]));
    tcase_add_test(t, floats_round_trip);
    tcase_add_test(t, bad_programs);
    tcase_add_test(t, out_of_memory);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
