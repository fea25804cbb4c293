/* `novem cost`: options, shaders one after another, and where the figures go.
 *
 * Tested by tests/unit/tool/cost/test_cost.c. */
#include "tool/cost/cost.h"

#include "tool/cli/cli.h"
#include "tool/cost/report.h"
#include "util/alloc.h"
#include "util/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHADERS = 256 };

struct options {
    const char *command, *isa, *path, *compare;
    const char *file[MAX_SHADERS];
    struct cost_options job;
    double seconds, tolerance;
    bool json, csv, machine_code;
};

struct shaders {
    struct cost_job job[MAX_SHADERS]; /* the reports refer to their code */
    struct cost_report report[MAX_SHADERS];
    const struct cost_report *sorted[MAX_SHADERS]; /* the costliest first */
    size_t n;
};

static int costlier(const void *a, const void *b)
{
    const struct cost_report *x = *(const struct cost_report *const *)a;
    const struct cost_report *y = *(const struct cost_report *const *)b;

    return (x->ns < y->ns) - (x->ns > y->ns);
}

/* --- Output ----------------------------------------------------------------------------------- */

static int print_json(const struct options *o, const struct shaders *s, FILE *out)
{
    cJSON *all = cost_json(s->sorted, s->n);
    char *text = all ? cJSON_Print(all) : NULL;

    if (text)
        fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(all);
    return text ? TOOL_OK : tool_error(o->command, "out of memory");
}

static int print(const struct options *o, const struct shaders *s, FILE *out)
{
    if (o->json)
        return print_json(o, s, out);
    if (o->csv)
        cost_print_csv(s->sorted, s->n, out);
    else if (s->n == 1)
        cost_print(s->sorted[0], out);
    else
        cost_print_table(s->sorted, s->n, out);
    for (size_t i = 0; o->machine_code && i < s->n; i++)
        cost_print_machine(s->sorted[i], out);
    return TOOL_OK;
}

/* With a base, figures go to a file if one is asked for, and the comparison is printed. */
static int write_costs(const struct options *o, const struct shaders *s)
{
    bool to_file = o->path && strcmp(o->path, "-") != 0;
    FILE *out = to_file ? path_open(o->path, "w") : stdout;
    int code = TOOL_OK;

    if (!out)
        return tool_write_error(o->command, o->path);
    if (to_file || !o->compare)
        code = print(o, s, out);
    errno = 0;
    if (to_file && !tool_file_close(out, o->path))
        return tool_write_error(o->command, o->path);
    if (code != TOOL_OK || !o->compare)
        return code;
    return cost_compare(o->command, o->compare, s->sorted, s->n, o->tolerance, stdout);
}

/* --- Measuring -------------------------------------------------------------------------------- */

static int select_isa(const struct options *o)
{
    for (int isa = 0; o->isa && isa < ISA_COUNT; isa++)
        if (!strcmp(o->isa, cpu_isa_name((enum cpu_isa)isa)))
            return cpu_set_isa((enum cpu_isa)isa) == ST_OK
                       ? TOOL_OK
                       : tool_error(o->command, "--isa %s: this processor or build lacks it",
                                    o->isa);
    return o->isa ? tool_error(o->command, "--isa %s: scalar, sse2, neon, avx2 or avx512", o->isa)
                  : TOOL_OK;
}

static int measure_one(const struct options *o, const char *path, struct cost_job *job,
                       struct cost_report *report)
{
    int code = cost_job_open(job, o->command, path, &o->job);

    return code == TOOL_OK ? cost_report_make(report, job, o->seconds) : code;
}

static int run(const struct options *o, struct shaders *s)
{
    int code = select_isa(o);

    for (; code == TOOL_OK && s->n < MAX_SHADERS && o->file[s->n]; s->n++) {
        code = measure_one(o, o->file[s->n], &s->job[s->n], &s->report[s->n]);
        s->sorted[s->n] = &s->report[s->n];
    }
    qsort(s->sorted, s->n, sizeof(*s->sorted), costlier);
    return code == TOOL_OK ? write_costs(o, s) : code;
}

static int check(const struct options *o)
{
    if (o->json + o->csv > 1 || (o->machine_code && (o->json || o->csv)))
        return tool_error(o->command, "only one of --json, --csv and --machine-code is possible");
    if (!(o->seconds > 0.0 && o->seconds <= 3600.0))
        return tool_error(o->command, "--seconds: more than 0, up to 3600");
    for (unsigned i = 0; i < MAX_SHADERS && o->file[i] && o->path; i++)
        if (tool_file_is_same(o->path, o->file[i]))
            return tool_error(o->command, "%s is a shader", o->path);
    if (o->path && o->compare && tool_file_is_same(o->path, o->compare))
        return tool_error(o->command, "%s is the base of the comparison", o->path);
    return TOOL_OK;
}

int tool_cost(int argc, char **argv)
{
    static struct options o;
    struct shaders *s = NULL;
    double percent = 5.0;
    int code;

    o = (struct options){.command = argv[0],
                         .seconds = 1.0,
                         .job.textures = {.fallback = "checker", .filter = "linear"}};
    const struct tool_option options[] = {
        {"--isa", "NAME", "scalar, sse2, neon, avx2 or avx512 (default: the best)", OPT_TEXT,
         &o.isa},
        {"--interpret", NULL, "interpret the shader, without machine code", OPT_FLAG,
         &o.job.interpret},
        {"--seconds", "S", "time to measure each shader (default: 1)", OPT_REAL, &o.seconds},
        {"--machine-code", NULL, "list the machine code below its instructions", OPT_FLAG,
         &o.machine_code},
        {"--json", NULL, "print JSON", OPT_FLAG, &o.json},
        {"--csv", NULL, "print CSV, a line for each instruction", OPT_FLAG, &o.csv},
        {"--compare", "FILE", "compare with the JSON of an earlier run; exit code 1: worse",
         OPT_TEXT, &o.compare},
        {"--tolerance", "PERCENT", "how much more is worse (default: 5)", OPT_REAL, &percent},
        {"-o", "FILE", "write the figures to a file", OPT_TEXT, &o.path},
        RUN_SETTINGS_OPTIONS(&o.job.settings, &o.job.textures),
        TOOL_SHADER_OPTIONS(o.job.source),
    };
    const struct tool_usage usage = {
        "cost SHADER… [options]",
        "Measures what shaders cost on this processor: the time, the processor's instructions\n"
        "and cycles for a pixel or vertex, and the part of each instruction of the shader.\n"
        "Counts slots and registers against the limits of the shader's model, and the shortest\n"
        "and longest path through branches. Several shaders make a table, the costliest first.\n"
        "Inputs without a value take values from 0.05 to 1.05, constants about 0.4, samplers a\n"
        "checkerboard with linear filters (here the default). Comments of the shader can say\n"
        "more: ; range texcoord0 -1 1, ; set c4 0.1 0.2 0.3 1.",
        options,
        sizeof(options) / sizeof(options[0]),
        1,
        MAX_SHADERS,
    };

    code = tool_parse(&usage, argc, argv, o.file);
    o.tolerance = percent / 100.0;
    if (code >= 0 || (code = check(&o)) != TOOL_OK)
        return code;
    s = mem_calloc(1, sizeof(*s));
    if (!s)
        return tool_error(o.command, "out of memory");
    code = run(&o, s);
    for (size_t i = 0; i < MAX_SHADERS; i++) {
        cost_report_fini(&s->report[i]);
        cost_job_close(&s->job[i]);
    }
    mem_free(s);
    return code;
}
