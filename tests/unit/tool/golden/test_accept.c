/* `novem golden accept`: pictures become goldens, and the manifest is patched. */
#include "unit/tool/golden_run.h"

static const char *accept(int expected, const char *option)
{
    static char out[64];
    char *args[] = {"golden", "accept", out, (char *)option, NULL};

    path_in_folder(out, "out");
    return run_command(tool_golden, expected, option ? 4 : 3, args);
}

START_TEST(accepted_pictures_are_goldens)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    run_pair(TOOL_DIFFERS, "");
    says(accept(TOOL_OK, NULL), "1 to accept");
    run_pair(TOOL_DIFFERS, "");
    says(accept(TOOL_OK, "--yes"), "1 accepted");
    run_pair(TOOL_OK, "");
    says(accept(TOOL_OK, NULL), "0 to accept");
    save_grey("b.png", 1, 1, 1, 1);
    run_pair(TOOL_DIFFERS, "");
    says(accept(TOOL_OK, "--add"), "a.2.png (new");
}
END_TEST

START_TEST(manifests_are_patched)
{
    struct tool_image image = grey(20, 9, 6, 5);
    char more[128], want[64];
    const char *printed;

    save_grey("a.png", 0, 0, 0, 0);
    save("b.png", &image);
    snprintf(want, sizeof(want), "+hash = '%016llx'",
             (unsigned long long)tool_image_hash(&image, true));
    tool_image_fini(&image);
    image = grey(0, 0, 0, 0);
    snprintf(more, sizeof(more), "hash = '%016llx'\n# end\n",
             (unsigned long long)tool_image_hash(&image, true));
    tool_image_fini(&image);
    run_pair(TOOL_DIFFERS, more);
    printed = accept(TOOL_OK, "--yes");
    says(printed, "@@ -5 +5 @@\n-hash = ");
    says(printed, want);
    holds("m.toml", want + 1);
    holds("m.toml", "# end");
    copy_file("b.png", "a.png");
    run_pair(TOOL_DIFFERS, "expect-fail = 'known'\nalpha = true\n");
    says(accept(TOOL_OK, "--yes"), "@@ -5 +4,0 @@\n-expect-fail = 'known'");
    holds("m.toml", "candidate = 'b.png'\nalpha = true\n");
}
END_TEST

START_TEST(stores_keep_goldens_by_hash)
{
    static const char text[] = "store = 'st'\n[[case]]\nname = 'p'\ncandidate = 'b.png'\n"
                               "reference = 'hash:0123456789abcdef'\n[[case]]\nscene = 'x'\n"
                               "golden = 'hash:0123456789abcdef'\n";
    char path[64];

    save_grey("x.png", 20, 9, 6, 5);
    says(golden(TOOL_DIFFERS, text, folder, NULL), "st/01/0123456789abcdef.png does not exist");
    says(accept(TOOL_OK, "--yes"), "+golden = 'hash:");
    path_in_folder(path, "m.toml");
    char *args[] = {"golden",      "run",  path,       "-o", folder,
                    "--candidate", folder, "--filter", "x",  NULL};
    says(run_command(tool_golden, TOOL_OK, 9, args), "1 pass");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/accept");
    TCase *tc = tcase_create("golden/accept");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, accepted_pictures_are_goldens);
    tcase_add_test(tc, manifests_are_patched);
    tcase_add_test(tc, stores_keep_goldens_by_hash);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
