/* The control panel of a program: its figures, settings and actions by HTTP, with devices that come
 * and go. */
#define COBJMACROS
#include "api_test.h"

#include "api/config/config.h"
#include "api/novem/novem.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/log.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_BYTES = 1 << 16 };

static char folder[64], lines[4096], answer[ANSWER_BYTES];

static void keep_line(void *ctx, enum log_level level, const char *line)
{
    size_t n = strlen(lines);

    (void)ctx;
    (void)level;
    snprintf(lines + n, sizeof(lines) - n, "%s\n", line);
}

static void setup(void)
{
    strcpy(folder, "/tmp/novem-panel-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(novem_set("SCREENSHOT_DIR", folder), NOVEM_OK);
    ck_assert_int_eq(novem_set("CAPTURE_DIR", folder), NOVEM_OK);
    lines[0] = '\0';
    log_set_level(LOG_INFO);
    log_set_sink(keep_line, NULL);
}

static void setup_with_panel(void)
{
    setup();
    ck_assert_int_eq(novem_set("CONTROL", "0"), NOVEM_OK);
}

static void teardown(void)
{
    char path[96];

    log_set_sink(NULL, NULL);
    snprintf(path, sizeof(path), "%s/screenshot-0001.png", folder);
    unlink(path);
    snprintf(path, sizeof(path), "%s/capture-0001.trace", folder);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

/* --- Requests --------------------------------------------------------------------------------- */

/* The port that the log names last. */
static unsigned port_of_log(void)
{
    static const char mark[] = "http://127.0.0.1:";
    unsigned port = 0;

    for (const char *p = lines; (p = strstr(p, mark)); p++)
        sscanf(p + sizeof(mark) - 1, "%u", &port);
    ck_assert_msg(port, "%s", lines);
    return port;
}

static int try_connection(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_ge(fd, 0);
    if (!connect(fd, (struct sockaddr *)&at, sizeof(at)))
        return fd;
    close(fd);
    return -1;
}

/* Sends a request and returns the body of its answer, which is valid until the next call. */
static const char *ask(unsigned port, const char *start, const char *headers, const char *body)
{
    char request[1024];
    size_t n = 0;
    ssize_t got;
    int fd = try_connection(port);

    ck_assert_int_ge(fd, 0);
    snprintf(request, sizeof(request), "%s HTTP/1.1\r\nHost: localhost:%u\r\n%s\r\n%s", start, port,
             headers, body);
    ck_assert_int_eq(send(fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
    while ((got = recv(fd, answer + n, ANSWER_BYTES - 1 - n, 0)) > 0)
        n += (size_t)got;
    close(fd);
    answer[n] = '\0';
    ck_assert_ptr_nonnull(strstr(answer, "\r\n\r\n"));
    return strstr(answer, "\r\n\r\n") + 4;
}

static const char *get(unsigned port, const char *path)
{
    char start[64];

    snprintf(start, sizeof(start), "GET %s", path);
    return ask(port, start, "", "");
}

static const char *post(unsigned port, const char *path, const char *form)
{
    char start[64], headers[256], token[40] = "";
    const char *at = strstr(get(port, "/"), "token: \"");

    ck_assert(at && sscanf(at, "token: \"%32[0-9a-f]", token) == 1);
    snprintf(start, sizeof(start), "POST %s", path);
    snprintf(headers, sizeof(headers),
             "X-Novem-Token: %s\r\nContent-Length: %zu\r\n"
             "Content-Type: application/x-www-form-urlencoded\r\n",
             token, strlen(form));
    return ask(port, start, headers, form);
}

static void present(IDirect3DDevice9 *device)
{
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff204060, 1, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

/* Waits until the renderer has shown what was presented. */
static void finish(IDirect3DDevice9 *device)
{
    IDirect3DQuery9 *query;

    OK(IDirect3DDevice9_CreateQuery(device, D3DQUERYTYPE_EVENT, &query));
    OK(IDirect3DQuery9_Issue(query, D3DISSUE_END));
    while (IDirect3DQuery9_GetData(query, NULL, 0, D3DGETDATA_FLUSH) == S_FALSE)
        usleep(1000);
    release(query);
}

static void has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part), "no %s in %s", part, text);
}

/* --- Figures and settings --------------------------------------------------------------------- */

START_TEST(figures_follow_the_frames)
{
    IDirect3DDevice9 *device = create_device();
    unsigned port = port_of_log();
    const char *text = get(port, "/figures");

    has(text, "\"program\": \"test_panel\"");
    has(text, "\"number\": 1,");
    has(text, "\"frames\": 0,");
    has(text, "\"times_us\": []");
    for (int i = 0; i < 4; i++)
        present(device);
    finish(device);
    text = get(port, "/figures");
    has(text, "\"frames\": 4,");
    has(text, "\"width\": 640, \"height\": 480, \"format\": \"A8R8G8B8\", \"full_screen\": false");
    has(text, "\"draws\": 0, \"primitives\": 0, \"bytes\": ");
    release(device);
}
END_TEST

START_TEST(settings_change_at_once)
{
    IDirect3DDevice9 *device = create_device();
    unsigned port = port_of_log();

    has(get(port, "/settings"), "{\"name\": \"FRAME_LIMIT\", \"value\": \"0\"");
    ck_assert_str_eq(post(port, "/set", "name=frame_limit&value=30"), "{\"ok\": true}\n");
    ck_assert_uint_eq(api_config_number(CONFIG_FRAME_LIMIT), 30);
    has(get(port, "/settings"),
        "{\"name\": \"FRAME_LIMIT\", \"value\": \"30\", \"default\": \"0\", "
        "\"origin\": \"control panel\"");
    has(get(port, "/figures"), "\"changes\": 1,");
    ck_assert_str_eq(post(port, "/set", "name=LOG&value=none"), "{\"ok\": true}\n");
    ck_assert_int_eq(log_level("api"), LOG_NONE);
    ck_assert_str_eq(post(port, "/set", "name=HUD&value=fps%2C+draws"), "{\"ok\": true}\n");
    ck_assert_str_eq(api_config_text(CONFIG_HUD), "fps, draws");
    ck_assert_str_eq(post(port, "/set", "name=VSYNC&value=off"), "{\"ok\": true}\n");
    ck_assert_str_eq(post(port, "/set", "name=DISCARD_DEPTH&value=off"), "{\"ok\": true}\n");
    present(device);
    release(device);
}
END_TEST

START_TEST(threads_change_at_present)
{
    static const char *const forms[] = {"name=THREADS&value=1", "name=THREADS&value=0"};
    static const char *const threads[] = {"\"threads\": 1,", "\"threads\": 2,"};
    IDirect3DDevice9 *device;
    unsigned port;

    ck_assert_int_eq(novem_set("THREADS", "2"), NOVEM_OK);
    device = create_device();
    port = port_of_log();
    has(get(port, "/settings"), "\"when\": \"the next Reset\"");
    for (int i = 0; i < 2; i++) {
        ck_assert_str_eq(post(port, "/set", forms[i]), "{\"ok\": true}\n");
        present(device); /* applies at the end of this frame, so figures tell of the next */
        present(device);
        finish(device);
        has(get(port, "/figures"), threads[i]);
    }
    release(device);
}
END_TEST

START_TEST(refusals_have_reasons)
{
    static const struct {
        const char *form, *reason;
    } wrong[] = {
        {"name=FRAME_LIMIT&value=fast", "the value is not a number from 0 to 4096"},
        {"name=VSYNC&value=2", "the value is not on or off"},
        {"name=LOG&value=loud", "the value is not none, error"},
        {"name=HUD&value=fps%2Cdrwas", "HUD has no item 'drwas'"},
        {"name=HUD&value=%3Cb%3E", "HUD has no item '\\u003cb>'"},
        {"name=SIMD&value=sse2", "SIMD needs a restart of the program"},
        {"name=ANISOTROPY&value=17", "the value is not program or a number from 1 to 16"},
        {"name=SCREENSHOT_DIR&value=%2Fetc", "SCREENSHOT_DIR needs a restart"},
        {"name=SINK&value=raw%3Ax", "SINK needs a restart"},
        {"name=CONTROL&value=0", "CONTROL needs a restart"},
        {"name=NONE&value=0", "no setting is called 'NONE'"},
    };
    IDirect3DDevice9 *device = create_device();
    unsigned port = port_of_log();

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        has(post(port, "/set", wrong[i].form), wrong[i].reason);
    has(post(port, "/act", "name=reboot"), "no action is called 'reboot'");
    has(get(port, "/figures"), "\"changes\": 0,");
    release(device);
}
END_TEST

START_TEST(next_frame_becomes_a_file)
{
    static const char *const actions[][2] = {{"name=screenshot", "screenshot-0001.png"},
                                             {"name=capture", "capture-0001.trace"}};
    IDirect3DDevice9 *device = create_device();
    unsigned port = port_of_log();
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, actions[_i][1]);
    present(device);
    finish(device);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_str_eq(post(port, "/act", actions[_i][0]), "{\"ok\": true}\n");
    for (int i = 0; i < 3; i++)
        present(device);
    finish(device);
    ck_assert_int_eq(access(path, F_OK), 0);
    release(device);
}
END_TEST

/* --- Devices and processes -------------------------------------------------------------------- */

START_TEST(devices_come_and_go)
{
    for (int i = 1; i <= 5; i++) {
        IDirect3DDevice9 *device = create_device();
        unsigned port = port_of_log();
        char number[32];

        snprintf(number, sizeof(number), "{\"number\": %d,", i);
        has(get(port, "/figures"), number);
        release(device);
        ck_assert_int_eq(try_connection(port), -1);
    }
}
END_TEST

START_TEST(two_devices_have_one_panel)
{
    IDirect3DDevice9 *a = create_device(), *b = create_device();
    unsigned port = port_of_log();

    has(get(port, "/figures"), "{\"number\": 1,");
    has(answer, "{\"number\": 2,");
    ck_assert_ptr_eq(strstr(lines, "control panel"), strstr(lines, "control panel: http"));
    present(b);
    release(a);
    has(get(port, "/figures"), "{\"number\": 2,");
    ck_assert_ptr_null(strstr(answer, "{\"number\": 1,"));
    release(b);
    ck_assert_int_eq(try_connection(port), -1);
}
END_TEST

/* Listens on a free port such that the next one is free too. Returns its number. */
static unsigned take_port(int *fd)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t n = sizeof(at);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert(!bind(*fd, (struct sockaddr *)&at, n) && !listen(*fd, 1));
    ck_assert(!getsockname(*fd, (struct sockaddr *)&at, &n));
    return ntohs(at.sin_port);
}

START_TEST(another_program_may_have_the_port)
{
    int fd;
    unsigned port = take_port(&fd);
    IDirect3DDevice9 *device;
    char text[16];

    snprintf(text, sizeof(text), "%u", port);
    ck_assert_int_eq(novem_set("CONTROL", text), NOVEM_OK);
    device = create_device();
    if (!strstr(lines, "no control panel")) { /* unless ten in a row are in use */
        ck_assert_uint_gt(port_of_log(), port);
        ck_assert_uint_lt(port_of_log(), port + 10);
        has(lines, "the port is in use; control panel: http://127.0.0.1:");
        has(get(port_of_log(), "/figures"), "\"number\": 1,");
    }
    present(device);
    release(device);
    close(fd);
}
END_TEST

/* Without the setting there is no thread and no port. */
START_TEST(off_is_off)
{
    IDirect3DDevice9 *device = create_device();

    present(device);
    ck_assert_ptr_null(strstr(lines, "control panel"));
    release(device);
}
END_TEST

/* A child has no server of its parent, and starts one with a device of its own. */
START_TEST(forks_leave_the_server_to_the_parent)
{
    IDirect3DDevice9 *device = create_device();
    unsigned port = port_of_log();
    int status;
    pid_t child;

    has(get(port, "/figures"), "\"number\": 1,");
    fflush(NULL);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        IDirect3DDevice9 *own;

        lines[0] = '\0';
        own = create_device();
        if (port_of_log() == port || !strstr(get(port_of_log(), "/figures"), "\"number\": 2,"))
            _exit(1);
        release(own);
        release(device);
        _exit(0);
    }
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    has(get(port, "/figures"), "\"number\": 1,");
    release(device);
}
END_TEST

static IDirect3DDevice9 *of_program;

static void release_in_handler(void)
{
    release(of_program);
}

static void create_in_handler(void)
{
    of_program = create_device();
}

/* A program that was there before its first device may have handlers of forks that use devices. */
START_TEST(handlers_of_forks_use_devices)
{
    int status;
    pid_t child;

    ck_assert_int_eq(pthread_atfork(release_in_handler, create_in_handler, create_in_handler), 0);
    of_program = create_device();
    fflush(NULL);
    child = fork();
    if (!child) {
        bool good = strstr(get(port_of_log(), "/figures"), "\"number\": 2,") != NULL;

        release(of_program);
        _exit(!good);
    }
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    has(get(port_of_log(), "/figures"), "\"number\": 2,");
    release(of_program);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("api/panel");
    TCase *tc = tcase_create("panel"), *off = tcase_create("off");

    tcase_add_checked_fixture(tc, setup_with_panel, teardown);
    tcase_add_test(tc, figures_follow_the_frames);
    tcase_add_test(tc, settings_change_at_once);
    tcase_add_test(tc, threads_change_at_present);
    tcase_add_test(tc, refusals_have_reasons);
    tcase_add_loop_test(tc, next_frame_becomes_a_file, 0, 2);
    tcase_add_test(tc, devices_come_and_go);
    tcase_add_test(tc, two_devices_have_one_panel);
    tcase_add_test(tc, forks_leave_the_server_to_the_parent);
    tcase_add_test(tc, handlers_of_forks_use_devices);
    tcase_add_checked_fixture(off, setup, teardown);
    tcase_add_test(off, another_program_may_have_the_port);
    tcase_add_test(off, off_is_off);
    suite_add_tcase(s, tc);
    suite_add_tcase(s, off);
    return s;
}

TEST_MAIN(suite)
