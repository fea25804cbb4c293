/* `novem bench` as a command: forms of output, files read back, exit codes, errors. */
#include "unit/tool/command.h"

#include "tool/bench/bench.h"
#include "tool/bench/results.h"
#include "util/log.h"

#include <cjson/cJSON.h>
#include <sys/stat.h>

#define RUN(expected, ...)                                                                         \
    run_command(tool_bench, expected,                                                              \
                (int)(sizeof((char *[]){"bench", __VA_ARGS__}) / sizeof(char *)),                  \
                (char *[]){"bench", __VA_ARGS__, NULL})
#define SAYS(words, expected, ...)                                                                 \
    do {                                                                                           \
        const char *printed = RUN(expected, __VA_ARGS__);                                          \
                                                                                                   \
        ck_assert_msg(strstr(printed, words), "no '%s': %s", words, printed);                      \
    } while (0)

static char json[64], other[64], svg[64];

static void setup(void)
{
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(json, "a.json");
    path_in_folder(other, "b.json");
    path_in_folder(svg, "a.svg");
}

/* A file as --json writes it, for this machine; water takes `ns`. */
static void write_file(const char *path, double ns, const char *processor)
{
    struct bench_results r;
    char text[2048];

    bench_results_init(&r);
    snprintf(text, sizeof(text),
             "{\"format\":\"novem-bench 1\",\"novem\":\"0\",\"numerics\":\"4\",\"build\":\"cc\","
             "\"processor\":\"%s\",\"processors\":%u,\"passes\":5,\"seconds\":60,\"lost\":0,"
             "\"spread\":0,\"calm\":true,\"figures\":[\n"
             "{\"group\":\"ceiling\",\"name\":\"lane-operations\",\"isa\":\"avx2\",\"mode\":"
             "\"compiled\",\"threads\":1,\"lane_ns\":0.05,\"spread\":0,\"instructions\":1,"
             "\"operations\":1,\"text\":\"00\"},\n"
             "{\"group\":\"shader\",\"name\":\"a<b\\\"&\",\"profile\":\"ps_2_0\",\"isa\":\"avx2\","
             "\"mode\":\"compiled\",\"threads\":1,\"lane_ns\":%g,\"spread\":0.01,"
             "\"instructions\":40,\"operations\":160,\"text\":\"ab\"},\n"
             "{\"group\":\"shader\",\"name\":\"a<b\\\"&\",\"profile\":\"ps_2_0\",\"isa\":\"avx2\","
             "\"mode\":\"compiled\",\"threads\":2,\"lane_ns\":2,\"spread\":0.01,"
             "\"instructions\":40,\"operations\":160,\"text\":\"ab\"}\n]}\n",
             processor ? processor : r.processor, r.processors, ns);
    write_text(path, text);
    bench_results_fini(&r);
}

/* --- Forms of output -------------------------------------------------------------------------- */

START_TEST(json_has_figures)
{
    cJSON *all, *figure;
    const char *text;

    RUN(TOOL_OK, "toon_1_2", "--seconds", "0", "--passes", "1", "--threads", "1", "--json", "-o",
        json, "--svg", svg);
    text = RUN(TOOL_OK, "--from", json, "--json");
    all = cJSON_Parse(text);
    ck_assert_ptr_nonnull(all);
    ck_assert_str_eq(cJSON_GetObjectItem(all, "format")->valuestring, "novem-bench 1");
    ck_assert_int_eq(cJSON_GetObjectItem(all, "passes")->valueint, 1);
    cJSON_ArrayForEach(figure, cJSON_GetObjectItem(all, "figures"))
    {
        bool ceiling = !strcmp(cJSON_GetObjectItem(figure, "group")->valuestring, "ceiling");

        ck_assert_double_gt(cJSON_GetObjectItem(figure, "lane_ns")->valuedouble, 0);
        if (ceiling)
            continue;
        ck_assert_str_eq(cJSON_GetObjectItem(figure, "name")->valuestring, "toon_1_2");
        ck_assert_str_eq(cJSON_GetObjectItem(figure, "profile")->valuestring, "ps_1_2");
        ck_assert_int_eq(cJSON_GetObjectItem(figure, "instructions")->valueint, 8);
    }
    cJSON_Delete(all);
    SAYS("ps_1_2", TOOL_OK, "--from", json);
}
END_TEST

START_TEST(files_are_read_back)
{
    struct bench_results r;

    write_file(json, 10, NULL);
    ck_assert_int_eq(bench_read_json(&r, "bench", json), TOOL_OK);
    ck_assert_uint_eq(r.n, 3);
    ck_assert_str_eq(r.figure[1].name, "a<b\"&");
    ck_assert_double_eq(r.figure[1].ns, 10);
    ck_assert_uint_eq(r.figure[1].text, 0xab);
    ck_assert_uint_eq(r.figure[2].threads, 2);
    /* 160 operations in 10 ns are 16 a ns; the ceiling makes 20. */
    ck_assert_double_eq_tol(bench_share(&r, &r.figure[1]), 80, 1e-9);
    ck_assert_double_eq_tol(bench_share(&r, &r.figure[2]), 200, 1e-9); /* of each of two threads */
    bench_results_fini(&r);
}
END_TEST

START_TEST(table_csv_and_plot)
{
    const char *text;
    uint8_t *bytes;
    size_t n;

    write_file(json, 10, NULL);
    text = RUN(TOOL_OK, "--from", json);
    ck_assert_ptr_nonnull(strstr(text, "a<b\"&"));
    ck_assert_ptr_nonnull(strstr(text, "10.0\n"));
    ck_assert_ptr_nonnull(strstr(text, "2 threads\n"));
    ck_assert_ptr_nonnull(strstr(text, " 500\n")); /* million lanes a second */
    ck_assert_ptr_null(strstr(text, "NOT CALM"));
    SAYS("\nshader,\"a<b\"\"&\",ps_2_0,avx2,compiled,1,10,0.01,40,160,0.8,\n", TOOL_OK, "--from",
         json, "--csv");
    RUN(TOOL_OK, "--from", json, "--csv", "--svg", svg);
    ck_assert_int_eq(tool_file_read(svg, &bytes, &n), ST_OK);
    text = (const char *)bytes;
    ck_assert_ptr_nonnull(strstr(text, "<svg "));
    ck_assert_ptr_nonnull(strstr(text, ">a&lt;b\"&amp;<"));
    ck_assert_ptr_nonnull(strstr(text, "avx2, compiled: 10 ns a lane<"));
    ck_assert_ptr_nonnull(strstr(text, "prefers-color-scheme: dark"));
    mem_free(bytes);
}
END_TEST

START_TEST(list_names_the_corpus)
{
    SAYS("water            ps_2_0    41  Water", TOOL_OK, "--list");
}
END_TEST

/* --- Comparison ------------------------------------------------------------------------------- */

START_TEST(comparison_has_exit_codes)
{
    write_file(json, 10, NULL);
    write_file(other, 12, NULL);
    SAYS("0 regressions", TOOL_OK, "--from", json, "--compare", json);
    SAYS("\n1 regression,", TOOL_DIFFERS, "--from", other, "--compare", json);
    SAYS("SLOWER", TOOL_DIFFERS, "--from", other, "--compare", json);
    SAYS("0 regressions, 1 faster", TOOL_OK, "--from", json, "--compare", other);
    SAYS("0 regressions", TOOL_OK, "--from", other, "--compare", json, "--tolerance", "20");
    write_file(other, 10, "Another");
    SAYS("another machine", TOOL_ERROR, "--from", json, "--compare", other);
}
END_TEST

/* A run against its own result measures what the base has. */
START_TEST(runs_are_compared)
{
    RUN(TOOL_OK, "toon_1_2", "--seconds", "0.02", "--passes", "2", "--threads", "1", "--json", "-o",
        json);
    RUN(TOOL_OK, "toon_1_2", "--seconds", "0.02", "--passes", "2", "--threads", "1", "--compare",
        json, "--tolerance", "10000");
    SAYS("has none of the figures", TOOL_ERROR, "waves", "--seconds", "0", "--passes", "1",
         "--compare", json);
}
END_TEST

/* --- Errors ----------------------------------------------------------------------------------- */

START_TEST(bad_options_are_refused)
{
    SAYS("did you mean water?", TOOL_ERROR, "watr");
    SAYS("No such file", TOOL_ERROR, "missing.asm");
    SAYS("did you mean avx2?", TOOL_ERROR, "--isa", "avx3");
    SAYS("did you mean operation?", TOOL_ERROR, "--group", "opration");
    SAYS("'compiled' or 'interpreted'", TOOL_ERROR, "--mode", "jit");
    SAYS("from 1 on, not '0'", TOOL_ERROR, "--threads", "0");
    SAYS("may use only", TOOL_ERROR, "--threads", "100000");
    SAYS("nothing has such a name", TOOL_ERROR, "--only", "xyzzy");
    SAYS("only one of", TOOL_ERROR, "--json", "--csv");
    SAYS("at most", TOOL_ERROR, "--passes", "1000");
    SAYS("another shader of this name", TOOL_ERROR, "water", "water");
    SAYS("no machine code", TOOL_ERROR, "water", "--isa", "scalar", "--mode", "compiled",
         "--seconds", "0");
    SAYS("--from", TOOL_ERROR, "--from", json, "water");
}
END_TEST

START_TEST(bad_files_are_refused)
{
    write_text(json, "{\"format\":");
    SAYS("not valid JSON", TOOL_ERROR, "--from", json);
    SAYS("not valid JSON", TOOL_ERROR, "--compare", json, "--seconds", "0");
    write_text(json, "{\"format\":\"other 1\"}");
    SAYS("not a file of novem bench", TOOL_ERROR, "--from", json);
    write_text(json, "{\"format\":\"novem-bench 1\"}");
    SAYS("head is incomplete", TOOL_ERROR, "--from", json);
    write_text(json, "[]");
    SAYS("not a file of novem bench", TOOL_ERROR, "--from", json);
    write_file(json, 10, NULL);
    SAYS("is an input", TOOL_ERROR, "--from", json, "--csv", "-o", json);
    SAYS("No such file", TOOL_ERROR, "--from", json, "--csv", "-o", "/missing/x");
    SAYS("No space left", TOOL_ERROR, "--from", json, "--csv", "-o", "/dev/full");
    SAYS("No space left", TOOL_ERROR, "--from", json, "--svg", "/dev/full");
}
END_TEST

/* One figure after the other is spoilt. */
START_TEST(bad_figures_are_refused)
{
    static const char *const spoilt[][2] = {
        {"\"shader\"", "\"shadow\""},         {"\"avx2\"", "\"avx3\""},
        {"\"compiled\"", "\"compile\""},      {"\"threads\":1", "\"threads\":0"},
        {"\"lane_ns\":10", "\"lane_ns\":-1"}, {"\"text\":\"ab\"", "\"text\":5"},
    };

    for (size_t i = 0; i < sizeof(spoilt) / sizeof(spoilt[0]); i++) {
        char text[4096], *at;
        uint8_t *bytes;
        size_t n;

        write_file(json, 10, NULL);
        ck_assert_int_eq(tool_file_read(json, &bytes, &n), ST_OK);
        at = strstr((char *)bytes, "a<b");
        while (strncmp(at, spoilt[i][0], strlen(spoilt[i][0])) != 0)
            at += strstr(at, spoilt[i][0]) ? 1 : -1;
        snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - (char *)bytes), (char *)bytes,
                 spoilt[i][1], at + strlen(spoilt[i][0]));
        mem_free(bytes);
        write_text(json, text);
        SAYS("is incomplete", TOOL_ERROR, "--from", json);
    }
}
END_TEST

/* A plot that cannot be made leaves no file. */
START_TEST(no_plot_without_shaders)
{
    struct stat st;

    SAYS("no shaders were measured", TOOL_ERROR, "--group", "operation", "--only", "add",
         "--seconds", "0", "--passes", "1", "--svg", svg);
    ck_assert_int_ne(stat(svg, &st), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/bench");
    TCase *t = tcase_create("command");

    tcase_add_checked_fixture(t, setup, close_folder);
    tcase_add_test(t, json_has_figures);
    tcase_add_test(t, files_are_read_back);
    tcase_add_test(t, table_csv_and_plot);
    tcase_add_test(t, list_names_the_corpus);
    tcase_add_test(t, comparison_has_exit_codes);
    tcase_add_test(t, runs_are_compared);
    tcase_add_test(t, bad_options_are_refused);
    tcase_add_test(t, bad_files_are_refused);
    tcase_add_test(t, bad_figures_are_refused);
    tcase_add_test(t, no_plot_without_shaders);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
