/* `novem replay`: from a capture to pictures through the whole renderer. */
#include "check_main.h"
#include "unit/trace/record.h"

#include "tool/capture/capture.h"
#include "tool/cli/cli.h"
#include "tool/image/image.h"
#include "util/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/novem-test-XXXXXX";
static char trace[64];

static const char *in_folder(const char *name)
{
    static char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void record_clear(uint32_t colour)
{
    record("IDirect3DDevice9::Clear", 0, "ounuuuu", DEVICE, 0, D3DCLEAR_TARGET, colour, 1, 0);
}

static void write_trace(void)
{
    struct stream file = pack_snappy(&s, 1 << 20);
    FILE *out = fopen(trace, "wb");

    fwrite(file.bytes, 1, file.n, out);
    fclose(out);
    free(file.bytes);
}

/* Calls 0 to 8: a device, three frames, and a read-back in the second frame. */
static void setup(void)
{
    log_set_level(LOG_NONE);
    strcpy(folder, "/tmp/novem-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(trace, sizeof(trace), "%s/x.trace", folder);
    record_start();
    record_device(0);
    record_clear(0xffff0000);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
    record_clear(0xff00ff00);
    record("IDirect3DDevice9::GetBackBuffer", 0, "ouuuO", DEVICE, 0, 0, 0, SURFACE);
    record("IDirect3DDevice9::CreateOffscreenPlainSurface", 0, "ouuuuOn", DEVICE, 64, 48,
           D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, SURFACE + 1);
    record("IDirect3DDevice9::GetRenderTargetData", 0, "ooo", DEVICE, SURFACE, SURFACE + 1);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
    record_clear(0xff0000ff);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
    write_trace();
}

static void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static int replay(const char *a, const char *b, const char *c, const char *d)
{
    char *argv[] = {"replay",
                    trace,
                    "--quiet",
                    "-o",
                    folder,
                    (char *)(uintptr_t)a,
                    (char *)(uintptr_t)b,
                    (char *)(uintptr_t)c,
                    (char *)(uintptr_t)d,
                    NULL};
    int argc = 5;

    while (argv[argc])
        argc++;
    return tool_replay(argc, argv);
}

/* Checks that the picture has one colour, 0xrrggbb. */
static void shows(const char *name, uint32_t colour)
{
    struct tool_image image;

    ck_assert_msg(tool_png_read(in_folder(name), &image) == ST_OK, "%s", name);
    ck_assert_uint_eq(image.width, 64);
    ck_assert_uint_eq(image.height, 48);
    for (unsigned i = 0; i < 64 * 48; i++) {
        const uint8_t *p = image.rgba + 4 * i;

        ck_assert_msg(((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) == colour, "%s", name);
    }
    tool_image_fini(&image);
}

static bool exists(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

START_TEST(frames_become_pictures)
{
    ck_assert_int_eq(replay(NULL, NULL, NULL, NULL), TOOL_OK);
    shows("frame-00000.png", 0xff0000);
    shows("frame-00001.png", 0x00ff00);
    shows("frame-00002.png", 0x0000ff);
    ck_assert(!exists("frame-00003.png"));
}
END_TEST

/* What failed, was skipped or is unknown is in the exit code. */
START_TEST(missing_calls_are_in_the_exit_code)
{
    record("IDirect3DDevice9::SetFVF", 0, "ou", DEVICE, 0xffff); /* fails */
    write_trace();
    ck_assert_int_eq(replay(NULL, NULL, NULL, NULL), TOOL_DIFFERS);
    record_start();
    record_device(0);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE + 8); /* skipped: no such object */
    write_trace();
    ck_assert_int_eq(replay(NULL, NULL, NULL, NULL), TOOL_DIFFERS);
    record_start();
    record_device(0);
    record("IDirect3DDevice9::DoesNotExist", 0, "o", DEVICE);
    write_trace();
    ck_assert_int_eq(replay(NULL, NULL, NULL, NULL), TOOL_DIFFERS);
}
END_TEST

START_TEST(selected_frames_must_exist)
{
    ck_assert_int_eq(replay("--frames", "2-", NULL, NULL), TOOL_OK);
    ck_assert_int_eq(replay("--frames", "3", NULL, NULL), TOOL_ERROR);
    ck_assert_int_eq(replay("--frames", "3-", NULL, NULL), TOOL_ERROR);
    ck_assert_int_eq(replay("--frames", "2-3", NULL, NULL), TOOL_ERROR);
}
END_TEST

START_TEST(frames_can_be_chosen)
{
    ck_assert_int_eq(replay("--frames", "1-1", NULL, NULL), TOOL_OK);
    ck_assert(!exists("frame-00000.png"));
    shows("frame-00001.png", 0x00ff00);
    ck_assert(!exists("frame-00002.png"));
    ck_assert_int_eq(replay("--frames", "2-1", NULL, NULL), TOOL_ERROR);
    ck_assert_int_eq(replay("--frames", "x", NULL, NULL), TOOL_ERROR);
}
END_TEST

/* Presents and read-backs by call number; --like selects those that a folder has. */
START_TEST(calls_become_pictures)
{
    ck_assert_int_eq(replay("--snapshots", "calls", NULL, NULL), TOOL_OK);
    shows("0000000003.png", 0xff0000);
    shows("0000000007.png", 0x00ff00);
    shows("0000000008.png", 0x00ff00);
    shows("0000000010.png", 0x0000ff);
    unlink(in_folder("0000000003.png"));
    ck_assert_int_eq(replay("--snapshots", "calls", "--like", folder), TOOL_OK);
    ck_assert(!exists("0000000003.png"));
    ck_assert_int_eq(replay("--snapshots", "everything", NULL, NULL), TOOL_ERROR);
}
END_TEST

START_TEST(reports_are_counts)
{
    char text[1024];
    FILE *file;
    size_t n;

    ck_assert_int_eq(replay("--report", in_folder("report"), "--hash", NULL), TOOL_OK);
    file = fopen(in_folder("report"), "r");
    n = fread(text, 1, sizeof(text) - 1, file);
    text[n] = 0;
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "status ok\ncomplete 1\ncalls 11\n"));
    ck_assert_ptr_nonnull(strstr(text, "frames 3\ndraws 0\nfailed 0\nskipped 0\nunsupported 0\n"));
    ck_assert_ptr_nonnull(strstr(text, "pictures 3\n"));
    ck_assert(!exists("frame-00000.png"));
}
END_TEST

static void read_hashes(char *out, size_t room, const char *threads)
{
    FILE *file;
    size_t n;

    ck_assert_ptr_nonnull(freopen(in_folder("hashes"), "w", stdout));
    ck_assert_int_eq(replay("--hash", threads ? "--threads" : NULL, threads, NULL), TOOL_OK);
    fflush(stdout);
    file = fopen(in_folder("hashes"), "r");
    n = fread(out, 1, room - 1, file);
    out[n] = 0;
    fclose(file);
}

/* One hash per frame: different for different pictures, equal for any number of threads. */
START_TEST(hashes_differ_between_pictures)
{
    char one[512], more[512], hash[3][32];

    read_hashes(one, sizeof(one), "1");
    read_hashes(more, sizeof(more), "3");
    ck_assert_str_eq(one, more);
    ck_assert_int_eq(sscanf(one, "frame 0 %31s 64x48 frame 1 %31s 64x48 frame 2 %31s 64x48",
                            hash[0], hash[1], hash[2]),
                     3);
    ck_assert_uint_eq(strlen(hash[0]), 16);
    ck_assert_str_ne(hash[0], hash[1]);
    ck_assert_str_ne(hash[1], hash[2]);
}
END_TEST

START_TEST(truncated_capture_fails_after_its_frames)
{
    FILE *file = fopen(trace, "r+");

    fseek(file, 0, SEEK_END);
    ck_assert_int_eq(truncate(trace, ftell(file) - 3), 0);
    fclose(file);
    ck_assert_int_eq(replay(NULL, NULL, NULL, NULL), TOOL_ERROR);
    shows("frame-00001.png", 0x00ff00);
    ck_assert(!exists("frame-00002.png"));
    ck_assert_int_eq(truncate(trace, 10), 0);
    ck_assert_int_eq(replay(NULL, NULL, NULL, NULL), TOOL_ERROR);
    ck_assert_int_eq(unlink(trace), 0);
    ck_assert_int_eq(replay(NULL, NULL, NULL, NULL), TOOL_ERROR);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("novem replay");
    TCase *tc = tcase_create("replay");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, frames_become_pictures);
    tcase_add_test(tc, missing_calls_are_in_the_exit_code);
    tcase_add_test(tc, selected_frames_must_exist);
    tcase_add_test(tc, frames_can_be_chosen);
    tcase_add_test(tc, calls_become_pictures);
    tcase_add_test(tc, reports_are_counts);
    tcase_add_test(tc, hashes_differ_between_pictures);
    tcase_add_test(tc, truncated_capture_fails_after_its_frames);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
