/* `novem` commands that read captures or settings: options, output and exit codes. */
#include "check_main.h"
#include "unit/trace/stream.h"

#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "tool/commands.h"
#include "util/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/novem-test-XXXXXX";
static char output[] = "/tmp/novem-test-XXXXXX";

/* --- Options ---------------------------------------------------------------------------------- */

static bool flag;
static const char *text;
static unsigned number;
static const char *files[2];

static int parse(int argc, char **argv)
{
    const struct tool_option options[] = {
        {"--flag", NULL, "a flag", OPT_FLAG, &flag},
        {"--text", "T", "a text", OPT_TEXT, &text},
        {"-n", "N", "a number", OPT_UINT, &number},
    };
    const struct tool_usage usage = {"test FILE", "Tests.", options, 3, 1, 2};

    flag = false;
    text = NULL;
    number = 0;
    return tool_parse(&usage, argc, argv, files);
}

#define PARSE(...)                                                                                 \
    parse(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (char *[]){__VA_ARGS__, NULL})

START_TEST(options_stand_anywhere)
{
    ck_assert_int_lt(PARSE("test", "a", "--flag", "-n", "0x10", "b", "--text", "-odd"), 0);
    ck_assert(flag);
    ck_assert_str_eq(text, "-odd");
    ck_assert_uint_eq(number, 16);
    ck_assert_str_eq(files[0], "a");
    ck_assert_str_eq(files[1], "b");
    ck_assert_int_lt(PARSE("test", "-"), 0); /* a file named "-" */
    ck_assert_str_eq(files[0], "-");
    ck_assert_ptr_null(files[1]);
}
END_TEST

START_TEST(options_are_checked)
{
    ck_assert_int_eq(PARSE("test"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "b", "c"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "--text"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "--other"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "-n", "many"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "-n", "-1"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "a", "-n", "99999999999"), TOOL_ERROR);
    ck_assert_int_eq(PARSE("test", "--help"), TOOL_OK);
}
END_TEST

/* --- Output ----------------------------------------------------------------------------------- */

static void put_sample(struct stream *s)
{
    static const char *const args[] = {"this", "Flags", "pRect", "Z", "pData", "ppOut", NULL};

    put_header(s);
    put_enter(s, 0, 0, "IDirect3DDevice9::DrawPrimitive", args);
    put_arg(s, 0);
    put_opaque(s, 0xabc);
    put_arg(s, 1);
    put(s, 0x0a);
    put_var(s, 0);
    put_var(s, 2);
    put_text(s, "ONE");
    put_var(s, 1);
    put_text(s, "TWO");
    put_var(s, 2);
    put_var(s, 0x13);
    put_arg(s, 2);
    put(s, 0x0b);
    put_var(s, 1);
    put(s, 0x0c);
    put_var(s, 0);
    put_text(s, "POINT");
    put_var(s, 2);
    put_text(s, "x");
    put_text(s, "y");
    put_uint(s, 1);
    put(s, 3);
    put_var(s, 2);
    put_arg(s, 3);
    put_float(s, 0.1f);
    put_arg(s, 4);
    put_blob(s, "12345", 5);
    put_end(s);
    put_leave(s, 0);
    put_ret(s);
    put(s, 9);
    put_var(s, 0);
    put_var(s, 1);
    put_text(s, "D3D_OK");
    put(s, 4);
    put_var(s, 0);
    put(s, 4);
    put_var(s, 0);
    put_end(s);
    put_enter(s, 1, 9, "glFlush", NULL);
    put_end(s);
    put_leave(s, 1);
    put_end(s);
    put_enter(s, 0, 9, NULL, NULL);
    put_end(s);
}

static const char dump_text[] =
    "// process.name = \"test\"\n"
    "0 IDirect3DDevice9::DrawPrimitive(this = 0xabc, Flags = ONE | TWO | 0x10, "
    "pRect = &{x = 1, y = -2}, Z = 0.1, pData = blob(5), ppOut = ?) = D3D_OK\n"
    "1 glFlush()\n"
    "2 glFlush() // incomplete\n";

static void write_file(const struct stream *s, const char *extra)
{
    struct stream file = pack_snappy(s, 1 << 20);
    FILE *out = fopen(path, "wb");

    fwrite(file.bytes, 1, file.n, out);
    fputs(extra, out);
    fclose(out);
    free(file.bytes);
}

static void setup(void)
{
    struct stream s = {0};

    strcpy(path, "/tmp/novem-test-XXXXXX");
    strcpy(output, path);
    close(mkstemp(path));
    close(mkstemp(output));
    put_sample(&s);
    write_file(&s, "");
    free(s.bytes);
    ck_assert_ptr_nonnull(freopen(output, "w", stdout));
}

static void teardown(void)
{
    unlink(path);
    unlink(output);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static const char *printed(void)
{
    static char all[65536];
    FILE *file;
    size_t n;

    fflush(stdout);
    file = fopen(output, "r");
    n = fread(all, 1, sizeof(all) - 1, file);
    all[n] = 0;
    fclose(file);
    return all;
}

START_TEST(dump_prints_calls)
{
    char *argv[] = {"dump", path, NULL};

    ck_assert_int_eq(tool_dump(2, argv), TOOL_OK);
    ck_assert_str_eq(printed(), dump_text);
}
END_TEST

START_TEST(dump_selects_calls)
{
    char *argv[] = {"dump", path, "--calls", "1-", "--threads", NULL};

    ck_assert_int_eq(tool_dump(5, argv), TOOL_OK);
    ck_assert_str_eq(printed(), "// process.name = \"test\"\n1 @1 glFlush()\n"
                                "2 @0 glFlush() // incomplete\n");
    argv[3] = "2-1";
    ck_assert_int_eq(tool_dump(4, argv), TOOL_ERROR);
}
END_TEST

START_TEST(dump_reports_damage)
{
    char *argv[] = {"dump", path, NULL};
    struct stream s = {0};

    put_sample(&s);
    write_file(&s, "\1\2\3\4");
    free(s.bytes);
    ck_assert_int_eq(tool_dump(2, argv), TOOL_ERROR);
    ck_assert_str_eq(printed(), dump_text); /* prints the calls before the damage */
    unlink(path);
    ck_assert_int_eq(tool_dump(2, argv), TOOL_ERROR);
}
END_TEST

START_TEST(info_counts)
{
    char *argv[] = {"info", path, NULL};

    ck_assert_int_eq(tool_info(2, argv), TOOL_OK);
    ck_assert_ptr_nonnull(
        strstr(printed(), "format     apitrace, stream version 6\ncontainer  snappy\n"));
    ck_assert_ptr_nonnull(strstr(printed(), "calls      2 in 2 threads, 1 more never returned\n"));
    ck_assert_ptr_nonnull(strstr(printed(), "draws      1\n"));
    ck_assert_ptr_nonnull(strstr(printed(), "unsupported calls:\n         1  glFlush\n"));
}
END_TEST

START_TEST(settings_are_printed)
{
    ck_assert_int_eq(tool_config(1, (char *[]){"config", NULL}), TOOL_OK);
    ck_assert_int_eq(tool_config(2, (char *[]){"config", "--list", NULL}), TOOL_OK);
    ck_assert_int_eq(tool_config(2, (char *[]){"config", "--lists", NULL}), TOOL_ERROR);
    ck_assert_int_eq(tool_config(2, (char *[]){"config", "THREADS", NULL}), TOOL_ERROR);
}
END_TEST

START_TEST(settings_of_a_program_are_printed)
{
    static const char conf[] = "SHADER_MODEL = 2\n[other.exe]\nSHADER_MODEL = 0\n"
                               "[game.exe]\nSHADER_MODEL = 1\n";
    char *argv[] = {"config", "--program", "game.exe", NULL};

    unsetenv("NOVEM_SHADER_MODEL");
    ck_assert_int_eq(tool_file_write(path, conf, sizeof(conf) - 1), ST_OK);
    setenv("NOVEM_CONFIG", path, 1);
    ck_assert_int_eq(tool_config(2, argv), TOOL_ERROR);
    ck_assert_int_eq(tool_config(3, argv), TOOL_OK);
    ck_assert_ptr_nonnull(strstr(printed(), "SHADER_MODEL     = 1                # "));
}
END_TEST

START_TEST(former_names_of_settings_fail)
{
    setenv("NOVEM_BUG", "border", 1);
    ck_assert_int_eq(tool_config(1, (char *[]){"config", NULL}), TOOL_ERROR);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("commands");
    TCase *tc = tcase_create("options");

    tcase_add_test(tc, options_stand_anywhere);
    tcase_add_test(tc, options_are_checked);
    tcase_add_test(tc, settings_are_printed);
    tcase_add_test(tc, former_names_of_settings_fail);
    suite_add_tcase(suite, tc);
    tc = tcase_create("texts");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, dump_prints_calls);
    tcase_add_test(tc, dump_selects_calls);
    tcase_add_test(tc, dump_reports_damage);
    tcase_add_test(tc, info_counts);
    tcase_add_test(tc, settings_of_a_program_are_printed);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
