/* Report files of golden runs: escaping, JUnit XML, the HTML page and the cases' files.
 * tests/browser tests the page in a browser. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/golden/record.h"
#include "tool/golden/text.h"
#include "tool/image/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *read_text(const char *name)
{
    uint8_t *bytes;
    size_t n;

    ck_assert_int_eq(tool_file_read(in_folder(name), &bytes, &n), ST_OK);
    return (char *)bytes;
}

static void write_picture(const char *name, uint32_t width, uint8_t value)
{
    struct tool_image image;

    ck_assert_int_eq(tool_image_create(&image, width, 8), ST_OK);
    memset(image.rgba, 255, (size_t)width * 8 * 4);
    memset(image.rgba + 4 * 9, value, 3);
    ck_assert_int_eq(tool_png_write(in_folder(name), &image, 4), ST_OK);
    tool_image_fini(&image);
}

typedef void put_fn(FILE *file, const char *text);

static void expect_put(put_fn *put, const char *text, const char *expected)
{
    char *out = NULL;
    size_t n;
    FILE *file = open_memstream(&out, &n);

    put(file, text);
    fclose(file);
    ck_assert_str_eq(out, expected);
    free(out);
}

START_TEST(text_of_any_bytes)
{
    expect_put(golden_put_json, "a\"\\/\n\x1b\x7f</script>",
               "\"a\\\"\\\\/\\u000a\\u001b\\u007f\\u003c/script>\"");
    expect_put(golden_put_json, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82",
               "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82\"");
    expect_put(golden_put_json, "\xe2\x80\xa8", "\"\\u2028\"");
    /* Invalid UTF-8: stray bytes, overlong forms, surrogates, truncation. */
    expect_put(golden_put_json, "\xff-\xc0\xaf-\xed\xa0\x80-\xe2\x82",
               "\"\xef\xbf\xbd-\xef\xbf\xbd\xef\xbf\xbd-\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd-"
               "\xef\xbf\xbd\xef\xbf\xbd\"");
    expect_put(golden_put_xml, "<a b=\"c\"> & d\x01\x1b\n\t",
               "&lt;a b=&quot;c&quot;&gt; &amp; d&#10;&#9;");
    expect_put(golden_put_xml, "\xc3\xa4\xef\xbf\xbf\xff", "\xc3\xa4\xef\xbf\xbd");
}
END_TEST

static void expect_png(const char *bytes, size_t n, const char *expected)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);

    golden_put_png(file, (const uint8_t *)bytes, n);
    fclose(file);
    ck_assert_str_eq(out, expected);
    free(out);
}

START_TEST(base64)
{
    expect_png("", 0, "\"data:image/png;base64,\"");
    expect_png("f", 1, "\"data:image/png;base64,Zg==\"");
    expect_png("fo", 2, "\"data:image/png;base64,Zm8=\"");
    expect_png("foo\xff", 4, "\"data:image/png;base64,Zm9v/w==\"");
}
END_TEST

static struct records read_records(const char *lines)
{
    struct records records = {0};

    write_text(in_folder("results.jsonl"), lines);
    ck_assert(records_read(&records, folder, "test"));
    records_sort(&records);
    return records;
}

#define RUN "{\"novem\":\"1.0\",\"manifest\":\"suite <1>.toml\"}\n"

static unsigned occurrences(const char *text, const char *what)
{
    unsigned n = 0;

    for (; (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

/* One case per verdict; the first four are in folder "a". */
static struct records each_verdict(void)
{
    char lines[8192] = RUN, line[256];

    for (int v = 0; v < GOLDEN_VERDICTS; v++) {
        snprintf(line, sizeof(line),
                 "{\"case\":\"%s/case-%d\",\"verdict\":\"%s\",\"seconds\":0.25,"
                 "\"message\":\"message <%d> & \\u0002more\",\"reason\":\"why <%d>\"}\n",
                 v < 4 ? "a" : "b/c", v, golden_verdict_names[v], v, v);
        strcat(lines, line);
    }
    return read_records(lines);
}

START_TEST(junit)
{
    struct records records = each_verdict();
    char *text;

    ck_assert(report_junit(&records, in_folder("junit.xml")));
    text = read_text("junit.xml");
    ck_assert_ptr_nonnull(strstr(text, "<testsuites name=\"golden\" tests=\"12\" failures=\"6\" "
                                       "errors=\"2\" skipped=\"2\" time=\"3.000\">"));
    ck_assert_ptr_nonnull(strstr(
        text, "<testsuite name=\"a\" tests=\"4\" failures=\"0\" errors=\"0\" skipped=\"2\""));
    ck_assert_ptr_nonnull(strstr(
        text, "<testsuite name=\"b.c\" tests=\"8\" failures=\"6\" errors=\"2\" skipped=\"0\""));
    ck_assert_ptr_nonnull(
        strstr(text, "<testcase classname=\"b.c\" name=\"case-4\" time=\"0.250\">\n"
                     "      <failure type=\"fail\" message=\"message &lt;4&gt; &amp; more\"/>\n"
                     "      <system-out>verdict: fail\nreason: why &lt;4&gt;\n</system-out>"));
    ck_assert_uint_eq(occurrences(text, "<failure "), 6);
    ck_assert_uint_eq(occurrences(text, "<error "), 2);
    ck_assert_uint_eq(occurrences(text, "<skipped "), 2);
    ck_assert_uint_eq(occurrences(text, "<testcase "), 12);
    ck_assert_uint_eq(occurrences(text, "</testcase>"), 12);
    mem_free(text);
    ck_assert(!report_junit(&records, in_folder("none/junit.xml")));
    records_free(&records);
}
END_TEST

START_TEST(page)
{
    struct records records;
    char *text, lines[1024];

    write_picture("ref.png", 16, 0);
    write_picture("cand.png", 16, 200);
    mkdir(in_folder("logs"), 0777);
    mkdir(in_folder("logs/a"), 0777);
    write_text(in_folder("logs/a/b.log"), "\x1b[1mlast words</script>");
    mkdir(in_folder("pages"), 0777);
    mkdir(in_folder("pages/a"), 0777);
    mkdir(in_folder("pages/a/b"), 0777);
    write_text(in_folder("pages/a/b/pixel 1,2.html"), "<p>history");
    write_text(in_folder("pages/a/b/notes.txt"), "not shown");
    snprintf(lines, sizeof(lines),
             RUN
             "{\"case\":\"a/b\",\"verdict\":\"fail\",\"message\":\"<\\/script>\",\"differing\":1,"
             "\"reference\":\"%s\",\"candidate\":\"%s\"}\n"
             "{\"case\":\"c\",\"verdict\":\"missing\"}\n",
             in_folder("ref.png"), in_folder("cand.png"));
    records = read_records(lines);
    ck_assert(report_html(&records, folder));
    text = read_text("report.html");
    ck_assert_ptr_nonnull(strstr(text, "\"manifest\":\"suite \\u003c1>.toml\""));
    ck_assert_ptr_nonnull(strstr(text, "\"message\":\"\\u003c/script>\""));
    ck_assert_ptr_nonnull(strstr(text, ",{\"flip\":0.0"));
    ck_assert_uint_eq(occurrences(text, "\"data\":true"), 1);
    /* The page needs neither a server nor a network. */
    ck_assert_ptr_null(strstr(text, "http"));
    ck_assert_ptr_null(strstr(text, "src=\""));
    mem_free(text);
    text = read_text("report/000000.js");
    ck_assert_int_eq(strncmp(text, "novemCase(0,{", 13), 0);
    ck_assert_uint_eq(occurrences(text, ":\"data:image/png;base64,iVBOR"), 3);
    ck_assert_ptr_nonnull(strstr(text, "log:\"\\u001b[1mlast words\\u003c/script>\""));
    ck_assert_ptr_nonnull(
        strstr(text, "pages:[{title:\"pixel 1,2\",file:\"pages/a/b/pixel 1,2.html\"},]"));
    mem_free(text);
    ck_assert_int_ne(access(in_folder("report/000001.js"), F_OK), 0);
    ck_assert(!report_html(&records, in_folder("ref.png")));
    records_free(&records);
}
END_TEST

/* Ten thousand cases make a page of a few megabytes; equal cases have no files. */
START_TEST(many_cases)
{
    enum { MANY = 10000, LINE = 160 };
    char *lines = mem_alloc(MANY * LINE + sizeof(RUN)), *at = lines;
    struct records records;
    struct stat info;

    write_picture("ref.png", 16, 0);
    at = stpcpy(at, RUN);
    for (int i = 0; i < MANY; i++)
        at +=
            snprintf(at, LINE,
                     "{\"case\":\"folder-%d/case-%d\",\"verdict\":\"pass\",\"reference\":\"%s\"}\n",
                     i / 100, i, in_folder("ref.png"));
    records = read_records(lines);
    ck_assert(report_html(&records, folder));
    ck_assert_int_eq(stat(in_folder("report.html"), &info), 0);
    ck_assert_int_lt(info.st_size, 2 << 20);
    ck_assert_int_eq(rmdir(in_folder("report")), 0);
    records_free(&records);
    mem_free(lines);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool: reports of golden runs");
    TCase *c = tcase_create("reports");

    tcase_add_checked_fixture(c, open_folder, close_folder);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, text_of_any_bytes);
    tcase_add_test(c, base64);
    tcase_add_test(c, junit);
    tcase_add_test(c, page);
    tcase_add_test(c, many_cases);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
