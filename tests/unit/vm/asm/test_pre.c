/* Assembler preprocessor: directives, files, and errors. */
#include "expansion.h"

/* clang-format off */
static const struct {
    const char *text, *plain;
} texts[] = {
    {"vs_1_1\n#ifdef X\nthis is not read ' \" ###\n#else\nmov r0, c0\n#endif", "vs_1_1\nmov r0, c0"},
    {"#define X\nvs_1_1\n#ifdef X\nmov r0, c0\n#else\n#error no\n#endif X", "vs_1_1\nmov r0, c0"},
    {"vs_1_1\n#ifndef X\n#ifndef X\nmov r0, c0\n#endif\n#else\n#if 1\nbad\n#else\nbad\n#endif\n#endif",
     "vs_1_1\nmov r0, c0"},
    {"#define L 2\nvs_1_1\n#if L == 1\nmov r0, c1\n#elif L == 2\nmov r0, c2\n#elif L == 2\nmov r0, c3\n#else\n"
     "mov r0, c4\n#endif",
     "vs_1_1\nmov r0, c2"},
    {"vs_1_1\n#if 0\n#elif 0\n#else\nmov r0, c4\n#endif", "vs_1_1\nmov r0, c4"},
    {"vs_1_1\n#if 1\nmov r0, c0\n#elif 1 / 0\n#endif", "vs_1_1\nmov r0, c0"},
    {"#\nvs_1_1\n# define A c0\n  #  if 1\nmov r0, A\n#endif\n#pragma once\n#line 7\n", "vs_1_1\nmov r0, c0"},
};

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"vs_1_1\n#if", "2:2: #if: a value is missing"},
    {"vs_1_1\n#if 1 +\n#endif", "2:2: #if: a value is missing"},
    {"vs_1_1\n#if (1\n#endif", "2:2: #if: ')' is missing"},
    {"vs_1_1\n#if 1 2\n#endif", "2:2: #if: something follows the condition"},
    {"vs_1_1\n#if 1.5\n#endif", "2:2: #if: numbers are integers"},
    {"vs_1_1\n#if 1 / 0\n#endif", "2:2: #if: division by zero"},
    {"vs_1_1\n#if 1 ? 2\n#endif", "2:2: #if: ':' is missing"},
    {"vs_1_1\n#if defined 3\n#endif", "2:2: #if: defined lacks a name"},
    {"vs_1_1\n#if defined(A\n#endif", "2:2: #if: defined lacks a name"},
    {"vs_1_1\n#if 1\nmov r0, c0\n", "#endif is missing"},
    {"vs_1_1\n#if 0\nmov r0, c0\n", "#endif is missing"},
    {"vs_1_1\n#else\n", "2:2: #else without #if"},
    {"vs_1_1\n#elif 1\n", "2:2: #elif without #if"},
    {"vs_1_1\n  #endif\n", "2:4: #endif without #if"},
    {"vs_1_1\n#if 0\n#else\n#else\n#endif", "4:2: #else after #else"},
    {"vs_1_1\n#if 1\n#else\n#elif 1\n#endif", "4:2: #elif after #else"},
    {"vs_1_1\n#ifdef\n#endif", "2:2: #ifdef lacks a name"},
    {"vs_1_1\n#define\n", "2:2: #define lacks a name"},
    {"vs_1_1\n#define 3\n", "2:2: #define lacks a name"},
    {"vs_1_1\n#undef\n", "2:2: #undef lacks a name"},
    {"vs_1_1\n#define F(a\n", "2:9: unterminated parameters of 'F'"},
    {"vs_1_1\n#define F(a) a\nF(\n", "3:1: unterminated arguments of 'F'"},
    {"vs_1_1\n#define F(a) a\nF(1, 2)\n", "3:1: 'F' has 2 arguments instead of 1"},
    {"vs_1_1\n#define F(a, b) a\nF(1)\n", "3:1: 'F' has 1 argument instead of 2"},
    {"vs_1_1\n#frobnicate\n", "2:2: #frobnicate is not known"},
    {"vs_1_1\n#error give up; really\n", "2:2: #error give up"},
    {"vs_1_1\n#include\n", "2:2: #include lacks"},
    {"vs_1_1\n#include \"a.h\"\n", "2:2: there are no files to #include here"},
    {"vs_1_1\n#define A mov r0, c0 bad\n\n  A\n", "4:3: 'bad' is not known"}, /* location of the
                                                                                 use */
    {"vs_1_1\nmov r0, /* never", "2:9: unterminated comment"},
    {"vs_1_1\n#pragma comment 1\nmov r0, c0", "3:1: an integer is expected"},
    {"vs_1_1\n#pragma comment 32768\n", "a comment has at most 32767 words"},
};
/* clang-format on */

START_TEST(texts_expand)
{
    check_expansion(texts[_i].text, texts[_i].plain);
}
END_TEST

START_TEST(errors_have_locations)
{
    check_mistake(mistakes[_i].text, NULL, mistakes[_i].message);
}
END_TEST

START_TEST(comments_are_words)
{
    static const uint32_t words[] = {0xFFFE0101, 0x0002FFFE, 0x42415443, 0xFFFFFFFF, 0x00000001,
                                     0x800F0000, 0xA0E40000, 0x0000FFFE, 0x0000FFFF};
    struct shader s =
        shader_assemble("vs_1_1\n#pragma comment 2 0x42415443 -1\nmov r0, c0\n#pragma comment 0\n");

    ck_assert_uint_eq(s.n, sizeof(words) / 4);
    ck_assert_mem_eq(s.words, words, sizeof(words));
    shader_free(&s);
}
END_TEST

/* --- Files ------------------------------------------------------------------------------------ */

static char *copy(const char *text)
{
    char *out = mem_alloc(strlen(text) + 1);

    return out ? strcpy(out, text) : NULL;
}

static enum status include(void *ctx, const char *from, const char *name, char **text, char **path)
{
    static const char *const files[][2] = {
        {"a.inc", "#define REG c5\n#include <sub/b.inc>\nmov r0, SUB"},
        {"sub/b.inc", "#define SUB REG"},
        {"bad.inc", "\n  mov r0, q9"},
        {"open.inc", "#if 1\n"},
        {"close.inc", "#endif\n"},
        {"self.inc", "#include \"self.inc\"\n"},
        {"four.inc",
         "#include \"5.inc\"\n#include \"5.inc\"\n#include \"5.inc\"\n#include \"5.inc\"\n"},
        {"5.inc",
         "#include \"6.inc\"\n#include \"6.inc\"\n#include \"6.inc\"\n#include \"6.inc\"\n"},
        {"6.inc",
         "#include \"7.inc\"\n#include \"7.inc\"\n#include \"7.inc\"\n#include \"7.inc\"\n"},
        {"7.inc",
         "#include \"8.inc\"\n#include \"8.inc\"\n#include \"8.inc\"\n#include \"8.inc\"\n"},
        {"8.inc",
         "#include \"9.inc\"\n#include \"9.inc\"\n#include \"9.inc\"\n#include \"9.inc\"\n"},
        {"9.inc", "; nothing\n"},
    };
    unsigned *count = ctx;

    ++*count;
    if (!strcmp(name, "sub/b.inc"))
        ck_assert_str_eq(from, "/found/a.inc");
    for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (strcmp(files[i][0], name))
            continue;
        *text = copy(files[i][1]);
        *path = mem_alloc(64);
        if (!*text || !*path) {
            mem_free(*text);
            mem_free(*path);
            return ST_NOMEM;
        }
        snprintf(*path, 64, "/found/%s", name);
        return ST_OK;
    }
    return ST_NOTFOUND;
}

static unsigned includes;
static const struct vm_asm_define given[] = {{"FROM_OUTSIDE", "2 + 1"}, {"EMPTY", ""}};
static const struct vm_asm_source source = {
    .define = given, .n_defines = 2, .include = include, .ctx = &includes};
static const char files_text[] =
    "vs_1_1\n#include \"a.inc\" // first\nmov r1, REG\n#ifdef EMPTY\nmov "
    "r2, c[FROM_OUTSIDE]\n#endif\n";

START_TEST(files_and_defines)
{
    struct shader plain = shader_assemble("vs_1_1\nmov r0, c5\nmov r1, c5\nmov r2, c3");
    struct vm_error error = {0, ""};
    enum status st = ST_NOMEM;
    int64_t live = mem_live_blocks();
    uint32_t *words;
    size_t n;

    for (int64_t k = 0; st != ST_OK; k++) {
        mem_fail_after(k);
        st = vm_assemble_source(&words, &n, files_text, &source, &error);
        mem_fail_after(-1);
        ck_assert_msg(st == ST_OK || st == ST_NOMEM, "%d at %d: %s", (int)st, (int)k, error.text);
        ck_assert(st == ST_OK || mem_live_blocks() == live);
    }
    ck_assert_uint_eq(n, plain.n);
    ck_assert_mem_eq(words, plain.words, n * 4);
    mem_free(words);
    shader_free(&plain);
    check_mistake("vs_1_1\n#include \"bad.inc\"\n", &source, "/found/bad.inc:2:11: ");
    check_mistake("vs_1_1\n#include \"open.inc\"\n#endif\n", &source, "#endif is missing");
    check_mistake("vs_1_1\n#if 1\n#include \"close.inc\"\n", &source, ":1:2: #endif without #if");
    check_mistake("vs_1_1\n#include \"self.inc\"\n", &source, "#include is nested too deeply");
    check_mistake("vs_1_1\n#include \"four.inc\"\n", &source, "#include reads too many files");
    check_mistake("vs_1_1\n#include \"none.inc\"\n", &source, "2:2: 'none.inc' cannot be read");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/pre");
    TCase *t = tcase_create("preprocessor");

    tcase_add_loop_test(t, texts_expand, 0, sizeof(texts) / sizeof(texts[0]));
    tcase_add_loop_test(t, errors_have_locations, 0, sizeof(mistakes) / sizeof(mistakes[0]));
    tcase_add_test(t, comments_are_words);
    tcase_add_test(t, files_and_defines);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
