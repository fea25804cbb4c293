/* The page of a frame: its parts are embedded, and a title becomes text. tests/browser tests it in
 * a browser. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/page/frame_page.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static void write_file(const char *name, const char *text)
{
    ck_assert_int_eq(tool_file_write(in_folder(name), text, strlen(text)), ST_OK);
}

static void expect_file(const char *name, const char *start)
{
    uint8_t *bytes;
    size_t n;

    ck_assert_int_eq(tool_file_read(in_folder(name), &bytes, &n), ST_OK);
    ck_assert_msg(!strncmp((char *)bytes, start, strlen(start)), "%s is %s", name, (char *)bytes);
    mem_free(bytes);
}

static unsigned digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    return (unsigned)(strchr(digits, c) - digits);
}

/* The values of a picture: byte 0 of all pixels, then byte 1. */
static void expect_planes(const char *name, const char *planes)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    uint8_t *file, packed[256], found[256];
    size_t n, bytes = 0, got;
    const char *at;

    ck_assert_int_eq(tool_file_read(in_folder(name), &file, &n), ST_OK);
    at = strstr((char *)file, "planes\": \"") + strlen("planes\": \"");
    for (; at[3] != '=' && at[3] != '"' && at[0] != '"'; at += 4) {
        unsigned four = digit(at[0]) << 18 | digit(at[1]) << 12 | digit(at[2]) << 6 | digit(at[3]);

        for (int shift = 16; shift >= 0; shift -= 8)
            packed[bytes++] = (uint8_t)(four >> shift);
    }
    if (at[0] != '"') { /* one or two bytes */
        packed[bytes++] = (uint8_t)(digit(at[0]) << 2 | digit(at[1]) >> 4);
        if (at[2] != '=')
            packed[bytes++] = (uint8_t)(digit(at[1]) << 4 | digit(at[2]) >> 2);
    }
    ck_assert_int_eq(libdeflate_zlib_decompress(d, packed, bytes, found, sizeof(found), &got),
                     LIBDEFLATE_SUCCESS);
    ck_assert_uint_eq(got, strlen(planes));
    ck_assert_int_eq(memcmp(found, planes, got), 0);
    libdeflate_free_decompressor(d);
    mem_free(file);
}

START_TEST(a_folder_gets_the_page_and_the_pixels_of_its_pictures)
{
    char path[FRAME_PAGE_PATH];

    ck_assert_int_eq(mkdir(in_folder("data"), 0777), 0);
    ck_assert_int_eq(mkdir(in_folder("images"), 0777), 0);
    write_file("images/12-depth.png", "fo");
    write_file("images/34.png", "old");
    write_file("data/34.js", "is here already");
    write_file("images/a\"b.png", "a name that is not one of ours");
    write_file("images/56.f32", "no picture");
    write_file("images/78.png", "fo");
    write_file("images/78.f32", "0123456789abcdefghijklmnopqrstuv"); /* two pixels */
    ck_assert_int_eq(frame_page_write_folder(in_folder(""), "x.trace", path), ST_OK);
    expect_file("index.html", "<!DOCTYPE html>");
    expect_file("data/12-depth.js", "answer(\"12-depth\", {\"png\": \"Zm8=\"});\n");
    expect_file("data/34.js", "is here already");
    expect_file("data/78.js", "answer(\"78\", {\"png\": \"Zm8=\", \"planes\": \"eF");
    expect_planes("data/78.js", "0g1h2i3j4k5l6m7n8o9paqbrcsdteufv");
    ck_assert_int_ne(access(in_folder("images/78.f32"), F_OK), 0); /* it lies in the page */
    ck_assert_int_ne(access(in_folder("data/a\"b.js"), F_OK), 0);
    ck_assert_int_ne(access(in_folder("data/56.js"), F_OK), 0);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_is_named)
{
    char path[FRAME_PAGE_PATH];

    ck_assert_int_eq(mkdir(in_folder("images"), 0777), 0);
    write_file("images/12.png", "fo");
    ck_assert_int_eq(frame_page_write_folder(in_folder(""), "x", path), ST_IO); /* no data/ */
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_ptr_nonnull(strstr(path, "data/12.js"));
    ck_assert_int_eq(frame_page_write_folder("no/such/folder", "x", path), ST_IO);
    ck_assert_str_eq(path, "no/such/folder/index.html");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tool: page of a frame");
    TCase *c = tcase_create("page");

    tcase_add_checked_fixture(c, open_folder, close_folder);
    tcase_add_test(c, parts_are_embedded_in_order);
    tcase_add_test(c, the_page_says_whether_a_server_answers);
    tcase_add_test(c, a_hostile_title_is_text);
    tcase_add_test(c, no_script_ends_early);
    tcase_add_test(c, a_folder_gets_the_page_and_the_pixels_of_its_pictures);
    tcase_add_test(c, a_file_that_cannot_be_written_is_named);
    suite_add_tcase(s, c);
    return s;
}

TEST_MAIN(suite)
