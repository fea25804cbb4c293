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
        ck_assert_int_eq(mkdir(path, 0700), 0); /* stands for a full disk */
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

/* The failure of the last frames is found after the last Present. */
START_TEST(the_last_frame_on_a_full_disk)
{
    static const char *const sinks[] = {"raw", "y4m", "r500"};
    char spec[32], line[64];
    struct present *present;

    snprintf(spec, sizeof(spec), "%s:/dev/full", sinks[_i]);
    present = open_sink(spec, 2);
    show(present, 0);
    present_destroy(present);
    ck_assert_ptr_nonnull(strstr(errors, "/dev/full: cannot be written: No space left on device"));
    snprintf(line, sizeof(line), "the sink '%s' has lost frames", sinks[_i]);
    ck_assert_ptr_nonnull(strstr(errors, line));
    ck_assert(present_lost_frames());
}
END_TEST

START_TEST(nothing_is_lost)
{
    struct present *present = open_sink("raw:%s/x,png:%s", 2);

    show(present, 0);
    present_destroy(present);
    present = open_sink("r500:%s/x", 2);
    show(present, 0);
    present_destroy(present);
    ck_assert_str_eq(errors, "");
    ck_assert(!present_lost_frames());
}
END_TEST

/* --- Several devices -------------------------------------------------------------------------- */

/* The file of the first device stays, whether that device still exists or not. */
START_TEST(a_second_device_has_its_own_file)
{
    static const char *const sinks[] = {"raw:%s/x.v", "y4m:%s/x.v", "r500:%s/x.v"};
    static uint8_t bytes[3][4096];
    size_t n[3];
    struct present *first = open_sink(sinks[_i % 3], 0), *second;

    log_set_level(LOG_ERROR);
    present_destroy(open_sink(sinks[_i % 3], 0)); /* without frames: no file */
    show(first, 0);
    if (_i < 3)
        present_destroy(first);
    second = open_sink(sinks[_i % 3], 0);
    pixels[0] ^= 0xffffff;
    show(second, 0);
    present_destroy(second);
    if (_i >= 3)
        present_destroy(first);
    ck_assert_uint_eq(files_in_folder(), 2);
    n[0] = read_file("x.v", bytes[0], sizeof(bytes[0]));
    n[1] = read_file("x-2.v", bytes[1], sizeof(bytes[1]));
    ck_assert_uint_eq(n[0], n[1]);
    ck_assert_mem_ne(bytes[0], bytes[1], n[0]);
    ck_assert_str_eq(errors, "");
}
END_TEST

/* A pipe has one reader, which gets the frames of all devices. */
START_TEST(devices_share_a_pipe)
{
    struct present *present;
    char path[64];
    uint8_t bytes[PIXELS * 4 * 2 + 1];
    int reader;

    snprintf(path, sizeof(path), "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK);
    for (unsigned i = 0; i < 2; i++) {
        present = open_sink("raw:%s/pipe", 0);
        show(present, 0);
        present_destroy(present);
    }
    ck_assert_int_eq(read(reader, bytes, sizeof(bytes)), PIXELS * 4 * 2);
    close(reader);
    ck_assert_str_eq(errors, "");
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
    tcase_add_loop_test(tc, the_last_frame_on_a_full_disk, 0, 3);
    tcase_add_test(tc, nothing_is_lost);
    tcase_add_loop_test(tc, a_second_device_has_its_own_file, 0, 6);
    tcase_add_test(tc, devices_share_a_pipe);
    tcase_add_test(tc, a_reader_that_closes_the_pipe);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
