/* util/log_place: stderr, files that a user named and others, files that are long, full disks. */
#include "util/log.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_BYTES = 256 << 10 };

static char folder[32], name[64];
/* While one process moves a file, others write on: to four times its size. */
static char text[5 * FILE_BYTES];

static const char *in_folder(const char *file)
{
    snprintf(name, sizeof(name), "%s/%s", folder, file);
    return name;
}

static void setup(void)
{
    strcpy(folder, "/tmp/novem-log-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_ptr_nonnull(freopen("stderr.txt", "a", stderr));
    setvbuf(stderr, NULL, _IONBF, 0);
    unsetenv("NOVEM_LOG");
}

static void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* "": there is no file. */
static const char *text_of(const char *file)
{
    FILE *in = fopen(in_folder(file), "r");
    size_t n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;

    ck_assert_uint_lt(n, sizeof(text) - 1);
    text[n] = '\0';
    if (in)
        fclose(in);
    return text;
}

static bool has(const char *file, const char *part)
{
    return strstr(text_of(file), part) != NULL;
}

static unsigned lines_of(const char *file)
{
    unsigned n = 0;

    for (const char *c = text_of(file); *c; c++)
        n += *c == '\n';
    return n;
}

/* --- One place -------------------------------------------------------------------------------- */

START_TEST(stderr_alone)
{
    log_set_place("StdErr", "beside.log");
    log_context("api", "context");
    log_warn("api", "first");
    ck_assert_str_eq(text_of("stderr.txt"), "novem: api: first\n");
    ck_assert(access("beside.log", F_OK));
}
END_TEST

START_TEST(off)
{
    log_set_place("off", "beside.log");
    log_error("api", "first");
    ck_assert_str_eq(text_of("stderr.txt"), "");
    ck_assert(access("beside.log", F_OK));
}
END_TEST

/* The debugger of Windows is stderr here. */
START_TEST(debugger)
{
    log_set_place("debugger", NULL);
    log_error("api", "first");
    ck_assert_str_eq(text_of("stderr.txt"), "novem: api: first\n");
}
END_TEST

START_TEST(a_named_file)
{
    const char *found;

    log_set_place("named.log", "beside.log");
    ck_assert(access("named.log", F_OK));
    log_debug("api", "detail");
    ck_assert(access("named.log", F_OK));
    log_context("api", "context"); /* says that the library is active */
    log_warn("api", "%d", 17);
    ck_assert_str_eq(text_of("stderr.txt"), "");
    ck_assert(access("beside.log", F_OK));
    ck_assert_uint_eq(lines_of("named.log"), 3);
    ck_assert_ptr_nonnull(found = strstr(text, "test_log_place, process "));
    ck_assert_ptr_nonnull(found = strstr(found, " info  api: context\n"));
    ck_assert_ptr_nonnull(strstr(found, " warn  api: 17\n"));
}
END_TEST

/* --- The file beside a program ---------------------------------------------------------------- */

/* It is made for the first line that the level passes, and then has what explains it. */
START_TEST(a_file_beside_the_program)
{
    log_warn("api", "before the settings");
    log_set_place(NULL, "beside.log");
    ck_assert_uint_eq(lines_of("beside.log"), 2);
    log_context("api", "context");
    ck_assert_uint_eq(lines_of("beside.log"), 3);
    ck_assert_str_eq(text_of("stderr.txt"), "novem: api: before the settings\n");
}
END_TEST

START_TEST(a_silent_program_leaves_no_file)
{
    log_context("api", "early context");
    log_set_place(NULL, "beside.log");
    log_context("api", "context");
    log_info("api", "info");
    ck_assert(access("beside.log", F_OK));
    for (unsigned i = 0; i < 10000; i++)
        log_context("api", "many"); /* the first lines are those that stay */
    ck_assert(access("beside.log", F_OK));
    log_warn("api", "trouble");
    ck_assert(has("beside.log", "early context\n") && has("beside.log", " context\n"));
    ck_assert(has("beside.log", " warn  api: trouble\n") && !has("beside.log", "info\n"));
    ck_assert_str_eq(text_of("stderr.txt"), "novem: api: trouble\n");
}
END_TEST

START_TEST(level_none_needs_no_file)
{
    log_set_levels("none");
    log_set_place("named.log", NULL);
    log_context("api", "context");
    log_error("api", "error");
    ck_assert(access("named.log", F_OK));
}
END_TEST

/* --- Trouble ---------------------------------------------------------------------------------- */

/* A folder in its place: root may write read-only folders. */
START_TEST(a_file_that_cannot_be_opened)
{
    ck_assert_int_eq(mkdir("folder", 0700), 0);
    log_set_place(_i ? "folder" : NULL, "folder");
    log_warn("api", "first");
    log_warn("api", "second");
    ck_assert_int_eq(has("stderr.txt", "folder: the log cannot be opened: Is a directory"), _i);
    ck_assert(has("stderr.txt", "novem: api: first\nnovem: api: second\n"));
}
END_TEST

START_TEST(a_full_disk)
{
    if (access("/dev/full", W_OK))
        return;
    log_set_place("/dev/full", NULL);
    log_warn("api", "first");
    log_warn("api", "second");
    ck_assert_str_eq(text_of("stderr.txt"),
                     "novem: util: /dev/full: the log cannot be written: No space left on device\n"
                     "novem: api: first\nnovem: api: second\n");
}
END_TEST

START_TEST(a_pipe)
{
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    log_set_place("pipe", NULL);
    log_warn("api", "first");
    ck_assert(has("stderr.txt", "novem: api: first\n"));
}
END_TEST

START_TEST(a_long_name)
{
    char path[2000];

    memset(path, 'x', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    log_set_place(path, NULL);
    log_warn("api", "first");
    ck_assert(has("stderr.txt", "novem: api: first\n"));
}
END_TEST

/* --- Long files ------------------------------------------------------------------------------- */

/* Writes lines of about 1 KiB. */
static void write_lines(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        log_warn("api", "line %05u %01000u", i, 0);
}

static off_t bytes_of(const char *file)
{
    struct stat about;

    return stat(in_folder(file), &about) ? 0 : about.st_size;
}

START_TEST(a_long_file_moves)
{
    enum { LINES = 1000 }; /* nearly four files */
    unsigned n;

    log_set_place("a.log", NULL);
    write_lines(0, LINES);
    ck_assert(has("a.log", "line 00999") && !access("a.log.1", F_OK) && !access("a.log.2", F_OK));
    ck_assert(access("a.log.3", F_OK));
    n = lines_of("a.log") + lines_of("a.log.1") + lines_of("a.log.2");
    ck_assert_uint_gt(n, LINES / 2);
    ck_assert_uint_lt(n, LINES);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const files[] = {"a.log", "a.log.1", "a.log.2"};

        ck_assert_int_lt(bytes_of(files[i]), FILE_BYTES + 2048);
        ck_assert(i == 0 || bytes_of(files[i]) >= FILE_BYTES);
    }
}
END_TEST

/* A later run appends, and moves a file that is long. */
START_TEST(later_runs)
{
    log_set_place("a.log", NULL);
    log_warn("api", "one");
    log_set_place("a.log", NULL);
    log_warn("api", "two");
    ck_assert(has("a.log", "one\n") && has("a.log", "two\n"));
    ck_assert_uint_eq(lines_of("a.log"), 4);
    ck_assert_int_eq(truncate("a.log", FILE_BYTES), 0);
    log_set_place("a.log", NULL);
    log_warn("api", "three");
    ck_assert(lines_of("a.log") == 2 && has("a.log", "three\n") && has("a.log.1", "one\n"));
}
END_TEST

/* Each line arrives whole, whichever process moves the file. */
START_TEST(several_processes)
{
    enum { PROCESSES = 4, LINES = 100 };

    for (unsigned p = 0; p < PROCESSES; p++)
        if (!fork()) {
            log_set_place("a.log", NULL);
            write_lines(p * LINES, (p + 1) * LINES);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    for (unsigned i = 0; i < PROCESSES * LINES; i++) {
        char line[32];

        snprintf(line, sizeof(line), "api: line %05u 0000", i);
        ck_assert_msg(has("a.log.1", line) || has("a.log", line), "%s", line);
    }
    ck_assert_str_eq(text_of("stderr.txt"), "");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/log_place");
    TCase *tc = tcase_create("log_place");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, stderr_alone);
    tcase_add_test(tc, off);
    tcase_add_test(tc, debugger);
    tcase_add_test(tc, a_named_file);
    tcase_add_test(tc, a_file_beside_the_program);
    tcase_add_test(tc, a_silent_program_leaves_no_file);
    tcase_add_test(tc, level_none_needs_no_file);
    tcase_add_loop_test(tc, a_file_that_cannot_be_opened, 0, 2);
    tcase_add_test(tc, a_full_disk);
    tcase_add_test(tc, a_pipe);
    tcase_add_test(tc, a_long_name);
    tcase_add_test(tc, a_long_file_moves);
    tcase_add_test(tc, later_runs);
    tcase_add_test(tc, several_processes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
