/* HTTP server: what it refuses, by real sockets. */
#include "check_main.h"
#include "unit/tool/serve/client.h"

#include "tool/serve/http.h"
#include "util/alloc.h"

#include <pthread.h>
#include <stdatomic.h>

static struct http_server *server;
static unsigned port;
static char token[HTTP_SECRET];
static atomic_uint handled;

static void answer(void *ctx, const struct http_request *request, struct http_answer *out)
{
    (void)ctx;
    atomic_fetch_add(&handled, 1);
    if (!strcmp(request->path, "slow"))
        usleep(100000);
    if (!strcmp(request->path, "large")) {
        out->n = 8 << 20;
        out->bytes = mem_alloc(out->n);
        memset(out->bytes, 'x', out->n);
    } else {
        out->bytes = mem_alloc(600);
        out->n =
            (size_t)snprintf(out->bytes, 600, "path=%s frame=%s nonce=%s body=%zu %.20s",
                             request->path, request->frame ? request->frame : "-", request->nonce,
                             request->n_body, request->body ? request->body : "none");
    }
    out->status = HTTP_OK;
    out->type = "text/plain";
    out->unchanging = !strcmp(request->path, "kept");
}

static void start(void)
{
    const struct http_options options = {.post = "edit", .answer = answer};
    const char *reason;

    ck_assert_msg(http_start(&server, &options, &reason) == ST_OK, "%s", reason);
    ck_assert_int_eq(sscanf(http_address(server), "http://127.0.0.1:%u/%32[0-9a-f]/", &port, token),
                     2);
    ck_assert_uint_eq(strlen(token), HTTP_SECRET - 1);
    atomic_store(&handled, 0);
}

static void stop(void)
{
    http_stop(server);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* Sends a request with the right Host; the text has one %s for the token. */
static const char *get(const char *format)
{
    char line[1024], request[2048];

    snprintf(line, sizeof(line), format, token);
    snprintf(request, sizeof(request),
             "%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n", line, port);
    return client_exchange(port, request, strlen(request));
}

START_TEST(answers)
{
    const char *a = get("GET /%s/data/event/12,=_-.A?frame=7&x=1");

    ck_assert_int_eq(client_status(a), 200);
    ck_assert_ptr_nonnull(strstr(a, "path=data/event/12,=_-.A frame=7 nonce="));
    ck_assert_ptr_nonnull(strstr(get("GET /%s/"), "path= frame=- nonce="));
    /* HEAD has the same head, and no body. */
    a = get("HEAD /%s/x");
    ck_assert_int_eq(client_status(a), 200);
    ck_assert_ptr_nonnull(strstr(a, "Content-Length: "));
    ck_assert_ptr_null(strstr(a, "path="));
}
END_TEST

START_TEST(has_headers_that_protect)
{
    static const char *const headers[] = {
        "X-Content-Type-Options: nosniff\r\n",
        "Referrer-Policy: no-referrer\r\n",
        "Cross-Origin-Resource-Policy: same-origin\r\n",
        "X-Frame-Options: DENY\r\n",
        "Cache-Control: no-store\r\n",
        "Content-Security-Policy: default-src 'none'; script-src 'nonce-",
    };
    char nonce[64], other[64];
    const char *a = get("GET /%s/x"), *b;

    for (unsigned i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
        ck_assert_msg(strstr(a, headers[i]) != NULL, "%s is not in %s", headers[i], a);
    ck_assert_ptr_null(strstr(a, "Access-Control"));
    /* The policy has the nonce of this answer, which no other one has. */
    ck_assert_int_eq(
        sscanf(strstr(a, "script-src 'nonce-"), "script-src 'nonce-%32[0-9a-f]'", nonce), 1);
    ck_assert_ptr_nonnull(strstr(strstr(a, "\r\n\r\n"), nonce));
    b = strstr(get("GET /%s/x"), "script-src 'nonce-");
    ck_assert_int_eq(sscanf(b, "script-src 'nonce-%32[0-9a-f]'", other), 1);
    ck_assert_str_ne(nonce, other);
    ck_assert_ptr_nonnull(strstr(get("GET /%s/kept"), "Cache-Control: private, max-age=3600"));
}
END_TEST

/* Requests without the token, in whole, at its place. */
START_TEST(refuses_other_tokens)
{
    static const char *const lines[] = {
        "GET /",
        "GET /x",
        "GET //%s/",
        "GET /%s",
        "GET /%sx/",
        "GET /x%s/",
        "GET /00000000000000000000000000000000/",
        "GET /?token=%s",
        "GET /favicon.ico",
        "GET *",
    };
    char wrong[64];

    for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        ck_assert_msg(client_status(get(lines[i])) == 404, "%s: %s", lines[i], get(lines[i]));
    /* One digit is another. */
    for (unsigned i = 0; i < HTTP_SECRET - 1; i++) {
        snprintf(wrong, sizeof(wrong), "GET /%s/", token);
        wrong[5 + i] = wrong[5 + i] == '0' ? '1' : '0';
        ck_assert_int_eq(client_status(get(wrong)), 404);
    }
    ck_assert_uint_eq(atomic_load(&handled), 0);
}
END_TEST

START_TEST(refuses_other_paths)
{
    static const char *const lines[] = {
        "GET /%s/../x",      "GET /%s/..",     "GET /%s/.",    "GET /%s/a/./b",
        "GET /%s/a/../../b", "GET /%s//etc",   "GET /%s/a//b", "GET /%s/%%2e%%2e/x",
        "GET /%s/a%%2fb",    "GET /%s/a%%00b", "GET /%s/a\\b", "GET /%s/a;b",
        "GET /%s/<script>",  "GET /%s/a\"b",   "GET /%s/a:b",  "GET /%s/a*b",
    };
    char path[HTTP_PATH + 32] = "GET /%s/";

    for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        ck_assert_msg(client_status(get(lines[i])) == 404, "%s: %s", lines[i], get(lines[i]));
    ck_assert_uint_eq(atomic_load(&handled), 0);
    memset(path + 8, 'a', HTTP_PATH);
    ck_assert_int_eq(client_status(get(path)), 200);
    path[8 + HTTP_PATH] = 'a';
    ck_assert_int_eq(client_status(get(path)), 404);
}
END_TEST

/* A page of another site may have its name resolved to this machine. */
START_TEST(refuses_other_hosts)
{
    static const char *const hosts[] = {
        "evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:%u", "",
        "localhost",    "[::1]:%u"};
    char request[512], host[64];

    for (unsigned i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        snprintf(host, sizeof(host), hosts[i], port);
        snprintf(request, sizeof(request), "GET /%s/ HTTP/1.1\r\nHost: %s\r\n\r\n", token, host);
        ck_assert_msg(client_status(client_exchange(port, request, strlen(request))) >= 400, "%s",
                      host);
    }
    snprintf(request, sizeof(request), "GET /%s/ HTTP/1.0\r\n\r\n", token);
    ck_assert_int_eq(client_status(client_exchange(port, request, strlen(request))), 403);
    snprintf(request, sizeof(request),
             "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nHost: evil.example\r\n\r\n", token, port);
    ck_assert_int_ge(client_status(client_exchange(port, request, strlen(request))), 400);
    ck_assert_uint_eq(atomic_load(&handled), 0);
    snprintf(request, sizeof(request),
             "GET /%s/ HTTP/1.1\r\nHost: LocalHost:%u\r\nConnection: close\r\n\r\n", token, port);
    ck_assert_int_eq(client_status(client_exchange(port, request, strlen(request))), 200);
}
END_TEST

START_TEST(refuses_methods_and_bodies)
{
    static const char *const methods[] = {"POST",  "PUT",     "DELETE", "OPTIONS", "PATCH",
                                          "TRACE", "CONNECT", "get",    "NONSENSE"};
    char line[64], request[512];

    for (unsigned i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        const char *a;

        snprintf(line, sizeof(line), "%s /%%s/", methods[i]);
        a = get(line);
        ck_assert_msg(client_status(a) == 405, "%s: %s", methods[i], a);
        ck_assert_ptr_nonnull(strstr(a, "Allow: GET, HEAD\r\n"));
    }
    snprintf(request, sizeof(request),
             "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Length: 99999999999\r\n\r\nxyz",
             token, port);
    ck_assert_int_eq(client_status(client_exchange(port, request, strlen(request))), 413);
    snprintf(
        request, sizeof(request),
        "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde",
        token, port);
    ck_assert_int_eq(client_status(client_exchange(port, request, strlen(request))), 413);
    ck_assert_uint_eq(atomic_load(&handled), 0);
}
END_TEST

/* A POST of n bytes with other headers. */
static int post(const char *path, const char *headers, size_t n)
{
    static char request[HTTP_BODY + 4096];
    size_t head = (size_t)snprintf(request, 2048,
                                   "POST /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: "
                                   "close\r\nContent-Length: %zu\r\n",
                                   token, path, port, n);

    head += (size_t)snprintf(request + head, 1024, headers, port);
    head += (size_t)snprintf(request + head, 8, "\r\n");
    memset(request + head, 'x', n <= HTTP_BODY + 1 ? n : 0);
    return client_status(client_exchange(port, request, head + n));
}

#define OWN "Origin: http://127.0.0.1:%u\r\n"
#define JSON "Content-Type: application/json\r\n"

START_TEST(accepts_posts_of_its_own_page_alone)
{
    static const char *const wrong[] = {
        "" JSON,
        "Origin: null\r\n" JSON,
        "Origin: http://127.0.0.1:1\r\n" JSON,
        "Origin: http://127.0.0.1:%u.example.org\r\n" JSON,
        "Origin: https://127.0.0.1:%u\r\n" JSON,
        OWN "Origin: http://example.org\r\n" JSON,
    };
    const char *a;

    ck_assert_int_eq(post("edit", OWN JSON, 5), 200);
    ck_assert_int_eq(post("edit", "Origin: http://localhost:%u\r\n" JSON, 5), 200);
    ck_assert_int_eq(post("edit?frame=3", OWN JSON, 0), 200);
    ck_assert_int_eq(post("edit", OWN JSON, HTTP_BODY), 200);
    ck_assert_uint_eq(atomic_load(&handled), 4);
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_msg(post("edit", wrong[i], 5) == 403, "%s", wrong[i]);
    ck_assert_int_eq(post("edit", OWN, 5), 415);
    ck_assert_int_eq(post("edit", OWN "Content-Type: text/plain\r\n", 5), 415);
    ck_assert_int_eq(post("edit", OWN "Content-Type: application/x-www-form-urlencoded\r\n", 5),
                     415);
    ck_assert_int_eq(post("edit", OWN JSON, HTTP_BODY + 1), 413);
    ck_assert_int_eq(post("data/frame", OWN JSON, 5), 405);
    ck_assert_int_eq(post("edit/", OWN JSON, 5), 405);
    a = get("GET /%s/edit");
    ck_assert_int_eq(client_status(a), 405);
    ck_assert_ptr_nonnull(strstr(a, "Allow: POST\r\n"));
    ck_assert_uint_eq(atomic_load(&handled), 4);
}
END_TEST

/* A body comes whole, in parts of any size; a client that leaves before its end is not answered. */
START_TEST(reads_bodies)
{
    char request[1024], got[2048] = "";
    size_t have = 0;
    ssize_t n;
    int fd;

    snprintf(request, sizeof(request),
             "POST /%s/edit HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n"
             "Content-Length: 9\r\nOrigin: http://127.0.0.1:%u\r\n" JSON "\r\nabc",
             token, port, port);
    fd = client_connect(port);
    ck_assert_int_gt(send(fd, request, strlen(request), MSG_NOSIGNAL), 0);
    close(fd);
    fd = client_connect(port);
    ck_assert_int_gt(send(fd, request, strlen(request), MSG_NOSIGNAL), 0);
    usleep(20000);
    ck_assert_int_eq(send(fd, "defghi", 6, MSG_NOSIGNAL), 6);
    while (have < sizeof(got) - 1 && (n = read(fd, got + have, sizeof(got) - 1 - have)) > 0)
        have += (size_t)n;
    close(fd);
    ck_assert_msg(strstr(got, "body=9 abcdefghi") != NULL, "%s", got);
    ck_assert_uint_eq(atomic_load(&handled), 1);
}
END_TEST

/* Headers, or a line, of more bytes than the server takes; and bytes that are no HTTP. */
START_TEST(bounds_requests)
{
    enum { SIZE = 1 << 20 };
    char *request = malloc(SIZE);
    int n = snprintf(request, SIZE, "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nX: ", token, port);

    memset(request + n, 'y', SIZE - (size_t)n);
    ck_assert_int_ne(client_status(client_exchange(port, request, SIZE)), 200);
    memset(request, 'z', SIZE);
    ck_assert_int_ne(client_status(client_exchange(port, request, SIZE)), 200);
    for (unsigned i = 0, seed = 1; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        request[i] = (char)(seed >> 24);
    }
    for (unsigned i = 0; i < 200; i++)
        ck_assert_int_ne(client_status(client_exchange(port, request + 4000 * i, 4000)), 200);
    free(request);
    ck_assert_uint_eq(atomic_load(&handled), 0);
    ck_assert_int_eq(client_status(get("GET /%s/x")), 200);
}
END_TEST

static void *request_slow(void *ctx)
{
    static const char format[] = "GET /%s/slow HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: "
                                 "close\r\n\r\n";
    char request[256], answer_text[4096];

    snprintf(request, sizeof(request), format, token, port);
    *(int *)ctx = client_status(
        client_exchange_in(port, request, strlen(request), answer_text, sizeof(answer_text)));
    return NULL;
}

START_TEST(answers_a_hundred_at_once)
{
    pthread_t thread[100];
    int status[100];

    for (unsigned i = 0; i < 100; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, request_slow, &status[i]), 0);
    for (unsigned i = 0; i < 100; i++) {
        pthread_join(thread[i], NULL);
        ck_assert_int_eq(status[i], 200);
    }
    ck_assert_uint_eq(atomic_load(&handled), 100);
}
END_TEST

/* Clients that leave after a part of the request, or of the answer. */
START_TEST(survives_clients_that_leave)
{
    char request[256];
    int n = snprintf(request, sizeof(request),
                     "GET /%s/large HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", token, port);

    for (int part = 0; part <= n; part += 7) {
        int fd = client_connect(port);

        ck_assert_int_eq(write(fd, request, (size_t)part), part);
        close(fd);
    }
    for (unsigned i = 0; i < 5; i++) {
        char byte;
        int fd = client_connect(port);

        ck_assert_int_eq(write(fd, request, (size_t)n), n);
        ck_assert_int_eq(read(fd, &byte, 1), 1);
        close(fd);
    }
    ck_assert_int_eq(client_status(get("GET /%s/x")), 200);
}
END_TEST

/* Nothing listens on another address of this machine. */
START_TEST(listens_on_the_loopback_alone)
{
    ck_assert_int_lt(client_connect_to("127.0.0.2", port), 0);
}
END_TEST

START_TEST(errors_are_json)
{
    struct http_answer a = {0};

    http_fail(&a, HTTP_FAILED, true, "a \"<b>\" \\ \n");
    ck_assert_str_eq(a.type, "application/json");
    ck_assert_mem_eq(a.bytes, "{\"error\": \"a \\u0022\\u003cb>\\u0022 \\u005c \\u000a\"}\n", a.n);
    mem_free(a.bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("http");
    TCase *tc = tcase_create("server");

    tcase_add_checked_fixture(tc, start, stop);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, answers);
    tcase_add_test(tc, has_headers_that_protect);
    tcase_add_test(tc, refuses_other_tokens);
    tcase_add_test(tc, refuses_other_paths);
    tcase_add_test(tc, refuses_other_hosts);
    tcase_add_test(tc, refuses_methods_and_bodies);
    tcase_add_test(tc, accepts_posts_of_its_own_page_alone);
    tcase_add_test(tc, reads_bodies);
    tcase_add_test(tc, bounds_requests);
    tcase_add_test(tc, answers_a_hundred_at_once);
    tcase_add_test(tc, survives_clients_that_leave);
    tcase_add_test(tc, listens_on_the_loopback_alone);
    tcase_add_test(tc, errors_are_json);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
