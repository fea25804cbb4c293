/* Measures a shader and gathers what is known of it.
 *
 * Tested by tests/unit/tool/cost/test_cost.c. */
#include "tool/cost/report.h"

#include "tool/cli/cli.h"
#include "tool/measure/copies.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <string.h>

static int out_of_memory(const struct cost_job *job)
{
    return tool_error(job->command, "%s: out of memory", job->path);
}

static void name_model(char *text, size_t n, const struct vm_info *info)
{
    char minor[8];

    snprintf(minor, sizeof(minor), "%u", info->minor);
    snprintf(text, n, "%cs_%u_%s", info->stage == VM_PIXEL ? 'p' : 'v', info->major,
             info->minor == 255                     ? "sw"
             : info->major == 2 && info->minor == 1 ? "x"
                                                    : minor);
}

/* --- What needs no run ------------------------------------------------------------------------ */

static int describe(struct cost_report *r, const struct cost_job *job)
{
    name_model(r->model, sizeof(r->model), job->info);
    r->path = job->path;
    r->isa = cpu_isa();
    r->pixel = job->info->stage == VM_PIXEL;
    r->lanes = cost_job_lanes(job);
    vm_program_budget(job->program, &r->budget);
    if (vm_program_paths(job->program, job->constants->i, RUN_INTS, job->constants->b, RUN_BOOLS,
                         &r->shortest, &r->longest) != ST_OK)
        return out_of_memory(job);
    return TOOL_OK;
}

/* The line of the source. False: no memory. */
static bool find_source(struct cost_line *line, const struct cost_job *job, uint32_t instr)
{
    struct vm_line at;

    if (!job->shader.lines ||
        !vm_lines_find(job->shader.lines, vm_instr_word(job->program, instr), &at))
        return true;
    line->line = at.line;
    line->assembly = at.column;
    line->file = at.file ? mem_strdup(at.file) : NULL;
    return line->file || !at.file;
}

static int list_lines(struct cost_report *r, const struct cost_job *job)
{
    uint32_t n = vm_program_length(job->program);

    r->line = mem_calloc(n + 1, sizeof(*r->line));
    if (!r->line)
        return out_of_memory(job);
    r->n_lines = n;
    for (uint32_t i = 0; i < n; i++) {
        r->line[i].operations = vm_code_operations(job->code, i);
        if (vm_instr_text(&r->line[i].text, job->program, i) != ST_OK ||
            !find_source(&r->line[i], job, i))
            return out_of_memory(job);
    }
    return TOOL_OK;
}

static int find_machine_code(struct cost_report *r, const struct cost_job *job)
{
    if (!cost_machine_init(&r->machine, job))
        return out_of_memory(job);
    r->compiled = r->machine.n_functions != 0;
    r->code_bytes = r->compiled ? r->machine.bytes : 0;
    for (uint32_t i = 0; i < r->machine.n_functions; i++) {
        struct ir_code_info info;

        ir_code_describe(r->machine.function[i].code, &info);
        r->spills += info.spills;
    }
    return TOOL_OK;
}

/* --- Measuring -------------------------------------------------------------------------------- */

static void fill_line(struct cost_report *r, struct cost_line *line, uint32_t origin, bool counted,
                      bool sampled)
{
    line->share = line->ns = line->cycles = line->instructions = -1.0;
    if (counted)
        line->instructions = (double)cost_tally_of(&r->steps, &r->machine, origin) / r->lanes;
    if (!sampled)
        return;
    line->share = (double)cost_tally_of(&r->hits, &r->machine, origin) / (double)r->hits.total;
    line->ns = line->share * r->ns;
    line->cycles = r->cycles >= 0.0 ? line->share * r->cycles : -1.0;
}

static int measure_time(struct cost_report *r, const struct cost_job *job, double seconds)
{
    struct cost_job copy[MEASURE_COPIES];
    struct measure_call call[MEASURE_COPIES];
    int code = TOOL_OK;
    unsigned n = 0;
    struct fp_mode mode;

    for (; n < MEASURE_COPIES && code == TOOL_OK; n++) {
        code = cost_job_copy(&copy[n], job);
        call[n] = (struct measure_call){cost_job_run, &copy[n]};
    }
    mode = fp_enter();
    if (code == TOOL_OK && !measure_copies(call, n, seconds, &r->time))
        code = out_of_memory(job);
    fp_leave(mode);
    while (n)
        cost_job_close_copy(&copy[--n]);
    r->ns = r->time.seconds * 1e9 / r->lanes;
    r->cycles = r->time.cycles > 0.0 ? r->time.cycles / r->lanes : -1.0;
    return code;
}

/* A part of the time for the whole, the rest for samples. */
static int run(struct cost_report *r, struct cost_job *job, double seconds)
{
    bool counted, sampled;
    unsigned runs = 0;
    int code;

    if (!cost_tally_init(&r->steps, &r->machine, r->n_lines) ||
        !cost_tally_init(&r->hits, &r->machine, r->n_lines))
        return out_of_memory(job);
    if ((code = measure_time(r, job, seconds * 0.4)) != TOOL_OK)
        return code;
    counted = cost_step(&r->steps, &r->machine, job);
    sampled = job->marked ? cost_clock(&r->hits, job, seconds * 0.6, &runs)
                          : cost_sample(&r->hits, &r->machine, job, seconds * 0.6);
    r->instructions = counted ? (double)r->steps.total / r->lanes : -1.0;
    r->samples = !sampled ? 0 : job->marked ? runs : r->hits.total;
    for (uint32_t i = 0; i < r->n_lines; i++)
        fill_line(r, &r->line[i], i + 1, counted, sampled);
    fill_line(r, &r->rest, 0, counted, sampled);
    return TOOL_OK;
}

int cost_report_make(struct cost_report *out, struct cost_job *job, double seconds)
{
    int code;

    *out = (struct cost_report){0};
    if ((code = describe(out, job)) != TOOL_OK || (code = list_lines(out, job)) != TOOL_OK ||
        (code = find_machine_code(out, job)) != TOOL_OK)
        return code;
    return run(out, job, seconds);
}

void cost_report_fini(struct cost_report *r)
{
    for (uint32_t i = 0; r->line && i < r->n_lines; i++) {
        mem_free(r->line[i].text);
        mem_free(r->line[i].file);
    }
    mem_free(r->line);
    cost_machine_fini(&r->machine);
    cost_tally_fini(&r->steps);
    cost_tally_fini(&r->hits);
}
