/* File sinks with the writer thread: file contents, queue, program exit, failures. */
#include "present/present.h"

#include "util/alloc.h"
#include "util/clock.h"
#include "util/log.h"

#include "check_main.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 6, HEIGHT = 4, PIXELS = WIDTH * HEIGHT, ERRORS_BYTES = 4096 };

static char folder[32], errors[ERRORS_BYTES];
static uint32_t pixels[PIXELS];

static void note(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    if (level == LOG_ERROR && strlen(errors) + strlen(line) + 1 < ERRORS_BYTES)
        strcat(errors, line);
}

static void setup(void)
{
    strcpy(folder, "/tmp/novem-files-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    errors[0] = 0;
    log_set_sink(note, NULL);
    for (unsigned i = 0; i < PIXELS; i++)
        pixels[i] = i * 0x0a3507 ^ 0x00ff00 * (i % 3);
}

static void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static struct present *open_sink(const char *format, unsigned queue)
{
    struct present_options options = {.queue = queue};
    char spec[128];
    struct present *present;

    snprintf(spec, sizeof(spec), format, folder, folder);
    options.sinks = spec;
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    return present;
}

static struct present_frame frame_of(uint64_t number)
{
    return (struct present_frame){.format = tex_format_get(D3DFMT_X8R8G8B8),
                                  .data = (const uint8_t *)pixels,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .row_pitch = WIDTH * 4,
                                  .refresh_rate = 75,
                                  .number = number};
}

static void show(struct present *present, uint64_t number)
{
    struct present_frame frame = frame_of(number);

    present_show(present, &frame);
}

static size_t read_file(const char *name, uint8_t *bytes, size_t n)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    n = fread(bytes, 1, n, file);
    fclose(file);
    return n;
}

static unsigned files_in_folder(void)
{
    DIR *dir = opendir(folder);
    unsigned n = 0;

    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

/* --- Contents --------------------------------------------------------------------------------- */

START_TEST(raw_has_the_pixels)
{
    struct present *present = open_sink("raw:%s/x", 2);
    uint8_t bytes[PIXELS * 4 * 3 + 1];

    for (unsigned i = 0; i < 3; i++) {
        pixels[0] = i;
        show(present, i);
    }
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", bytes, sizeof(bytes)), PIXELS * 4 * 3);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned p = 0; p < PIXELS; p++) {
            const uint8_t *at = bytes + (i * PIXELS + p) * 4;
            uint32_t want = p ? pixels[p] : i;

            ck_assert_uint_eq((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16,
                              want & 0xffffff);
            ck_assert_uint_eq(at[3], 255);
        }
}
END_TEST

/* Inverse of BT.601 in floating point. */
static void check_yuv(const uint8_t *y, uint32_t pixel)
{
    double luma = (y[0] - 16) * 255.0 / 219, cb = (y[PIXELS] - 128) * 255.0 / 224;
    double cr = (y[2 * PIXELS] - 128) * 255.0 / 224;

    ck_assert_double_eq_tol(luma + 1.402 * cr, pixel >> 16 & 255, 2.0);
    ck_assert_double_eq_tol(luma - 0.344136 * cb - 0.714136 * cr, pixel >> 8 & 255, 2.0);
    ck_assert_double_eq_tol(luma + 1.772 * cb, pixel & 255, 2.0);
}

START_TEST(y4m_has_the_pixels)
{
    static const char head[] = "YUV4MPEG2 W6 H4 F75:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
    enum { FRAME = 6 + 3 * PIXELS, HEAD = sizeof(head) - 1 };
    struct present *present = open_sink("y4m:%s/x", 2);
    uint8_t bytes[HEAD + 2 * FRAME + 1];

    pixels[0] = 0xffffff;
    show(present, 0);
    show(present, 1);
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", bytes, sizeof(bytes)), HEAD + 2 * FRAME);
    ck_assert_mem_eq(bytes, head, HEAD);
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *frame = bytes + HEAD + i * FRAME;

        ck_assert_mem_eq(frame, "FRAME\n", 6);
        for (unsigned p = 0; p < PIXELS; p++)
            check_yuv(frame + 6 + p, pixels[p]);
        ck_assert_uint_eq(frame[6], 235);
    }
}
END_TEST

START_TEST(video_frames_have_the_first_frames_size)
{
    struct present *present = open_sink("raw:%s/x", 1);
    struct present_frame frame = frame_of(1);
    uint32_t words[2 * PIXELS];

    log_set_level(LOG_ERROR);
    show(present, 0);
    frame.width = WIDTH / 2;
    frame.height = HEIGHT / 2;
    present_show(present, &frame);
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", (uint8_t *)words, sizeof(words)), sizeof(words));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            ck_assert_uint_eq(words[PIXELS + y * WIDTH + x] & 0xffffff,
                              pixels[y / 2 * WIDTH + x / 2] & 0xffffff);
}
END_TEST

/* Present's rectangles are applied as in a window; other pixels keep their contents. */
START_TEST(rectangles_of_present)
{
    struct present *present = open_sink("raw:%s/x", 0);
    struct present_frame frame = frame_of(0);
    uint32_t words[2 * PIXELS], *second = words + PIXELS;
    static const int32_t src[4] = {0, 0, 1, 1}, left[4] = {0, 0, 2, HEIGHT}, far[4] = {4, -2, 9, 2};

    pixels[0] = 0x123456;
    memcpy(frame.src, src, sizeof(src));
    memcpy(frame.dst, left, sizeof(left));
    present_show(present, &frame);
    pixels[0] = 0x654321;
    memcpy(frame.dst, far, sizeof(far));
    present_show(present, &frame);
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", (uint8_t *)words, sizeof(words)), sizeof(words));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            uint32_t was = x < 2 ? 0xff123456 : 0xff000000;

            ck_assert_uint_eq(words[y * WIDTH + x], was);
            ck_assert_uint_eq(second[y * WIDTH + x], x >= 4 && y < 2 ? 0xff654321 : was);
        }
}
END_TEST

/* --- Writer thread ---------------------------------------------------------------------------- */

static void *read_all(void *arg)
{
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(arg, "rb");
    size_t *n = malloc(sizeof(*n));

    *n = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    return n;
}

/* A full queue of frames is accepted while the pipe has no reader. */
START_TEST(a_pipe_without_reader_fills_the_queue)
{
    char path[64];
    struct present *present;
    uint64_t before;
    pthread_t reader;
    void *n;

    snprintf(path, sizeof(path), "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    present = open_sink("raw:%s/pipe", 3);
    before = clock_now();
    for (unsigned i = 0; i < 3; i++)
        show(present, i);
    ck_assert_uint_lt(clock_now() - before, CLOCK_SECOND);
    pthread_create(&reader, NULL, read_all, path);
    for (unsigned i = 3; i < 10; i++)
        show(present, i);
    present_destroy(present);
    pthread_join(reader, &n);
    ck_assert_uint_eq(*(size_t *)n, 10 * PIXELS * 4);
    free(n);
    ck_assert_str_eq(errors, "");
}
END_TEST

/* Closing the sink must not hang. */
START_TEST(closing_does_not_wait_for_a_pipe_without_reader)
{
    char path[64];
    struct present *present;

    snprintf(path, sizeof(path), "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    present = open_sink("raw:%s/pipe", 2);
    show(present, 0);
    present_destroy(present);
    ck_assert_ptr_nonnull(strstr(errors, "/pipe: cannot be opened"));
}
END_TEST

START_TEST(a_program_that_exits)
{
    pid_t child = fork();
    int status;

    if (!child) {
        struct present *present = open_sink("png:%s,raw:%s/x", 8);

        for (unsigned i = 0; i < 5; i++)
            show(present, i);
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(files_in_folder(), 6);
    static uint8_t bytes[PIXELS * 4 * 6];
    ck_assert_uint_eq(read_file("x", bytes, sizeof(bytes)), PIXELS * 4 * 5);
    /* A PNG file ends with an empty chunk of this type. */
    size_t n = read_file("frame-00004.png", bytes, sizeof(bytes));
    ck_assert_mem_eq(bytes + n - 8, "IEND", 4);
}
END_TEST

/* Without a queue even a killed program leaves complete files. */
START_TEST(a_program_that_is_killed)
{
    pid_t child = fork();
    int status;

    if (!child) {
        struct present *present = open_sink("png:%s", 0);

        for (unsigned i = 0; i < 3; i++)
            show(present, i);
        raise(SIGKILL);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    uint8_t bytes[512];
    for (unsigned i = 0; i < 3; i++) {
        char name[32];
        size_t n;

        snprintf(name, sizeof(name), "frame-%05u.png", i);
        n = read_file(name, bytes, sizeof(bytes));
        ck_assert_mem_eq(bytes + n - 8, "IEND", 4);
    }
}
END_TEST

/* --- Sinks that fail -------------------------------------------------------------------------- */

static const char *const full[] = {"y4m:/dev/full", "raw:/dev/full", "png:%s"};

/* The failing sink is dropped; the other one gets all frames. */
START_TEST(a_full_disk)
{
    char spec[64], path[64];
    struct present *present;
    static uint8_t bytes[PIXELS * 4 * 7];

    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/frame-%05u.png", folder, i);
        ck_assert_int_eq(symlink("/dev/full", path), 0);
    }
    snprintf(spec, sizeof(spec), "%s,raw:%s/x", full[_i % 3], "%s");
    present = open_sink(spec, _i < 3 ? 0 : 2);
    for (unsigned i = 0; i < 6; i++)
        show(present, i);
    present_destroy(present);
    ck_assert_uint_eq(read_file("x", bytes, sizeof(bytes)), PIXELS * 4 * 6);
    ck_assert_ptr_nonnull(strstr(errors, "failed and is closed"));
    ck_assert_ptr_null(strstr(strstr(errors, "is closed") + 1, "is closed"));
}
END_TEST

START_TEST(a_reader_that_closes_the_pipe)
{
    struct present *present;
    char path[64];
    int reader;

    snprintf(path, sizeof(path), "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK);
    signal(SIGPIPE, SIG_DFL); /* SIGPIPE would end this test */
    present = open_sink("raw:%s/pipe", 0);
    show(present, 0);
    ck_assert_str_eq(errors, "");
    close(reader);
    show(present, 1);
    ck_assert_ptr_nonnull(strstr(errors, "Broken pipe"));
    show(present, 2);
    present_destroy(present);
}
END_TEST

START_TEST(a_deleted_folder)
{
    struct present *present = open_sink("png:%s/sub", 0);
    char path[64];

    snprintf(path, sizeof(path), "%s/sub", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    show(present, 0);
    ck_assert_str_eq(errors, "");
    snprintf(path, sizeof(path), "rm -r %s/sub", folder);
    ck_assert_int_eq(system(path), 0);
    show(present, 1);
    show(present, 2);
    present_destroy(present);
    ck_assert_ptr_nonnull(strstr(errors, "frame-00001.png: cannot be written"));
    ck_assert_ptr_null(strstr(errors, "frame-00002.png"));
}
END_TEST

START_TEST(y4m_without_a_file)
{
    const struct present_options options = {.sinks = "y4m"};
    struct present *present;

    ck_assert_int_eq(present_create(&present, &options), ST_INVALID);
    ck_assert_ptr_nonnull(strstr(errors, "y4m:FILE"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("files");
    TCase *tc = tcase_create("files");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, raw_has_the_pixels);
    tcase_add_test(tc, y4m_has_the_pixels);
    tcase_add_test(tc, video_frames_have_the_first_frames_size);
    tcase_add_test(tc, rectangles_of_present);
    tcase_add_test(tc, a_pipe_without_reader_fills_the_queue);
    tcase_add_test(tc, closing_does_not_wait_for_a_pipe_without_reader);
    tcase_add_test(tc, a_program_that_exits);
    tcase_add_test(tc, a_program_that_is_killed);
    tcase_add_loop_test(tc, a_full_disk, 0, 6);
    tcase_add_test(tc, a_reader_that_closes_the_pipe);
    tcase_add_test(tc, a_deleted_folder);
    tcase_add_test(tc, y4m_without_a_file);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
