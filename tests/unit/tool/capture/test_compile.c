/* `novem compile`, and replay, info and dump of compiled streams. */
#include "unit/tool/command.h"
#include "unit/trace/record.h"

#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "util/log.h"

enum { FRAMES = 16, CLEARED = 5, SIDE = SURFACE + 1, BACK = SURFACE, SHADER = 0x600 };

static char trace[64], compiled[64];

/* --- A capture whose frames depend on earlier frames ------------------------------------------ */

static void record_triangle(unsigned frame)
{
    float x = (float)(frame * 7 % 40), y = (float)(frame * 5 % 30);
    uint32_t colour = 0xff000000 | (frame * 0x123457 & 0xffffff);
    struct {
        float x, y, z, w;
        uint32_t colour;
    } corner[3] = {{x, y, 0, 1, colour}, {x + 24, y, 0, 1, ~colour}, {x, y + 18, 0, 1, colour}};

    enter("IDirect3DDevice9::DrawPrimitiveUP", 5);
    put_arg(&s, 0);
    put_opaque(&s, DEVICE);
    put_arg(&s, 1);
    put_uint(&s, D3DPT_TRIANGLELIST);
    put_arg(&s, 2);
    put_uint(&s, 1);
    put_arg(&s, 3);
    put_blob(&s, (const uint8_t *)corner, sizeof(corner));
    put_arg(&s, 4);
    put_uint(&s, sizeof(corner[0]));
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_enum(0);
    put_end(&s);
}

/* Every fifth frame clears, the others draw over the previous picture; the ninth frame copies back
 * a picture of the second. */
static void record_frame(unsigned frame)
{
    if (frame % CLEARED == 0)
        record("IDirect3DDevice9::Clear", 0, "ounuuuu", DEVICE, 0, D3DCLEAR_TARGET,
               0xff102030 + frame, 1, 0);
    record_triangle(frame);
    if (frame == 1) {
        record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, SIDE);
        record_triangle(7);
        record("IDirect3DDevice9::SetRenderTarget", 0, "ouo", DEVICE, 0, BACK);
    }
    if (frame == 8)
        record("IDirect3DDevice9::StretchRect", 0, "oononu", DEVICE, SIDE, BACK, D3DTEXF_NONE);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
}

/* A pixel shader that breaks a rule of the documentation: ps_2_0, mov r0, v0.yxzw; mov oC0, r0. A
 * stream takes what creation took. */
static void record_shader(void)
{
    static const uint32_t words[] = {0xffff0200, 0x0200001f, 0x80000000, 0x900f0000, 0x02000001, 0x800f0000,
                                     0x90e10000, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};

    enter("IDirect3DDevice9::CreatePixelShader", 3);
    put_arg(&s, 0);
    put_opaque(&s, DEVICE);
    put_arg(&s, 1);
    put_blob(&s, (const uint8_t *)words, sizeof(words));
    put_arg(&s, 2);
    put(&s, 0x0b);
    put_var(&s, 1);
    put_opaque(&s, SHADER);
    put_end(&s);
    put_leave(&s, call_number++);
    put_ret(&s);
    put_enum(0);
    put_end(&s);
    record("IDirect3DDevice9::SetPixelShader", 0, "oo", DEVICE, SHADER);
}

static void write_trace(void)
{
    struct stream file;

    log_set_level(LOG_NONE);
    open_folder();
    path_in_folder(trace, "x.trace");
    path_in_folder(compiled, "x.nvs");
    record_start();
    record_device(0);
    record("IDirect3DDevice9::GetBackBuffer", 0, "ouuuO", DEVICE, 0, 0, 0, BACK);
    record("IDirect3DDevice9::CreateRenderTarget", 0, "ouuuuuuOn", DEVICE, 64, 48, D3DFMT_X8R8G8B8,
           0, 0, 0, SIDE);
    record("IDirect3DDevice9::SetRenderState", 0, "ouu", DEVICE, D3DRS_ZENABLE, 0);
    record("IDirect3DDevice9::SetFVF", 0, "ou", DEVICE, D3DFVF_XYZRHW | D3DFVF_DIFFUSE);
    record_shader();
    for (unsigned i = 0; i < FRAMES; i++)
        record_frame(i);
    file = pack_snappy(&s, 1 << 20);
    ck_assert_int_eq(tool_file_write(trace, file.bytes, file.n), ST_OK);
    free(file.bytes);
}

static void setup(void)
{
    write_trace();
    run_command(tool_compile, TOOL_OK, 4, (char *[]){"compile", trace, "-o", compiled, NULL});
}

static void hashes(char *to, size_t room, char *file, const char *frames, int expected)
{
    char report[64];

    path_in_folder(report, "report");
    snprintf(to, room, "%s",
             run_command(tool_replay, expected, frames ? 8 : 6,
                         (char *[]){"replay", file, "--quiet", "--hash", "--report", report,
                                    "--frames", (char *)(uintptr_t)frames, NULL}));
}

static unsigned executed(void)
{
    char report[64];
    uint8_t *bytes;
    size_t n;
    unsigned value = 0;

    path_in_folder(report, "report");
    ck_assert_int_eq(tool_file_read(report, &bytes, &n), ST_OK);
    ck_assert_int_eq(sscanf(strstr((const char *)bytes, "executed "), "executed %u", &value), 1);
    mem_free(bytes);
    return value;
}

/* Copies the lines of frames first … last. */
static void cut_lines(char *to, const char *all, unsigned first, unsigned last)
{
    for (unsigned line = 0; *all; line++) {
        size_t n = strcspn(all, "\n") + 1;

        if (line >= first && line <= last) {
            memcpy(to, all, n);
            to += n;
        }
        all += n;
    }
    *to = 0;
}

/* --- Tests ------------------------------------------------------------------------------------ */

START_TEST(capture_and_stream_match)
{
    char calls[4096], stream[4096];

    hashes(calls, sizeof(calls), trace, NULL, TOOL_OK);
    hashes(stream, sizeof(stream), compiled, NULL, TOOL_OK);
    ck_assert_str_eq(calls, stream);
    ck_assert_ptr_nonnull(strstr(stream, "frame 15 "));
}
END_TEST

START_TEST(single_frames_match_a_full_replay)
{
    char all[4096], some[4096], expected[4096], range[16];

    hashes(all, sizeof(all), compiled, NULL, TOOL_OK);
    for (unsigned first = 0; first < FRAMES; first++)
        for (unsigned last = first; last < FRAMES; last += 3) {
            snprintf(range, sizeof(range), "%u-%u", first, last);
            hashes(some, sizeof(some), compiled, range, TOOL_OK);
            cut_lines(expected, all, first, last);
            ck_assert_msg(!strcmp(some, expected), "%s:\n%s\n%s", range, some, expected);
        }
}
END_TEST

/* Frame 13 depends on frame 10, which clears; frame 9 depends on 8, and that on 1. */
START_TEST(unneeded_draws_are_skipped)
{
    char text[4096];
    unsigned until_9, until_13;

    hashes(text, sizeof(text), compiled, "0-13", TOOL_OK);
    until_13 = executed();
    hashes(text, sizeof(text), compiled, "13-13", TOOL_OK);
    /* Draws and Presents of ten frames, the last of which belongs to the next frame; two clears,
     * the additional draw, the copy. */
    ck_assert_uint_eq(until_13 - executed(), 10 + 9 + 2 + 1 + 1);
    hashes(text, sizeof(text), compiled, "0-9", TOOL_OK);
    until_9 = executed();
    hashes(text, sizeof(text), compiled, "9-9", TOOL_OK);
    ck_assert_uint_eq(until_9 - executed(), 2); /* clear and draw of frame 0 */
}
END_TEST

START_TEST(truncated_stream_fails_after_its_frames)
{
    char all[4096], some[4096];
    uint8_t *bytes;
    size_t n;

    hashes(all, sizeof(all), compiled, NULL, TOOL_OK);
    ck_assert_int_eq(tool_file_read(compiled, &bytes, &n), ST_OK);
    ck_assert_int_eq(truncate(compiled, (off_t)n - 1), 0); /* all records are complete */
    hashes(some, sizeof(some), compiled, NULL, TOOL_ERROR);
    ck_assert_msg(!strncmp(some, all, strlen(all)), "%s", some);
    ck_assert_ptr_nonnull(strstr(some, "at file byte"));
    ck_assert_int_eq(truncate(compiled, 20), 0);
    hashes(some, sizeof(some), compiled, NULL, TOOL_ERROR);
    mem_free(bytes);
}
END_TEST

START_TEST(info_counts_records)
{
    const char *text = run_command(tool_info, TOOL_OK, 2, (char *[]){"info", compiled, NULL});

    ck_assert_ptr_nonnull(strstr(text, "container  compiled stream"));
    ck_assert_ptr_nonnull(strstr(text, "frames     16 (4 depend on none before)"));
    ck_assert_ptr_nonnull(strstr(text, "draws      17"));
    ck_assert_ptr_nonnull(strstr(text, "  draw_up "));
}
END_TEST

START_TEST(dump_shows_records)
{
    const char *text =
        run_command(tool_dump, TOOL_OK, 4, (char *[]){"dump", compiled, "--name", "copy", NULL});

    ck_assert_ptr_nonnull(strstr(text, " 0: copy dst.image=#"));
    ck_assert_ptr_nonnull(strstr(text, " box=0,0,0,64,48,1\n"));
    ck_assert_ptr_null(strstr(text, "draw_up"));
}
END_TEST

START_TEST(usage)
{
    run_command(tool_compile, TOOL_ERROR, 2, (char *[]){"compile", trace, NULL});
    run_command(tool_compile, TOOL_ERROR, 4,
                (char *[]){"compile", "/nowhere/x.trace", "-o", compiled, NULL});
    run_command(tool_compile, TOOL_ERROR, 4,
                (char *[]){"compile", trace, "-o", "/nowhere/x.nvs", NULL});
    run_command(tool_compile, TOOL_ERROR, 4, (char *[]){"compile", trace, "-o", trace, NULL});
    run_command(tool_compile, TOOL_OK, 4, (char *[]){"compile", trace, "-o", compiled, NULL});
}
END_TEST

/* Calls that fail, although they succeeded when recorded, or that have no object. */
START_TEST(missing_calls_are_in_the_exit_code)
{
    struct stream file;

    if (_i)
        record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE + 8);
    else
        record("IDirect3DDevice9::SetFVF", 0, "ou", DEVICE, 0xffff);
    file = pack_snappy(&s, 1 << 20);
    ck_assert_int_eq(tool_file_write(trace, file.bytes, file.n), ST_OK);
    free(file.bytes);
    run_command(tool_compile, TOOL_DIFFERS, 4, (char *[]){"compile", trace, "-o", compiled, NULL});
}
END_TEST

/* A stream has images as they are rendered, and would have them with other settings, too. */
START_TEST(settings_of_targets_are_refused)
{
    const char *printed;

    write_trace();
    setenv(_i ? "NOVEM_SAMPLES" : "NOVEM_RENDER_SCALE", _i ? "4" : "0.5", 1);
    setenv("NOVEM_MUL_ZERO", "ieee", 1);
    printed = run_command(tool_compile, TOOL_ERROR, 4,
                          (char *[]){"compile", trace, "-o", compiled, NULL});
    ck_assert_ptr_nonnull(strstr(printed, _i ? "SAMPLES = 4" : "RENDER_SCALE = 0.5"));
    ck_assert_ptr_null(strstr(printed, "MUL_ZERO"));
    close_folder();
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("novem compile");
    TCase *tests = tcase_create("compile"), *settings = tcase_create("settings");

    setenv("NOVEM_SINK", "none", 1);
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, close_folder);
    tcase_add_test(tests, capture_and_stream_match);
    tcase_add_test(tests, single_frames_match_a_full_replay);
    tcase_add_test(tests, unneeded_draws_are_skipped);
    tcase_add_test(tests, truncated_stream_fails_after_its_frames);
    tcase_add_test(tests, info_counts_records);
    tcase_add_test(tests, dump_shows_records);
    tcase_add_test(tests, usage);
    tcase_add_loop_test(tests, missing_calls_are_in_the_exit_code, 0, 2);
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(settings, settings_of_targets_are_refused, 0, 2);
    suite_add_tcase(suite, settings);
    return suite;
}

TEST_MAIN(suite)
