/* `novem bench`: options, the run, and its outputs.
 *
 * Tested by tests/unit/tool/bench/test_command.c. */
#include "tool/bench/bench.h"
#include "tool/bench/compare.h"
#include "tool/bench/run.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/output_file.h"
#include "util/path.h"
#include "util/suggestion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHADERS = 128, LONGEST_WORD = 32 };

struct options {
    const char *command, *shader[SHADERS];
    const char *groups, *isas, *mode, *threads, *only, *path, *svg, *base, *from;
    double seconds, tolerance;
    unsigned passes;
    bool quick, json, csv, list;
};

/* --- Words of options ------------------------------------------------------------------------- */

/* The next word of a list with commas; false: there is none. */
static bool next_word(const char **text, char word[LONGEST_WORD])
{
    size_t n = strcspn(*text, ",");

    if (!n && !**text)
        return false;
    snprintf(word, LONGEST_WORD, "%.*s", (int)n, *text);
    *text += n + ((*text)[n] == ',');
    return true;
}

static int choose_groups(const struct options *o, bool wanted[BENCH_GROUPS])
{
    const char *text = o->groups ? o->groups : "";
    char word[LONGEST_WORD];

    for (unsigned g = 0; g < BENCH_GROUPS; g++)
        wanted[g] = !o->groups && (!o->shader[0] || g == BENCH_SHADER);
    wanted[BENCH_CEILING] = true;
    while (next_word(&text, word)) {
        enum bench_group group = bench_group_find(word);
        struct suggestion closest;

        suggestion_init(&closest, word);
        for (unsigned g = 0; g < BENCH_GROUPS; g++)
            suggestion_offer(&closest, bench_group_name((enum bench_group)g));
        if (group == BENCH_GROUPS)
            return tool_error(o->command, "--group: no group is called '%s'" SUGGESTION_FORMAT,
                              word, SUGGESTION_ARGS(closest));
        wanted[group] = true;
    }
    return TOOL_OK;
}

static int choose_isas(const struct options *o, struct bench_plan *plan)
{
    const char *text = o->isas ? o->isas : "";
    char word[LONGEST_WORD];

    for (unsigned isa = 0; isa < ISA_COUNT; isa++)
        plan->isa[isa] = !o->isas && cpu_has_isa((enum cpu_isa)isa);
    while (next_word(&text, word)) {
        unsigned isa = 0;
        struct suggestion closest;

        suggestion_init(&closest, word);
        for (unsigned i = 0; i < ISA_COUNT; i++)
            suggestion_offer(&closest, cpu_isa_name((enum cpu_isa)i));
        while (isa < ISA_COUNT && strcmp(cpu_isa_name((enum cpu_isa)isa), word) != 0)
            isa++;
        if (isa == ISA_COUNT)
            return tool_error(o->command,
                              "--isa: no instruction set is called '%s'" SUGGESTION_FORMAT, word,
                              SUGGESTION_ARGS(closest));
        if (!cpu_has_isa((enum cpu_isa)isa))
            return tool_error(o->command, "--isa: this processor has no %s", word);
        plan->isa[isa] = true;
    }
    return TOOL_OK;
}

static int choose_modes(const struct options *o, struct bench_plan *plan)
{
    plan->compiled = !o->mode || !strcmp(o->mode, bench_mode(false));
    plan->interpreted = !o->mode || !strcmp(o->mode, bench_mode(true));
    if (plan->compiled || plan->interpreted)
        return TOOL_OK;
    return tool_error(o->command, "--mode %s: 'compiled' or 'interpreted'", o->mode);
}

static int add_threads(const struct options *o, struct bench_plan *plan, unsigned count)
{
    for (unsigned t = 0; t < plan->n_threads; t++)
        if (plan->threads[t] == count)
            return TOOL_OK;
    if (plan->n_threads == BENCH_THREADS)
        return tool_error(o->command, "--threads: more than %d counts", BENCH_THREADS);
    plan->threads[plan->n_threads++] = count;
    return TOOL_OK;
}

static int choose_threads(const struct options *o, struct bench_plan *plan)
{
    unsigned most = cpu_count() < BENCH_THREADS_MAX ? cpu_count() : BENCH_THREADS_MAX;
    const char *text = o->threads ? o->threads : "";
    int code = o->threads ? TOOL_OK : add_threads(o, plan, 1);
    char word[LONGEST_WORD], *end;

    if (!o->threads && !o->quick)
        return add_threads(o, plan, most);
    while (code == TOOL_OK && next_word(&text, word)) {
        unsigned long count = strtoul(word, &end, 10);

        if (*end || *word < '0' || *word > '9' || !count)
            return tool_error(o->command, "--threads needs numbers from 1 on, not '%s'", word);
        if (count > most)
            return tool_error(o->command, "--threads %s: this process may use only %u", word, most);
        code = add_threads(o, plan, (unsigned)count);
    }
    return code;
}

static int make_plan(const struct options *o, struct bench_plan *plan)
{
    int code;

    *plan = (struct bench_plan){
        .command = o->command, .seconds = o->seconds, .passes = o->passes, .progress = isatty(2)};
    if (plan->seconds < 0)
        plan->seconds = o->quick ? 3 : 60;
    if (!plan->passes)
        plan->passes = o->quick ? 3 : 5;
    if (plan->passes > MEASURE_PASSES)
        return tool_error(o->command, "--passes %u: at most %d", plan->passes, MEASURE_PASSES);
    if ((code = choose_isas(o, plan)) != TOOL_OK || (code = choose_modes(o, plan)) != TOOL_OK)
        return code;
    return choose_threads(o, plan);
}

/* --- Subjects --------------------------------------------------------------------------------- */

static int add_subjects(const struct options *o, struct bench_subjects *s)
{
    bool wanted[BENCH_GROUPS];
    unsigned n = 0;
    int code = choose_groups(o, wanted);

    while (n < SHADERS && o->shader[n])
        n++;
    if (code == TOOL_OK)
        code = bench_add_ceiling(s);
    if (code == TOOL_OK && wanted[BENCH_OPERATION])
        code = bench_add_operations(s);
    if (code == TOOL_OK && wanted[BENCH_FLOW])
        code = bench_add_flow(s);
    if (code == TOOL_OK && wanted[BENCH_SAMPLER])
        code = bench_add_samplers(s);
    if (code == TOOL_OK && (wanted[BENCH_SHADER] || n))
        code = bench_add_shaders(s, o->shader, n);
    if (code == TOOL_OK && o->only && s->n == 1 &&
        !bench_subject_wanted(s, BENCH_CEILING, s->list[0].name))
        code = tool_error(o->command, "--only %s: nothing has such a name", o->only);
    return code;
}

static int print_list(const struct options *o)
{
    const struct bench_shader *shader;
    struct job job;

    for (unsigned i = 0; (shader = bench_corpus(i)); i++) {
        char profile[JOB_PROFILE];

        if (job_open(&job, o->command, shader->name, shader->text) != TOOL_OK)
            return TOOL_ERROR;
        job_profile(&job, profile);
        printf("%-16s %-7s %4u  %.*s\n", shader->name, profile, job.executed,
               (int)strcspn(shader->text + 2, "\n"), shader->text + 2);
        job_close(&job);
    }
    return TOOL_OK;
}

/* --- Output ----------------------------------------------------------------------------------- */

static bool print_results(const struct options *o, const struct bench_results *results, FILE *out)
{
    if (o->json)
        return bench_print_json(results, out);
    if (o->csv)
        bench_print_csv(results, out);
    else
        bench_print_table(results, out);
    return true;
}

static int write_results(const struct options *o, const struct bench_results *results)
{
    bool to_file = o->path && strcmp(o->path, "-") != 0, good;
    FILE *out = to_file ? path_open(o->path, "w") : stdout;

    if (!out)
        return tool_write_error(o->command, o->path);
    good = print_results(o, results, out);
    if (!good)
        tool_error(o->command, "%s", status_text(ST_NOMEM));
    errno = 0;
    if (to_file && !tool_file_close(out, o->path))
        return tool_write_error(o->command, o->path);
    return good ? TOOL_OK : TOOL_ERROR;
}

static int write_svg(const struct options *o, const struct bench_results *results)
{
    FILE *out = path_open(o->svg, "w");
    bool good;

    if (!out)
        return tool_write_error(o->command, o->svg);
    good = bench_print_svg(results, out);
    errno = 0;
    if (!tool_file_close(out, o->svg))
        return tool_write_error(o->command, o->svg);
    if (good)
        return TOOL_OK;
    output_file_discard(o->svg);
    return tool_error(o->command, "--svg: no shaders were measured on one thread");
}

/* --- The command ------------------------------------------------------------------------------ */

/* Suspects of regressions are measured once more: most of them were noise. */
static int measure_suspects(const struct bench_results *base, struct bench_results *results,
                            double tolerance, struct bench_subjects *subjects,
                            const struct bench_plan *plan)
{
    bool *suspects = mem_calloc(results->n, sizeof(*suspects));
    unsigned n = suspects ? bench_suspects(base, results, tolerance, suspects) : 0;
    struct bench_plan more = *plan;
    int code = suspects ? TOOL_OK : tool_error(plan->command, "%s", status_text(ST_NOMEM));

    more.seconds = 2 * plan->seconds * n / results->n;
    if (n)
        code = bench_run_again(results, subjects, &more, suspects);
    mem_free(suspects);
    return code;
}

static bool has_figures(const struct bench_results *results)
{
    unsigned i = 0;

    while (i < results->n && results->figure[i].group == BENCH_CEILING)
        i++;
    return i < results->n;
}

static int measure(const struct options *o, const struct bench_results *base,
                   struct bench_results *results)
{
    struct bench_subjects subjects = {.command = o->command, .only = o->only};
    struct bench_plan plan;
    int code = make_plan(o, &plan);

    bench_results_init(results);
    if (code == TOOL_OK && base && !bench_comparable(o->command, o->base, base, results))
        code = TOOL_ERROR;
    if (code == TOOL_OK)
        code = add_subjects(o, &subjects);
    if (code == TOOL_OK)
        code = bench_run(results, &subjects, &plan);
    if (code == TOOL_OK && !has_figures(results))
        code = tool_error(o->command, "there is no machine code for these instruction sets");
    if (code == TOOL_OK && base)
        code = measure_suspects(base, results, o->tolerance / 100, &subjects, &plan);
    bench_subjects_fini(&subjects);
    return code;
}

static int get_results(const struct options *o, const struct bench_results *base,
                       struct bench_results *results)
{
    int code;

    if (!o->from)
        return measure(o, base, results);
    code = bench_read_json(results, o->command, o->from);
    if (code == TOOL_OK && base && !bench_comparable(o->command, o->base, base, results))
        code = TOOL_ERROR;
    return code;
}

static bool is_any_in_both(const struct bench_results *base, const struct bench_results *results)
{
    for (unsigned i = 0; i < results->n; i++)
        if (results->figure[i].group != BENCH_CEILING &&
            bench_compare(base, results, &results->figure[i], 0).verdict != BENCH_UNKNOWN)
            return true;
    return false;
}

/* A comparison replaces the table on standard output. */
static int report(const struct options *o, const struct bench_results *base,
                  const struct bench_results *results)
{
    bool form = o->json || o->csv || o->path;
    int code = o->base && !form ? TOOL_OK : write_results(o, results);
    bool to_stdout = form && (!o->path || !strcmp(o->path, "-"));

    if (code == TOOL_OK && o->svg)
        code = write_svg(o, results);
    if (code != TOOL_OK || !o->base)
        return code;
    if (!is_any_in_both(base, results))
        return tool_error(o->command, "%s has none of the figures that were measured", o->base);
    return bench_print_comparison(base, results, o->tolerance / 100, to_stdout ? stderr : stdout)
               ? TOOL_DIFFERS
               : TOOL_OK;
}

static int check(const struct options *o)
{
    if (o->json && o->csv)
        return tool_error(o->command, "only one of --json and --csv is possible");
    if (o->from && (o->shader[0] || o->groups || o->isas || o->mode || o->threads || o->only ||
                    o->quick || o->passes || o->seconds >= 0))
        return tool_error(o->command, "--from: the file has its figures, no others can be chosen");
    if (o->path && ((o->base && tool_file_is_same(o->path, o->base)) ||
                    (o->from && tool_file_is_same(o->path, o->from))))
        return tool_error(o->command, "%s is an input", o->path);
    return TOOL_OK;
}

static int run(const struct options *o)
{
    struct bench_results base = {0}, results = {0};
    int code = check(o);

    if (code == TOOL_OK && o->list)
        return print_list(o);
    if (code == TOOL_OK && o->base)
        code = bench_read_json(&base, o->command, o->base);
    if (code == TOOL_OK)
        code = get_results(o, o->base ? &base : NULL, &results);
    if (code == TOOL_OK)
        code = report(o, &base, &results);
    bench_results_fini(&base);
    bench_results_fini(&results);
    return code;
}

int tool_bench(int argc, char **argv)
{
    struct options o = {.command = argv[0], .seconds = -1, .tolerance = 5};
    const struct tool_option options[] = {
        {"--quick", NULL, "a rough run of less than 10 s, on one thread", OPT_FLAG, &o.quick},
        {"--group", "A,B", "operation, flow, sampler, shader (default: all)", OPT_TEXT, &o.groups},
        {"--only", "TEXT", "only figures whose GROUP/NAME contains the text", OPT_TEXT, &o.only},
        {"--isa", "A,B", "instruction sets (default: all of the processor)", OPT_TEXT, &o.isas},
        {"--mode", "MODE", "only 'compiled' or only 'interpreted'", OPT_TEXT, &o.mode},
        {"--threads", "N,M", "thread counts for shaders (default: 1 and all processors)", OPT_TEXT,
         &o.threads},
        {"--seconds", "S", "time of the run without compiling (default: 60)", OPT_REAL, &o.seconds},
        {"--passes", "N", "passes over all figures; the least counts (default: 5)", OPT_UINT,
         &o.passes},
        {"--json", NULL, "print JSON", OPT_FLAG, &o.json},
        {"--csv", NULL, "print CSV", OPT_FLAG, &o.csv},
        {"-o", "FILE", "write to a file", OPT_TEXT, &o.path},
        {"--svg", "FILE", "write a plot of the shaders", OPT_TEXT, &o.svg},
        {"--compare", "BASE.json", "compare with an earlier run; exit code 1: regressions",
         OPT_TEXT, &o.base},
        {"--tolerance", "P", "percent that is no regression (default: 5)", OPT_REAL, &o.tolerance},
        {"--from", "FILE.json", "take the figures of a file instead of measuring", OPT_TEXT,
         &o.from},
        {"--list", NULL, "list the shaders of the corpus", OPT_FLAG, &o.list},
    };
    const struct tool_usage usage = {
        "bench [SHADER...] [options]",
        "Measures the shader machine: single instructions, flow control, texture lookups and a\n"
        "corpus of shaders, compiled and interpreted, for each instruction set and thread count.\n"
        "SHADER is a shader of the corpus, or a file of assembly or byte code.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        SHADERS,
    };
    int code = tool_parse(&usage, argc, argv, o.shader);

    return code < 0 ? run(&o) : code;
}
