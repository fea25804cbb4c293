/* Memory-mapped files: names, sizes, what other processes see, replaced files. */
#include "present/shared/mapped.h"

#include "util/log.h"

#include "check_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint32_t MAGIC = 0x4d46564e; /* "NVFM" */
static char folder[32], path[64], message[256];

static void note(void *ctx, enum log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    snprintf(message, sizeof(message), "%s", line);
}

static void setup(void)
{
    strcpy(folder, "/tmp/novem-mapped-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/file", folder);
    log_set_sink(note, NULL);
}

static void teardown(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static off_t file_size(void)
{
    struct stat about;

    return stat(path, &about) ? -1 : about.st_size;
}

START_TEST(names_become_paths)
{
    char out[MAPPED_PATH_BYTES], name[MAPPED_PATH_BYTES];

    ck_assert(mapped_path(out, "game"));
    ck_assert(!strcmp(out, "/dev/shm/novem-game") || !strcmp(out, "/tmp/novem-game"));
    ck_assert(mapped_path(out, "./game"));
    ck_assert_str_eq(out, "./game");
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    ck_assert(!mapped_path(out, name));
    name[0] = '/';
    ck_assert(mapped_path(out, name));
}
END_TEST

static uint8_t byte_at(off_t at)
{
    int file = open(path, O_RDONLY);
    uint8_t byte = 0;

    ck_assert_int_eq(pread(file, &byte, 1, at), 1);
    close(file);
    return byte;
}

static void make_file(const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert(file && fputs(text, file) >= 0 && !fclose(file));
}

static void put_at_end(const char *text)
{
    FILE *file = fopen(path, "a");

    ck_assert(file && fputs(text, file) >= 0 && !fclose(file));
}

START_TEST(readers_see_what_is_written)
{
    struct mapped writer = {0};

    ck_assert_int_eq(mapped_create(&writer, path, 5000, MAGIC), ST_OK);
    ck_assert_int_eq(file_size(), 5000);
    ck_assert_uint_eq(byte_at(4999), 0);
    writer.bytes[4999] = 77;
    ck_assert_uint_eq(byte_at(4999), 77);
    ck_assert(mapped_is_whole(&writer, path));
    mapped_close(&writer);
    ck_assert_ptr_null(writer.bytes);
}
END_TEST

/* A new file takes the place of an old one; the old one stays with those that map it. */
START_TEST(files_are_replaced)
{
    struct mapped old = {0}, new = {0};

    make_file("");
    ck_assert_int_eq(mapped_create(&old, path, 100, MAGIC), ST_OK);
    memcpy(old.bytes, "NVFM", 4);
    ck_assert_int_eq(mapped_create(&new, path, 100, MAGIC), ST_OK);
    ck_assert_uint_eq(old.bytes[0], 'N');
    ck_assert_uint_eq(new.bytes[0], 0);
    mapped_remove(&old, path);
    ck_assert_int_eq(file_size(), 100); /* it is the new file */
    mapped_remove(&new, path);
    ck_assert_int_eq(file_size(), -1);
    mapped_close(&old);
    mapped_close(&new);
}
END_TEST

/* --- Files of others -------------------------------------------------------------------------- */

static enum status create(unsigned way)
{
    struct mapped mapped = {0};
    enum status st = way ? mapped_open(&mapped, path, 5000, 5000, MAGIC)
                         : mapped_create(&mapped, path, 5000, MAGIC);

    mapped_close(&mapped);
    return st;
}

static const char *const contents[] = {"a letter", "N", "nvfm"};

START_TEST(other_contents_stay)
{
    for (unsigned i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        make_file(contents[i]);
        ck_assert_int_eq(create((unsigned)_i), ST_IO);
        ck_assert_int_eq(file_size(), (off_t)strlen(contents[i]));
        ck_assert_uint_eq(byte_at(0), (uint8_t)contents[i][0]);
    }
    ck_assert_ptr_nonnull(strstr(message, path));
    ck_assert_ptr_nonnull(strstr(message, "other contents"));
    make_file("NVFM");
    ck_assert_int_eq(create((unsigned)_i), ST_OK);
    ck_assert_int_eq(file_size(), 5000);
}
END_TEST

START_TEST(names_of_novem_are_replaced)
{
    struct mapped mapped = {0};

    make_file("damaged");
    ck_assert_int_eq(mapped_create(&mapped, path, 100, 0), ST_OK);
    mapped_close(&mapped);
}
END_TEST

START_TEST(links_are_refused)
{
    char target[80];

    snprintf(target, sizeof(target), "%s/target", folder);
    ck_assert_int_eq(symlink(target, path), 0);
    ck_assert_int_eq(create((unsigned)_i), ST_IO);
    ck_assert_int_ne(access(target, F_OK), 0);
    ck_assert_ptr_nonnull(strstr(message, "symbolic link"));
}
END_TEST

START_TEST(pipes_are_refused)
{
    struct stat about;

    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(create((unsigned)_i), ST_IO);
    ck_assert(!stat(path, &about) && S_ISFIFO(about.st_mode));
    ck_assert_ptr_nonnull(strstr(message, "not a regular file"));
}
END_TEST

/* Launchers of dx9mt create its file blank, in full size. */
START_TEST(files_of_zeros)
{
    make_file("");
    ck_assert_int_eq(truncate(path, 5000), 0);
    ck_assert_int_eq(create(0), ST_IO);
    ck_assert_int_eq(create(1), ST_OK);
    ck_assert_int_eq(truncate(path, 4999), 0);
    ck_assert_int_eq(create(1), ST_IO);
    ck_assert_int_eq(truncate(path, 5001), 0);
    ck_assert_int_eq(create(1), ST_OK);
    make_file("");
    ck_assert_int_eq(truncate(path, 4095), 0);
    put_at_end("x");
    ck_assert_int_eq(truncate(path, 5000), 0);
    ck_assert_int_eq(create(1), ST_IO);
}
END_TEST

START_TEST(truncated_files_are_noticed)
{
    struct mapped mapped = {0};

    ck_assert_int_eq(mapped_create(&mapped, path, 5000, MAGIC), ST_OK);
    ck_assert_int_eq(truncate(path, 4999), 0);
    ck_assert(!mapped_is_whole(&mapped, path));
    ck_assert_ptr_nonnull(strstr(message, "truncated"));
    mapped_close(&mapped);
}
END_TEST

/* The start of a larger file is mapped; the file grows and never shrinks. */
START_TEST(parts_of_files)
{
    struct mapped part = {0};

    ck_assert_int_eq(mapped_open(&part, path, 100000, 5000, MAGIC), ST_OK);
    ck_assert_int_eq(file_size(), 100000);
    part.bytes[4999] = 5;
    memcpy(part.bytes, "NVFM", 4);
    mapped_close(&part);
    ck_assert_int_eq(mapped_open(&part, path, 200, 5000, MAGIC), ST_OK);
    ck_assert_int_eq(file_size(), 100000);
    ck_assert_uint_eq(part.bytes[4999], 5);
    mapped_close(&part);
}
END_TEST

START_TEST(unwritable_places)
{
    struct mapped mapped = {0};
    char inside[80];

    snprintf(inside, sizeof(inside), "%s/missing/file", folder);
    ck_assert_int_eq(mapped_create(&mapped, inside, 100, MAGIC), ST_IO);
    ck_assert_int_eq(mapped_open(&mapped, inside, 100, 100, MAGIC), ST_IO);
    ck_assert_ptr_null(mapped.bytes);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/shared/mapped");
    TCase *tc = tcase_create("mapped");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, names_become_paths);
    tcase_add_test(tc, readers_see_what_is_written);
    tcase_add_test(tc, files_are_replaced);
    tcase_add_loop_test(tc, other_contents_stay, 0, 2);
    tcase_add_test(tc, names_of_novem_are_replaced);
    tcase_add_loop_test(tc, links_are_refused, 0, 2);
    tcase_add_loop_test(tc, pipes_are_refused, 0, 2);
    tcase_add_test(tc, files_of_zeros);
    tcase_add_test(tc, truncated_files_are_noticed);
    tcase_add_test(tc, parts_of_files);
    tcase_add_test(tc, unwritable_places);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
