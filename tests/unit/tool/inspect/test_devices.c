/* Every command on the capture of a program that recreates its device: the later devices get the
 * addresses of the earlier ones, in the recording and in the replay. */
#define COBJMACROS
#include "unit/api/api_test.h"
#include "unit/tool/command.h"

#include "record/record.h"
#include "tool/capture/capture.h"
#include "tool/golden/golden.h"
#include "tool/frame/frame.h"
#include "tool/image/image.h"
#include "tool/inspect/frame.h"
#include "tool/inspect/inspect.h"
#include "tool/mask/mask.h"
#include "tool/trim/trim.h"
#include "trace/trace.h"
#include "util/log.h"

/* Each device renders two frames. A frame clears and draws a square of its colour, through a render
 * target in every second frame. */
enum { DEVICES = 3, FRAMES = 2 * DEVICES, SIDE = 16 };
static const D3DCOLOR colours[FRAMES] = {0xffff0000, 0xff00ff00, 0xff0000ff,
                                         0xffffff00, 0xff00ffff, 0xffff00ff};
static const D3DCOLOR clear_colour = 0xff102030;
static char path[64];

struct vertex {
    float x, y, z, w;
    D3DCOLOR colour;
};

static void record_frame(IDirect3DDevice9 *device, unsigned frame)
{
    const D3DCOLOR c = colours[frame];
    const struct vertex square[4] = {
        {4, 4, 0, 1, c}, {12, 4, 0, 1, c}, {4, 12, 0, 1, c}, {12, 12, 0, 1, c}};
    IDirect3DSurface9 *back, *target = NULL;

    OK(IDirect3DDevice9_GetRenderTarget(device, 0, &back));
    if (frame % 2) {
        OK(IDirect3DDevice9_CreateRenderTarget(device, SIDE, SIDE, D3DFMT_X8R8G8B8, 0, 0, FALSE,
                                               &target, NULL));
        OK(IDirect3DDevice9_SetRenderTarget(device, 0, target));
    }
    OK(IDirect3DDevice9_Clear(device, 0, NULL, D3DCLEAR_TARGET, clear_colour, 0, 0));
    OK(IDirect3DDevice9_DrawPrimitiveUP(device, D3DPT_TRIANGLESTRIP, 2, square, sizeof(square[0])));
    if (target) {
        OK(IDirect3DDevice9_StretchRect(device, target, NULL, back, NULL, D3DTEXF_NONE));
        OK(IDirect3DDevice9_SetRenderTarget(device, 0, back));
        IDirect3DSurface9_Release(target);
    }
    IDirect3DSurface9_Release(back);
    OK(IDirect3DDevice9_Present(device, NULL, NULL, NULL, NULL));
}

static void record_devices(void)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = SIDE,
                               .BackBufferHeight = SIDE,
                               .BackBufferFormat = D3DFMT_X8R8G8B8,
                               .SwapEffect = D3DSWAPEFFECT_COPY,
                               .Windowed = TRUE};
    IDirect3D9 *d3d9;

    record_open(path);
    d3d9 = Direct3DCreate9(D3D_SDK_VERSION);
    for (unsigned i = 0; i < DEVICES; i++) {
        IDirect3DDevice9 *device;

        OK(IDirect3D9_CreateDevice(d3d9, 0, D3DDEVTYPE_HAL, NULL,
                                   D3DCREATE_HARDWARE_VERTEXPROCESSING, &p, &device));
        OK(IDirect3DDevice9_SetFVF(device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE));
        record_frame(device, 2 * i);
        record_frame(device, 2 * i + 1);
        ck_assert_uint_eq(IDirect3DDevice9_Release(device), 0);
    }
    IDirect3D9_Release(d3d9);
    record_close();
}

static void setup(void)
{
    setenv("NOVEM_THREADS", "1", 1);
    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(path, "x.trace");
    record_devices();
}

/* --- Calls of the capture --------------------------------------------------------------------- */

/* Number of the n-th call of this method, counted from 0. */
static unsigned call_of(const char *method, unsigned n)
{
    const struct trace_call *call;
    struct trace_reader *reader;
    struct trace_error error;
    unsigned found = UINT32_MAX;

    ck_assert_int_eq(trace_open(&reader, path, &error), ST_OK);
    while (trace_next(reader, &call) == ST_OK && call)
        if (!strcmp(call->function->name, method) && !n--)
            found = (unsigned)call->number;
    trace_close(reader);
    ck_assert_uint_ne(found, UINT32_MAX);
    return found;
}

static unsigned draw_of(unsigned frame)
{
    return call_of("IDirect3DDevice9::DrawPrimitiveUP", frame);
}

static const char *text_of(unsigned number)
{
    static char texts[4][16];
    static unsigned turn;
    char *text = texts[turn++ % 4];

    snprintf(text, sizeof(texts[0]), "%u", number);
    return text;
}

/* Runs a command with these words after its name, and returns its output. */
#define RUN(tool, expected, ...)                                                                   \
    run_words(tool, expected, (const char *[]){#tool, __VA_ARGS__, NULL})
static const char *run_words(int (*tool)(int, char **), int expected, const char *const *words)
{
    int argc = 0;

    while (words[argc])
        argc++;
    return run_command(tool, expected, argc, (char **)(uintptr_t)words);
}

static void says(const char *printed, const char *text)
{
    ck_assert_msg(strstr(printed, text) != NULL, "'%s' is not in: %s", text, printed);
}

/* --- Commands --------------------------------------------------------------------------------- */

static void check_picture(const char *name, D3DCOLOR inside)
{
    struct tool_image image;
    const uint8_t *p;

    ck_assert_msg(tool_png_read(in_folder(name), &image) == ST_OK, "%s", name);
    p = image.rgba + 4 * (8 * SIDE + 8);
    ck_assert_uint_eq((D3DCOLOR)p[0] << 16 | (D3DCOLOR)p[1] << 8 | p[2], inside & 0xffffff);
    p = image.rgba;
    ck_assert_uint_eq((D3DCOLOR)p[0] << 16 | (D3DCOLOR)p[1] << 8 | p[2], clear_colour & 0xffffff);
    tool_image_fini(&image);
}

static void check_pictures(const char *file, unsigned first, unsigned n)
{
    char name[32];

    RUN(tool_replay, TOOL_OK, file, "--quiet", "-o", folder);
    for (unsigned i = 0; i < n; i++) {
        snprintf(name, sizeof(name), "frame-%05u.png", i);
        check_picture(name, colours[first + i]);
        ck_assert_int_eq(unlink(in_folder(name)), 0);
    }
}

START_TEST(replay_shows_all_devices)
{
    check_pictures(path, 0, FRAMES);
}
END_TEST

START_TEST(compiled_streams_have_all_devices)
{
    const char *file = in_folder("x.nvs");

    RUN(tool_compile, TOOL_OK, path, "-o", file);
    says(RUN(tool_info, TOOL_OK, file), "frames     6 ");
    says(RUN(tool_dump, TOOL_OK, file), "present");
    check_pictures(file, 0, FRAMES);
}
END_TEST

START_TEST(info_and_dump_show_all_devices)
{
    const char *at;
    unsigned n = 0;

    says(RUN(tool_info, TOOL_OK, path), "frames     6 ");
    says(RUN(tool_info, TOOL_OK, path), "devices    3");
    at = RUN(tool_dump, TOOL_OK, path, "--name", "CreateDevice");
    for (; (at = strstr(at, "::CreateDevice(")); at++)
        n++;
    ck_assert_uint_eq(n, DEVICES);
}
END_TEST

START_TEST(pixels_of_all_devices_have_histories)
{
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        const char *text = RUN(tool_pixel, TOOL_OK, path, "--frame", text_of(frame), "--at", "8,8");
        char value[32];

        says(text, "::Clear");
        says(text, "::DrawPrimitiveUP");
        says(text, "values add up");
        snprintf(value, sizeof(value), "0x%08x", (unsigned)colours[frame]);
        says(text, value);
        if (frame % 2)
            says(text, "::StretchRect");
        text = RUN(tool_pixel, TOOL_OK, path, "--call", text_of(draw_of(frame)), "--at", "8,8");
        says(text, value);
        text = RUN(tool_pixel, TOOL_OK, path, "--frame", text_of(frame), "--at", "8,8", "--trace",
                   text_of(draw_of(frame)));
        says(text, "| --- pixel shader");
    }
}
END_TEST

/* From the first frame on, a history follows the pixel's device alone. */
START_TEST(histories_since_an_earlier_device)
{
    const char *text =
        RUN(tool_pixel, TOOL_OK, path, "--frame", "4", "--at", "8,8", "--since", "0");

    says(text, "0xff00ffff");
    says(text, "values add up");
    ck_assert_ptr_null(strstr(text, "0xffff0000"));
}
END_TEST

START_TEST(frames_of_all_devices_become_files)
{
    char name[64], command[128];

    for (unsigned frame = 0; frame < FRAMES; frame++) {
        uint8_t *bytes;
        size_t n;
        const char *at;

        snprintf(name, sizeof(name), "%s/frame-%u", folder, frame);
        RUN(tool_frame, TOOL_OK, path, "--frame", text_of(frame), "-o", name);
        snprintf(command, sizeof(command), "%s/index.txt", name);
        ck_assert_int_eq(tool_file_read(command, &bytes, &n), ST_OK);
        says((const char *)bytes, "DrawPrimitiveUP");
        at = strstr(strstr((const char *)bytes, "DrawPrimitiveUP"), "colour after");
        ck_assert_ptr_nonnull(at);
        ck_assert_int_eq(sscanf(at, "colour after %60s", command), 1);
        snprintf(name, sizeof(name), "frame-%u/%s", frame, command);
        check_picture(name, colours[frame]);
        mem_free(bytes);
    }
}
END_TEST

START_TEST(targets_of_all_devices_are_pictures)
{
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        RUN(tool_frame, TOOL_OK, path, "--call", text_of(draw_of(frame)), "--target",
            in_folder("t.png"));
        check_picture("t.png", colours[frame]);
    }
}
END_TEST

START_TEST(calls_without_a_device_do_not_exist)
{
    const char *const file = in_folder("none.png");

    for (unsigned i = 0; i <= DEVICES + 1; i++) {
        unsigned last = call_of("IDirect3D9::Release", 0);
        /* The last Release of a device, the last call, and calls behind the end. */
        unsigned call = i < DEVICES    ? call_of("IDirect3DDevice9::Release", i)
                        : i == DEVICES ? last
                                       : last + 1000;

        says(RUN(tool_frame, TOOL_ERROR, path, "--call", text_of(call), "--target", file),
             "there is no such call");
        says(RUN(tool_pixel, TOOL_ERROR, path, "--call", text_of(call), "--at", "8,8"),
             "there is no such call");
        RUN(tool_frame, TOOL_ERROR, path, "--call", text_of(call), "--frame", "5", "-o",
            in_folder("none"));
        RUN(tool_trim, TOOL_ERROR, path, "--call", text_of(call), "-o", file);
        RUN(tool_pixel, TOOL_ERROR, path, "--frame", "5", "--at", "8,8", "--trace", text_of(call));
    }
    RUN(tool_frame, TOOL_ERROR, path, "--frame", "6", "-o", in_folder("none"));
    RUN(tool_pixel, TOOL_ERROR, path, "--frame", "6", "--at", "8,8");
    RUN(tool_trim, TOOL_ERROR, path, "--frames", "6", "-o", file);
    RUN(tool_replay, TOOL_ERROR, path, "--frames", "6", "--hash");
    RUN(tool_replay, TOOL_ERROR, path, "--frames", "4-6", "--hash");
    ck_assert_int_ne(access(in_folder("none"), F_OK), 0);
    ck_assert_int_ne(access(file, F_OK), 0);
}
END_TEST

START_TEST(captures_are_cut_to_any_device)
{
    const char *cut = in_folder("cut.trace");

    for (unsigned frame = 0; frame < FRAMES; frame++) {
        RUN(tool_trim, TOOL_OK, path, "--frames", text_of(frame), "-o", cut);
        check_pictures(cut, frame, 1);
        RUN(tool_trim, TOOL_OK, path, "--call", text_of(draw_of(frame)), "-o", cut);
        RUN(tool_replay, TOOL_OK, cut, "--quiet", "--hash");
    }
    RUN(tool_trim, TOOL_OK, path, "--frames", "1-4", "-o", cut);
    check_pictures(cut, 1, 4);
}
END_TEST

START_TEST(bisection_finds_draws_of_any_device)
{
    for (unsigned wrong = 0; wrong < FRAMES; wrong++) {
        struct inspect_target_draws draws;
        char candidate[128], expected[64];

        ck_assert_int_eq(inspect_target_draws_gather(&draws, "test", path), TOOL_OK);
        ck_assert_uint_eq(draws.n, 2 * FRAMES);
        for (size_t i = 0; i < draws.n; i++) {
            struct tool_image image;
            char name[32];

            ck_assert_uint_eq(draws.draw[i].stream, i / 4);
            ck_assert_int_eq(inspect_target_take(&image, "test", path, draws.draw[i].call),
                             TOOL_OK);
            if (draws.draw[i].call == draw_of(wrong))
                image.rgba[4 * (8 * SIDE + 8)] ^= 0x80;
            snprintf(name, sizeof(name), "%u.png", (unsigned)draws.draw[i].call);
            ck_assert_int_eq(tool_png_write(in_folder(name), &image, 3), ST_OK);
            tool_image_fini(&image);
        }
        mem_free(draws.draw);
        snprintf(candidate, sizeof(candidate), "cp %s/{call}.png {out}", folder);
        snprintf(expected, sizeof(expected), "call %u of frame %u ", draw_of(wrong), wrong);
        says(RUN(tool_bisect, TOOL_DIFFERS, path, "--candidate", candidate, "-o",
                 in_folder("bisect")),
             expected);
    }
}
END_TEST

START_TEST(masks_are_made_of_all_devices)
{
    RUN(tool_replay, TOOL_OK, path, "--quiet", "-o", folder);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        char name[32];

        snprintf(name, sizeof(name), "frame-%05u.png", frame);
        RUN(tool_mask, TOOL_OK, path, "--frames", text_of(frame), "--variants", "snap",
            "--candidate", in_folder(name));
        snprintf(name, sizeof(name), "frame-%05u.png", (frame + 1) % FRAMES);
        RUN(tool_mask, TOOL_DIFFERS, path, "--frames", text_of(frame), "--variants", "snap",
            "--candidate", in_folder(name));
    }
}
END_TEST

START_TEST(golden_cases_are_made_of_all_devices)
{
    char manifest[64], own[64], out[64];

    path_in_folder(manifest, "m.toml");
    path_in_folder(own, "x");
    path_in_folder(out, "out");
    write_text(manifest, "[[case]]\nname = 'x'\ncapture = 'x.trace'\nframes = '0-5'\n");
    RUN(tool_replay, TOOL_OK, path, "--quiet", "-o", own);
    says(RUN(tool_golden, TOOL_OK, "run", manifest, "-o", out, "--candidate", folder), "6 ");
    check_picture("x/frame-00004.png", colours[4]);
    ck_assert_int_eq(unlink(in_folder("x/frame-00004.png")), 0);
    ck_assert_int_eq(link(in_folder("x/frame-00005.png"), in_folder("x/frame-00004.png")), 0);
    RUN(tool_golden, TOOL_DIFFERS, "run", manifest, "-o", out, "--candidate", folder);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("inspect/devices");
    TCase *tc = tcase_create("inspect/devices");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, replay_shows_all_devices);
    tcase_add_test(tc, compiled_streams_have_all_devices);
    tcase_add_test(tc, info_and_dump_show_all_devices);
    tcase_add_test(tc, pixels_of_all_devices_have_histories);
    tcase_add_test(tc, histories_since_an_earlier_device);
    tcase_add_test(tc, frames_of_all_devices_become_files);
    tcase_add_test(tc, targets_of_all_devices_are_pictures);
    tcase_add_test(tc, calls_without_a_device_do_not_exist);
    tcase_add_test(tc, captures_are_cut_to_any_device);
    tcase_add_test(tc, bisection_finds_draws_of_any_device);
    tcase_add_test(tc, masks_are_made_of_all_devices);
    tcase_add_test(tc, golden_cases_are_made_of_all_devices);
    suite_add_tcase(suite, tc);
    return suite;
}

/* `novem golden` runs its own program with the word "replay". */
int main(int argc, char **argv)
{
    SRunner *runner;
    int failed;

    if (argc > 1 && !strcmp(argv[1], "replay"))
        return tool_replay(argc - 1, argv + 1);
    runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
