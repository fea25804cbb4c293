/* Frame log: rows, times, second files, errors, and a program that is killed. */
#include "present/file/frame_log.h"

#include "unit/present/file_sinks.h"

#include "util/clock.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEADER "chain,frame,present_ms,since_last_ms,render_ms,wait_ms,show_ms,draws,primitives\n"

enum { TEXT_BYTES = 4096 };
static char text[TEXT_BYTES];

static const char *name_of(const char *file)
{
    static char name[64];

    snprintf(name, sizeof(name), "%s/%s", folder, file);
    return name;
}

static const char *read_text(const char *file)
{
    text[read_file(file, (uint8_t *)text, TEXT_BYTES - 1)] = '\0';
    return text;
}

static enum status add(struct frame_log *log, uint32_t chain, uint64_t number, uint64_t ready_us,
                       uint64_t due_us, uint64_t done_us)
{
    const uint64_t epoch = 123456789 * CLOCK_SECOND;
    const struct frame_times times = {epoch + ready_us * 1000, epoch + due_us * 1000,
                                      epoch + done_us * 1000};
    struct present_frame frame = frame_of(number);

    frame.chain = chain;
    frame.counters.draws = 7;
    frame.counters.primitives = UINT64_C(5000000000);
    return frame_log_add(log, &frame, &times);
}

/* Two chains. Times of a first frame that nothing precedes are empty; a clock that goes back gives
 * 0. */
START_TEST(rows)
{
    struct frame_log log = {.name = name_of("x.csv")};

    setlocale(LC_ALL, "de_DE.UTF-8"); /* if it is there: numbers have points all the same */
    ck_assert_int_eq(add(&log, 0, 0, 1000, 1500, 1750), ST_OK);
    ck_assert_int_eq(add(&log, 0, 1, 11750, 18000, 18001), ST_OK);
    ck_assert_int_eq(add(&log, 2, 0, 18101, 18102, 18103), ST_OK);
    ck_assert_int_eq(add(&log, 0, 2, 10, 20, 30), ST_OK);
    ck_assert_int_eq(add(&log, FRAME_LOG_CHAINS, 0, 50, 60, 70), ST_OK);
    ck_assert_int_eq(frame_log_fini(&log), ST_OK);
    ck_assert_str_eq(read_text("x.csv"),
                     HEADER "0,0,0.000,,,0.500,0.250,7,5000000000\n"
                            "0,1,16.500,16.500,10.000,6.250,0.001,7,5000000000\n"
                            "2,0,16.602,,0.100,0.001,0.001,7,5000000000\n"
                            "0,2,0.000,0.000,0.000,0.010,0.010,7,5000000000\n");
    ck_assert_str_eq(errors, "");
}
END_TEST

START_TEST(a_second_device_has_its_own_file)
{
    const char *name = name_of("x.csv");
    struct frame_log first = {.name = name}, second = {.name = name};

    ck_assert_int_eq(add(&first, 0, 0, 1, 2, 3), ST_OK);
    ck_assert_int_eq(add(&second, 0, 5, 1, 2, 3), ST_OK);
    ck_assert_int_eq(frame_log_fini(&first), ST_OK);
    ck_assert_int_eq(frame_log_fini(&second), ST_OK);
    ck_assert_ptr_nonnull(strstr(read_text("x.csv"), "\n0,0,"));
    ck_assert_ptr_nonnull(strstr(read_text("x-2.csv"), "\n0,5,"));
}
END_TEST

/* A device that shows no frame creates no file. */
START_TEST(no_frame_no_file)
{
    struct frame_log log = {.name = name_of("x.csv")};

    ck_assert_int_eq(frame_log_fini(&log), ST_OK);
    ck_assert_uint_eq(files_in_folder(), 0);
}
END_TEST

static unsigned occurrences(const char *word)
{
    unsigned n = 0;

    for (const char *at = errors; (at = strstr(at, word)); at++)
        n++;
    return n;
}

/* Each failure is said once, and the log ends. */
START_TEST(failures_are_said_once)
{
    static const struct {
        const char *name, *error;
    } cases[] = {{"/dev/full", "/dev/full: cannot be written: No space left on device"},
                 {"/nonexistent/x.csv", "the frame log (FRAME_LOG) cannot be opened: No such file"},
                 {"pipe", "a frame log (FRAME_LOG) cannot be a pipe"}};
    bool pipe = !strcmp(cases[_i].name, "pipe");
    struct frame_log log = {.name = pipe ? name_of("pipe") : cases[_i].name};
    int reader = -1;

    if (pipe) {
        ck_assert_int_eq(mkfifo(log.name, 0600), 0);
        reader = open(log.name, O_RDONLY | O_NONBLOCK);
        ck_assert_int_ge(reader, 0);
    }
    ck_assert_int_eq(add(&log, 0, 0, 1, 2, 3), ST_IO);
    ck_assert_int_eq(add(&log, 0, 1, 1, 2, 3), ST_OK);
    ck_assert_int_eq(frame_log_fini(&log), ST_OK);
    ck_assert_msg(occurrences(cases[_i].error) == 1, "%s", errors);
    ck_assert_uint_eq(occurrences("novem:"), 1);
    if (pipe)
        close(reader);
}
END_TEST

/* present_show measures: the log has a row for each frame, in any sink; a failure is counted. */
START_TEST(presented_frames_are_logged)
{
    struct present_options options = {.sinks = "none", .frame_log = name_of("x.csv")};
    struct present *present;
    unsigned rows = 0;

    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    for (unsigned i = 0; i < 3; i++)
        show(present, i);
    present_destroy(present);
    for (const char *c = read_text("x.csv"); *c; c++)
        rows += *c == '\n';
    ck_assert_uint_eq(rows, 4);
    ck_assert(!present_lost_frames());
    options.frame_log = "/dev/full";
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    show(present, 0);
    present_destroy(present);
    ck_assert(present_lost_frames());
}
END_TEST

/* Rows are in the file when the call returns, whatever happens to the program. */
START_TEST(killed_programs_leave_their_rows)
{
    struct frame_log log = {.name = name_of("x.csv")};
    pid_t child = fork();
    int status;

    if (!child) {
        for (unsigned i = 0; i < 5; i++)
            if (add(&log, 0, i, 1, 2, 3) != ST_OK)
                _exit(1);
        raise(SIGKILL);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_ptr_nonnull(strstr(read_text("x.csv"), "\n0,4,"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/file/frame_log");
    TCase *tc = tcase_create("frame log");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, rows);
    tcase_add_test(tc, a_second_device_has_its_own_file);
    tcase_add_test(tc, no_frame_no_file);
    tcase_add_loop_test(tc, failures_are_said_once, 0, 3);
    tcase_add_test(tc, presented_frames_are_logged);
    tcase_add_test(tc, killed_programs_leave_their_rows);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
