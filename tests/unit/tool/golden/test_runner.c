/* Child processes of `novem golden run`: their ends, logs, time limits and pictures. */
#include "unit/tool/golden_run.h"

#include <signal.h>
#include <sys/stat.h>

static const char scenes[] =
    "[reference]\nscene = 'while IFS=\"\t\" read a b; do cp \"$a\" \"$b\"; done < {list}'\n"
    "[candidate.good]\nscene = 'cp {scene} {out}'\n"
    "[candidate.crash]\nscene = 'kill -SEGV $$'\n"
    "[candidate.slow]\nscene = 'sleep 60'\ntimeout = 1\n"
    "[candidate.none]\nscene = 'true'\n"
    "[candidate.code]\nscene = 'echo last words; exit 3'\n"
    "[candidate.late]\nscene = 'cp {scene} {out}; kill -ABRT $$'\n"
    "[candidate.flaky]\nscene = 'if [ -e {scene}.seen ]; then cp {scene} {out}; fi; touch "
    "{scene}.seen'\n"
    "retries = 1\n"
    "[candidate.half]\nscene = 'while IFS=\"\t\" read a b; do case \"$a\" in *b.png) kill -SEGV "
    "$$;; esac; cp \"$a\" \"$b\"; done < {list}'\n"
    "[[case]]\nscenes = '?.png'\n";

static const struct {
    const char *candidate;
    int code;
    const char *says;
} ends[] = {
    {"good", TOOL_OK, "3 cases: 3 pass"},
    {"crash", TOOL_DIFFERS, "3 cases: 3 crashed"},
    {"none", TOOL_DIFFERS, "3 cases: 3 missing"},
    {"code", TOOL_DIFFERS, "exit code 3, no picture; last words"},
    {"late", TOOL_DIFFERS, "signal 6"},
    {"flaky", TOOL_DIFFERS, "3 cases: 3 flaky"},
    {"half", TOOL_DIFFERS, "3 cases: 2 pass, 1 crashed"},
    {"/no/such/folder", TOOL_ERROR, "is not a folder"},
};

START_TEST(abnormal_ends_are_reported)
{
    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 1, 1, 1, 1);
    save_grey("c.png", 1, 2, 1, 1);
    says(golden(ends[_i].code, scenes, ends[_i].candidate, NULL), ends[_i].says);
}
END_TEST

START_TEST(logs_of_failures_are_kept)
{
    static const char text[] = "[candidate.loud]\nscene = 'echo {case}; case {case} in b) exit 3;; "
                               "esac; cp {scene} {out}'\n"
                               "[reference]\nscene = 'echo reference; cp {scene} {out}'\n"
                               "[[case]]\nscenes = '?.png'\n";
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 1, 1, 1, 1);
    says(golden(TOOL_DIFFERS, text, "loud", NULL), "1 pass, 1 crashed");
    holds("out/logs/b.log", "b\n");
    holds("out/report/000001.js", "log:\"b\\u000a\"");
    path_in_folder(path, "out/logs/a.log");
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(time_outs_end_commands)
{
    save_grey("a.png", 0, 0, 0, 0);
    says(golden(TOOL_DIFFERS, scenes, "slow", NULL), "1 timed out");
}
END_TEST

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

START_TEST(signals_end_commands)
{
    static const char text[] = "[candidate.long]\nscene = 'kill -TERM $PPID; sleep 60'\n"
                               "[[case]]\nscenes = '?.png'\ngolden = '{name}.png'\n";
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    save_grey("b.png", 0, 0, 0, 0);
    signal(SIGTERM, count_signal);
    says(golden(TOOL_ERROR, text, "long", NULL), "stopped by a signal");
    signal(SIGTERM, SIG_DFL);
    ck_assert_int_eq(signals, 1);
    path_in_folder(path, "out/results.jsonl");
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(pipes_are_refused)
{
    char path[64];

    save_grey("a.png", 0, 0, 0, 0);
    path_in_folder(path, "b.png");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    says(golden(TOOL_DIFFERS, "[[case]]\nreference = 'a.png'\ncandidate = 'b.png'\n", folder, NULL),
         "is not a regular file");
}
END_TEST

START_TEST(frames_are_cases)
{
    static const char text[] =
        "[reference]\ncapture = 'for f in 0 1 2; do cp {capture} {out}/frame-0000$f.png; done'\n"
        "[candidate.two]\ncapture = 'for f in 0 1; do cp {capture} {out}/frame-0000$f.png; done'\n"
        "[[case]]\ncapture = 'a.png'\nframes = '0-2'\n";

    save_grey("a.png", 0, 0, 0, 0);
    says(golden(TOOL_DIFFERS, text, "two", NULL), "a/frame-00002");
    says(golden(TOOL_DIFFERS, text, "two", NULL), "3 cases: 2 pass, 1 missing");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("golden/runner");
    TCase *tc = tcase_create("golden/runner");

    tcase_add_checked_fixture(tc, open_folder, close_folder);
    tcase_add_loop_test(tc, abnormal_ends_are_reported, 0, sizeof(ends) / sizeof(ends[0]));
    tcase_add_test(tc, logs_of_failures_are_kept);
    tcase_add_test(tc, time_outs_end_commands);
    tcase_add_test(tc, signals_end_commands);
    tcase_add_test(tc, pipes_are_refused);
    tcase_add_test(tc, frames_are_cases);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
