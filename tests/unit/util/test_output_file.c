/* Output files: names of second files, pipes, symbolic links, closed standard streams. */
#include "util/output_file.h"

#include "check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[32], path[OUTPUT_PATH_BYTES], name[64];

static void setup(void)
{
    strcpy(folder, "/tmp/novem-output-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static const char *in_folder(const char *file)
{
    snprintf(name, sizeof(name), "%s/%s", folder, file);
    return name;
}

static int open_named(const char *file, const char *expected)
{
    int output = output_file_open(path, in_folder(file));

    ck_assert_msg(output > 2, "%s: %s", file, strerror(errno));
    ck_assert_str_eq(path, in_folder(expected));
    return output;
}

static void put(int file, const char *text)
{
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    ck_assert_int_eq(close(file), 0);
}

static void make(const char *file, const char *text)
{
    put(open(in_folder(file), O_WRONLY | O_CREAT | O_EXCL, 0600), text);
}

static const char *text_of(const char *file)
{
    static char text[32];
    int input = open(in_folder(file), O_RDONLY);
    ssize_t n = read(input, text, sizeof(text) - 1);

    ck_assert_msg(n >= 0, "%s", name);
    close(input);
    text[n] = '\0';
    return text;
}

/* An earlier file of the name is replaced, a file of this process or of the user is not. */
START_TEST(names_of_this_process)
{
    make("x.raw", "an earlier run");
    make("x-2.raw", "mine");
    put(open_named("x.raw", "x.raw"), "1");
    put(open_named("x.raw", "x-3.raw"), "2");
    put(open_named("x.raw", "x-4.raw"), "3");
    ck_assert_str_eq(text_of("x.raw"), "1");
    ck_assert_str_eq(text_of("x-2.raw"), "mine");
    ck_assert_str_eq(text_of("x-3.raw"), "2");
    ck_assert_str_eq(text_of("x-4.raw"), "3");
}
END_TEST

START_TEST(extensions)
{
    put(open_named(".hidden", ".hidden"), "1");
    put(open_named(".hidden", ".hidden-2"), "2");
    put(open_named("a.tar.gz", "a.tar.gz"), "1");
    put(open_named("a.tar.gz", "a.tar-2.gz"), "2");
    ck_assert_int_eq(mkdir(in_folder("a.b"), 0700), 0);
    put(open_named("a.b/c", "a.b/c"), "1");
    put(open_named("a.b/c", "a.b/c-2"), "2");
}
END_TEST

/* A running program keeps its file; the file of one that ended is replaced. */
START_TEST(names_of_other_processes)
{
    int ready[2];
    pid_t child;
    char byte;

    ck_assert_int_eq(pipe(ready), 0);
    child = fork();
    if (!child) {
        int file = output_file_open(path, in_folder("x"));

        if (file > 2 && write(file, "child", 5) == 5 && write(ready[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    put(open_named("x", "x-2"), "parent");
    ck_assert_str_eq(text_of("x"), "child");
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    put(open_named("x", "x"), "late");
    ck_assert_str_eq(text_of("x"), "late");
    ck_assert_str_eq(text_of("x-2"), "parent");
}
END_TEST

START_TEST(pipes_and_devices)
{
    int reader, file;

    ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
    ck_assert_int_eq(output_file_open(path, in_folder("pipe")), -1);
    ck_assert_int_eq(errno, ENXIO);
    reader = open(in_folder("pipe"), O_RDONLY | O_NONBLOCK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(close(open_named("pipe", "pipe")), 0);
    for (int i = 0; i < 2; i++) {
        file = output_file_open(path, "/dev/null");
        ck_assert_int_gt(file, 2);
        ck_assert_str_eq(path, "/dev/null");
        close(file);
    }
    ck_assert_int_eq(output_file_replace(in_folder("pipe")), -1);
    ck_assert_int_eq(errno, EEXIST);
    close(reader);
    ck_assert_int_eq(output_file_replace(in_folder("pipe")), -1);
    ck_assert_int_eq(errno, EEXIST);
}
END_TEST

/* The user's name may be a link; under names that Novem makes, the link's target stays. */
START_TEST(symbolic_links)
{
    make("target", "old");
    ck_assert_int_eq(symlink("target", in_folder("link")), 0);
    ck_assert_int_eq(output_file_replace(in_folder("link")), -1);
    ck_assert_int_eq(errno, EEXIST);
    ck_assert_int_eq(output_file_create(in_folder("link")), -1);
    ck_assert_int_eq(errno, EEXIST);
    ck_assert_str_eq(text_of("target"), "old");
    put(open_named("link", "link"), "new");
    ck_assert_str_eq(text_of("target"), "new");
    put(output_file_replace(in_folder("target")), "n");
    ck_assert_str_eq(text_of("target"), "n");
}
END_TEST

START_TEST(standard_streams_stay_closed)
{
    pid_t child = fork();
    int status;

    if (!child) {
        for (int i = 0; i < 3; i++)
            close(i);
        _exit(output_file_open(path, in_folder("a")) > 2 &&
                      output_file_replace(in_folder("b")) > 2 &&
                      output_file_create(in_folder("c")) > 2 && fcntl(0, F_GETFD) < 0 &&
                      fcntl(1, F_GETFD) < 0 && fcntl(2, F_GETFD) < 0
                  ? 0
                  : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(names_that_fail)
{
    char longest[OUTPUT_PATH_BYTES + 8];

    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    ck_assert_int_eq(output_file_open(path, longest), -1);
    ck_assert_int_eq(errno, ENAMETOOLONG);
    ck_assert_int_eq(output_file_open(path, in_folder("missing/x")), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(output_file_replace(in_folder("missing/x")), -1);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(output_file_open(path, folder), -1);
    ck_assert_int_eq(errno, EISDIR);
}
END_TEST

START_TEST(discarded)
{
    char file[64], link[64];
    struct stat about;

    snprintf(file, sizeof(file), "%s/part", folder);
    snprintf(link, sizeof(link), "%s/link", folder);
    ck_assert_int_eq(close(output_file_create(file)), 0);
    ck_assert_int_eq(symlink(file, link), 0);
    errno = ENOSPC;
    output_file_discard(link); /* a link may be the user's */
    ck_assert(!lstat(link, &about) && !lstat(file, &about));
    output_file_discard(file);
    ck_assert_int_ne(lstat(file, &about), 0);
    errno = ENOSPC;
    output_file_discard(file);
    ck_assert_int_eq(errno, ENOSPC);
    ck_assert_int_eq(mkfifo(file, 0600), 0);
    output_file_discard(file);
    ck_assert_int_eq(lstat(file, &about), 0);
    unlink(link);
    unlink(file);
}
END_TEST

/* One file at a time; devices are no files, and any number of programs may have them open. */
START_TEST(taken)
{
    int first, second;

    make("taken", "old");
    first = output_file_take(in_folder("taken"));
    ck_assert_int_gt(first, 2);
    ck_assert_str_eq(text_of("taken"), "");
    ck_assert_int_eq(output_file_take(in_folder("taken")), -1);
    ck_assert_int_eq(errno, EBUSY);
    close(first);
    second = output_file_take(in_folder("taken"));
    ck_assert_int_gt(second, 2);
    close(second);
    first = output_file_take("/dev/null");
    second = output_file_take("/dev/null");
    ck_assert_int_gt(first, 2);
    ck_assert_int_gt(second, 2);
    close(first);
    close(second);
}
END_TEST

/* Two spellings of a name are one file. */
START_TEST(names_of_one_file)
{
    int first = open_named("x.png", "x.png"), second = open_named("./x.png", "./x-2.png"), third;

    put(first, "1");
    put(second, "2");
    ck_assert_int_eq(symlink("x.png", in_folder("link.png")), 0);
    third = open_named("link.png", "link-2.png");
    put(third, "3");
    ck_assert_str_eq(text_of("x.png"), "1");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("util/output_file");
    TCase *tc = tcase_create("output_file");

    tcase_add_test(tc, names_of_one_file);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, names_of_this_process);
    tcase_add_test(tc, extensions);
    tcase_add_test(tc, names_of_other_processes);
    tcase_add_test(tc, pipes_and_devices);
    tcase_add_test(tc, symbolic_links);
    tcase_add_test(tc, standard_streams_stay_closed);
    tcase_add_test(tc, names_that_fail);
    tcase_add_test(tc, discarded);
    tcase_add_test(tc, taken);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
