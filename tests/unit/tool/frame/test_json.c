/* Text and numbers of answers: what a capture holds never breaks JSON. */
#include "check_main.h"

#include "tool/frame/answer.h"
#include "tool/frame/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAD "\xef\xbf\xbd"

START_TEST(bytes_become_utf8)
{
    static const struct {
        const char *bytes, *text;
    } cases[] = {{"plain", "plain"},
                 {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
                 {"a\xff"
                  "b",
                  "a" BAD "b"},
                 {"\xc3", BAD},                         /* cut */
                 {"\xc0\xaf", BAD BAD},                 /* longer than needed */
                 {"\xed\xa0\x80", BAD BAD BAD},         /* a surrogate */
                 {"\xf4\x90\x80\x80", BAD BAD BAD BAD}, /* above U+10FFFF */
                 {"\xe2\x82", BAD BAD}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = frame_utf8(cases[i].bytes, strlen(cases[i].bytes));

        ck_assert_str_eq(text, cases[i].text);
        free(text);
    }
}
END_TEST

START_TEST(wide_strings_become_utf8)
{
    static const uint32_t units[] = {'a', 0xd83d, 0xde00, 0xdc00, 0xd800, 'b', 0x20ac, 0xd800};
    const struct trace_value value = {.kind = TRACE_WSTRING, .count = 8, .u.units = units};
    char *text = frame_trace_text(&value);

    ck_assert_str_eq(text, "a\xf0\x9f\x98\x80" BAD BAD "b\xe2\x82\xac" BAD);
    free(text);
}
END_TEST

START_TEST(answers_are_ascii_and_no_markup)
{
    static const char bytes[] = "</script><!-- \" \\ \x01 \xf0\x9f\x98\x80 \xff &";
    cJSON *object = cJSON_CreateObject(), *parsed;
    char *text;

    frame_add_text(object, "text", bytes);
    text = frame_answer_text(object);
    ck_assert_str_eq(text, "{\"text\":\"\\u003c/script\\u003e\\u003c!-- \\\" \\\\ \\u0001 "
                           "\\ud83d\\ude00 \\ufffd \\u0026\"}");
    parsed = cJSON_Parse(text);
    ck_assert(cJSON_Compare(parsed, object, true));
    cJSON_Delete(parsed);
    cJSON_free(text);
    cJSON_Delete(object);
}
END_TEST

START_TEST(floats_come_back)
{
    const float values[] = {0.1f, -3.4028235e38f, 1e-45f, INFINITY, -INFINITY, NAN};
    cJSON *list = frame_floats(values, 6);
    char *text = cJSON_PrintUnformatted(list);
    cJSON *parsed = cJSON_Parse(text);

    ck_assert_int_eq(cJSON_GetArraySize(parsed), 6);
    for (int i = 0; i < 3; i++)
        ck_assert((float)cJSON_GetArrayItem(parsed, i)->valuedouble == values[i]);
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(parsed, 3)), "inf");
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(parsed, 4)), "-inf");
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(parsed, 5)), "nan");
    cJSON_Delete(parsed);
    cJSON_free(text);
    cJSON_Delete(list);
}
END_TEST

START_TEST(arguments_read_as_in_the_program)
{
    static const struct trace_name flag_names[] = {{"ONE", 1}, {"TWO", 2}}, cull[] = {{"CCW", 3}};
    const struct trace_names flags = {2, flag_names}, culls = {1, cull};
    static const char *const members[] = {"x", "y"};
    const struct trace_struct point = {"POINT", 2, members};
    const struct trace_value parts[] = {{.kind = TRACE_SINT, .u.sint = -1},
                                        {.kind = TRACE_UINT, .u.uint = 7}};
    const struct trace_value values[] = {
        {.kind = TRACE_BITMASK, .u.uint = 7, .names = &flags},
        {.kind = TRACE_ENUM, .u.sint = 3, .names = &culls},
        {.kind = TRACE_ENUM, .u.sint = 9, .names = &culls},
        {.kind = TRACE_STRUCT, .count = 2, .u.items = parts, .type = &point},
        {.kind = TRACE_NULL},
        {.kind = TRACE_OPAQUE, .u.uint = 0xbeef}};
    static const char *const texts[] = {"ONE|TWO|0x4",     "CCW",  "9",
                                        "{x = -1, y = 7}", "NULL", "0xbeef"};

    for (unsigned i = 0; i < 6; i++) {
        char *text = frame_argument_text(&values[i]);

        ck_assert_str_eq(text, texts[i]);
        free(text);
    }
}
END_TEST

START_TEST(long_arguments_are_cut)
{
    static char bytes[5000];
    const struct trace_value value = {.kind = TRACE_STRING, .count = 4999, .u.text = bytes};
    char *text;

    for (unsigned i = 0; i + 1 < sizeof(bytes); i++)
        bytes[i] = "\xc3\xa9"[i % 2];
    text = frame_argument_text(&value);
    ck_assert_uint_lt(strlen(text), 2010);
    ck_assert_str_eq(text + strlen(text) - 3, "\xe2\x80\xa6");
    ck_assert_ptr_null(strstr(text, BAD));
    free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("frame/json");
    TCase *tc = tcase_create("frame/json");

    setenv("NOVEM_SINK", "none", 1);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, bytes_become_utf8);
    tcase_add_test(tc, wide_strings_become_utf8);
    tcase_add_test(tc, answers_are_ascii_and_no_markup);
    tcase_add_test(tc, floats_come_back);
    tcase_add_test(tc, arguments_read_as_in_the_program);
    tcase_add_test(tc, long_arguments_are_cut);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
