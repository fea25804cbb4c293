/* `novem scene`: the PNG of a scene, and exit codes. */
#include "unit/tool/command.h"

#include "tool/cli/cli.h"
#include "tool/commands.h"
#include "tool/image/image.h"
#include "tool/scene/scene.h"

static int scene(int expected, const char *a, const char *b, const char *c)
{
    char *args[] = {"scene", (char *)a, (char *)b, (char *)c, NULL};

    run_command(tool_scene, expected, c ? 4 : b ? 3 : 2, args);
    return 0;
}

static void wants_pixel(const struct tool_image *image, unsigned x, unsigned y, uint32_t rgba)
{
    const uint8_t *p = image->rgba + 4 * ((size_t)y * image->width + x);

    ck_assert_uint_eq((uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3], rgba);
}

START_TEST(picture_stacks_the_read_surfaces)
{
    struct tool_image image;
    char file[64], png[64];

    path_in_folder(file, "a.d9t");
    path_in_folder(png, "a.png");
    write_text(file, "# rule: clear/colour\ntarget 4x2 A8R8G8B8\nclear 80ff0000\nexpect all "
                     "80ff0000\nexpect 0 0 80ff0000\ntarget 2x1 A8R8G8B8\nclear ff00ff00\n"
                     "expect all ff00ff00\n");
    scene(TOOL_OK, file, "-o", png);
    ck_assert_int_eq(tool_png_read(png, &image), ST_OK);
    ck_assert_uint_eq(image.width, 4);
    ck_assert_uint_eq(image.height, 3);
    wants_pixel(&image, 3, 1, 0xff000080);
    wants_pixel(&image, 1, 2, 0x00ff00ff);
    wants_pixel(&image, 2, 2, 0); /* padding beside a narrower image */
    tool_image_fini(&image);
}
END_TEST

START_TEST(picture_without_expectations_is_the_target)
{
    struct tool_image image;
    char file[64], png[64];

    path_in_folder(file, "a.d9t");
    path_in_folder(png, "a.png");
    write_text(file, "# rule: clear/colour\nclear ff0000ff\nanswer state ALPHAREF=0\n");
    scene(TOOL_OK, file, "-o", png);
    ck_assert_int_eq(tool_png_read(png, &image), ST_OK);
    ck_assert_uint_eq(image.width, 32);
    wants_pixel(&image, 31, 31, 0x0000ffff);
    tool_image_fini(&image);
}
END_TEST

/* A user's scene names no rule and expects nothing; only the conformance tests demand both. */
START_TEST(scene_needs_no_rule_and_no_expectation)
{
    struct tool_image image;
    char file[64], png[64], start[256];
    char *conformance[] = {"scene", file, "--conformance", NULL};
    char *alone[] = {"scene", file, NULL};

    path_in_folder(file, "mine.d9t");
    path_in_folder(png, "mine.png");
    write_text(file, "clear ff0000ff\n");
    scene(TOOL_OK, file, "-o", png);
    ck_assert_int_eq(tool_png_read(png, &image), ST_OK);
    wants_pixel(&image, 0, 0, 0x0000ffff);
    tool_image_fini(&image);
    remove(png);
    ck_assert_ptr_nonnull(getcwd(start, sizeof(start)));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_str_eq(run_command(tool_scene, TOOL_OK, 2, alone), "mine.png: 32x32\n");
    ck_assert_int_eq(access(png, F_OK), 0);
    remove(png);
    write_text(file, "clear ff0000ff\nexpect all ff0000ff\n");
    scene(TOOL_OK, file, NULL, NULL);
    ck_assert_int_eq(access(png, F_OK), -1); /* the result is the expectation's */
    write_text(file, "clear ff0000ff\nnonsense\n");
    scene(TOOL_DIFFERS, file, NULL, NULL);
    write_text(file, "# nothing but a comment\n");
    scene(TOOL_DIFFERS, file, NULL, NULL);
    ck_assert_int_eq(access(png, F_OK), -1);
    write_text(file, "clear ff0000ff\n");
    ck_assert_ptr_nonnull(
        strstr(run_command(tool_scene, TOOL_DIFFERS, 3, conformance), "does not name its rule"));
    ck_assert_int_eq(chdir(start), 0);
}
END_TEST

/* Objects that a line has made are released when a later part of the line is wrong; the teardown
 * checks for leaks. */
START_TEST(wrong_lines_leak_nothing)
{
    static const char *const lines[] = {"target 4x4 A8R8G8B8 -> BOGUS",
                                        "target 4x4 NOPE",
                                        "device ex -> BOGUS",
                                        "texture t 4x4 A8R8G8B8 -> BOGUS",
                                        "surface s 4x4 A8R8G8B8 -> BOGUS",
                                        "rendertarget 0 nowhere"};
    char file[64], text[128];

    path_in_folder(file, "a.d9t");
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        snprintf(text, sizeof(text), "# rule: clear/colour\n%s\n", lines[i]);
        write_text(file, text);
        scene(TOOL_DIFFERS, file, NULL, NULL);
    }
}
END_TEST

/* Red 12/31, green 25/63 and blue 12/31 of R5G6B5, so 99, 101 and 99 of 255. */
static const struct {
    const char *expectation;
    int code;
} tolerances[] = {
    {"expect all f:0.387,0.397,0.387,- tol 0.001", TOOL_OK},
    {"expect all f:0.355,0.381,0.419,- tol step", TOOL_OK},
    {"expect all f:0.322,0.397,0.387,- tol step", TOOL_DIFFERS},   /* two steps of red */
    {"expect all f:0.387,0.429,0.387,- tol step", TOOL_DIFFERS},   /* two of green */
    {"expect all f:0.387,0.397,0.387,0.9 tol step", TOOL_DIFFERS}, /* no alpha has no steps */
    {"expect all 6c695a tol step", TOOL_OK},
    {"expect all 6d6563 tol step", TOOL_DIFFERS},
    {"expect all 636b63 tol step", TOOL_DIFFERS},
    {"expect map x=6c695a tol=step { xx xx }", TOOL_OK},
    {"expect map x=6d6563 tol=step { xx xx }", TOOL_DIFFERS},
    {"expect all 686563 tol 5,0,0,0", TOOL_OK},
    {"expect all 636663 tol 5,0,5,5", TOOL_DIFFERS},
    {"expect all 626662 tol 1", TOOL_OK},
    {"expect all 636563 tol 1,2", TOOL_DIFFERS}, /* neither one number nor four */
    {"expect all 636563 tol steps", TOOL_DIFFERS},
    {"expect-novem all 636563", TOOL_OK},
    {"expect-novem all 636663", TOOL_DIFFERS},
};

START_TEST(tolerances_are_numbers_or_a_step)
{
    char file[64], text[256];

    path_in_folder(file, "a.d9t");
    snprintf(text, sizeof(text), "target 2x2 R5G6B5 depth=none\nclear ff636563\n%s\n",
             tolerances[_i].expectation);
    write_text(file, text);
    scene(tolerances[_i].code, file, NULL, NULL);
    write_text(file, "target 2x2 A32B32G32R32F depth=none\nexpect all f:0,0,0,0 tol step\n");
    scene(TOOL_DIFFERS, file, NULL, NULL);
}
END_TEST

/* Another library need not meet it, but its pictures have the same images. */
START_TEST(other_libraries_need_not_meet_expect_novem)
{
    struct tool_image image;
    char file[64], png[64];

    path_in_folder(file, "a.d9t");
    path_in_folder(png, "a.png");
    write_text(file, "target 4x2 A8R8G8B8\nclear 80ff0000\nexpect-novem all 00000000\n"
                     "target 2x1 A8R8G8B8\nclear ff00ff00\nexpect all ff00ff00\n");
    scene(TOOL_DIFFERS, file, "-o", png);
    scene_library_is_novem(false);
    scene(TOOL_OK, file, "-o", png);
    ck_assert_int_eq(tool_png_read(png, &image), ST_OK);
    ck_assert_uint_eq(image.height, 3);
    tool_image_fini(&image);
    write_text(file, "# rule: clear/colour\nclear ff0000ff\nexpect-novem all ff0000fe\n");
    scene(TOOL_OK, file, "--conformance", NULL); /* it expects something */
    write_text(file, "clear ff0000ff\nexpect all ff0000fe\n");
    scene(TOOL_DIFFERS, file, NULL, NULL);
    scene_library_is_novem(true);
}
END_TEST

START_TEST(exit_codes)
{
    char file[64], png[64], list[64], text[256];

    path_in_folder(file, "a.d9t");
    path_in_folder(png, "a.png");
    path_in_folder(list, "list");
    write_text(file, "# rule: clear/colour\nclear ff0000ff\nexpect all ff0000fe\n");
    scene(TOOL_DIFFERS, file, NULL, NULL);
    ck_assert_int_eq(access(png, F_OK), -1);
    snprintf(text, sizeof(text), "%s\t%s\n", file, png);
    write_text(list, text);
    scene(TOOL_DIFFERS, "--list", list, NULL);
    ck_assert_int_eq(access(png, F_OK), 0);
    write_text(list, "no tab\n");
    scene(TOOL_ERROR, "--list", list, NULL);
    scene(TOOL_ERROR, "--list", "/no/such/file", NULL);
    scene(TOOL_ERROR, file, "-o", "/no/such/folder/x.png");
    scene(TOOL_DIFFERS, "/no/such/scene.d9t", NULL, NULL);
    write_text(file, "# rule: clear/colour\nneeds targets 99\n");
    scene(TOOL_ERROR, file, "-o", png);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("scene");
    TCase *tc = tcase_create("scene");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, picture_stacks_the_read_surfaces);
    tcase_add_test(tc, picture_without_expectations_is_the_target);
    tcase_add_test(tc, scene_needs_no_rule_and_no_expectation);
    tcase_add_test(tc, wrong_lines_leak_nothing);
    tcase_add_loop_test(tc, tolerances_are_numbers_or_a_step, 0,
                        sizeof(tolerances) / sizeof(tolerances[0]));
    tcase_add_test(tc, other_libraries_need_not_meet_expect_novem);
    tcase_add_test(tc, exit_codes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
