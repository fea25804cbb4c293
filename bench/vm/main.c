/* Shaders against the same arithmetic in C (plain.c), compiled with -O3 for this processor: times
 * and bits. It is a program of its own because plain.c needs options of the compiler that the tool
 * is not built with. Jobs and times are those of `novem bench` (src/tool/bench).
 *
 * Prints a Markdown table. The exit code is 1 if the bits differ. */
#include "plain.h"
#include "tool/bench/job.h"
#include "tool/cli/cli.h"
#include "tool/measure/passes.h"
#include "util/alloc.h"
#include "util/cpu.h"

#include <string.h>

static const struct yardstick {
    const char *shader;
    plain_fn *plain;
} yardsticks[] = {
    {"mix", plain_mix},
    {"light_plain", plain_light},
    {"normal_map", plain_normal_map},
    {"tone_map", plain_tone_map},
};
enum { N_YARDSTICKS = sizeof(yardsticks) / sizeof(yardsticks[0]), PASSES = 5 };

static double seconds = 0.1; /* of a figure */
static const char *folder = "bench/shaders";
static struct measure_load load;

/* --- One shader ------------------------------------------------------------------------------- */

struct plain_run {
    plain_fn *fn;
    struct plain_args args;
    float *outputs;
};

static void call_plain(void *ctx)
{
    const struct plain_run *run = ctx;

    run->fn(&run->args);
}

static bool bind(struct plain_run *run, const struct job *job, plain_fn *fn)
{
    const struct vm_info *info = job->info;

    memset(run, 0, sizeof(*run));
    run->fn = fn;
    run->args.c = job->constants->f;
    run->args.lanes = VM_LANES;
    if (!(run->outputs = mem_calloc(info->n_output_slots, VM_LANES * sizeof(float))))
        return false;
    for (unsigned i = 0; i < info->n_inputs; i++)
        for (unsigned c = 0; c < 4; c++)
            if (info->input[i].slot[c] >= 0)
                run->args.in[i][c] = job_input(job, 0, (unsigned)info->input[i].slot[c]);
    for (unsigned i = 0; i < info->n_outputs; i++)
        for (unsigned c = 0; c < 4; c++)
            if (info->output[i].slot[c] >= 0)
                run->args.out[i][c] = run->outputs + (unsigned)info->output[i].slot[c] * VM_LANES;
    return true;
}

static bool are_bits_equal(const char *shader, const struct job *job, const struct plain_run *run)
{
    for (unsigned slot = 0; slot < job->info->n_output_slots; slot++) {
        const float *vm = job_output(job, 0, slot), *plain = run->outputs + slot * VM_LANES;

        for (unsigned i = 0; i < VM_LANES; i++)
            if (memcmp(&vm[i], &plain[i], sizeof(float))) {
                tool_error("", "%s, %s: lane %u of output slot %u is %a, in C %a", shader,
                           cpu_isa_name(cpu_isa()), i, slot, (double)vm[i], (double)plain[i]);
                return false;
            }
    }
    return true;
}

/* The C code does not depend on the instruction set: it is measured once beside each of the
 * machine's. Returns an exit code. */
static int measure(struct job *job, const struct yardstick *y)
{
    struct measure_passes machine = {0}, c = {0};
    struct measure_call call[2];
    struct measure_result m[2];
    struct plain_run run;
    bool same = true;

    if (job_compile(job, false, 1))
        return tool_error("", "%s: no memory", y->shader);
    if (!bind(&run, job, y->plain)) {
        job_drop(job);
        return tool_error("", "%s: no memory", y->shader);
    }
    call[0] = job_call(job, 0);
    call[1] = (struct measure_call){call_plain, &run};
    for (unsigned i = 0; i < PASSES && same; i++) {
        same = measure_pass(&load, seconds / PASSES, call, 2, m);
        measure_add(&machine, m[0].seconds, m[0].calm_rounds != 0);
        measure_add(&c, m[1].seconds, m[1].calm_rounds != 0);
    }
    same = same && are_bits_equal(y->shader, job, &run);
    printf(" %.2f (%.2f) |", 1e9 * measure_least(&machine) / VM_LANES,
           measure_least(&machine) / measure_least(&c));
    mem_free(run.outputs);
    job_drop(job);
    return same ? TOOL_OK : TOOL_DIFFERS;
}

static int measure_yardstick(const struct yardstick *y)
{
    int code = TOOL_OK, one;
    char path[4096];
    struct job job = {0};
    uint8_t *text;
    size_t n;

    snprintf(path, sizeof(path), "%s/%s.asm", folder, y->shader);
    if (tool_file_read(path, &text, &n))
        return tool_error("", "cannot read %s: run next to bench/shaders, or with --shaders", path);
    printf("| %s |", y->shader);
    code = job_open(&job, "", path, (const char *)text);
    for (unsigned isa = 0; isa < ISA_COUNT && code != TOOL_ERROR; isa++)
        if (cpu_has_isa((enum cpu_isa)isa) && !cpu_set_isa((enum cpu_isa)isa)) {
            one = measure(&job, y);
            code = one > code ? one : code;
        }
    printf("\n");
    job_close(&job);
    mem_free(text);
    return code;
}

/* --- The program ------------------------------------------------------------------------------ */

static void print_head(void)
{
    unsigned n = 1;

    printf("| shader |");
    for (unsigned isa = 0; isa < ISA_COUNT; isa++)
        if (cpu_has_isa((enum cpu_isa)isa)) {
            printf(" %s |", cpu_isa_name((enum cpu_isa)isa));
            n++;
        }
    printf("\n|");
    while (n--)
        printf(" --- |");
    printf("\n");
}

int main(int argc, char **argv)
{
    const struct tool_option options[] = {
        {"--seconds", "S", "time of a figure (default: 0.1)", OPT_REAL, &seconds},
        {"--shaders", "DIR", "shader corpus (default: bench/shaders)", OPT_TEXT, &folder},
    };
    const struct tool_usage usage = {
        .line = "[options]",
        .text = "Compares shaders with the same arithmetic in C: ns a lane (ratio to C). The exit "
                "code\nis 1 if bits differ.",
        .options = options,
        .option_count = sizeof(options) / sizeof(options[0]),
    };
    int code, one;

    tool_set_program("vm");
    code = tool_parse(&usage, argc, argv, NULL);
    if (code >= 0)
        return code;
    code = TOOL_OK;
    print_head();
    for (unsigned i = 0; i < N_YARDSTICKS && code != TOOL_ERROR; i++) {
        one = measure_yardstick(&yardsticks[i]);
        code = one > code ? one : code;
    }
    return fflush(stdout) || ferror(stdout) ? tool_error("", "the output could not be written")
                                            : code;
}
