/* `novem inspect` as a whole: a capture, the process, requests, and its end. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"
#include "unit/tool/serve/client.h"

#include "record/record.h"
#include "tool/frame/frame.h"
#include "tool/inspect/inspect.h"
#include "tool/serve/serve.h"
#include "trace/trace.h"
#include "util/log.h"

#include <cjson/cJSON.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Each frame clears, draws a square to a target of its own, copies that to the back buffer and
 * draws a second square there. The device of the last frame is another one. */
enum { FRAMES = 3, SIDE = 16 };
static char path[64];

struct vertex {
    float x, y, z, w;
    D3DCOLOR colour;
};

static void draw_square(IDirect3DDevice9 *device, float from, float to, D3DCOLOR c)
{
    const struct vertex square[4] = {
        {from, from, 0, 1, c}, {to, from, 0, 1, c}, {from, to, 0, 1, c}, {to, to, 0, 1, c}};

    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])));
}

static void record_frame(IDirect3DDevice9 *device, unsigned frame)
{
    IDirect3DSurface9 *back, *target;

    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_X8R8G8B8, 0, 0, FALSE,
                                           &target, NULL));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff102030 + frame, 0, 0));
    draw_square(device, 4, 12, 0xffff0000 + 64 * frame);
    OK(IDirect3DDevice9_StretchRect(device, target, NULL, back, NULL, D3DTEXF_NONE));
    OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
    draw_square(device, 2, 6, 0xff0000ff);
    IDirect3DSurface9_Release(target);
    IDirect3DSurface9_Release(back);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

static void record_capture(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};
    IDirect3D9 *d3d9;

    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    for (unsigned frame = 0; frame < FRAMES;) {
        IDirect3DDevice9 *device;

        OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL,
                                   D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
        do
            record_frame(device, frame++);
        while (frame < FRAMES - 1);
        IDirect3DDevice9_Release(device);
    }
    IDirect3D9_Release(d3d9);
    record_close();
}

/* --- The process ------------------------------------------------------------------------------ */

static pid_t server;
static unsigned port;
static char token[64];

static void start(void)
{
    char *words[] = {"inspect", path, "--frame", "1", "--no-browser", NULL}, line[128] = "";
    int ends[2];
    FILE *out;

    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "x.trace");
    record_capture();
    ck_assert_int_eq(mkdir(in_folder("tmp"), 0700), 0);
    setenv("TMPDIR", in_folder("tmp"), 1);
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    server = fork();
    if (!server) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        _exit(tool_inspect(5, words));
    }
    close(ends[1]);
    out = fdopen(ends[0], "r");
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), out));
    fclose(out);
    ck_assert_int_eq(sscanf(line, "http://127.0.0.1:%u/%32[0-9a-f]/", &port, token), 2);
}

/* Ends it by a signal: it has left neither files nor processes. */
static void end_by(int number)
{
    int status;

    ck_assert_int_eq(kill(server, number), 0);
    ck_assert_int_eq(waitpid(server, &status, 0), server);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(rmdir(in_folder("tmp")), 0);
    server = 0;
}

static void stop(void)
{
    if (server)
        end_by(SIGTERM);
    close_folder();
}

/* The body of an answer; its bytes may hold zeros: *n says how many. */
static const char *get(const char *key, int expected, size_t *n)
{
    char request[512];
    const char *answer, *body;

    snprintf(request, sizeof(request),
             "GET /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n", token, key,
             port);
    answer = client_exchange(port, request, strlen(request));
    ck_assert_msg(client_status(answer) == expected, "%s: %s", key, answer);
    body = strstr(answer, "\r\n\r\n") + 4;
    if (n)
        sscanf(strstr(answer, "Content-Length: "), "Content-Length: %zu", n);
    return body;
}

static cJSON *json(const char *key)
{
    cJSON *object = cJSON_Parse(get(key, 200, NULL));

    ck_assert_msg(object != NULL, "%s is no JSON", key);
    return object;
}

static int number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);

    ck_assert_msg(cJSON_IsNumber(item), "no number %s", name);
    return item->valueint;
}

/* The n-th event of a kind in an answer to "frame". */
static const cJSON *event(const cJSON *frame, const char *kind, int n)
{
    const cJSON *e;

    cJSON_ArrayForEach(
        e, cJSON_GetObjectItem(
               frame, "events")) if (!strcmp(cJSON_GetObjectItem(e, "kind")->valuestring, kind) &&
                                     !n--) return e;
    ck_abort_msg("no such event");
}

/* --- Tests ------------------------------------------------------------------------------------ */

START_TEST(frames)
{
    for (int f = 0; f < FRAMES; f++) {
        char key[32];
        cJSON *frame;

        snprintf(key, sizeof(key), "data/frame?frame=%d", f);
        frame = json(key);
        ck_assert_int_eq(number(frame, "frame"), f);
        ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(frame, "live")));
        (void)event(frame, "draw", 1);
        cJSON_Delete(frame);
    }
    cJSON_Delete(json("data/resources"));
    get("data/frame?frame=4", 404, NULL);
    get("data/nonsense", 404, NULL);
    get("data/event/999", 404, NULL);
}
END_TEST

START_TEST(the_page_has_the_nonce_of_its_policy)
{
    char request[256], nonce[64], script[96];
    const char *answer, *body;
    unsigned elements = 0, with_nonce = 0;

    snprintf(request, sizeof(request),
             "GET /%s/ HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n", token, port);
    answer = client_exchange(port, request, strlen(request));
    ck_assert_int_eq(sscanf(strstr(answer, "'nonce-"), "'nonce-%32[0-9a-f]'", nonce), 1);
    body = strstr(answer, "\r\n\r\n");
    for (const char *p = body; (p = strstr(p, "\n<script")); p++)
        elements++;
    snprintf(script, sizeof(script), "\n<script nonce=\"%s\">", nonce);
    for (const char *p = body; (p = strstr(p, script)); p++)
        with_nonce++;
    ck_assert_uint_gt(elements, 0);
    ck_assert_uint_eq(elements, with_nonce);
    snprintf(script, sizeof(script), "<style nonce=\"%s\">", nonce);
    ck_assert_ptr_nonnull(strstr(body, script));
}
END_TEST

START_TEST(pictures)
{
    cJSON *frame = json("data/frame"), *answer;
    const cJSON *target;
    char key[64];
    size_t n;

    snprintf(key, sizeof(key), "data/event/%d", number(event(frame, "draw", 1), "call"));
    answer = json(key);
    target = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "targets"), 0);
    target = cJSON_GetObjectItem(target, "after");
    snprintf(key, sizeof(key), "%s?frame=1", cJSON_GetObjectItem(target, "file")->valuestring);
    ck_assert_mem_eq(get(key, 200, &n), "\x89PNG", 4);
    cJSON_Delete(answer);
    for (int f = 0; f < FRAMES; f++) {
        snprintf(key, sizeof(key), "data/film/%d", f);
        answer = json(key);
        ck_assert_int_eq(number(answer, "width"), SIDE);
        snprintf(key, sizeof(key), "%s", cJSON_GetObjectItem(answer, "file")->valuestring);
        ck_assert_mem_eq(get(key, 200, &n), "\x89PNG", 4);
        cJSON_Delete(answer);
    }
    get("data/film/7", 404, NULL);
    cJSON_Delete(frame);
}
END_TEST

/* The history of a pixel that was copied from another surface is that of `novem pixel`, to the
 * byte. */
START_TEST(pixel_histories)
{
    static const unsigned at[][2] = {{0, 0}, {3, 3}, {5, 5}, {10, 10}, {15, 15}};
    cJSON *frame;
    char key[96], call[16], place[16];
    char first[32];

    snprintf(first, sizeof(first), "data/frame?frame=%d", _i);
    frame = json(first);
    for (unsigned draw = 0; draw < 2; draw++)
        for (unsigned i = 0; i < 5; i++) {
            const cJSON *e = event(frame, "draw", (int)draw);
            const cJSON *target = cJSON_GetArrayItem(cJSON_GetObjectItem(e, "targets"), 0);
            char *words[] = {"pixel", path, "--call", call, "--at", place, "--json", NULL};
            const char *printed;
            cJSON *points;

            snprintf(call, sizeof(call), "%d", number(e, "call"));
            snprintf(place, sizeof(place), "%u,%u", at[i][0], at[i][1]);
            snprintf(key, sizeof(key), "data/pixel/%s/%d/%u/%u?frame=%d", call,
                     number(target, "resource"), at[i][0], at[i][1], _i);
            points = json(key);
            printed = run_command(tool_pixel, TOOL_OK, 7, words);
            ck_assert_int_eq(strncmp(get(key, 200, NULL), printed, strlen(printed)), 0);
            ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(points, "points")),
                             draw ? 2 : 1);
            cJSON_Delete(points);
        }
    snprintf(key, sizeof(key), "data/pixel/%s/%d/16/0?frame=%d", call, 1, _i);
    get(key, 404, NULL);
    snprintf(key, sizeof(key), "data/pixel/%s/9999/0/0?frame=%d", call, _i);
    get(key, 404, NULL);
    cJSON_Delete(frame);
}
END_TEST

/* The steps of a shader are those of `novem frame --steps`, to the byte. */
START_TEST(shader_steps)
{
    static const char *const which[] = {"pixel/3/3/0", "vertex/3"};
    cJSON *frame = json("data/frame"), *answer;
    char key[96], call[16];

    snprintf(call, sizeof(call), "%d", number(event(frame, "draw", 1), "call"));
    for (unsigned i = 0; i < 2; i++) {
        char *words[] = {"frame",  path, "--call", call, "--steps", (char *)(uintptr_t)which[i],
                         "--json", NULL};
        const char *printed = run_command(tool_frame, TOOL_OK, 7, words);

        snprintf(key, sizeof(key), "data/steps/%s/%s", call, which[i]);
        answer = json(key);
        ck_assert_int_gt(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "steps")), 0);
        ck_assert_int_eq(strncmp(get(key, 200, NULL), printed, strlen(printed) - 1), 0);
        cJSON_Delete(answer);
    }
    snprintf(key, sizeof(key), "data/steps/%s/pixel/3/3/9", call);
    answer = json(key);
    ck_assert_str_eq(cJSON_GetObjectItem(answer, "why")->valuestring,
                     "The draw has no primitive 9.");
    cJSON_Delete(answer);
    snprintf(key, sizeof(key), "data/steps/%s/pixel/3/3", call);
    get(key, 404, NULL);
    get("data/steps/1/vertex/0", 404, NULL);
    cJSON_Delete(frame);
}
END_TEST

/* The body of an answer to a change of a draw in frame 1. */
static cJSON *edit(const char *body, int expected)
{
    char request[1024];
    const char *answer;
    cJSON *object;

    snprintf(request, sizeof(request),
             "POST /%s/edit?frame=1 HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n"
             "Origin: http://127.0.0.1:%u\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\n\r\n%s",
             token, port, port, strlen(body), body);
    answer = client_exchange(port, request, strlen(request));
    ck_assert_msg(client_status(answer) == expected, "%s: %s", body, answer);
    object = cJSON_Parse(strstr(answer, "\r\n\r\n") + 4);
    ck_assert_ptr_nonnull(object);
    return object;
}

static const char *text(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);

    ck_assert_msg(cJSON_IsString(item), "no text %s", name);
    return item->valuestring;
}

/* The file of target 0 before or after a draw. */
static const char *file_of(const cJSON *event, const char *when)
{
    const cJSON *target = cJSON_GetArrayItem(cJSON_GetObjectItem(event, "targets"), 0);

    return text(cJSON_GetObjectItem(target, when), "file");
}

START_TEST(draws_are_edited)
{
    cJSON *frame = json("data/frame?frame=1"), *answer, *plain, *changed, *end[2];
    int call = number(event(frame, "draw", 1), "call");
    char body[128], key[96], id[32], expected[160];
    const struct trace_call *c;
    struct trace_reader *reader;
    struct trace_error error;
    unsigned states = 0;
    size_t n;

    snprintf(body, sizeof(body), "{\"call\": %d, \"set\": [\"COLORWRITEENABLE=0\"]}", call);
    answer = edit(body, 200);
    snprintf(id, sizeof(id), "%s", text(answer, "edit"));
    snprintf(expected, sizeof(expected),
             "novem edit %s -o edited.trace --call %d --set COLORWRITEENABLE=0", path, call);
    ck_assert_str_eq(text(answer, "command"), expected);
    /* The draw changes nothing now; without the edit it does, afterwards as well. */
    snprintf(key, sizeof(key), "data/edit/%s/event/%d?frame=1", id, call);
    changed = json(key);
    snprintf(key, sizeof(key), "data/event/%d?frame=1", call);
    plain = json(key);
    ck_assert_str_eq(file_of(changed, "before"), file_of(changed, "after"));
    ck_assert_str_eq(file_of(plain, "before"), file_of(changed, "before"));
    ck_assert_str_ne(file_of(plain, "before"), file_of(plain, "after"));
    get(file_of(changed, "after"), 200, NULL);
    for (unsigned i = 0; i < 2; i++) {
        int target =
            number(cJSON_GetArrayItem(cJSON_GetObjectItem(event(frame, "draw", 1), "targets"), 0),
                   "resource");

        snprintf(key, sizeof(key), "data/%s%s%sresource/%d/end/0/0/0?frame=1", i ? "edit/" : "",
                 i ? id : "", i ? "/" : "", target);
        end[i] = json(key);
    }
    ck_assert_str_eq(text(end[0], "file"), file_of(plain, "after"));
    ck_assert_str_eq(text(end[1], "file"), file_of(changed, "after"));
    /* The capture sets the state and sets it back. */
    snprintf(key, sizeof(key), "data/edit/%s/capture?frame=1", id);
    ck_assert_int_eq(trace_open_memory(&reader, get(key, 200, &n), n, &error), ST_OK);
    while (trace_next(reader, &c) == ST_OK && c)
        states += strstr(c->function->name, "SetRenderState") != NULL;
    trace_close(reader);
    ck_assert_uint_eq(states, 2);
    cJSON_Delete(frame);
    cJSON_Delete(answer);
    cJSON_Delete(plain);
    cJSON_Delete(changed);
    cJSON_Delete(end[0]);
    cJSON_Delete(end[1]);
}
END_TEST

START_TEST(wrong_edits_are_refused)
{
    cJSON *frame = json("data/frame?frame=1"), *answer;
    int call = number(event(frame, "draw", 1), "call");
    const struct {
        const char *format, *error;
        int call;
    } cases[] = {
        {"{\"call\": %d, \"set\": [\"ZFUNC=BAD\"]}", "ZFUNC has no value 'BAD'", call},
        {"{\"call\": %d, \"set\": [\"ZFUNC=1\"]}", "is no draw", call - 1},
        {"{\"call\": %d, \"set\": [\"ZFUNC=1\"]}", "the frame has no call", 99999},
        {"{\"call\": %d, \"pixel\": \"ps_2_0\\nmov oC0, q\"}", "pixel shader: 2:10:", call},
        {"{\"call\": %d, \"constants\": [\"ps:c5000=0,0,0,0\"]}", "no constant ps:c5000", call},
        {"{\"call\": %d}", "nothing is changed", call},
        {"{\"call\": %d, \"set\": 1}", "malformed", call},
        {"%d", "malformed", 1},
    };
    char body[256];

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(body, sizeof(body), cases[i].format, cases[i].call);
        answer = edit(body, 400);
        ck_assert_msg(strstr(text(answer, "error"), cases[i].error) != NULL, "%s: %s", body,
                      text(answer, "error"));
        cJSON_Delete(answer);
    }
    get("data/edit/0123456789abcdef/event/1?frame=1", 404, NULL);
    get("data/edit/0123456789abcdef/capture?frame=1", 404, NULL);
    cJSON_Delete(frame);
}
END_TEST

START_TEST(ends_by_signals)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

    cJSON_Delete(json("data/frame?frame=2"));
    end_by(signals[_i]);
    ck_assert_int_lt(client_connect(port), 0);
}
END_TEST

START_TEST(reports_errors)
{
    char number_text[16];
    char *missing[] = {"inspect", "/nonexistent/x.trace", "--no-browser", NULL};
    char *taken[] = {"inspect", path, "--no-browser", "--port", number_text, NULL};

    ck_assert_ptr_nonnull(strstr(run_command(tool_inspect, TOOL_ERROR, 3, missing), "x.trace"));
    snprintf(number_text, sizeof(number_text), "%u", port);
    ck_assert_ptr_nonnull(
        strstr(run_command(tool_inspect, TOOL_ERROR, 5, taken), "Address already in use"));
    snprintf(number_text, sizeof(number_text), "65536");
    ck_assert_ptr_nonnull(strstr(run_command(tool_inspect, TOOL_ERROR, 5, taken), "65535"));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("inspect");
    TCase *tc = tcase_create("server");

    tcase_add_checked_fixture(tc, start, stop);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, frames);
    tcase_add_test(tc, the_page_has_the_nonce_of_its_policy);
    tcase_add_test(tc, pictures);
    tcase_add_loop_test(tc, pixel_histories, 0, FRAMES);
    tcase_add_test(tc, shader_steps);
    tcase_add_test(tc, draws_are_edited);
    tcase_add_test(tc, wrong_edits_are_refused);
    tcase_add_loop_test(tc, ends_by_signals, 0, 3);
    tcase_add_test(tc, reports_errors);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
