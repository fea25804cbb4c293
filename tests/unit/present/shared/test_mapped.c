/* Memory-mapped files: names, sizes, what other processes see, replaced files. */
#include "present/shared/mapped.h"

#include "util/log.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[32], path[64];

static void setup(void)
{
    strcpy(folder, "/tmp/novem-mapped-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/file", folder);
    log_set_level(LOG_NONE);
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

START_TEST(readers_see_what_is_written)
{
    struct mapped writer = {0}, reader = {0};

    ck_assert_int_eq(mapped_read(&reader, path, NULL), ST_NOTFOUND);
    ck_assert_int_eq(mapped_create(&writer, path, 5000), ST_OK);
    ck_assert_int_eq(file_size(), 5000);
    ck_assert_int_eq(mapped_read(&reader, path, NULL), ST_OK);
    ck_assert_uint_eq(reader.size, 5000);
    ck_assert_uint_eq(reader.bytes[4999], 0);
    writer.bytes[4999] = 77;
    ck_assert_uint_eq(reader.bytes[4999], 77);
    mapped_close(&reader);
    mapped_close(&writer);
    ck_assert_ptr_null(writer.bytes);
}
END_TEST

/* A new file takes the place of an old one; the old one stays with those that map it. */
START_TEST(files_are_replaced)
{
    struct mapped old = {0}, new = {0}, reader = {0};

    ck_assert_int_eq(mapped_create(&old, path, 100), ST_OK);
    old.bytes[0] = 1;
    ck_assert_int_eq(mapped_read(&reader, path, &old), ST_NOTFOUND); /* known */
    ck_assert_int_eq(mapped_create(&new, path, 100), ST_OK);
    ck_assert_uint_eq(old.bytes[0], 1);
    ck_assert_uint_eq(new.bytes[0], 0);
    ck_assert_int_eq(mapped_read(&reader, path, &old), ST_OK);
    mapped_remove(&old, path);
    ck_assert_int_eq(file_size(), 100); /* it is the new file */
    mapped_remove(&new, path);
    ck_assert_int_eq(file_size(), -1);
    mapped_close(&reader);
    mapped_close(&old);
    mapped_close(&new);
}
END_TEST

/* The start of a larger file is mapped; the file grows and never shrinks. */
START_TEST(parts_of_files)
{
    struct mapped part = {0};

    ck_assert_int_eq(mapped_open(&part, path, 100000, 5000), ST_OK);
    ck_assert_int_eq(file_size(), 100000);
    part.bytes[4999] = 5;
    mapped_close(&part);
    ck_assert_int_eq(mapped_open(&part, path, 200, 5000), ST_OK);
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
    ck_assert_int_eq(mapped_create(&mapped, inside, 100), ST_IO);
    ck_assert_int_eq(mapped_open(&mapped, inside, 100, 100), ST_IO);
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
    tcase_add_test(tc, parts_of_files);
    tcase_add_test(tc, unwritable_places);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
