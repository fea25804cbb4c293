/* `novem golden compare`: changes between two runs. */
#include "unit/tool/golden_run.h"

static const char before[] = "{\"novem\":\"x\"}\n"
                             "{\"case\":\"broken\",\"verdict\":\"pass\"}\n"
                             "{\"case\":\"gone\",\"verdict\":\"pass\"}\n"
                             "{\"case\":\"mended\",\"verdict\":\"fail\",\"max\":4}\n"
                             "{\"case\":\"same\",\"verdict\":\"fail\",\"max\":2}\n"
                             "{\"case\":\"worse\",\"verdict\":\"fail\",\"max\":2}\n";
static const char after[] = "{\"novem\":\"x\"}\n"
                            "{\"case\":\"added\",\"verdict\":\"pass\"}\n"
                            "{\"case\":\"broken\",\"verdict\":\"crashed\",\"message\":\"a < b\"}\n"
                            "{\"case\":\"mended\",\"verdict\":\"pass\"}\n"
                            "{\"case\":\"same\",\"verdict\":\"fail\",\"max\":2}\n"
                            "{\"case\":\"worse\",\"verdict\":\"fail\",\"max\":9}\n";

START_TEST(changes_are_listed)
{
    char a[64], b[64], page[64];
    char *args[] = {"golden", "compare", a, b, "-o", page, NULL};
    char *back[] = {"golden", "compare", a, a, NULL};
    const char *printed;

    path_in_folder(a, "a.jsonl");
    path_in_folder(b, "b.jsonl");
    path_in_folder(page, "page.html");
    write_text(a, before);
    write_text(b, after);
    printed = run_command(tool_golden, TOOL_DIFFERS, 6, args);
    says(printed, "new failures: 1\n  broken");
    says(printed, "fixes: 1\n  mended");
    says(printed, "fail -> fail  max 2 -> 9");
    says(printed, "added: 1\n  added");
    says(printed, "removed: 1\n  gone");
    says(printed, "5 changed, 1 unchanged");
    holds("page.html", "<h2>New failures: 1</h2>");
    holds("page.html", "<td>a &lt; b</td>");
    says(run_command(tool_golden, TOOL_OK, 4, back), "0 changed, 5 unchanged");
    write_text(b, "");
    run_command(tool_golden, TOOL_ERROR, 6, args);
}
END_TEST

/* A failure that a baseline lists, or that is not run, is not mended; nor is one new because the
 * list lost it. A run without all results is refused. */
START_TEST(hidden_failures_are_no_fixes)
{
    char a[64], b[64];
    char *there[] = {"golden", "compare", a, b, NULL}, *back[] = {"golden", "compare", b, a, NULL};

    path_in_folder(a, "a.jsonl");
    path_in_folder(b, "b.jsonl");
    write_text(a, "{\"novem\":\"x\"}\n{\"case\":\"listed\",\"verdict\":\"fail\"}\n"
                  "{\"case\":\"left\",\"verdict\":\"fail\"}\n");
    write_text(b, "{\"novem\":\"x\"}\n{\"case\":\"listed\",\"verdict\":\"expected fail\"}\n"
                  "{\"case\":\"left\",\"verdict\":\"skipped\"}\n");
    says(run_command(tool_golden, TOOL_OK, 4, there), "other verdicts: 2");
    says(run_command(tool_golden, TOOL_DIFFERS, 4, back), "new failures: 1\n  left");
    write_text(b, "{\"novem\":\"x\",\"cases\":2}\n{\"case\":\"listed\",\"verdict\":\"fail\"}\n");
    run_command(tool_golden, TOOL_ERROR, 4, there);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/compare");
    TCase *tc = tcase_create("golden/compare");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, changes_are_listed);
    tcase_add_test(tc, hidden_failures_are_no_fixes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
