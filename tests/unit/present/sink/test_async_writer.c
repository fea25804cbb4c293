/* Writer thread: its queue, and complete files when the program ends. */
#include "file_sinks.h"

#include "present/sink/async_writer.h"
#include "util/clock.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* What goes wrong at exit is said: by then no Present can report it. */
START_TEST(a_program_that_exits_with_a_full_disk)
{
    char path[64], text[1024];
    pid_t child;
    size_t n;

    snprintf(path, sizeof(path), "%s/messages", folder);
    child = fork();
    if (!child) {
        struct present *present = open_sink(_i ? "r500:/dev/full" : "raw:/dev/full", 8);

        if (!freopen(path, "w", stderr))
            _exit(1);
        log_set_sink(NULL, NULL);
        show(present, 0);
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    n = read_file("messages", (uint8_t *)text, sizeof(text) - 1);
    text[n] = '\0';
    ck_assert_msg(strstr(text, "/dev/full: cannot be written: No space left"), "%s", text);
}
END_TEST

/* --- The writer itself ------------------------------------------------------------------------ */

static unsigned written, finished;
static enum status frame_status, finish_status;

static enum status count_frame(void *ctx, const struct present_frame *frame)
{
    (void)ctx;
    (void)frame;
    written++;
    return frame_status;
}

static enum status count_finish(void *ctx)
{
    (void)ctx;
    finished++;
    return finish_status;
}

START_TEST(failures_are_returned_once)
{
    struct present_frame frame = frame_of(0);
    struct async_writer *writer;

    frame_status = _i & 1 ? ST_IO : ST_OK;
    finish_status = _i & 2 ? ST_DAMAGED : ST_OK;
    written = finished = 0;
    ck_assert_int_eq(async_writer_create(&writer, _i & 4 ? 0 : 2, count_frame, count_finish, NULL),
                     ST_OK);
    if (_i & 4) {
        ck_assert_int_eq(async_writer_submit(writer, &frame), frame_status);
        ck_assert_int_eq(async_writer_destroy(writer), frame_status ? ST_OK : finish_status);
    } else {
        ck_assert_int_eq(async_writer_submit(writer, &frame), ST_OK);
        ck_assert_int_eq(async_writer_destroy(writer), frame_status ? frame_status : finish_status);
    }
    ck_assert_uint_eq(written, 1);
    ck_assert_uint_eq(finished, 1);
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

static Suite *suite(void)
{
    Suite *s = suite_create("present/sink/async_writer");
    TCase *tc = tcase_create("async_writer");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_pipe_without_reader_fills_the_queue);
    tcase_add_test(tc, a_program_that_exits);
    tcase_add_loop_test(tc, a_program_that_exits_with_a_full_disk, 0, 2);
    tcase_add_loop_test(tc, failures_are_returned_once, 0, 8);
    tcase_add_test(tc, a_program_that_is_killed);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
