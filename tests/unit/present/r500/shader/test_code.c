/* Assembler and disassembler of R500 shaders: known programs, round trips, errors. */
#include "present/r500/shader/code.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t assemble(uint32_t *words, size_t max, const char *text, enum code_shader shader)
{
    struct code_error error;
    size_t n;

    ck_assert_msg(code_assemble(words, max, &n, text, shader, &error) == ST_OK, "line %u: %s in %s",
                  error.line, error.text, text);
    return n;
}

START_TEST(known_programs)
{
    uint32_t words[12];
    size_t n;

    n = assemble(words, 12,
                 "# a copy, then nothing\n"
                 "\n"
                 "vs op=add to_file=out to=1 write=xy a=in1.xy__ b=in1.0000 c=in1.0000\n"
                 "  vs op=add to_file=out to=0 write=xyzw a=in0.xyz1 b=in0.0000 c=in0.0000 # end",
                 SHADER_PVS);
    ck_assert_uint_eq(n, 8);
    ck_assert_uint_eq(words[0], 0x00302203);
    ck_assert_uint_eq(words[1], 0x01f90021);
    ck_assert_uint_eq(words[2], 0x01248021);
    ck_assert_uint_eq(words[4], 0x00f00203);
    ck_assert_uint_eq(words[5], 0x01510001);
    n = assemble(words, 12, "out rgb=mad rgb.x=-|src1.rg0| rgb.src1=c3[] a=rcp a.x=srcp.1 raw1=0x0",
                 SHADER_US);
    ck_assert_uint_eq(n, 6);
    ck_assert_uint_eq(words[0], 1);
    ck_assert_uint_eq(words[1], (0x303u) << 10);
    ck_assert_uint_eq(words[3], 1 | 0 << 2 | 1 << 5 | 4 << 8 | 3 << 11);
    ck_assert_uint_eq(words[4], 10 | 3 << 12 | 6 << 14);
}
END_TEST

/* Random bits: bits outside of all fields print as numbers. */
START_TEST(every_instruction_has_a_text)
{
    enum code_shader shader = _i ? SHADER_PVS : SHADER_US;
    uint32_t words[US_WORDS], back[US_WORDS];
    char text[CODE_TEXT];

    srand(7);
    for (unsigned k = 0; k < 20000; k++) {
        for (unsigned w = 0; w < US_WORDS; w++) {
            words[w] = (uint32_t)rand() << 16 ^ (uint32_t)rand();
            if (k % 3 == 0)
                words[w] &= (uint32_t)rand() << 16 ^ (uint32_t)rand();
        }
        code_disassemble(text, words, shader);
        ck_assert_uint_eq(assemble(back, US_WORDS, text, shader), code_words(shader));
        ck_assert_msg(!memcmp(words, back, 4 * code_words(shader)), "%s", text);
    }
}
END_TEST

static const struct {
    const char *text, *reason;
    unsigned line;
    enum code_shader shader;
} wrong[] = {
    {"\nmov\n", "no such instruction: mov", 2, SHADER_US},
    {"tex op=sample", "no such value: op=sample", 1, SHADER_US},
    {"tex nonsense", "no such key: nonsense", 1, SHADER_US},
    {"tex sem_wait=1", "no such value: sem_wait=1", 1, SHADER_US},
    {"alu rgb.to=t128", "no such value", 1, SHADER_US},
    {"alu rgb.src0=f0.3", "no such value", 1, SHADER_US},
    {"alu rgb.x=src0.rg", "no such value", 1, SHADER_US},
    {"alu write=x", "no such value", 1, SHADER_US},
    {"alu raw6=0x1", "no such key", 1, SHADER_US},
    {"vs a=in1.xy", "no such value", 1, SHADER_PVS},
    {"vs a=in300.xyzw", "no such value", 1, SHADER_PVS},
    {"vs op=add\nvs op=add\nvs op=add\nvs op=add", "too many instructions", 4, SHADER_PVS},
};

START_TEST(wrong_text_is_refused)
{
    struct code_error error;
    uint32_t words[12];
    size_t n;

    ck_assert_int_eq(code_assemble(words, 12, &n, wrong[_i].text, wrong[_i].shader, &error),
                     ST_INVALID);
    ck_assert_uint_eq(error.line, wrong[_i].line);
    ck_assert_msg(strstr(error.text, wrong[_i].reason) != NULL, "%s", error.text);
}
END_TEST

START_TEST(long_lines_are_refused)
{
    char text[4 * CODE_TEXT];
    struct code_error error;
    uint32_t words[12];
    size_t n;

    memset(text, ' ', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    ck_assert_int_eq(code_assemble(words, 12, &n, text, SHADER_US, &error), ST_INVALID);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/r500/code");
    TCase *tc = tcase_create("text");

    tcase_add_test(tc, known_programs);
    tcase_add_loop_test(tc, every_instruction_has_a_text, 0, 2);
    tcase_add_loop_test(tc, wrong_text_is_refused, 0, sizeof(wrong) / sizeof(wrong[0]));
    tcase_add_test(tc, long_lines_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
