/* Who may ask for what: hosts, origins, tokens, methods, and the headers of answers. */
#include "control/answer.h"

#include "util/alloc.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>

#define TOKEN "0123456789abcdef0123456789abcdef"
#define FORM "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 14\r\n"
#define HOST "Host: 127.0.0.1:8080\r\n"

static unsigned sets, acts;

static void put_figures(void *ctx, struct control_body *out)
{
    (void)ctx;
    control_put(out, "{\"figures\": 1}");
}

static void put_settings(void *ctx, struct control_body *out)
{
    (void)ctx;
    control_put(out, "[]");
}

static bool set(void *ctx, const char *name, const char *value, struct control_body *why)
{
    (void)ctx;
    sets++;
    ck_assert_str_eq(name, "A");
    if (!strcmp(value, "1"))
        return true;
    control_put(why, "not \"1\"");
    return false;
}

static bool act(void *ctx, const char *name, struct control_body *why)
{
    (void)ctx;
    (void)why;
    acts++;
    return !strcmp(name, "A");
}

static const struct answer_place place = {8080, TOKEN, {NULL, put_figures, put_settings, set, act}};

/* The answer as a text; it is valid until the next call. */
static const char *ask_at(const struct answer_place *where, const char *head, const char *body)
{
    static char text[1 << 16];
    struct control_body out = {0};

    answer_request(where, head, strlen(head), body, &out);
    ck_assert(!out.failed && out.n < sizeof(text));
    memcpy(text, out.bytes, out.n);
    text[out.n] = '\0';
    control_body_free(&out);
    ck_assert_int_eq(mem_live_blocks(), 0);
    return text;
}

static const char *ask(const char *head, const char *body)
{
    return ask_at(&place, head, body);
}

static bool is_status(const char *answer, unsigned status)
{
    char line[32];

    snprintf(line, sizeof(line), "HTTP/1.1 %u ", status);
    return !strncmp(answer, line, strlen(line));
}

#define CHECK_STATUS(answer, status) ck_assert_msg(is_status(answer, status), "%s", answer)

START_TEST(page_runs_its_own_scripts_only)
{
    char nonce[64] = "", mark[96];
    const char *answer = ask("GET / HTTP/1.1\r\n" HOST "\r\n", ""), *at;

    CHECK_STATUS(answer, 200);
    at = strstr(answer, "script-src 'nonce-");
    ck_assert_ptr_nonnull(at);
    ck_assert_int_eq(sscanf(at, "script-src 'nonce-%32[0-9a-f]'", nonce), 1);
    snprintf(mark, sizeof(mark), "<script nonce=\"%s\">", nonce);
    ck_assert_ptr_nonnull(strstr(answer, mark));
    ck_assert_ptr_nonnull(strstr(answer, "default-src 'none'"));
    ck_assert_ptr_nonnull(strstr(answer, "{token: \"" TOKEN "\"}"));
    ck_assert_ptr_null(strstr(answer, "Access-Control"));
    ck_assert_ptr_null(strstr(answer, "https:"));
    answer = ask("GET / HTTP/1.1\r\n" HOST "\r\n", "");
    ck_assert_ptr_null(strstr(answer, nonce)); /* another one each time */
}
END_TEST

START_TEST(lengths_are_right)
{
    static const char *const paths[] = {"/", "/figures", "/settings", "/none"};
    char head[128];

    for (unsigned i = 0; i < 4; i++) {
        const char *answer, *body;
        size_t length = 0;

        snprintf(head, sizeof(head), "GET %s HTTP/1.1\r\n" HOST "\r\n", paths[i]);
        answer = ask(head, "");
        ck_assert_int_eq(sscanf(strstr(answer, "Content-Length: "), "Content-Length: %zu", &length),
                         1);
        body = strstr(answer, "\r\n\r\n") + 4;
        ck_assert_uint_eq(strlen(body), length);
        snprintf(head, sizeof(head), "HEAD %s HTTP/1.1\r\n" HOST "\r\n", paths[i]);
        ck_assert_str_eq(strstr(ask(head, ""), "\r\n\r\n"), "\r\n\r\n");
    }
}
END_TEST

START_TEST(only_own_hosts)
{
    static const struct {
        const char *host;
        unsigned port, status;
    } hosts[] = {{"127.0.0.1:8080", 8080, 200},    {"LOCALHOST:8080", 8080, 200},
                 {"127.0.0.1", 8080, 403},         {"127.0.0.1:80", 8080, 403},
                 {"127.0.0.1:80801", 8080, 403},   {"127.0.0.1:8080.", 8080, 403},
                 {"evil.example:8080", 8080, 403}, {"localhost.evil.example:8080", 8080, 403},
                 {"[::1]:8080", 8080, 403},        {"", 8080, 403},
                 {"localhost", 80, 200},           {"localhost:80", 80, 200}};
    char head[256];

    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        struct answer_place there = place;

        there.port = hosts[i].port;
        snprintf(head, sizeof(head), "GET /figures HTTP/1.1\r\nHost: %s\r\n\r\n", hosts[i].host);
        CHECK_STATUS(ask_at(&there, head, ""), hosts[i].status);
    }
}
END_TEST

static const struct {
    const char *headers;
    unsigned status;
} posts[] = {
    {HOST FORM "X-Novem-Token: " TOKEN "\r\n", 200},
    {HOST FORM "X-Novem-Token: " TOKEN "\r\nOrigin: http://127.0.0.1:8080\r\n", 200},
    {HOST FORM "X-Novem-Token: " TOKEN "\r\nOrigin: http://localhost:8080\r\n", 200},
    {HOST FORM "X-Novem-Token: " TOKEN "\r\nOrigin: null\r\n", 403},
    {HOST FORM "X-Novem-Token: " TOKEN "\r\nOrigin:\r\n", 403},
    {HOST FORM "X-Novem-Token: " TOKEN "\r\nOrigin: https://127.0.0.1:8080\r\n", 403},
    {HOST FORM "X-Novem-Token: " TOKEN "\r\nOrigin: http://127.0.0.1:8081\r\n", 403},
    {HOST FORM "X-Novem-Token: " TOKEN "\r\nOrigin: http://evil.example\r\n", 403},
    {HOST FORM "", 403},
    {HOST FORM "X-Novem-Token: \r\n", 403},
    {HOST FORM "X-Novem-Token: 0123456789abcdef0123456789abcdee\r\n", 403},
    {"Host: evil.example\r\n" FORM "X-Novem-Token: " TOKEN "\r\n", 403},
    {HOST "Content-Length: 14\r\nX-Novem-Token: " TOKEN "\r\n", 415},
    {HOST "Content-Type: text/plain\r\nContent-Length: 14\r\nX-Novem-Token: " TOKEN "\r\n", 415},
};

START_TEST(posts_need_the_token)
{
    char head[512];

    sets = 0;
    snprintf(head, sizeof(head), "POST /set HTTP/1.1\r\n%s\r\n", posts[_i].headers);
    CHECK_STATUS(ask(head, "name=A&value=1"), posts[_i].status);
    ck_assert_uint_eq(sets, posts[_i].status == 200);
}
END_TEST

START_TEST(forms_reach_the_program)
{
    static const char good[] = HOST FORM "X-Novem-Token: " TOKEN "\r\n\r\n";
    char head[512];
    const char *answer;

    sets = acts = 0;
    snprintf(head, sizeof(head), "POST /set HTTP/1.1\r\n%s", good);
    answer = ask(head, "name=A&value=1");
    ck_assert_str_eq(strstr(answer, "\r\n\r\n") + 4, "{\"ok\": true}\n");
    answer = ask(head, "name=A&value=2");
    CHECK_STATUS(answer, 400);
    ck_assert_str_eq(strstr(answer, "\r\n\r\n") + 4,
                     "{\"ok\": false, \"error\": \"not \\u00221\\u0022\"}\n");
    CHECK_STATUS(ask(head, "nome=A&value=1"), 400);
    ck_assert_uint_eq(sets, 2);
    snprintf(head, sizeof(head), "POST /act HTTP/1.1\r\n%s", good);
    CHECK_STATUS(ask(head, "value=1&name=A"), 200);
    CHECK_STATUS(ask(head, "value=1&name=B"), 400);
    ck_assert(acts == 2 && sets == 2);
}
END_TEST

START_TEST(targets_have_methods)
{
    static const char form[] = HOST FORM "X-Novem-Token: " TOKEN "\r\n\r\n";
    char head[512];

    sets = acts = 0;
    snprintf(head, sizeof(head), "POST /figures HTTP/1.1\r\n%s", form);
    ck_assert_ptr_nonnull(strstr(ask(head, "name=A&value=1"), "\r\nAllow: GET, HEAD\r\n"));
    ck_assert_ptr_nonnull(
        strstr(ask("GET /set HTTP/1.1\r\n" HOST "\r\n", ""), "\r\nAllow: POST\r\n"));
    CHECK_STATUS(ask("HEAD /act HTTP/1.1\r\n" HOST "\r\n", ""), 405);
    CHECK_STATUS(ask("PUT /set HTTP/1.1\r\n" HOST "\r\n", ""), 405);
    CHECK_STATUS(ask("GET /../etc/passwd HTTP/1.1\r\n" HOST "\r\n", ""), 404);
    CHECK_STATUS(ask("GET /page.js HTTP/1.1\r\n" HOST "\r\n", ""), 404);
    ck_assert(!sets && !acts);
}
END_TEST

/* Any allocation may fail: the answer is whole, or marked as failed. */
START_TEST(memory_may_run_out)
{
    static const char head[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
    bool whole = false;

    for (int n = 0; !whole; n++) {
        struct control_body out = {0};

        mem_fail_after(n);
        answer_request(&place, head, sizeof(head) - 1, "", &out);
        whole = !mem_has_failed();
        mem_fail_after(-1);
        if (!out.failed)
            ck_assert(!strncmp(out.bytes, whole ? "HTTP/1.1 200" : "HTTP/1.1 500", 12));
        control_body_free(&out);
        ck_assert_int_eq(mem_live_blocks(), 0);
        ck_assert_int_lt(n, 100);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("control answer");
    TCase *tc = tcase_create("answer");

    tcase_add_test(tc, page_runs_its_own_scripts_only);
    tcase_add_test(tc, lengths_are_right);
    tcase_add_test(tc, only_own_hosts);
    tcase_add_loop_test(tc, posts_need_the_token, 0, sizeof(posts) / sizeof(posts[0]));
    tcase_add_test(tc, forms_reach_the_program);
    tcase_add_test(tc, targets_have_methods);
    tcase_add_test(tc, memory_may_run_out);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
