/* `novem asm` and `novem dis`: files, checks and exit codes. */
#include "check_main.h"

#include "tool/tool.h"
#include "util/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/novem-test-XXXXXX";
static char text_path[64], code_path[64], output_path[64];

static void setup(void)
{
    strcpy(folder, "/tmp/novem-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(text_path, sizeof(text_path), "%s/in.txt", folder);
    snprintf(code_path, sizeof(code_path), "%s/out.bin", folder);
    snprintf(output_path, sizeof(output_path), "%s/stdout", folder);
}

static void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static void write_text(const char *text)
{
    ck_assert_int_eq(tool_file_write(text_path, text, strlen(text)), ST_OK);
}

/* Runs a command with stdout and stderr in a file, and returns what it printed. */
static const char *run(int (*command)(int, char **), int expected, int argc, char **argv)
{
    static char printed[1024];
    uint8_t *bytes;
    size_t n;
    int code, out = dup(1), err = dup(2);

    fflush(stdout);
    ck_assert_ptr_nonnull(freopen(output_path, "w", stdout));
    dup2(fileno(stdout), 2);
    code = command(argc, argv);
    fflush(stdout);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    ck_assert_int_eq(tool_file_read(output_path, &bytes, &n), ST_OK);
    snprintf(printed, sizeof(printed), "%s", (const char *)bytes);
    mem_free(bytes);
    ck_assert_msg(code == expected, "exit code %d: %s", code, printed);
    return printed;
}
#define RUN(command, code, ...)                                                                    \
    run(command, code, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),                     \
        (char *[]){__VA_ARGS__, NULL})

START_TEST(there_and_back)
{
    write_text("vs_1_1\ndcl_position v0\nmov oPos, v0\n");
    ck_assert_str_eq(RUN(tool_asm, TOOL_OK, "asm", text_path, "-o", code_path), "");
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_OK, "dis", code_path),
                                 "    vs_1_1\n    dcl_position v0\n    mov oPos, v0\n"));
    ck_assert_str_eq(RUN(tool_asm, TOOL_OK, "asm", text_path),
                     "0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000, 0x00000001, 0xc00f0000,\n"
                     "0x90e40000, 0x0000ffff,\n");
}
END_TEST

START_TEST(errors_have_places)
{
    char expected[160];

    write_text("vs_1_1\nmov oPos, q\n");
    snprintf(expected, sizeof(expected),
             "novem asm: %s:2:11: a register is expected, not 'q'\n", text_path);
    ck_assert_str_eq(RUN(tool_asm, TOOL_ERROR, "asm", text_path), expected);
    ck_assert_ptr_nonnull(
        strstr(RUN(tool_asm, TOOL_ERROR, "asm", "/nowhere/x"), "input/output error"));
    write_text("not byte code");
    ck_assert_ptr_nonnull(
        strstr(RUN(tool_dis, TOOL_ERROR, "dis", text_path), "is not a shader version"));
}
END_TEST

/* What a device refuses, what only the documentation forbids, and a software model. */
START_TEST(checks)
{
    write_text("vs_1_1\nmov oPos, v0\n");
    ck_assert_ptr_nonnull(strstr(RUN(tool_asm, TOOL_ERROR, "asm", text_path),
                                 "word 1: vs_1_1: v0 is used without a declaration, in "));
    RUN(tool_asm, TOOL_OK, "asm", text_path, "--no-check", "-o", code_path);
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_ERROR, "dis", code_path), "mov oPos, v0\n"));
    RUN(tool_dis, TOOL_OK, "dis", code_path, "--no-check");

    write_text("ps_3_0\ndcl vPos\nmov oC0, vPos\n");
    RUN(tool_asm, TOOL_OK, "asm", text_path);
    ck_assert_ptr_nonnull(
        strstr(RUN(tool_asm, TOOL_ERROR, "asm", text_path, "--strict"), "vPos has x and y only"));

    write_text("vs_2_sw\nmov oPos, c8191\n");
    RUN(tool_asm, TOOL_OK, "asm", text_path);
}
END_TEST

/* Macros and files from outside, and comments that survive the way to text and back. */
START_TEST(sources)
{
    char path[80], option[120];

    snprintf(path, sizeof(path), "%s/part.inc", folder);
    ck_assert_int_eq(tool_file_write(path, "mov oPos, REG\n", 14), ST_OK);
    write_text("vs_1_1\n#pragma comment 1 0x12345678\n#include \"part.inc\"\n");
    RUN(tool_asm, TOOL_OK, "asm", text_path, "-D", "REG=c7", "-o", code_path);
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_OK, "dis", code_path), "mov oPos, c7\n"));
    ck_assert_ptr_nonnull(strstr(RUN(tool_dis, TOOL_OK, "dis", code_path, "--exact"),
                                 "#pragma comment 1 \\\n    0x12345678\n"));
    snprintf(option, sizeof(option), "%s/part.inc:1:11: ", folder);
    ck_assert_ptr_nonnull(strstr(RUN(tool_asm, TOOL_ERROR, "asm", text_path), option));
    write_text("vs_1_1\n#include <other.inc>\n");
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

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, there_and_back);
    tcase_add_test(t, errors_have_places);
    tcase_add_test(t, checks);
    tcase_add_test(t, sources);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
