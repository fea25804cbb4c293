/* The page of a frame: its parts are embedded, and a title becomes text. tests/browser tests it in
 * a browser. */
#include "check_main.h"

#include "tool/page/frame_page.h"

#include <stdlib.h>
#include <string.h>

static char *page(bool live, const char *title)
{
    char *out = NULL;
    size_t n;
    FILE *file = open_memstream(&out, &n);

    ck_assert_ptr_nonnull(file);
    frame_page_write(file, live, title);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_uint_eq(strlen(out), n);
    return out;
}

static void expect_in_order(const char *text, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        text = strstr(text, parts[i]);
        ck_assert_msg(text, "%s is missing or misplaced", parts[i]);
        text++;
    }
}

START_TEST(parts_are_embedded_in_order)
{
    static const char *const parts[] = {
        "<!DOCTYPE html>", "<title>x.trace</title>",
        "<style>",         "--card:",
        "--draw:",         "</style>",
        "id=\"tree\"",     "window.NOVEM = {live: false};",
        "const Keys =",    "class Viewer",
        "const Data =",    "class PictureView",
        "const Tree =",    "const Targets =",
        "class MeshView",  "const TABS =",
        "</script>",       "</html>",
    };
    char *text = page(false, "x.trace");

    expect_in_order(text, parts, sizeof(parts) / sizeof(parts[0]));
    free(text);
}
END_TEST

START_TEST(the_page_says_whether_a_server_answers)
{
    char *text = page(true, "x.trace");

    ck_assert_ptr_nonnull(strstr(text, "window.NOVEM = {live: true};"));
    free(text);
}
END_TEST

START_TEST(a_hostile_title_is_text)
{
    char *text = page(false, "</title><script>alert(1)</script>&amp;");

    ck_assert_ptr_nonnull(
        strstr(text, "<title>&lt;/title>&lt;script>alert(1)&lt;/script>&amp;amp;</title>"));
    free(text);
}
END_TEST

/* A script element that the text of a part would end shows its rest as markup. */
START_TEST(no_script_ends_early)
{
    char *text = page(false, "x");
    unsigned starts = 0, ends = 0;

    for (const char *p = text; (p = strstr(p, "<script>")); p++)
        starts++;
    for (const char *p = text; (p = strstr(p, "</script")); p++)
        ends++;
    ck_assert_uint_eq(starts, 2);
    ck_assert_uint_eq(ends, 2);
    free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool: page of a frame");
    TCase *c = tcase_create("page");

    tcase_add_test(c, parts_are_embedded_in_order);
    tcase_add_test(c, the_page_says_whether_a_server_answers);
    tcase_add_test(c, a_hostile_title_is_text);
    tcase_add_test(c, no_script_ends_early);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
