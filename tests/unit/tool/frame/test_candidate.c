/* Pictures of another implementation: commands that write them, and the first difference. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/frame/candidate.h"
#include "tool/image/image.h"
#include "util/log.h"

#include <sys/stat.h>

enum { SIDE = 8, CALLS = 3 };

static char path[64], error[CANDIDATE_TEXT];
static uint64_t call[CALLS]; /* a clear and two draws of frame 1 */

/* Frame 1 clears, and draws two squares. */
static void record_capture(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};
    const struct {
        float x, y, z, w;
        D3DCOLOR colour;
    } v[3] = {{-1, -1, 0, 1, 0xffff0000}, {4, -1, 0, 1, 0xffff0000}, {-1, 4, 0, 1, 0xffff0000}};
    IDirect3DDevice9 *device;
    IDirect3D9 *d3d9;

    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
                               &p, &device));
    OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff0000ff, 0, 0));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff00ff00, 0, 0));
    for (unsigned i = 0; i < 2; i++)
        OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLELIST, 1, v, sizeof(v[0])));
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
    IDirect3DDevice9_Release(device);
    IDirect3D9_Release(d3d9);
    record_close();
}

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "it's.trace");
    ck_assert_int_eq(mkdir(in_folder("images"), 0700), 0);
    record_capture();
}

static cJSON *ask(const char *candidate)
{
    cJSON *answer, *events, *event;
    enum status st = frame_candidate_answer(&answer, candidate, path, 1, folder, error);
    unsigned n = 0;

    ck_assert_msg(st == ST_OK, "%s", error);
    events = cJSON_GetObjectItem(answer, "events");
    ck_assert_int_eq(cJSON_GetArraySize(events), CALLS);
    cJSON_ArrayForEach(event, events)
    {
        const cJSON *picture = cJSON_GetObjectItem(event, "reference");

        call[n++] = (uint64_t)cJSON_GetObjectItem(event, "call")->valuedouble;
        ck_assert_int_eq(access(in_folder(cJSON_GetObjectItem(picture, "file")->valuestring), R_OK),
                         0);
    }
    return answer;
}

static int number(const cJSON *answer, int event, const char *name)
{
    const cJSON *e = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "events"), event);
    const cJSON *item = cJSON_GetObjectItem(event < 0 ? answer : e, name);

    return cJSON_IsNumber(item) ? item->valueint : -1;
}

/* A picture that is green, with a red pixel for each of n. */
static void write_picture(const char *name, unsigned n, unsigned side)
{
    struct tool_image image;

    ck_assert_int_eq(tool_image_create(&image, side, side), ST_OK);
    for (unsigned i = 0; i < side * side; i++)
        memcpy(image.rgba + 4 * i, i < n ? "\377\0\0\377" : "\0\377\0\377", 4);
    ck_assert_int_eq(tool_png_write(in_folder(name), &image, 3), ST_OK);
    tool_image_fini(&image);
}

START_TEST(commands_are_filled_in)
{
    const struct candidate_values values = {"it's.trace", "/a b", 7, 9};
    char *line = frame_candidate_command("x {capture} {call} {calls} {out} {other}", &values);

    ck_assert_str_eq(line, "x 'it'\\''s.trace' 7 7-9 '/a b' {other}");
    free(line);
    ck_assert(frame_candidate_is_command("{capture} {call} {out}"));
    ck_assert(frame_candidate_is_command("{capture} {calls} {out}"));
    ck_assert(!frame_candidate_is_command("{capture} {out}"));
    ck_assert(!frame_candidate_is_command("{capture} {calls}"));
    ck_assert(!frame_candidate_is_command("{calls} {out}"));
}
END_TEST

/* The candidate's triangle lacks after the first draw: the clear is equal. */
START_TEST(the_first_difference_is_found)
{
    char command[512];
    cJSON *answer = ask("true {capture} {calls} {out}");

    ck_assert_int_eq(number(answer, -1, "missing"), 3);
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(answer, "first")));
    cJSON_Delete(answer);
    write_picture("green.png", 0, SIDE);
    snprintf(command, sizeof(command),
             "test -f {capture} && for n in %u %u %u; do cp %s {out}/call-$(printf %%05d $n).png; "
             "done",
             (unsigned)call[0], (unsigned)call[1], (unsigned)call[2], in_folder("green.png"));
    snprintf(command + strlen(command), sizeof(command) - strlen(command), "; test {calls} = %u-%u",
             (unsigned)call[0], (unsigned)call[2]);
    answer = ask(command);
    ck_assert_int_eq(number(answer, -1, "missing"), 0);
    ck_assert_int_eq(number(answer, -1, "first"), (int)call[1]);
    ck_assert_int_eq(number(answer, 0, "pixels"), 0);
    ck_assert_int_gt(number(answer, 1, "pixels"), 3);
    ck_assert_int_eq(number(answer, 1, "max"), 255);
    cJSON_Delete(answer);
}
END_TEST

/* One run of the command for each call; sizes differ for the last. */
START_TEST(commands_of_one_call_serve_too)
{
    char command[512];
    cJSON *answer = ask("true {capture} {call} {out}");

    cJSON_Delete(answer);
    write_picture("green.png", 0, SIDE);
    write_picture("large.png", 0, SIDE + 1);
    snprintf(command, sizeof(command),
             ": {capture}; echo {call} >>%s; test {call} = %u || cp %s {out}; test {call} != %u || "
             "cp %s {out}",
             in_folder("calls"), (unsigned)call[1], in_folder("green.png"), (unsigned)call[2],
             in_folder("large.png"));
    answer = ask(command);
    ck_assert_int_eq(number(answer, -1, "missing"), 1);
    ck_assert_int_eq(number(answer, -1, "first"), (int)call[2]);
    ck_assert_int_eq(number(answer, 2, "pixels"), SIDE * SIDE);
    cJSON_Delete(answer);
}
END_TEST

START_TEST(failures_are_told)
{
    cJSON *answer;

    ck_assert_int_eq(
        frame_candidate_answer(&answer, "exit 3 {capture} {calls} {out}", path, 1, folder, error),
        ST_LOST);
    ck_assert_str_eq(error, "the candidate's command ended with code 3");
    ck_assert_int_eq(frame_candidate_answer(&answer, "kill -9 $$ {capture} {calls} {out}", path, 1,
                                            folder, error),
                     ST_LOST);
    ck_assert_int_ne(frame_candidate_answer(&answer, "true", "/none", 1, folder, error), ST_OK);
    ck_assert_int_eq(frame_candidate_answer(&answer, NULL, path, 1, folder, error), ST_OK);
    ck_assert_int_eq(cJSON_GetArraySize(answer), 0);
    cJSON_Delete(answer);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("candidate of a frame");
    TCase *tc = tcase_create("candidate");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_add_test(tc, commands_are_filled_in);
    tcase_add_test(tc, the_first_difference_is_found);
    tcase_add_test(tc, commands_of_one_call_serve_too);
    tcase_add_test(tc, failures_are_told);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
