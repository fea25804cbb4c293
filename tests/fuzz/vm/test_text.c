/* Mutated text: the assembler and its preprocessor return words or an error message, never crash.
 * Assembled words survive disassembly and re-assembly. */
#include "check_main.h"

#include "util/alloc.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const seeds[] = {
    "#define N 4\n#define F(a, b) add a, b, c[N]\n#if defined(N) && N > 3 || "
    "!0\nvs_2_x\n#else\nps_2_0\n#endif\n"
    "dcl_position v0\nF(r0, v0) // x\nF(\n r1,\n r0\n)\n(!p0.x) mov oPos, -r1.wzyx ; y\n",
    "#define CAT(a, b) a##b\n#define TWICE(x) x x\nps_1_4\n#pragma comment 2 0x1 0x2\ntexld CAT(r, "
    "0), t0_dw.xyw\n"
    "phase\nTWICE(mul_x2_sat r0.rgb, 1-r0, c0_bx2)\n+mov r0.a, c1.b\n#include \"a\"\n",
    "vs_3_0\ndcl_texcoord3 o1.xy\ndefi i0, 1, -2, 0x3, 4\ndefb b1, true\ndef c0, 1.5e-3, -0, "
    "1.#INF, .25\nloop aL, i0\n"
    "if_lt r0.x, c[a0.y + 3].z\nmov o1[aL + 2], c5_abs /* c */\nbreak\nendif\nendloop\n",
    "#ifdef A\n#elif 1 ? (2 << 3) / 4 == 4 : 0\n#ifndef B\nps_3_0\n#endif\n#endif\n#undef "
    "A\ndcl_cube s0\ndcl vPos.xy\n"
    "texldd_sat_pp r0, v0, s0.wzyx, r1, \\\n r2\n",
};

static uint32_t state;

static uint32_t next(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static enum status include(void *ctx, const char *from, const char *name, char **text, char **path)
{
    (void)ctx;
    (void)from;
    *text = mem_calloc(1, 64);
    *path = mem_calloc(1, 64);
    snprintf(*text, 64, "#define INC(x) x\n#include \"%.20s\"\n", name);
    return ST_OK;
}

static size_t mutate(char *text, size_t n, size_t max)
{
    static const char *const pieces[] = {"#",
                                         "##",
                                         "\n#if ",
                                         "\n#endif\n",
                                         "(",
                                         ")",
                                         ",",
                                         "F(",
                                         "\\\n",
                                         "/*",
                                         "*/",
                                         "1",
                                         "x",
                                         "\n#define F(a, b) ",
                                         "\n#define N ",
                                         "\n#else\n",
                                         "[",
                                         "]",
                                         ".",
                                         "\"",
                                         " ",
                                         "\n"};
    const char *piece = pieces[next(sizeof(pieces) / sizeof(pieces[0]))];
    size_t at = n ? next((uint32_t)n) : 0, length = strlen(piece);

    switch (next(4)) {
    case 0:
        if (n)
            text[at] = (char)(1 + next(126));
        return n;
    case 1:
        if (n < 2)
            return n;
        length = 1 + next(8);
        length = length < n - at ? length : n - at;
        memmove(text + at, text + at + length, n - at - length + 1);
        return n - length;
    case 2: { /* duplicates a piece of the text */
        char copy[16];

        length = 1 + next(15);
        length = length < n - at ? length : n - at;
        memcpy(copy, text + at, length);
        if (n + length + 1 > max)
            return n;
        at = next((uint32_t)n + 1);
        memmove(text + at + length, text + at, n - at + 1);
        memcpy(text + at, copy, length);
        return n + length;
    }
    default:
        if (n + length + 1 > max)
            return n;
        memmove(text + at + length, text + at, n - at + 1);
        memcpy(text + at, piece, length);
        return n + length;
    }
}

static void check_text(const char *text)
{
    static const struct vm_asm_source source = {.include = include};
    struct vm_error error = {0, ""};
    uint32_t *words, *again;
    size_t n, n_again;
    char *listing;

    if (vm_assemble_source(&words, &n, text, &source, &error) != ST_OK) {
        ck_assert_msg(strchr(error.text, ':') != NULL, "%s", error.text);
        return;
    }
    ck_assert_msg(vm_disassemble_exact(&listing, words, n, &error) == ST_OK, "%s: %s", text,
                  error.text);
    ck_assert_msg(vm_assemble(&again, &n_again, listing, &error) == ST_OK, "%s: %s", listing,
                  error.text);
    ck_assert_msg(n_again == n && !memcmp(again, words, n * sizeof(*words)), "%s\n%s", text,
                  listing);
    mem_free(listing);
    mem_free(again);
    mem_free(words);
}

START_TEST(mutated_text)
{
    enum { ROUNDS = 6000 };
    int64_t live = mem_live_blocks();

    state = 12345u + (uint32_t)_i;
    for (unsigned round = 0; round < ROUNDS; round++) {
        char text[2048];
        size_t n = (size_t)snprintf(text, sizeof(text), "%s", seeds[_i]);

        for (unsigned edits = 1 + next(6); edits-- > 0;)
            n = mutate(text, n, sizeof(text));
        check_text(text);
        ck_assert_int_eq(mem_live_blocks(), live);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("fuzz/text");
    TCase *t = tcase_create("text");

    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, mutated_text, 0, sizeof(seeds) / sizeof(seeds[0]));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
