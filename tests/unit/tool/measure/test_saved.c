/* Figures of an earlier run: files that are none, and fields. */
#include "unit/tool/command.h"

#include "tool/measure/saved.h"

static cJSON *read_text(const char *text)
{
    write_text(in_folder("saved.json"), text);
    return saved_read("bench", in_folder("saved.json"));
}

START_TEST(files_that_are_none_are_refused)
{
    ck_assert_ptr_null(read_text("{\"a\": 1"));
    ck_assert_ptr_null(read_text("{} x"));
    ck_assert_ptr_null(read_text(""));
    ck_assert_ptr_null(saved_read("bench", in_folder("missing.json")));
}
END_TEST

START_TEST(fields_have_types)
{
    static const char json[] =
        "{\"n\": -2.5, \"big\": 1e16, \"huge\": 1e999, \"t\": \"x\", \"yes\": true}";
    cJSON *o = read_text(json);
    const char *text = NULL;
    double x = 7;

    ck_assert_ptr_nonnull(o);
    ck_assert(!saved_number(o, "big", &x) && !saved_number(o, "huge", &x));
    ck_assert(!saved_number(o, "t", &x) && !saved_number(o, "missing", &x));
    ck_assert_double_eq(x, 7);
    ck_assert(saved_number(o, "n", &x));
    ck_assert_double_eq(x, -2.5);
    ck_assert(!saved_text(o, "n", &text) && saved_text(o, "t", &text));
    ck_assert_str_eq(text, "x");
    ck_assert(saved_flag(o, "yes", false) && saved_flag(o, "missing", true));
    ck_assert(!saved_flag(o, "missing", false) && !saved_flag(o, "n", true));
    cJSON_Delete(o);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool/measure/saved");
    TCase *t = tcase_create("saved");

    tcase_add_checked_fixture(t, open_folder, close_folder);
    tcase_add_test(t, files_that_are_none_are_refused);
    tcase_add_test(t, fields_have_types);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
