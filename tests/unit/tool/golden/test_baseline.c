/* Baselines of `novem golden`: known failures, new ones and fixes. */
#include "unit/tool/golden_run.h"

static const char text[] = "[[case]]\nname = 'p'\nreference = 'a.png'\ncandidate = 'b.png'\n"
                           "[[case]]\nname = 'q'\nreference = 'a.png'\ncandidate = 'c.png'\n";

static const char *run_with(int expected, const char *baseline)
{
    char manifest[64], out[64];
    char *args[] = {"golden", "run", manifest, "-o", out, "--baseline", (char *)baseline, NULL};

    path_in_folder(manifest, "m.toml");
    path_in_folder(out, "out");
    write_text(manifest, text);
    return run_command(tool_golden, expected, 7, args);
}

START_TEST(known_failures_are_expected)
{
    char out[64], file[64];
    char *write[] = {"golden", "baseline", out, "-o", file, NULL};

    path_in_folder(out, "out");
    path_in_folder(file, "known.txt");
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    save_grey("c.png", 0, 0, 0, 0);
    write_text(file, "# nothing is known\n");
    says(run_with(TOOL_DIFFERS, file), "1 pass, 1 fail");
    ck_assert_ptr_null(strstr(run_with(TOOL_DIFFERS, file), "warning"));
    run_command(tool_golden, TOOL_OK, 5, write);
    holds("known.txt", "\np\tfail\n");
    says(run_with(TOOL_OK, file), "1 pass, 1 expected fail");
    holds("out/results.jsonl", "in the baseline (fail: max 5");
    run_command(tool_golden, TOOL_OK, 5, write); /* a known failure stays in the next baseline */
    holds("known.txt", "\np\tfail\n");
    write_text(file, "p\tblend of the driver, ticket 7\tsince May\r\n");
    run_with(TOOL_OK, file);
    run_command(tool_golden, TOOL_OK, 5, write);
    holds("known.txt", "\np\tblend of the driver, ticket 7\tsince May\n");
    write_text(file, "p\n");
    run_with(TOOL_OK, file);
    run_command(tool_golden, TOOL_OK, 5, write);
    holds("known.txt", "\np\n");
    save_grey("b.png", 0, 0, 0, 0);
    save_grey("c.png", 20, 9, 6, 5);
    says(run_with(TOOL_DIFFERS, file), "1 fixed, 1 fail");
    save_grey("c.png", 0, 0, 0, 0);
    says(run_with(TOOL_OK, file), "fixed           p");
    write_text(file, "gone\n");
    says(run_with(TOOL_OK, file), "known.txt:1: warning: the manifest has no case 'gone'");
    run_with(TOOL_ERROR, "/no/such/file");
}
END_TEST

/* Whatever ends without a right picture is a failure. */
START_TEST(every_failure_can_be_known)
{
    static const char *const verdicts[] = {"fail", "missing", "crashed", "timed out"};
    char shard[64], file[64], text[256];
    char *write[] = {"golden", "baseline", shard, "-o", file, NULL};

    path_in_folder(shard, "shard.jsonl");
    path_in_folder(file, "known.txt");
    for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
        snprintf(text, sizeof(text),
                 "{\"novem\":\"x\",\"manifest\":\"m.toml\"}\n"
                 "{\"case\":\"p\",\"verdict\":\"%s\"}\n",
                 verdicts[i]);
        write_text(shard, text);
        run_command(tool_golden, TOOL_OK, 5, write);
        snprintf(text, sizeof(text), "\np\t%s\n", verdicts[i]);
        holds("known.txt", text);
    }
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("c.png", 0, 0, 0, 0);
    write_text(file, "p\n"); /* there is no b.png */
    says(run_with(TOOL_OK, file), "1 pass, 1 expected fail");
    holds("out/results.jsonl", "in the baseline (missing: ");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/baseline");
    TCase *tc = tcase_create("golden/baseline");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, known_failures_are_expected);
    tcase_add_test(tc, every_failure_can_be_known);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
