/* Verdicts of `novem golden run`: pairs, masks, hashes, backends. */
#include "unit/tool/golden_run.h"

/* Results of a pair that differs in six pixels by 5, and of an equal pair. */
static const struct {
    bool equal;
    const char *rules;
    int code;
    const char *says;
} results[] = {
    {false, "", TOOL_DIFFERS, "max 5, 6 pixels differ in [20, 9, 26, 10]"},
    {false, "tolerance = 'max 5'\n", TOOL_OK, "1 pass"},
    {false, "ignore = [[0, 0, 4, 4], [20, 8, 26, 11]]\n", TOOL_OK, "1 pass"},
    {false, "ignore = [[20, 8, 25, 11]]\n", TOOL_DIFFERS, "1 pixel differs"},
    {false, "tolerance = 'ssim 1'\n", TOOL_DIFFERS, "SSIM 0.9"},
    {false, "tolerance = 'ssim 1'\nignore = [[20, 9, 26, 10]]\n", TOOL_OK, "1 pass"},
    {false, "tolerance = 'flip 0'\nignore = [[20, 9, 26, 10]]\n", TOOL_OK, "1 pass"},
    {false, "expect-fail = 'known'\n", TOOL_OK, "1 expected fail"},
    {true, "", TOOL_OK, "1 pass"},
    {true, "expect-fail = 'known'\n", TOOL_DIFFERS, "unexpected pass"},
};

START_TEST(pairs_pass_and_fail)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, results[_i].equal ? 0 : 6, 5);
    says(run_pair(results[_i].code, results[_i].rules), results[_i].says);
}
END_TEST

START_TEST(alpha_is_compared_by_default)
{
    struct tool_image image = grey(0, 0, 0, 0);

    save("a.png", &image);
    image.rgba[3] = 7;
    save("b.png", &image);
    tool_image_fini(&image);
    says(run_pair(TOOL_DIFFERS, ""), "max 93, 1 pixel differs");
    run_pair(TOOL_OK, "alpha = false\n");
}
END_TEST

START_TEST(masks_allow_and_count)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    struct tool_image mask;

    ck_assert_int_eq(tool_image_create(&mask, 32, 32), ST_OK);
    memset(mask.rgba + 4 * (9 * 32 + 20), 255, 4 * 5);
    save("p.mask.png", &mask);
    says(run_pair(TOOL_DIFFERS, "mask = '{name}.mask.png'\n"),
         "1 pixel differs, 5 more within the mask in [25, 9, 26, 10]");
    memset(mask.rgba + 4 * (9 * 32 + 25), 255, 4);
    save("p.mask.png", &mask);
    run_pair(TOOL_OK, "mask = '{name}.mask.png'\n");
    mask.height = 31;
    save("p.mask.png", &mask);
    says(run_pair(TOOL_ERROR, "mask = '{name}.mask.png'\n"), "has another size than the golden");
    says(run_pair(TOOL_ERROR, "mask = 'none.png'\n"), "none.png: No such file or directory");
    tool_image_fini(&mask);
}
END_TEST

START_TEST(bad_pictures_are_named)
{
    struct tool_image small;
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    says(run_pair(TOOL_DIFFERS, ""), "missing");
    path_in_folder(path, "b.png");
    write_text(path, "no picture");
    says(run_pair(TOOL_DIFFERS, ""), "b.png: is not a PNG");
    ck_assert_int_eq(tool_image_create(&small, 4, 4), ST_OK);
    save("b.png", &small);
    tool_image_fini(&small);
    says(run_pair(TOOL_DIFFERS, ""), "the golden is 32x32, the candidate's picture 4x4");
    path_in_folder(path, "a.png");
    write_text(path, "no picture");
    says(run_pair(TOOL_ERROR, ""), "a.png: is not a PNG");
    unlink(path);
    says(run_pair(TOOL_DIFFERS, ""), "no golden yet");
}
END_TEST

START_TEST(hashes_of_goldens_are_checked)
{
    struct tool_image image = grey(0, 0, 0, 0);
    char more[64];

    save("a.png", &image);
    save_grey("b.png", 0, 0, 0, 0);
    snprintf(more, sizeof(more), "hash = '%016llx'\n",
             (unsigned long long)tool_image_hash(&image, true));
    run_pair(TOOL_OK, more);
    says(run_pair(TOOL_ERROR, "hash = '0123456789abcdef'\n"), "the manifest requires 0123");
    tool_image_fini(&image);
}
END_TEST

START_TEST(backends_have_their_own_goldens)
{
    static const char text[] = "[[case]]\nname = 'p'\nreference = ['{backend}.png', 'a.png']\n"
                               "candidate = 'b.png'\n[case.backend.'amd']\ntolerance = 'max 9'\n";
    char path[64], made[64];

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    golden(TOOL_DIFFERS, text, folder, NULL);
    save_grey("c.png", 20, 9, 6, 5);
    copy_file("c.png", "mesa.2.png"); /* the second of mesa's goldens */
    save_grey("mesa.png", 1, 1, 1, 1);
    path_in_folder(path, "m.toml");
    path_in_folder(made, "out");
    for (unsigned i = 0; i < 4; i++) {
        static const char *const keys[] = {"mesa", "mesa/llvmpipe", "amd/x", "nvidia/mesa"};
        char *args[] = {"golden", "run", path, "-o", made, "--backend", (char *)keys[i], NULL};

        run_command(tool_golden, i < 3 ? TOOL_OK : TOOL_DIFFERS, 7, args);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/verdict");
    TCase *tc = tcase_create("golden/verdict");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_loop_test(tc, pairs_pass_and_fail, 0, sizeof(results) / sizeof(results[0]));
    tcase_add_test(tc, alpha_is_compared_by_default);
    tcase_add_test(tc, masks_allow_and_count);
    tcase_add_test(tc, bad_pictures_are_named);
    tcase_add_test(tc, hashes_of_goldens_are_checked);
    tcase_add_test(tc, backends_have_their_own_goldens);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
