/* `novem dump` and `novem info` of a capture: output and exit codes. */
#include "check_main.h"
#include "unit/trace/stream.h"

#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/novem-test-XXXXXX";
static char output[] = "/tmp/novem-test-XXXXXX";

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

static Suite *suite(void)
{
    Suite *suite = suite_create("capture/dump");
    TCase *tc = tcase_create("capture/dump");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, dump_prints_calls);
    tcase_add_test(tc, dump_selects_calls);
    tcase_add_test(tc, dump_reports_damage);
    tcase_add_test(tc, info_counts);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
