/* Result records of `novem golden`: reports of a run, and merged shards. */
#include "unit/tool/golden_run.h"

START_TEST(reports_list_each_case)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    run_pair(TOOL_DIFFERS, "reason = 'a < b & \"c\"'\n[[case]]\nname = 'x/q'\n"
                           "reference = 'a.png'\ncandidate = 'a.png'\n");
    holds("out/results.jsonl", "\"box\":[20,9,26,10]");
    holds("out/results.jsonl", "\"reason\":\"a < b & \\\"c\\\"\"");
    holds("out/junit.xml", "tests=\"2\" failures=\"1\" errors=\"0\"");
    holds("out/junit.xml", "<failure type=\"fail\" message=\"max 5, 6 pixels");
    holds("out/junit.xml", "classname=\"x\" name=\"q\"");
    holds("out/report.html", "a \\u003c b");
    holds("out/report/000000.js", "reference:\"data:image/png;base64,iVBOR");
}
END_TEST

START_TEST(shards_are_merged)
{
    static const char text[] = "[[case]]\nimages = 'a*.png'\n";
    char manifest[64], merged[64], parts[3][64];
    char *join[] = {"golden", "merge", parts[0], parts[1], parts[2], "-o", merged, NULL};
    char *lose[] = {"golden", "merge", parts[0], parts[1], "-o", merged, NULL};

    for (unsigned i = 0; i < 12; i++) {
        char name[16];

        snprintf(name, sizeof(name), "a%u.png", i);
        save_grey(name, i, i, 1, i);
    }
    path_in_folder(manifest, "m.toml");
    path_in_folder(merged, "merged");
    write_text(manifest, text);
    for (unsigned i = 0; i < 3; i++) {
        char shard[8], name[8];
        char *args[] = {"golden",  "run", manifest,      "-o",   parts[i],
                        "--shard", shard, "--candidate", folder, NULL};

        snprintf(shard, sizeof(shard), "%u/3", i + 1);
        snprintf(name, sizeof(name), "part%u", i);
        path_in_folder(parts[i], name);
        run_command(tool_golden, TOOL_OK, 9, args);
    }
    says(run_command(tool_golden, TOOL_OK, 7, join), "12 cases: 12 pass");
    holds("merged/results.jsonl", "\"case\":\"a11\"");
    says(run_command(tool_golden, TOOL_ERROR, 6, lose), "cases have no result: a shard is missing");
    write_text(manifest, "not JSON\n");
    join[2] = manifest;
    says(run_command(tool_golden, TOOL_ERROR, 7, join), "m.toml:1: is not a result record");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/record");
    TCase *tc = tcase_create("golden/record");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, reports_list_each_case);
    tcase_add_test(tc, shards_are_merged);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
