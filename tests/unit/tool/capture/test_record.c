/* `novem record`: the environment and the exit code of the program that it runs. */
#include "unit/tool/command.h"

#include "tool/capture/capture.h"

static char capture[64];

/* Runs a shell command; NULL: none. */
static const char *record(int expected, char *script)
{
    char *argv[] = {"record", "-o", capture, "--", "sh", "-c", script, NULL};

    path_in_folder(capture, "x.trace");
    return run_command(tool_record, expected, script ? 7 : 4, argv);
}

START_TEST(programs_get_the_path)
{
    uint8_t *bytes;
    size_t n;

    record(3, "printf %s \"$NOVEM_RECORD\" > \"$NOVEM_RECORD\"; exit 3");
    ck_assert_int_eq(tool_file_read(capture, &bytes, &n), ST_OK);
    ck_assert_str_eq((char *)bytes, capture);
    mem_free(bytes);
}
END_TEST

static const struct {
    char *script;
    const char *says;
} failures[] = {
    {"true", "was not written"},
    {"kill -TERM $$", "signal 15 ended the program"},
    {NULL, "usage: novem record"},
};
enum { FAILURES = sizeof(failures) / sizeof(failures[0]) };

START_TEST(failures_are_named)
{
    const char *printed;

    path_in_folder(capture, "x.trace");
    write_text(capture, "an older capture");
    printed = record(TOOL_ERROR, failures[_i].script);
    ck_assert_msg(strstr(printed, failures[_i].says) != NULL, "%s", printed);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("capture/record");
    TCase *tc = tcase_create("capture/record");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, programs_get_the_path);
    tcase_add_loop_test(tc, failures_are_named, 0, FAILURES);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
