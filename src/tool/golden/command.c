/* `novem golden`: command lines of the subcommands run, merge, compare, baseline and accept.
 *
 * Tested by tests/unit/tool/golden/test_record.c and tests/unit/tool/golden/test_accept.c. */
#include "tool/golden/baseline.h"
#include "tool/golden/compare.h"
#include "tool/golden/manifest.h"
#include "tool/golden/result.h"
#include "tool/golden/run.h"
#include "tool/golden/files.h"
#include "tool/golden/golden.h"
#include "tool/golden/record.h"
#include "tool/cli/cli.h"
#include "tool/golden/accept.h"
#include "tool/frame/frame.h"
#include "util/alloc.h"
#include "util/plural.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports for continuous integration. */
struct ci {
    const char *summary, *annotations;
};

struct request {
    const char *manifest, *shard, *baseline;
    struct ci ci;
    struct golden_choice choice;
    struct tool_list filter;
    struct golden_options options;
    bool update;
};

/* Parses "2/8", the second of eight shards. */
static bool parse_shard(const char *text, unsigned *index, unsigned *n)
{
    int end = -1;

    *index = 0;
    *n = 1;
    if (!text)
        return true;
    if (sscanf(text, "%6u/%6u%n", index, n, &end) != 2 || end < 0 || text[end])
        return false;
    *index -= 1; /* 0 wraps to a value that the check rejects */
    return *index < *n;
}

static bool wanted(const struct request *request, const char *name)
{
    bool any = !request->filter.n;

    for (unsigned i = 0; i < request->filter.n; i++)
        any |= golden_matches(request->filter.text[i], name);
    return any;
}

/* Whether a command of the command line is not for this kind of case. */
static bool is_left_out(const struct golden_runner *candidate, const struct golden_case *c)
{
    return candidate->is_partial && !c->broken &&
           ((c->kind == GOLDEN_CAPTURE && !candidate->capture) ||
            (c->kind == GOLDEN_SCENE && !candidate->scene));
}

/* Selects the cases of a shard. An empty shard is valid; a filter that matches no case at all is an
 * error. */
static bool narrow(const struct request *request, unsigned index, unsigned shards,
                   struct golden_manifest *m)
{
    size_t n = 0, left_out = 0;

    for (size_t i = 0; i < m->n_cases; i++) {
        if (!wanted(request, m->cases[i].name))
            continue;
        if (is_left_out(&m->candidate, &m->cases[i])) {
            left_out++;
            continue;
        }
        m->selected++;
        if (golden_shard(m->cases[i].name, shards) == index)
            m->cases[n++] = m->cases[i];
    }
    if (left_out)
        tool_error(request->options.command,
                   PLURAL_FORMAT " left out: the candidate's command takes no %s (docs/golden.md)",
                   PLURAL(left_out, "case is", "cases are"),
                   m->candidate.scene ? "{capture}" : "{scene} and no {list}");
    if (!m->selected && !left_out)
        tool_error(request->options.command, "%s: %s", m->path,
                   m->n_cases ? "no case matches --filter" : "has no cases");
    m->n_cases = n;
    return m->selected != 0;
}

/* Accepts all candidate pictures of the run. Errors keep their exit code. */
static int update(const struct request *request, const struct records *records, int code)
{
    const struct accept_options options = {.command = request->options.command, .apply = true};
    int accepted = golden_accept(records, &options);

    return code == TOOL_ERROR ? code : accepted;
}

/* Returns false after an error message. */
static bool write_reports(const struct records *records, const char *folder, const char *command)
{
    char *junit = golden_format("%s/junit.xml", folder);
    bool good = junit && report_junit(records, junit) && report_html(records, folder);

    if (!good)
        tool_error(command, "%s: the reports cannot be written%s%s", folder, errno ? ": " : "",
                   errno ? strerror(errno) : "");
    mem_free(junit);
    return good;
}

static bool is_ci_known(const struct ci *ci, const char *command)
{
    if (!ci->annotations || !strcmp(ci->annotations, "github") || !strcmp(ci->annotations, "none"))
        return true;
    tool_error(command, "--annotations must be github or none, not '%s'", ci->annotations);
    return false;
}

/* GitHub sets GITHUB_ACTIONS in every workflow. Returns false after an error message. */
static bool report_ci(const struct ci *ci, const struct records *records, const char *command)
{
    const char *github = getenv("GITHUB_ACTIONS");

    if (ci->annotations ? !strcmp(ci->annotations, "github") : github && !strcmp(github, "true"))
        report_annotations(records);
    if (!ci->summary || report_summary(records, ci->summary))
        return true;
    tool_write_error(command, ci->summary);
    return false;
}

/* Writes all reports from the results file, as for merged shards. */
static int report(const struct request *request, const struct golden_manifest *manifest,
                  const struct golden_result *results)
{
    const char *command = request->options.command, *out = request->options.out;
    struct records records = {0};
    char *json = golden_format("%s/results.jsonl", out);
    int code = TOOL_ERROR;

    if (!json || golden_write_json(json, manifest, results, manifest->n_cases) != ST_OK) {
        tool_write_error(command, out);
    } else if (records_read(&records, json, command)) {
        records_sort(&records);
        records_print(&records);
        if (write_reports(&records, out, command) && report_ci(&request->ci, &records, command))
            code = golden_exit_code(&records.summary);
        if (request->update)
            code = update(request, &records, code);
    }
    records_free(&records);
    mem_free(json);
    return code;
}

/* Fails if a case needs a candidate and none is given. */
static bool has_candidate(const struct golden_manifest *m, const char *command)
{
    const struct golden_runner *candidate = &m->candidate;

    if (candidate->scene || candidate->capture || candidate->folder)
        return true;
    for (size_t i = 0; i < m->n_cases; i++) {
        const struct golden_case *c = &m->cases[i];

        if (c->broken || c->skip || (c->kind == GOLDEN_IMAGE && c->candidate))
            continue;
        tool_error(command, "no candidate: --candidate gives a folder, a command or a name");
        return false;
    }
    return true;
}

static int run(const struct request *request, struct golden_manifest *manifest)
{
    struct golden_result *results = mem_calloc(manifest->n_cases + 1, sizeof(*results));
    int code = TOOL_ERROR;

    if (!results)
        return tool_error(request->options.command, "out of memory");
    if (golden_run(manifest, &request->options, results))
        code = report(request, manifest, results);
    golden_results_free(results, manifest->n_cases);
    return code;
}

static bool programs_exist(const struct golden_runner *runner)
{
    return tool_programs_exist("golden run", runner->scene) &&
           tool_programs_exist("golden run", runner->capture);
}

static int run_command(int argc, char **argv)
{
    struct request request = {.options = {.command = "golden run", .out = "golden-out"}};
    const struct tool_option options[] = {
        {"--candidate", "WHAT",
         "a folder of PNGs, a command, or a [candidate.WHAT] of the manifest", OPT_TEXT,
         &request.choice.candidate},
        {"--backend", "KEY", "vendor/driver whose goldens and exceptions apply", OPT_TEXT,
         &request.choice.backend},
        {"--baseline", "FILE", "known failures (see golden baseline); others fail the run",
         OPT_TEXT, &request.baseline},
        {"--filter", "GLOB", "only cases with matching names; may be repeated", OPT_LIST,
         &request.filter},
        {"--jobs", "N", "concurrent cases (default: one per processor)", OPT_UINT,
         &request.options.jobs},
        {"--shard", "I/N", "run only the I-th of N parts", OPT_TEXT, &request.shard},
        {"-o", "DIR", "folder for results (default: golden-out)", OPT_TEXT, &request.options.out},
        {"--summary", "FILE.md", "write a summary in Markdown", OPT_TEXT, &request.ci.summary},
        {"--annotations", "KIND", "github or none (default: github if GITHUB_ACTIONS is true)",
         OPT_TEXT, &request.ci.annotations},
        {"--update", NULL, "accept the candidate's pictures as goldens, like golden accept --yes",
         OPT_FLAG, &request.update},
        {"--keep", NULL, "also keep pictures of cases that pass", OPT_FLAG, &request.options.keep},
        {"--quiet", NULL, "no progress", OPT_FLAG, &request.options.quiet},
    };
    const struct tool_usage usage = {
        "golden run MANIFEST [options]",
        "Compares a candidate's pictures with goldens, or with Novem's pictures (docs/golden.md).\n"
        "Exit code: 0 all as expected, 1 some not, 2 bad input.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        1,
    };
    struct golden_manifest manifest;
    unsigned index, shards;
    int code = tool_parse(&usage, argc, argv, &request.manifest);

    if (code >= 0)
        return code;
    if (!tool_pictures_are_reference("golden run") || !is_ci_known(&request.ci, "golden run"))
        return TOOL_ERROR;
    if (!parse_shard(request.shard, &index, &shards))
        return tool_error("golden run", "--shard must be I/N, from 1/N to N/N, not '%s'",
                          request.shard);
    if (!golden_manifest_load(&manifest, request.manifest, &request.choice, "golden run"))
        return TOOL_ERROR;
    code = (!request.baseline || baseline_read(&manifest, request.baseline, "golden run")) &&
                   narrow(&request, index, shards, &manifest) &&
                   has_candidate(&manifest, "golden run") && programs_exist(&manifest.candidate) &&
                   programs_exist(&manifest.reference)
               ? run(&request, &manifest)
               : TOOL_ERROR;
    golden_manifest_free(&manifest);
    return code;
}

/* Fails if results of a shard are missing, so that an incomplete run cannot pass. */
static bool is_whole(const struct records *records, const char *command)
{
    double selected = record_number(records->run, "cases", 0.0);

    if ((double)records->n >= selected)
        return true;
    tool_error(command, "%.0f of %.0f cases have no result: a shard is missing",
               selected - (double)records->n, selected);
    return false;
}

static int merge_command(int argc, char **argv)
{
    const char *files[256], *out = "golden-out";
    struct ci ci = {NULL, NULL};
    const struct tool_option options[] = {
        {"-o", "DIR", "folder for the merged results (default: golden-out)", OPT_TEXT, &out},
        {"--summary", "FILE.md", "write a summary in Markdown", OPT_TEXT, &ci.summary},
        {"--annotations", "KIND", "github or none (default: github if GITHUB_ACTIONS is true)",
         OPT_TEXT, &ci.annotations},
    };
    const struct tool_usage usage = {
        "golden merge DIR ... [-o DIR]",
        "Merges the results of shards and writes their reports; of two results for one case the\n"
        "later one counts. Run it in the folder where the shards ran, because paths of pictures "
        "are\n"
        "relative to it. The exit codes are those of golden run.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        sizeof(files) / sizeof(files[0]),
    };
    struct records records = {0};
    int code = tool_parse(&usage, argc, argv, files);
    bool good = true;

    if (code >= 0)
        return code;
    if (!is_ci_known(&ci, "golden merge"))
        return TOOL_ERROR;
    for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]) && files[i] && good; i++)
        good = records_read(&records, files[i], "golden merge");
    if (good) {
        records_sort(&records);
        records_print(&records);
        bool whole = is_whole(
            &records, "golden merge"); /* else a summary would say that all is as expected */

        good = records_write(&records, out, "golden merge") &&
               write_reports(&records, out, "golden merge") && whole &&
               report_ci(&ci, &records, "golden merge");
    }
    code = good ? golden_exit_code(&records.summary) : TOOL_ERROR;
    records_free(&records);
    return code;
}

static int compare_command(int argc, char **argv)
{
    const char *files[2], *page = NULL;
    const struct tool_option options[] = {
        {"-o", "FILE.html", "also write the changes as a page", OPT_TEXT, &page},
    };
    const struct tool_usage usage = {
        "golden compare RUN1 RUN2 [-o FILE.html]",
        "Prints new failures, fixes and changed numbers from RUN1 to RUN2; each is a folder of\n"
        "results or a results.jsonl. Exit code: 0 no new failure, 1 new failures, 2 bad input.",
        options,
        sizeof(options) / sizeof(options[0]),
        2,
        2,
    };
    struct records runs[2] = {{0}, {0}};
    int code = tool_parse(&usage, argc, argv, files);

    if (code >= 0)
        return code;
    code = TOOL_ERROR;
    if (records_read(&runs[0], files[0], "golden compare") &&
        records_read(&runs[1], files[1], "golden compare")) {
        records_sort(&runs[0]);
        records_sort(&runs[1]);
        if (is_whole(&runs[0], "golden compare") && is_whole(&runs[1], "golden compare"))
            code = golden_compare_runs(&runs[0], &runs[1], page, "golden compare");
    }
    records_free(&runs[0]);
    records_free(&runs[1]);
    return code;
}

static int baseline_command(int argc, char **argv)
{
    const char *file, *out = NULL;
    const struct tool_option options[] = {
        {"-o", "FILE", "write to a file (default: standard output)", OPT_TEXT, &out},
    };
    const struct tool_usage usage = {
        "golden baseline [DIR] [-o FILE]",
        "Lists the failures of a run (default: golden-out), as golden run --baseline reads them.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        1,
    };
    struct records records = {0};
    int code = tool_parse(&usage, argc, argv, &file);

    if (code >= 0)
        return code;
    code = TOOL_ERROR;
    if (records_read(&records, file ? file : "golden-out", "golden baseline")) {
        records_sort(&records);
        code = baseline_write(&records, out, "golden baseline") ? TOOL_OK : TOOL_ERROR;
    }
    records_free(&records);
    return code;
}

static int accept_command(int argc, char **argv)
{
    const char *file = NULL;
    struct tool_list filter = {.n = 0};
    struct accept_options accept = {.command = "golden accept", .filter = &filter};
    const struct tool_option options[] = {
        {"--filter", "GLOB", "only cases with matching names; may be repeated", OPT_LIST, &filter},
        {"--add", NULL, "add another golden (x.2.png) instead of replacing one", OPT_FLAG,
         &accept.add},
        {"--yes", NULL, "apply the changes", OPT_FLAG, &accept.apply},
    };
    const struct tool_usage usage = {
        "golden accept [DIR] [options]",
        "Prints the changes that make a run (default: golden-out) pass: pictures that become\n"
        "goldens, and a patch of the manifest. --yes applies them.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        1,
    };
    struct records records = {0};
    int code = tool_parse(&usage, argc, argv, &file);

    if (code >= 0)
        return code;
    code = TOOL_ERROR;
    if (records_read(&records, file ? file : "golden-out", accept.command)) {
        records_sort(&records);
        code = golden_accept(&records, &accept);
    }
    records_free(&records);
    return code;
}

int tool_golden(int argc, char **argv)
{
    static const struct tool_command commands[] = {
        {"run", "run the cases of a manifest and compare", run_command},
        {"accept", "accept a candidate's pictures as goldens", accept_command},
        {"merge", "merge the results of shards", merge_command},
        {"compare", "print what changed between two runs", compare_command},
        {"baseline", "list the failures of a run as known", baseline_command},
        {"bisect", "find the first draw of a capture after which its target differs", tool_bisect},
    };
    const struct tool_commands all = {commands, sizeof(commands) / sizeof(commands[0])};

    return tool_run_subcommand("golden", &all, argc, argv);
}
