/* Pipes and full disks: waits end, and a sink that fails is dropped alone. */
#include "file_sinks.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

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

static Suite *suite(void)
{
    Suite *s = suite_create("present/file/stream");
    TCase *tc = tcase_create("stream");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, closing_does_not_wait_for_a_pipe_without_reader);
    tcase_add_loop_test(tc, a_full_disk, 0, 6);
    tcase_add_test(tc, a_reader_that_closes_the_pipe);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
