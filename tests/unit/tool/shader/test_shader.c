/* `novem asm` and `novem dis`: files, validation and exit codes. */
#include "unit/tool/command.h"

#include "tool/shader/shader.h"

#include <sys/stat.h>

static char text_path[64], code_path[64];

static void setup(void)
{
    open_folder();
    path_in_folder(text_path, "in.txt");
    path_in_folder(code_path, "out.bin");
}

#define RUN(command, code, ...)                                                                    \
    run_command(command, code, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),             \
                (char *[]){__VA_ARGS__, NULL})

START_TEST(round_trip)
{
    write_text(text_path, "vs_1_1\ndcl_position v0\nmov oPos, v0\n");
    ck_assert_str_eq(RUN(tool_asm, TOOL_OK, "asm", text_path, "-o", code_path), "");
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_OK, "dis", code_path),
                                 "    vs_1_1\n    dcl_position v0\n    mov oPos, v0\n"));
    ck_assert_str_eq(RUN(tool_asm, TOOL_OK, "asm", text_path),
                     "0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000, 0x00000001, 0xc00f0000,\n"
                     "0x90e40000, 0x0000ffff,\n");
}
END_TEST

START_TEST(errors_have_positions)
{
    char expected[160];

    write_text(text_path, "vs_1_1\nmov oPos, q\n");
    snprintf(expected, sizeof(expected), "novem asm: %s:2:11: a register is expected, not 'q'\n",
             text_path);
    ck_assert_str_eq(RUN(tool_asm, TOOL_ERROR, "asm", text_path), expected);
    ck_assert_ptr_nonnull(
        strstr(RUN(tool_asm, TOOL_ERROR, "asm", "/nowhere/x"), "No such file"));
    write_text(text_path, "not byte code");
    ck_assert_ptr_nonnull(
        strstr(RUN(tool_dis, TOOL_ERROR, "dis", text_path), "is not a shader version"));
}
END_TEST

/* A shader that devices refuse, one that only the documentation forbids, and a software model. */
START_TEST(checks)
{
    write_text(text_path, "vs_1_1\nmov oPos, v0\n");
    ck_assert_ptr_nonnull(strstr(RUN(tool_asm, TOOL_ERROR, "asm", text_path),
                                 ":2:1: vs_1_1: v0 is used without a declaration, in "));
    RUN(tool_asm, TOOL_OK, "asm", text_path, "--no-check", "-o", code_path);
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_ERROR, "dis", code_path), "mov oPos, v0\n"));
    RUN(tool_dis, TOOL_OK, "dis", code_path, "--no-check");

    write_text(text_path, "ps_3_0\ndcl vPos\nmov oC0, vPos\n");
    RUN(tool_asm, TOOL_OK, "asm", text_path);
    ck_assert_ptr_nonnull(
        strstr(RUN(tool_asm, TOOL_ERROR, "asm", text_path, "--strict"), "vPos has x and y only"));

    write_text(text_path, "vs_2_sw\nmov oPos, c8191\n");
    RUN(tool_asm, TOOL_OK, "asm", text_path);
}
END_TEST

/* Macros, included files, and comments that survive disassembly and assembly. */
START_TEST(sources)
{
    char path[80], option[120];

    snprintf(path, sizeof(path), "%s/part.inc", folder);
    ck_assert_int_eq(tool_file_write(path, "mov oPos, REG\n", 14), ST_OK);
    write_text(text_path, "vs_1_1\n#pragma comment 1 0x12345678\n#include \"part.inc\"\n");
    RUN(tool_asm, TOOL_OK, "asm", text_path, "-D", "REG=c7", "-o", code_path);
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_OK, "dis", code_path), "mov oPos, c7\n"));
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_OK, "dis", code_path, "--exact"),
                                 "#pragma comment 1 \\\n    0x12345678\n"));
    snprintf(option, sizeof(option), "%s/part.inc:1:11: ", folder);
    ck_assert_ptr_nonnull(strstr(RUN(tool_asm, TOOL_ERROR, "asm", text_path), option));
    write_text(text_path, "vs_1_1\n#include <other.inc>\n");
    ck_assert_ptr_nonnull(
        strstr(RUN(tool_asm, TOOL_ERROR, "asm", text_path), "'other.inc' cannot be read"));
    snprintf(path, sizeof(path), "%s/sub", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    snprintf(option, sizeof(option), "%s/other.inc", path);
    ck_assert_int_eq(tool_file_write(option, "mov oPos, c0\n", 13), ST_OK);
    RUN(tool_asm, TOOL_OK, "asm", text_path, "-I", path);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/shader");
    TCase *t = tcase_create("shader");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, round_trip);
    tcase_add_test(t, errors_have_positions);
    tcase_add_test(t, checks);
    tcase_add_test(t, sources);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
