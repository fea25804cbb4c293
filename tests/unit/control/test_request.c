/* Heads of requests and forms: what is taken, and hostile ones that are refused (RFC 9112, RFC
 * 9110). */
#include "control/request.h"

#include "check_main.h"

#include <stdlib.h>
#include <string.h>

#define HOST "Host: 127.0.0.1:8080\r\n"

/* Parses a text of the exact size, so that AddressSanitizer detects reads past the end. */
static enum control_status parse(const char *text, size_t n, struct control_request *out)
{
    char *copy = malloc(n ? n : 1);
    enum control_status status;

    memcpy(copy, text, n);
    status = control_parse_head(copy, n, out);
    free(copy);
    return status;
}

START_TEST(parts_of_a_request)
{
    static const char text[] =
        "POST /set?x=1 HTTP/1.1\r\nhOST:localhost:81 \r\nOrigin: http://a\r\n"
        "X-Novem-Token:\tabc\t\r\nContent-Length: 0012\r\nAccept: */*\r\n"
        "Content-Type: text/plain; charset=x\r\n\r\n";
    struct control_request r;

    ck_assert_int_eq(parse(text, sizeof(text) - 1, &r), CONTROL_OK);
    ck_assert_int_eq(r.method, CONTROL_POST);
    ck_assert_str_eq(r.target, "/set");
    ck_assert_str_eq(r.host, "localhost:81");
    ck_assert(r.has_origin);
    ck_assert_str_eq(r.origin, "http://a");
    ck_assert_str_eq(r.token, "abc");
    ck_assert_str_eq(r.type, "text/plain");
    ck_assert_uint_eq(r.body, 12);
}
END_TEST

static const struct {
    const char *text;
    enum control_status status;
} heads[] = {
    {"GET / HTTP/1.1\r\n" HOST "\r\n", CONTROL_OK},
    {"GET / HTTP/1.0\r\n" HOST "\r\n", CONTROL_OK},
    {"HEAD /a-b_c.d/e HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n", CONTROL_OK},
    {"GET / HTTP/1.1\r\n\r\n", CONTROL_BAD_REQUEST}, /* no Host */
    {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST "Host: other\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST "Origin: a\r\nOrigin: a\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/2.0\r\n" HOST "\r\n", CONTROL_BAD_VERSION},
    {"GET / HTTP/1.1x\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET / http/1.1\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET  / HTTP/1.1\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET / \r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET /\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"get / HTTP/1.1\r\n" HOST "\r\n", CONTROL_BAD_METHOD},
    {"OPTIONS / HTTP/1.1\r\n" HOST "\r\n", CONTROL_BAD_METHOD},
    {"CONNECT 127.0.0.1:80 HTTP/1.1\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET http://127.0.0.1/ HTTP/1.1\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET * HTTP/1.1\r\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET /%2e HTTP/1.1\r\n" HOST "\r\n", CONTROL_NOT_FOUND},
    {"GET /a\tb HTTP/1.1\r\n" HOST "\r\n", CONTROL_NOT_FOUND},
    {"GET / HTTP/1.1\n" HOST "\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST ": empty\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST "X: a\rb\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST "X: a\x7f\r\n\r\n", CONTROL_BAD_REQUEST},
    {"GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n", CONTROL_TOO_LARGE},
    {"POST / HTTP/1.1\r\n" HOST "\r\n", CONTROL_NO_LENGTH},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 4096\r\n\r\n", CONTROL_OK},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 4097\r\n\r\n", CONTROL_TOO_LARGE},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999999999\r\n\r\n",
     CONTROL_TOO_LARGE},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 18446744073709551617\r\n\r\n", CONTROL_TOO_LARGE},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n", CONTROL_BAD_REQUEST},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: +1\r\n\r\n", CONTROL_BAD_REQUEST},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 1, 1\r\n\r\n", CONTROL_BAD_REQUEST},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length:\r\n\r\n", CONTROL_BAD_REQUEST},
    {"POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
     CONTROL_BAD_REQUEST},
    {"POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
     CONTROL_NO_LENGTH},
    {"GET / HTTP/1.1\r\n" HOST "X-Novem-Token: "
     "0123456789012345678901234567890123456789012345678901234567890123\r\n\r\n",
     CONTROL_BAD_REQUEST},
    {"GET /012345678901234567890123456789012345678901234567890123456789abc HTTP/1.1\r\n" HOST
     "\r\n",
     CONTROL_NOT_FOUND},
};

START_TEST(heads_are_taken_or_refused)
{
    struct control_request r;

    ck_assert_msg(parse(heads[_i].text, strlen(heads[_i].text), &r) == heads[_i].status,
                  "%d for %s", parse(heads[_i].text, strlen(heads[_i].text), &r), heads[_i].text);
}
END_TEST

/* A head that is cut short anywhere is refused, and zero bytes are no ends. */
START_TEST(cut_heads_are_refused)
{
    static const char text[] = "GET / HTTP/1.1\r\n" HOST "Accept: a\r\n\r\n";
    static const char zeros[] = "GET /\0x HTTP/1.1\r\nHost: a\0b\r\n\r\n";
    struct control_request r;

    for (size_t n = 0; n < sizeof(text) - 1; n++) {
        ck_assert_uint_eq(control_head_length(text, n), 0);
        ck_assert_int_ne(parse(text, n, &r), CONTROL_OK);
    }
    ck_assert_uint_eq(control_head_length(text, sizeof(text) - 1), sizeof(text) - 1);
    ck_assert_int_ne(parse(zeros, sizeof(zeros) - 1, &r), CONTROL_OK);
    ck_assert_int_eq(parse("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 30, &r), CONTROL_BAD_REQUEST);
}
END_TEST

static const struct {
    const char *text;
    bool good;
    const char *name, *value;
} forms[] = {
    {"name=HUD&value=fps%2Cdraws", true, "HUD", "fps,draws"},
    {"value=a+b&name=X", true, "X", "a b"},
    {"name=X", true, "X", ""},
    {"name=X&value=", true, "X", ""},
    {"name=X&value=%e2%82%AC", true, "X", "\xe2\x82\xac"},
    {"", false, "", ""},
    {"name=", false, "", ""},
    {"value=1", false, "", ""},
    {"name=X&name=Y", false, "", ""},
    {"name=X&value=1&value=2", false, "", ""},
    {"name=X&other=1", false, "", ""},
    {"name", false, "", ""},
    {"name=X&", true, "X", ""},
    {"&name=X", false, "", ""},
    {"name=X&value=%", false, "", ""},
    {"name=X&value=%4", false, "", ""},
    {"name=X&value=%4g", false, "", ""},
    {"name=X&value=a%00b", false, "", ""},
    {"name=X&value=a%0Ab", false, "", ""},
    {"name=X&value=a%7f", false, "", ""},
    {"name=0123456789012345678901234567890123456789012345678901234567890123", false, "", ""},
};

START_TEST(forms_are_taken_or_refused)
{
    size_t n = strlen(forms[_i].text);
    char *copy = malloc(n ? n : 1), name[CONTROL_FIELD_BYTES], value[CONTROL_VALUE_BYTES];

    memcpy(copy, forms[_i].text, n);
    ck_assert_msg(control_parse_form(copy, n, name, value) == forms[_i].good, "%s", forms[_i].text);
    if (forms[_i].good) {
        ck_assert_str_eq(name, forms[_i].name);
        ck_assert_str_eq(value, forms[_i].value);
    }
    free(copy);
}
END_TEST

START_TEST(values_have_a_limit)
{
    char text[1024] = "name=X&value=", name[CONTROL_FIELD_BYTES], value[CONTROL_VALUE_BYTES];
    size_t start = strlen(text);

    memset(text + start, 'a', CONTROL_VALUE_BYTES);
    ck_assert(control_parse_form(text, start + CONTROL_VALUE_BYTES - 1, name, value));
    ck_assert_uint_eq(strlen(value), CONTROL_VALUE_BYTES - 1);
    ck_assert(!control_parse_form(text, start + CONTROL_VALUE_BYTES, name, value));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("control request");
    TCase *tc = tcase_create("request");

    tcase_add_test(tc, parts_of_a_request);
    tcase_add_loop_test(tc, heads_are_taken_or_refused, 0, sizeof(heads) / sizeof(heads[0]));
    tcase_add_test(tc, cut_heads_are_refused);
    tcase_add_loop_test(tc, forms_are_taken_or_refused, 0, sizeof(forms) / sizeof(forms[0]));
    tcase_add_test(tc, values_have_a_limit);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
