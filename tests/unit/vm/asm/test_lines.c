/* All errors of a text, the places of its items, and lines from a compiler's debug comment. */
#include "shader.h"

#include <stdio.h>

/* --- Errors ----------------------------------------------------------------------------------- */

static char told[4096];

static void tell(void *ctx, const struct vm_error *error)
{
    (void)ctx;
    strcat(told, error->text);
    strcat(told, "\n");
}

/* Assembles a wrong text and compares all its errors. */
static void check_errors(const char *text, const char *errors)
{
    struct vm_asm_source source = {.report = tell};
    struct vm_error first = {0, ""};
    uint32_t *words;
    size_t n;

    told[0] = 0;
    ck_assert_int_eq(vm_assemble_source(&words, &n, text, &source, &first), ST_INVALID);
    ck_assert_ptr_null(words);
    ck_assert_msg(!strcmp(told, errors), "%s\ngives:\n%snot:\n%s", text, told, errors);
    ck_assert_msg(!strncmp(told, first.text, strlen(first.text)), "%s", first.text);
}

START_TEST(all_errors_are_reported)
{
    check_errors("ps_3_0\nrsqq r0, r0\nmov r0, c0\nmov r1, q\nadd r0, r1\nmov r2, c0\nmov r0, v1.q",
                 "2:1: 'rsqq' is not known in ps_3_0\n"
                 "4:9: a register is expected, not 'q'\n"
                 "5:5: add with 1 source\n"
                 "7:12: 'q' is not a mask or swizzle\n");
    /* A wrong directive is no part of the lines around it. */
    check_errors("vs_2_0\n#foo 1 2\nmov r0, q\n#else\n#define\nmov oPos, c0 c1\n",
                 "2:2: #foo is not known\n"
                 "3:9: a register is expected, not 'q'\n"
                 "4:2: #else without #if\n"
                 "5:2: #define lacks a name\n"
                 "6:14: 'c1' is not known in vs_2_0\n");
    /* What the end of the text lacks is told once. */
    check_errors("vs_2_0\nmov r0, q\n#if 1\nmov r1, q\n", "2:9: a register is expected, not 'q'\n"
                                                          "4:9: a register is expected, not 'q'\n"
                                                          "5:1: #endif is missing\n");
    check_errors("vs_2_0\nmov r0, q\n/* no end", "2:9: a register is expected, not 'q'\n"
                                                 "3:1: unterminated comment\n");
    check_errors("vs_9_0\nmov r0, q\n", "1:1: 'vs_9_0' is not a shader version\n");
    check_errors("vs_1_1\n#define X r0 +\nX X\nX X X\nmov oPos, X\nfoo\n",
                 "3:1: 'r0' is not known in vs_1_1\n"
                 "4:1: 'r0' is not known in vs_1_1\n"
                 "5:11: instructions are paired in ps_1_x only\n"
                 "6:1: 'foo' is not known in vs_1_1\n");
}
END_TEST

static enum status include(void *ctx, const char *from, const char *name, char **text, char **path)
{
    static const char part[] = "mov r0, q\n#if 1\n";

    (void)ctx;
    (void)from;
    *text = mem_alloc(sizeof(part));
    *path = mem_alloc(strlen(name) + 1);
    memcpy(*text, part, sizeof(part));
    strcpy(*path, name);
    return ST_OK;
}

/* An #if that an included file leaves open ends the text: it must not repeat forever. */
START_TEST(errors_of_included_files)
{
    struct vm_asm_source source = {.report = tell, .include = include};
    uint32_t *words;
    size_t n;

    told[0] = 0;
    ck_assert_int_eq(
        vm_assemble_source(&words, &n, "vs_2_0\nfoo\n#include \"a.inc\"\nbar\n", &source, NULL),
        ST_INVALID);
    ck_assert_str_eq(told, "2:1: 'foo' is not known in vs_2_0\n"
                           "a.inc:1:9: a register is expected, not 'q'\n"
                           "a.inc:3:1: #endif is missing\n");
}
END_TEST

/* --- Places ----------------------------------------------------------------------------------- */

static void add_place(void *ctx, const struct vm_asm_place *place)
{
    ck_assert_int_eq(vm_lines_add(ctx, place), ST_OK);
}

START_TEST(places_of_assembly)
{
    static const char text[] = "vs_2_0\n#define BOTH mov r0, c0 mov r1, c1\n dcl_position v0\n"
                               "BOTH\n\nadd\n r0, r0, r1 mov oPos, r0";
    static const struct {
        unsigned line, column;
    } places[] = {{4, 1}, {4, 1}, {6, 1}, {7, 13}};
    struct vm_lines *lines;
    struct vm_asm_source source = {.place = add_place};
    struct vm_program *program;
    struct vm_line line;
    uint32_t *words;
    size_t n;

    ck_assert_int_eq(vm_lines_create(&lines), ST_OK);
    source.ctx = lines;
    ck_assert_int_eq(vm_assemble_source(&words, &n, text, &source, NULL), ST_OK);
    ck_assert(!vm_lines_find(lines, 0, &line)); /* the version */
    ck_assert(vm_lines_find(lines, 1, &line));
    ck_assert_uint_eq(line.line, 3);
    ck_assert_uint_eq(line.column, 2);
    ck_assert_int_eq(vm_program_create(&program, words, n, &vm_limits_lenient, NULL), ST_OK);
    ck_assert_uint_eq(vm_program_length(program), 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert(vm_lines_find(lines, vm_instr_word(program, i), &line));
        ck_assert_uint_eq(line.line, places[i].line);
        ck_assert_uint_eq(line.column, places[i].column);
        ck_assert_ptr_null(line.file);
    }
    ck_assert_uint_eq(vm_instr_word(program, 4), 0); /* beyond the last */
    vm_program_destroy(program);
    mem_free(words);
    vm_lines_destroy(lines);
}
END_TEST

/* --- The debug comment ------------------------------------------------------------------------ */

enum { DBUG = 0x47554244, WORDS = 256 };

/* ps_2_0, a debug comment and: dcl t0 (3 words), mov r0, t0 (3), mov oC0, r0 (3), the end. Offsets
 * count the comment if `counts`. */
static size_t make_code(uint32_t words[WORDS], bool counts)
{
    static const char names[] = "a.hlsl\0b.fxh";
    enum { HEADER = 10, FILES = 2, INSTRUCTIONS = 3, COMMENT = 1 + HEADER + FILES + 6 + 4 };
    uint32_t first = counts ? 1 + 1 + COMMENT : 1, *debug = words + 3;
    uint32_t header[HEADER] = {40, 0, 0, FILES, 40, INSTRUCTIONS, 40 + 8, 0, 0, 0};

    memset(words, 0, WORDS * sizeof(*words));
    words[0] = 0xffff0200;
    words[1] = 0xfffe | COMMENT << 16;
    words[2] = DBUG;
    memcpy(debug, header, sizeof(header));
    debug[10] = 40 + 8 + 24;
    debug[11] = 40 + 8 + 24 + 7;
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        debug[12 + 2 * i] = (i == 0 ? 7 : 20 + i) | (i == 2) << 16; /* line, file */
        debug[13 + 2 * i] = (first + 3 * i) * 4;
    }
    memcpy(debug + 18, names, sizeof(names));
    memcpy(words + 2 + COMMENT,
           (uint32_t[]){0x0200001f, 0x80000000, 0xb00f0000, 0x02000001, 0x800f0000, 0xb0e40000,
                        0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff},
           40);
    return 2 + COMMENT + 10;
}

START_TEST(lines_of_a_debug_comment)
{
    uint32_t words[WORDS];
    size_t n = make_code(words, _i == 1), code = n - 10;
    struct vm_lines *lines;
    struct vm_line line;
    char *text;

    ck_assert_int_eq(vm_lines_create(&lines), ST_OK);
    ck_assert_int_eq(vm_lines_add_debug(lines, words, n), ST_OK);
    ck_assert(!vm_lines_find(lines, 0, &line));
    ck_assert(vm_lines_find(lines, code, &line));
    ck_assert_str_eq(line.file, "a.hlsl");
    ck_assert_uint_eq(line.line, 7);
    ck_assert_uint_eq(line.column, 0);
    ck_assert(vm_lines_find(lines, code + 7, &line)); /* within the last instruction */
    ck_assert_str_eq(line.file, "b.fxh");
    ck_assert_uint_eq(line.line, 22);
    ck_assert_int_eq(vm_disassemble_lines(&text, words, n, lines, NULL), ST_OK);
    ck_assert_msg(strstr(text, "    // a.hlsl:7\n    dcl t0\n    // a.hlsl:21\n    mov r0, t0\n"
                               "    // b.fxh:22\n    mov oC0, r0\n") != NULL,
                  "%s", text);
    mem_free(text);
    vm_lines_destroy(lines);
}
END_TEST

/* Any word of the comment may be wrong, and any allocation may fail. */
START_TEST(damaged_debug_comments)
{
    static const uint32_t bad[] = {0, 1, 0xffff, 0xfffffff0, 0xffffffff};
    uint32_t words[WORDS];
    size_t n = make_code(words, true);
    int64_t live = mem_live_blocks();

    for (size_t at = 3; at < n - 10; at++)
        for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
            struct vm_lines *lines;
            char *text;

            (void)make_code(words, true);
            words[at] = bad[k];
            ck_assert_int_eq(vm_lines_create(&lines), ST_OK);
            ck_assert_int_eq(vm_lines_add_debug(lines, words, n), ST_OK);
            ck_assert_int_eq(vm_disassemble_lines(&text, words, n, lines, NULL), ST_OK);
            mem_free(text);
            vm_lines_destroy(lines);
        }
    n = make_code(words, true);
    for (int64_t k = 0; k < 100; k++) {
        struct vm_lines *lines;
        enum status st;

        ck_assert_int_eq(vm_lines_create(&lines), ST_OK);
        mem_fail_after(k);
        st = vm_lines_add_debug(lines, words, n);
        mem_fail_after(-1);
        vm_lines_destroy(lines);
        ck_assert_int_eq(mem_live_blocks(), live);
        if (st == ST_OK) {
            ck_assert_int_gt(k, 4);
            return;
        }
        ck_assert_int_eq(st, ST_NOMEM);
    }
    ck_abort_msg("it never succeeds");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/asm lines");
    TCase *t = tcase_create("lines");

    tcase_add_test(t, all_errors_are_reported);
    tcase_add_test(t, errors_of_included_files);
    tcase_add_test(t, places_of_assembly);
    tcase_add_loop_test(t, lines_of_a_debug_comment, 0, 2);
    tcase_add_test(t, damaged_debug_comments);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
