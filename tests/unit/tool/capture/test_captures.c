/* `novem captures`: a folder of three captures, of which one has a reference and one is damaged.
 * The command starts itself, which is this test, to replay a capture and to make its mask. */
#include "unit/tool/command.h"
#include "unit/trace/record.h"

#include "tool/capture/capture.h"
#include "tool/image/image.h"
#include "tool/mask/mask.h"

#include <sys/stat.h>

static void make_folder(const char *name)
{
    ck_assert_int_eq(mkdir(in_folder(name), 0777), 0);
}

/* A red and a green frame; calls 3 and 5 are the Presents. */
static void write_capture(const char *name, size_t lost)
{
    struct stream file;

    record_start();
    record_device(0);
    record("IDirect3DDevice9::Clear", 0, "ounuuuu", DEVICE, 0, D3DCLEAR_TARGET, 0xffff0000, 1, 0);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
    record("IDirect3DDevice9::Clear", 0, "ounuuuu", DEVICE, 0, D3DCLEAR_TARGET, 0xff00ff00, 1, 0);
    record("IDirect3DDevice9::Present", 0, "onnnn", DEVICE);
    file = pack_snappy(&s, 1 << 20);
    ck_assert_int_eq(tool_file_write(in_folder(name), file.bytes, file.n - lost), ST_OK);
    free(file.bytes);
}

/* A picture of the device's size in one colour, with `n` pixels of another one. */
static void write_reference(const char *name, uint8_t red, unsigned n)
{
    struct tool_image image;

    ck_assert_int_eq(tool_image_create(&image, 64, 48), ST_OK);
    for (unsigned i = 0; i < 64 * 48; i++)
        image.rgba[4 * i + (i < n)] = red;
    ck_assert_int_eq(tool_png_write(in_folder(name), &image, 3), ST_OK);
    tool_image_fini(&image);
}

static bool masks; /* pages have masks */

static void setup(void)
{
    open_folder();
    masks = false;
    make_folder("all");
    make_folder("all/a");
    make_folder("all/a/ref");
    make_folder("all/b");
    make_folder("all/none");
    write_capture("all/a/a.trace", 0);
    write_capture("all/b/b.trace", 9);
    write_reference("all/a/ref/0000000003.png", 255, 48);
}

/* The page, which the caller frees; NULL: it is not written. */
static char *page(int expected, char *option, char *value)
{
    char all[64], work[64], out[64];
    char *argv[] = {"captures", all, "--work", work, "-o", out, option, value, NULL, NULL};
    int n_args = option ? 8 : 6;
    uint8_t *bytes = NULL;
    size_t n;

    path_in_folder(all, "all");
    path_in_folder(work, "work");
    path_in_folder(out, "page.md");
    if (masks)
        argv[n_args++] = "--masks";
    run_command(tool_captures, expected, n_args, argv);
    if (expected == TOOL_OK)
        ck_assert_int_eq(tool_file_read(out, &bytes, &n), ST_OK);
    return (char *)bytes;
}

static void says(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in: %s", part, text);
}

START_TEST(captures_are_rows)
{
    char *text = page(TOOL_OK, NULL, NULL);

    says(text, "| captures | 2 |\n| replayed to the end | 1 |\n| captures with references | 1 |\n");
    says(text, "| 1 | a | ok | 2 | 0 | ");
    says(text, " | 1 | 1.562 % | "); /* 48 of 64 x 48 pixels */
    says(text, "| 2 | b | ");
    ck_assert_ptr_null(strstr(text, "## Notes"));
    mem_free(text);
}
END_TEST

START_TEST(captures_can_be_chosen)
{
    char *text = page(TOOL_OK, "--only", "a");

    says(text, "| captures | 1 |\n");
    mem_free(text);
    page(TOOL_ERROR, "--only", "x");
}
END_TEST

START_TEST(reasons_are_notes)
{
    char reasons[64], *text;

    path_in_folder(reasons, "reasons.tsv");
    write_text(reasons, "# comment\na\tshared reason\nb\tshared reason\n");
    text = page(TOOL_OK, "--reasons", reasons);
    says(text, "\n## Notes\n\n1. `a`, `b`: shared reason\n");
    mem_free(text);
    path_in_folder(reasons, "missing.tsv");
    mem_free(page(TOOL_ERROR, "--reasons", reasons));
}
END_TEST

START_TEST(sheets_show_the_worst_pictures)
{
    struct tool_image sheet;
    char path[64];

    path_in_folder(path, "sheet.png");
    mem_free(page(TOOL_OK, "--sheet", path));
    ck_assert_int_eq(tool_png_read(path, &sheet), ST_OK);
    tool_image_fini(&sheet);
}
END_TEST

/* The reference has 48 wrong pixels of 3072; the GPU agrees with Novem, with it, or with neither.
 */
static const struct {
    uint8_t red;
    unsigned wrong;
    const char *row, *counts, *masked, *passed;
} opinions[] = {
    {255, 0, "| a | 0.000 % | 1.562 % | 1.562 % | wined3d |", "Novem is alone in 0, wined3d in 1",
     "| a | 0.00 % | 0.000 % | 0.000 % | 0 |", "Of 1 pictures 1 pass, 1 of them"},
    {255, 48, "| a | 1.562 % | 1.562 % | 0.000 % | Novem |", "Novem is alone in 1",
     "| a | 0.00 % | 0.000 % | 1.562 % | 48 |", "Of 1 pictures 0 pass, 0 of them"},
    {100, 0, "| a | 100.000 % | 1.562 % | 100.000 % | ? |", "and the GPU in 0",
     "| a | 0.00 % | 0.000 % | 100.000 % | 3072 |", "Of 1 pictures 0 pass, 0 of them"},
};

START_TEST(a_gpu_is_the_third_opinion)
{
    char gpu[64], *text;

    make_folder("gpu");
    make_folder("gpu/a");
    path_in_folder(gpu, "gpu");
    write_reference("gpu/a/frame-00000.png", opinions[_i].red, opinions[_i].wrong);
    text = page(TOOL_OK, "--gpu", gpu);
    says(text, opinions[_i].row);
    says(text, opinions[_i].counts);
    ck_assert_ptr_null(strstr(text, "Judged by masks"));
    mem_free(text);
    masks = true;
    text = page(TOOL_OK, "--gpu", gpu);
    says(text, opinions[_i].masked);
    says(text, opinions[_i].passed);
    mem_free(text);
}
END_TEST

START_TEST(masks_need_a_gpu)
{
    masks = true;
    mem_free(page(TOOL_ERROR, NULL, NULL));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("capture/captures");
    TCase *tc = tcase_create("capture/captures");

    tcase_add_checked_fixture(tc, setup, close_folder);
    tcase_set_timeout(tc, 60); /* masks */
    tcase_add_test(tc, captures_are_rows);
    tcase_add_test(tc, captures_can_be_chosen);
    tcase_add_test(tc, reasons_are_notes);
    tcase_add_test(tc, sheets_show_the_worst_pictures);
    tcase_add_loop_test(tc, a_gpu_is_the_third_opinion, 0, 3);
    tcase_add_test(tc, masks_need_a_gpu);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(int argc, char **argv)
{
    SRunner *runner;
    int failed;

    if (argc > 1 && !strcmp(argv[1], "replay"))
        return tool_replay(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "mask"))
        return tool_mask(argc - 1, argv + 1);
    runner = srunner_create(suite());
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
