/* Sink png: names of its files, and folders that disappear. */
#include "file_sinks.h"

#include "present/file/png_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a file of the folder is a PNG of the frame's size. */
static bool is_png(const char *name)
{
    static const uint8_t start[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10,    0, 0, 0, 13,
                                    'I',  'H', 'D', 'R', 0,  0,  0,  WIDTH, 0, 0, 0, HEIGHT};
    uint8_t bytes[sizeof(start)];

    return read_file(name, bytes, sizeof(bytes)) == sizeof(bytes) &&
           !memcmp(bytes, start, sizeof(bytes));
}

START_TEST(names_have_chain_and_number)
{
    struct present *present = open_sink("png:%s", 0);
    struct present_frame frame = frame_of(7);

    present_show(present, &frame);
    ck_assert(is_png("frame-00007.png"));
    frame.chain = 2;
    frame.number = 123456;
    present_show(present, &frame);
    ck_assert(is_png("frame-2-123456.png"));
    ck_assert_uint_eq(files_in_folder(), 2);
    present_destroy(present);
}
END_TEST

/* Numbers of a later device, and of a chain that is created again, go on. */
START_TEST(numbers_go_on)
{
    struct present *first = open_sink("png:%s", 0), *second;
    struct present_frame frame = frame_of(0);

    show(first, 0);
    show(first, 1);
    second = open_sink("png:%s", 0);
    show(second, 0);
    show(first, 2);
    present_destroy(first);
    show(second, 1);
    frame.chain = 1;
    present_show(second, &frame);
    present_show(second, &frame);
    present_destroy(second);
    ck_assert(is_png("frame-00000.png") && is_png("frame-00001.png") && is_png("frame-00002.png") &&
              is_png("frame-00003.png") && is_png("frame-00004.png"));
    ck_assert(is_png("frame-1-00000.png") && is_png("frame-1-00001.png"));
    ck_assert_uint_eq(files_in_folder(), 7);
    ck_assert_str_eq(errors, "");
}
END_TEST

/* Frames of an earlier run are replaced; a link of the same name is not followed. */
START_TEST(links_are_not_followed)
{
    struct present *present = open_sink("png:%s", 0);
    char path[64], target[64];
    uint8_t bytes[8];

    snprintf(path, sizeof(path), "%s/frame-00000.png", folder);
    snprintf(target, sizeof(target), "%s/precious", folder);
    fclose(fopen(path, "w"));
    show(present, 0);
    ck_assert(is_png("frame-00000.png"));
    fclose(fopen(target, "w"));
    snprintf(path, sizeof(path), "%s/frame-00001.png", folder);
    ck_assert_int_eq(symlink(target, path), 0);
    show(present, 1);
    present_destroy(present);
    ck_assert_ptr_nonnull(strstr(errors, "frame-00001.png: cannot be written: File exists"));
    ck_assert_uint_eq(read_file("precious", bytes, sizeof(bytes)), 0);
}
END_TEST

START_TEST(a_full_disk)
{
    struct png_memory memory = {NULL, 0};
    struct present_frame frame = frame_of(0);
    int file = open("/dev/full", O_WRONLY);

    ck_assert_int_eq(png_write(&memory, file, "x.png", &frame), ST_IO);
    ck_assert_ptr_nonnull(strstr(errors, "x.png: cannot be written: No space left on device"));
    mem_free(memory.rgb);
}
END_TEST

/* A path that is too long is refused and not cut off. */
START_TEST(a_long_folder)
{
    char spec[1100];
    const struct present_options options = {.sinks = spec};
    struct present *present;

    memset(spec, '/', sizeof(spec));
    snprintf(spec, sizeof(spec), "png:%s", folder);
    spec[strlen(spec)] = '/';
    spec[sizeof(spec) - 1] = '\0';
    ck_assert_int_eq(present_create(&present, &options), ST_OK);
    show(present, 0);
    present_destroy(present);
    ck_assert_ptr_nonnull(strstr(errors, "cannot be written: File name too long"));
    ck_assert_uint_eq(files_in_folder(), 0);
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

static Suite *suite(void)
{
    Suite *s = suite_create("present/file/png");
    TCase *tc = tcase_create("png");

    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, names_have_chain_and_number);
    tcase_add_test(tc, numbers_go_on);
    tcase_add_test(tc, links_are_not_followed);
    tcase_add_test(tc, a_full_disk);
    tcase_add_test(tc, a_long_folder);
    tcase_add_test(tc, a_deleted_folder);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
