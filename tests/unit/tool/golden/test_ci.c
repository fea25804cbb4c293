/* `novem golden run` for continuous integration: skipped cases, summary, annotations, errors. */
#include "unit/tool/golden_run.h"

START_TEST(skipped_cases_do_not_run)
{
    save_grey("a.png", 0, 0, 0, 0);
    says(golden(TOOL_OK, "[[case]]\nname = 'p'\nreference = 'a.png'\nskip = 'hangs'\n", folder,
                NULL),
         "skipped         p                                        hangs");
    holds("out/results.jsonl", "\"skip\":\"hangs\"");
    holds("out/junit.xml", "skipped=\"1\"");
    holds("out/junit.xml", "<skipped message=\"hangs\"/>");
    holds("out/report.html", "\"verdict\":\"skipped\"");
}
END_TEST

START_TEST(skipped_scenes_are_not_rendered)
{
    char path[64], text[512], candidate[128];

    path_in_folder(path, "x.d9t");
    write_text(path, "clear ff0000\n");
    snprintf(text, sizeof(text),
             "[reference]\nscene = 'touch %s/reference; : {out}'\n"
             "[[case]]\nscene = 'x.d9t'\nskip = 'hangs'\n",
             folder);
    snprintf(candidate, sizeof(candidate), "touch %s/candidate; : {out}", folder);
    says(golden(TOOL_OK, text, candidate, NULL), "hangs");
    path_in_folder(path, "reference");
    ck_assert_int_ne(access(path, F_OK), 0);
    path_in_folder(path, "candidate");
    ck_assert_int_ne(access(path, F_OK), 0);
    /* Without a candidate only a suite that runs nothing passes. */
    snprintf(text, sizeof(text), "[[case]]\nscene = 'x.d9t'\nskip = 'hangs'\n");
    path_in_folder(path, "m.toml");
    write_text(path, text);
    path_in_folder(candidate, "out");
    run_command(tool_golden, TOOL_OK, 5, (char *[]){"golden", "run", path, "-o", candidate, NULL});
}
END_TEST

/* Results come from other machines: no line number of theirs is out of range. */
static void merged_line_is_positive(void)
{
    char shard[64], out[64];
    char *args[] = {"golden", "merge", shard, "-o", out, "--annotations", "github", NULL};

    path_in_folder(shard, "shard.jsonl");
    path_in_folder(out, "merged");
    write_text(shard, "{\"novem\":\"x\",\"manifest\":\"m.toml\"}\n"
                      "{\"case\":\"a\",\"verdict\":\"fail\",\"line\":-5}\n");
    says(run_command(tool_golden, TOOL_DIFFERS, 7, args), "m.toml,line=1,title=a::fail");
}

START_TEST(summary_and_annotations)
{
    char manifest[64], out[64], summary[64];
    char *args[] = {"golden",    "run",   manifest,        "-o",     out,
                    "--summary", summary, "--annotations", "github", NULL};
    const char *printed;

    path_in_folder(manifest, "m.toml");
    path_in_folder(out, "out");
    path_in_folder(summary, "s.md");
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    write_text(manifest, "[[case]]\nname = 'p,|q'\nreference = 'a.png'\ncandidate = 'b.png'\n");
    printed = run_command(tool_golden, TOOL_DIFFERS, 9, args);
    says(printed, "m.toml,line=1,title=p%2C|q::fail: max 5, 6 pixels");
    holds("s.md", "## Golden images: not as expected");
    holds("s.md", "| fail | 1 |");
    holds("s.md", "| fail | p,\\|q | max 5");
    setenv("GITHUB_STEP_SUMMARY", summary, 1);
    args[8] = "none";
    ck_assert_ptr_null(strstr(run_command(tool_golden, TOOL_DIFFERS, 9, args), "::error"));
    unsetenv("GITHUB_STEP_SUMMARY");
    holds("s.md", " |\n## Golden images");
    args[8] = "gitlab";
    run_command(tool_golden, TOOL_ERROR, 9, args);
    merged_line_is_positive();
}
END_TEST

/* A summary has fixes, and so many rows that it stays readable. */
START_TEST(summary_has_what_changed)
{
    enum { CASES = 502 };
    char manifest[64], out[64], summary[64], known[64];
    char *args[] = {"golden",    "run",   manifest,     "-o",  out,
                    "--summary", summary, "--baseline", known, NULL};
    FILE *file;

    path_in_folder(manifest, "m.toml");
    path_in_folder(out, "out");
    path_in_folder(summary, "s.md");
    path_in_folder(known, "known.txt");
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 20, 9, 6, 5);
    file = fopen(manifest, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "[[case]]\nname = 'better'\nreference = 'a.png'\ncandidate = 'a.png'\n");
    for (unsigned i = 0; i < CASES; i++)
        fprintf(file, "[[case]]\nname = 'n%u'\nreference = 'a.png'\ncandidate = 'b.png'\n", i);
    ck_assert_int_eq(fclose(file), 0);
    write_text(known, "better\n");
    run_command(tool_golden, TOOL_DIFFERS, 9, args);
    holds("s.md", "| fixed | better |");
    holds("s.md", "\n3 more cases are in the report.\n");
    run_command(tool_golden, TOOL_DIFFERS, 9, args); /* another run replaces it */
    {
        uint8_t *bytes;
        size_t n;
        const char *first;

        ck_assert_int_eq(tool_file_read(summary, &bytes, &n), ST_OK);
        first = strstr((char *)bytes, "## Golden");
        ck_assert(first && !strstr(first + 1, "## Golden"));
        mem_free(bytes);
    }
}
END_TEST

START_TEST(no_candidate_is_an_error)
{
    char manifest[64], out[64];
    char *args[] = {"golden", "run", manifest, "-o", out, NULL};

    path_in_folder(manifest, "m.toml");
    path_in_folder(out, "out");
    save_grey("a.png", 0, 0, 0, 0);
    write_text(manifest, "[[case]]\nname = 'p'\nreference = 'a.png'\n");
    says(run_command(tool_golden, TOOL_ERROR, 5, args), "no candidate: --candidate gives");
}
END_TEST

START_TEST(failed_reference_tells_its_first_cause)
{
    static const char text[] =
        "[reference]\nscene = 'echo; echo cause; echo effect; : {out}; exit 1'\n"
        "[[case]]\nscene = 'x.d9t'\n";
    char path[64];

    path_in_folder(path, "x.d9t");
    write_text(path, "clear ff0000\n");
    says(golden(TOOL_ERROR, text, "true {out}", NULL), "the reference produced no picture; cause");
}
END_TEST

/* References with such a setting would be wrong; candidates set it in their command. */
START_TEST(settings_that_change_pictures_are_refused)
{
    static char *const subcommands[] = {"run", "bisect"};
    char out[64], *args[] = {"golden", subcommands[_i], "x", "--candidate", "true", "-o", out, NULL};

    path_in_folder(out, "out");
    setenv("NOVEM_MUL_ZERO", "ieee", 1);
    says(run_command(tool_golden, TOOL_ERROR, 7, args),
         "MUL_ZERO = ieee (NOVEM_MUL_ZERO) changes pictures");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/ci");
    TCase *tc = tcase_create("golden/ci");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_test(tc, skipped_cases_do_not_run);
    tcase_add_test(tc, skipped_scenes_are_not_rendered);
    tcase_add_test(tc, summary_and_annotations);
    tcase_add_test(tc, summary_has_what_changed);
    tcase_add_test(tc, no_candidate_is_an_error);
    tcase_add_test(tc, failed_reference_tells_its_first_cause);
    tcase_add_loop_test(tc, settings_that_change_pictures_are_refused, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
