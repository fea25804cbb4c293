/* Manifests of `novem golden run`: broken ones, names, filters and shards. */
#include "unit/tool/golden_run.h"

#include "tool/golden/manifest.h"

static const struct {
    const char *text, *says;
} mistakes[] = {
    {"[[case]]\nreference = 'a.png'\ncandidate = 'b.png'\ntolerance = 'wide'\n", "m.toml:4: "},
    {"[[case]]\nreference = 'a.png'\nscene = 'x'\n", "needs one of"},
    {"[[case]]\nname = '../up'\nreference = 'a.png'\n", "not a valid file name"},
    {"[[case]]\nreference = 'a.png'\nsize = 3\n", "'size' is not a key of a case"},
    {"[[case]]\nname = 'open\nreference = 'a.png'\n", "m.toml:2: "},
    {"[[case]]\nreference = 'a.png'\n[\n", "m.toml:3: invalid"}, /* the parser asserts */
    {"[[case]]\nreference = 'a.png'\nmask = {a = [}\n", "m.toml:3: "},
    {"[[case]]\nname = 2020-01-01TZ\n", "m.toml:2: "},
    {"[[case]]\nscenes = 'none*.d9t'\n", "matches no file"},
    {"[[case]]\nreference = 'a.png'\nignore = [[3, 3, 1, 1]]\n", "x0 < x1"},
    {"[[case]]\ncapture = 'x.trace'\nframes = '3-1'\n", "not a list of frames"},
    {"[[case]]\nname = 'q'\nreference = 'a.png'\ncandidate = 'b.png'\n", "duplicate case"},
};

START_TEST(broken_cases_are_named_and_others_run)
{
    char text[1024];
    const char *printed;

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 0, 0, 0, 0);
    snprintf(text, sizeof(text), "%s%s", mistakes[_i].text,
             "[[case]]\nname = 'q'\nreference = 'a.png'\ncandidate = 'b.png'\n");
    printed = golden(TOOL_ERROR, text, folder, NULL);
    says(printed, mistakes[_i].says);
    says(printed, "2 cases: 1 pass, 1 error");
}
END_TEST

/* Manifests of which no case can run. */
static const struct {
    const char *text, *candidate, *says;
} useless[] = {
    {"[defaults\n", NULL, "m.toml:1: "},
    {"\n[\n", NULL, "m.toml:2: invalid"},
    {"what = 3\n", NULL, "m.toml:1: 'what' is not a part"},
    {"[candidate.x]\ntimeout = -1\n", "x", "m.toml:2: 'timeout'"},
    {"", NULL, "m.toml: has no case"},
    {"[reference]\ncapture = 'true'\n[[case]]\ncapture = 'x.trace'\nframes = '0,x'\n", NULL,
     "not a list of frames"},
};

START_TEST(broken_manifests_are_named)
{
    const char *candidate = useless[_i].candidate ? useless[_i].candidate : folder;

    says(golden(TOOL_ERROR, useless[_i].text, candidate, NULL), useless[_i].says);
}
END_TEST

START_TEST(bad_file_names_are_one_case_each)
{
    static const char text[] = "[[case]]\nimages = 'a*.png'\n";
    const char *printed;

    save_grey("a\n1.png", 0, 0, 0, 0);
    save_grey("a\n2.png", 0, 0, 0, 0);
    save_grey("a3.png", 0, 0, 0, 0);
    printed = golden(TOOL_ERROR, text, folder, NULL);
    says(printed, "a_1 ");
    says(printed, "3 cases: 1 pass, 2 error");
}
END_TEST

/* One pattern and one case name b.png: the case decides, wherever it stands. */
static const char *const replacing[] = {
    "[[case]]\nimages = '[ab].png'\n"
    "[[case]]\nname = 'b'\nreference = 'b.png'\ncandidate = 'a.png'\nalpha = false\n",
    "[[case]]\nname = 'b'\nreference = 'b.png'\ncandidate = 'a.png'\nalpha = false\n"
    "[[case]]\nimages = '[ab].png'\n",
};

START_TEST(a_case_replaces_that_of_a_pattern)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 0, 0, 2, 9);
    says(golden(TOOL_DIFFERS, replacing[_i], folder, NULL), "2 cases: 1 pass, 1 fail");
}
END_TEST

START_TEST(filters_without_match_fail)
{
    char manifest[64], out[64];
    char *args[] = {"golden",   "run", manifest,      "-o",   out,
                    "--filter", "x*",  "--candidate", folder, NULL};

    save_grey("a.png", 0, 0, 0, 0);
    path_in_folder(manifest, "m.toml");
    path_in_folder(out, "out");
    write_text(manifest, "[[case]]\nimages = 'a.png'\n");
    says(run_command(tool_golden, TOOL_ERROR, 9, args), "no case matches --filter");
}
END_TEST

START_TEST(shards_and_filters_select)
{
    unsigned in[3] = {0};
    char name[16];

    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof(name), "case-%u", i);
        in[golden_shard(name, 3)]++;
    }
    ck_assert_uint_gt(in[0], 70);
    ck_assert_uint_gt(in[1], 70);
    ck_assert_uint_gt(in[2], 70);
    ck_assert(golden_matches("blend/*", "blend/add"));
    ck_assert(golden_matches("add*", "blend/add-one"));
    ck_assert(!golden_matches("add", "blend/add-one"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/manifest");
    TCase *tc = tcase_create("golden/manifest");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_loop_test(tc, broken_cases_are_named_and_others_run, 0,
                        sizeof(mistakes) / sizeof(mistakes[0]));
    tcase_add_loop_test(tc, broken_manifests_are_named, 0, sizeof(useless) / sizeof(useless[0]));
    tcase_add_test(tc, bad_file_names_are_one_case_each);
    tcase_add_loop_test(tc, a_case_replaces_that_of_a_pattern, 0,
                        sizeof(replacing) / sizeof(replacing[0]));
    tcase_add_test(tc, filters_without_match_fail);
    tcase_add_test(tc, shards_and_filters_select);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
