/* Writer thread: its queue, and complete files when the program ends. */
#include "file_sinks.h"

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
    tcase_add_test(tc, a_program_that_is_killed);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
