/* Requests for edits: what they mean, their command lines, and their files. */
#include "unit/tool/command.h"

#include "tool/serve/edits.h"

static struct serve_edit request;
static char error[EDIT_TEXT];

static bool parse(const char *json)
{
    bool good = serve_edit_parse(&request, json, strlen(json), error);

    edit_fini(&request.edit);
    return good;
}

START_TEST(requests_are_read)
{
    ck_assert(parse("{\"call\": 7, \"set\": [\"ZFUNC=LESS\", \"FOGSTART=1\"]}"));
    ck_assert_uint_eq(request.call, 7);
    ck_assert(parse("{\"call\": 7, \"pixel\": null}"));
    ck_assert(parse("{\"call\": 7, \"vertex\": \"vs_2_0\\nmov oPos, c0\"}"));
}
END_TEST

START_TEST(wrong_requests_are_refused)
{
    static const char *const cases[] = {"",
                                        "[]",
                                        "null",
                                        "{}",
                                        "{\"call\": \"7\"}",
                                        "{\"call\": -1, \"pixel\": null}",
                                        "{\"call\": 1.5, \"pixel\": null}",
                                        "{\"call\": 1e300, \"pixel\": null}",
                                        "{\"call\": 1}",
                                        "{\"call\": 1, \"pixel\": 3}",
                                        "{\"call\": 1, \"pixel\": null, \"entry\": 1}",
                                        "{\"call\": 1, \"pixel\": null, \"profiles\": []}",
                                        "{\"call\": 1, \"set\": \"ZFUNC=LESS\"}",
                                        "{\"call\": 1, \"set\": [1]}",
                                        "{\"call\": 1, \"constants\": [\"x\"]}",
                                        "{\"call\": 1, \"pixel\": null",
                                        "{\"call\": 1, \"set\": [\"ZFUNC=1\", \"ZFUNC=2\"]}"};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        *error = 0;
        ck_assert_msg(!parse(cases[i]) && *error, "%s", cases[i]);
    }
}
END_TEST

static void demand_command(const char *json, const char *file, const char *expected)
{
    char *text = serve_edit_command(json, strlen(json), file);

    ck_assert_str_eq(text, expected);
    mem_free(text);
}

/* A shell must read each text as one word, whatever it has. */
START_TEST(commands_are_quoted)
{
    demand_command("{\"call\": 7, \"set\": [\"ZFUNC=LESS\"], \"pixel\": \"ps_2_0\", \"vertex\": "
                   "null, \"constants\": [\"ps:c0=1,2,3,4\"]}",
                   "/tmp/a.trace",
                   "novem edit /tmp/a.trace -o edited.trace --call 7 --vertex-shader none "
                   "--pixel-shader pixel.asm --set ZFUNC=LESS --constant ps:c0=1,2,3,4");
    demand_command("{\"call\": 7, \"set\": [\"COLORWRITEENABLE=RED|ALPHA\", \"$(rm x)'`\"]}",
                   "a b's.trace",
                   "novem edit 'a b'\\''s.trace' -o edited.trace --call 7 --set "
                   "'COLORWRITEENABLE=RED|ALPHA' --set '$(rm x)'\\''`'");
    demand_command(
        "{\"call\": 7, \"pixel\": \"float4 main() : COLOR { return 1; }\", \"entry\": \"main\", "
        "\"profiles\": {\"pixel\": \"ps_2_0\", \"vertex\": \"vs_2_0\"}}",
        "a.trace",
        "novem edit a.trace -o edited.trace --call 7 --pixel-shader pixel.hlsl -T ps_2_0 "
        "-E main");
    demand_command("{\"call\": 7, \"set\": [\"\", \"-x\"]}", "-a.trace",
                   "novem edit ./'-a.trace' -o edited.trace --call 7 --set '' --set '-x'");
}
END_TEST

START_TEST(files_are_bounded)
{
    char first[SERVE_EDIT_ID], id[SERVE_EDIT_ID], text[32], *json;
    struct serve_edits *edits;
    size_t n;

    ck_assert_int_eq(serve_edits_create(&edits, folder), ST_OK);
    ck_assert_int_eq(serve_edits_store(edits, "first", 5, first), ST_OK);
    ck_assert_int_eq(serve_edits_store(edits, "first", 5, id), ST_OK); /* is one file */
    ck_assert_str_eq(first, id);
    for (unsigned i = 0; i < SERVE_EDITS; i++) {
        ck_assert_int_eq(serve_edits_read(folder, first, &json, &n), ST_OK);
        ck_assert(n == 5 && !strcmp(json, "first"));
        mem_free(json);
        snprintf(text, sizeof(text), "number %u", i);
        ck_assert_int_eq(serve_edits_store(edits, text, strlen(text), id), ST_OK);
    }
    ck_assert_int_eq(serve_edits_read(folder, id, &json, &n), ST_OK);
    ck_assert_str_eq(json, text);
    mem_free(json);
    ck_assert_int_eq(serve_edits_read(folder, first, &json, &n), ST_NOTFOUND);
    serve_edits_destroy(edits);
    ck_assert_int_eq(serve_edits_create(&edits, "/proc/none"), ST_IO);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("edits of the server");
    TCase *tc = tcase_create("edits");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, requests_are_read);
    tcase_add_test(tc, wrong_requests_are_refused);
    tcase_add_test(tc, commands_are_quoted);
    tcase_add_test(tc, files_are_bounded);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
