/* The server over real connections: slow, idle, broken and many peers; start and stop. */
#include "control/control.h"

#include "util/alloc.h"
#include "util/clock.h"

#include "check_main.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_BYTES = 1 << 16 };

static atomic_uint asked;

static void put_figures(void *ctx, struct control_body *out)
{
    (void)ctx;
    atomic_fetch_add(&asked, 1);
    control_put(out, "{\"figures\": 1}");
}

static bool accept_set(void *ctx, const char *name, const char *value, struct control_body *why)
{
    (void)ctx;
    (void)name;
    (void)value;
    (void)why;
    return true;
}

static bool accept_act(void *ctx, const char *name, struct control_body *why)
{
    return accept_set(ctx, name, "", why);
}

static const struct control_handler handler = {NULL, put_figures, put_figures, accept_set,
                                               accept_act};

static struct control *start(unsigned port)
{
    const char *reason = "";
    struct control *control;

    ck_assert_int_eq(control_start(&control, port, &handler, &reason), ST_OK);
    ck_assert_uint_gt(control_port(control), 0);
    return control;
}

static int open_connection(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval limit = {20, 0};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_ge(fd, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    ck_assert(!connect(fd, (struct sockaddr *)&at, sizeof(at)));
    return fd;
}

/* Reads up to the end. Returns the length; -1: the peer has reset the connection. */
static ssize_t read_all(int fd, char out[ANSWER_BYTES])
{
    size_t n = 0;
    ssize_t got;

    while ((got = recv(fd, out + n, ANSWER_BYTES - 1 - n, 0)) > 0)
        n += (size_t)got;
    out[n] = '\0';
    return got < 0 ? -1 : (ssize_t)n;
}

static void put_request(unsigned port, const char *path, char out[256])
{
    snprintf(out, 256, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", path, port);
}

static void check_answers(unsigned port)
{
    int fd = open_connection(port);
    char request[256], answer[ANSWER_BYTES];

    put_request(port, "/figures", request);
    ck_assert_int_eq(send(fd, request, strlen(request), 0), (ssize_t)strlen(request));
    ck_assert_int_gt(read_all(fd, answer), 0);
    ck_assert_msg(!strncmp(answer, "HTTP/1.1 200 OK\r\n", 17), "%s", answer);
    ck_assert_str_eq(strstr(answer, "\r\n\r\n") + 4, "{\"figures\": 1}");
    close(fd);
}

START_TEST(ports_are_taken_and_given_back)
{
    struct control *control = start(0), *other;
    unsigned port = control_port(control);
    const char *reason = "";

    check_answers(port);
    ck_assert_int_eq(control_start(&other, port, &handler, &reason), ST_BUSY);
    ck_assert_ptr_null(other);
    for (int i = 0; i < 20; i++) {
        control_stop(control);
        control = start(port);
        check_answers(port);
    }
    control_stop(control);
    control_stop(NULL);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

START_TEST(letters_may_come_one_by_one)
{
    struct control *control = start(0);
    char request[256], answer[ANSWER_BYTES];
    int fd = open_connection(control_port(control));

    put_request(control_port(control), "/", request);
    for (char *p = request; *p; p++) {
        ck_assert_int_eq(send(fd, p, 1, 0), 1);
        usleep(500);
    }
    ck_assert_int_gt(read_all(fd, answer), 10000);
    ck_assert_ptr_nonnull(strstr(answer, "</html>"));
    close(fd);
    control_stop(control);
}
END_TEST

/* More idle peers than there are places, and peers that leave at once, keep no other one out. */
START_TEST(idle_peers_keep_none_out)
{
    struct control *control = start(0);
    int fds[40];

    for (int i = 0; i < 40; i++) {
        fds[i] = open_connection(control_port(control));
        if (i % 3 == 0)
            ck_assert_int_eq(send(fds[i], "GET / HT", 8, 0), 8);
        if (i % 4 == 0) {
            close(fds[i]);
            fds[i] = open_connection(control_port(control));
        }
    }
    for (int i = 0; i < 10; i++)
        check_answers(control_port(control));
    for (int i = 0; i < 40; i++)
        close(fds[i]);
    check_answers(control_port(control));
    control_stop(control);
}
END_TEST

START_TEST(slow_peers_are_dropped)
{
    struct control *control = start(0);
    uint64_t before = clock_now();
    char answer[ANSWER_BYTES];
    int fd = open_connection(control_port(control));

    ck_assert_int_eq(send(fd, "GET / HTTP/1.1\r\n", 16, 0), 16);
    ck_assert_int_eq(read_all(fd, answer), 0);
    ck_assert_uint_ge(clock_now() - before, CLOCK_SECOND);
    close(fd);
    check_answers(control_port(control));
    control_stop(control);
}
END_TEST

/* The answer to a request whose rest is not read arrives, instead of a reset. */
START_TEST(refusals_arrive)
{
    struct control *control = start(0);
    static char body[6000];
    char request[256], answer[ANSWER_BYTES];
    int fd = open_connection(control_port(control));

    snprintf(request, sizeof(request),
             "POST /set HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Length: 120000\r\n\r\n",
             control_port(control));
    ck_assert_int_eq(send(fd, request, strlen(request), 0), (ssize_t)strlen(request));
    for (int i = 0; i < 20; i++, usleep(1000))
        ck_assert_int_eq(send(fd, body, sizeof(body), MSG_NOSIGNAL), sizeof(body));
    shutdown(fd, SHUT_WR);
    ck_assert_int_gt(read_all(fd, answer), 0);
    ck_assert_msg(!strncmp(answer, "HTTP/1.1 413", 12), "%s", answer);
    close(fd);

    fd = open_connection(control_port(control));
    memset(body, 'a', sizeof(body));
    for (int i = 0; i < 2; i++)
        (void)!send(fd, body, sizeof(body), MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    ck_assert_int_gt(read_all(fd, answer), 0);
    ck_assert_msg(!strncmp(answer, "HTTP/1.1 431", 12), "%s", answer);
    close(fd);
    control_stop(control);
}
END_TEST

START_TEST(stop_does_not_wait_for_peers)
{
    struct control *control = start(0);
    int fds[6];
    uint64_t before;

    for (int i = 0; i < 6; i++) {
        fds[i] = open_connection(control_port(control));
        (void)!send(fds[i], "GET ", (size_t)i % 5, 0);
    }
    check_answers(control_port(control));
    before = clock_now();
    control_stop(control);
    ck_assert_uint_lt(clock_now() - before, 10 * CLOCK_SECOND);
    for (int i = 0; i < 6; i++)
        close(fds[i]);
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static void *ask_often(void *arg)
{
    for (int i = 0; i < 30; i++)
        check_answers(*(const unsigned *)arg);
    return NULL;
}

START_TEST(peers_at_the_same_time)
{
    struct control *control = start(0);
    unsigned port = control_port(control);
    pthread_t threads[4];

    atomic_store(&asked, 0);
    for (int i = 0; i < 4; i++)
        ck_assert(!pthread_create(&threads[i], NULL, ask_often, &port));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(atomic_load(&asked), 120);
    control_stop(control);
}
END_TEST

START_TEST(memory_may_run_out)
{
    enum status st = ST_NOMEM;

    for (int n = 0; st != ST_OK; n++) {
        const char *reason = "";
        struct control *control;

        mem_fail_after(n);
        st = control_start(&control, 0, &handler, &reason);
        mem_fail_after(-1);
        ck_assert(st == ST_OK || (st == ST_NOMEM && !control));
        control_stop(control);
        ck_assert_int_eq(mem_live_blocks(), 0);
    }
}
END_TEST

static atomic_bool inside;

static void put_slowly(void *ctx, struct control_body *out)
{
    atomic_store(&inside, true);
    usleep(50000);
    put_figures(ctx, out);
    atomic_store(&inside, false);
}

/* A fork waits until the server's thread has left its connections in order. */
START_TEST(forks_wait_for_answers)
{
    const struct control_handler slow = {NULL, put_slowly, put_figures, accept_set, accept_act};
    const char *reason = "";
    struct control *control;
    char request[256], answer[ANSWER_BYTES];
    int fd, status;
    pid_t child;

    ck_assert_int_eq(control_start(&control, 0, &slow, &reason), ST_OK);
    fd = open_connection(control_port(control));
    put_request(control_port(control), "/figures", request);
    ck_assert_int_eq(send(fd, request, strlen(request), 0), (ssize_t)strlen(request));
    while (!atomic_load(&inside))
        usleep(100);
    child = fork();
    if (!child) {
        bool within = atomic_load(&inside);

        control_drop(control);
        _exit(within);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_gt(read_all(fd, answer), 0);
    ck_assert_str_eq(strstr(answer, "\r\n\r\n") + 4, "{\"figures\": 1}");
    close(fd);
    control_stop(control);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("control server");
    TCase *tc = tcase_create("server");

    tcase_add_test(tc, ports_are_taken_and_given_back);
    tcase_add_test(tc, letters_may_come_one_by_one);
    tcase_add_test(tc, idle_peers_keep_none_out);
    tcase_add_test(tc, slow_peers_are_dropped);
    tcase_add_test(tc, refusals_arrive);
    tcase_add_test(tc, stop_does_not_wait_for_peers);
    tcase_add_test(tc, peers_at_the_same_time);
    tcase_add_test(tc, memory_may_run_out);
    tcase_add_test(tc, forks_wait_for_answers);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
