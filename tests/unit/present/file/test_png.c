/* Sink png: names of its files, and folders that disappear. */
#include "file_sinks.h"

#include <sys/stat.h>

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
    tcase_add_test(tc, a_deleted_folder);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
