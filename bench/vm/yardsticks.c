/* Benchmark of shaders against the same arithmetic in C (plain.c): compares times and bits. */
#include "bench.h"
#include "util/alloc.h"
#include "util/fpenv.h"

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
enum { N_YARDSTICKS = sizeof(yardsticks) / sizeof(yardsticks[0]) };

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

static void bind(struct plain_run *run, const struct job *job, plain_fn *fn)
{
    const struct vm_info *info = job->info;
    unsigned lanes = job_lanes(job);

    memset(run, 0, sizeof(*run));
    run->fn = fn;
    run->args.c = (const float(*)[4])job->f;
    run->args.lanes = lanes;
    if (!(run->outputs = mem_calloc(info->n_output_slots, lanes * sizeof(float))))
        bench_fail("no memory");
    for (unsigned i = 0; i < info->n_inputs; i++)
        for (unsigned c = 0; c < 4; c++)
            if (info->input[i].slot[c] >= 0)
                run->args.in[i][c] = job_input(job, (unsigned)info->input[i].slot[c]);
    for (unsigned i = 0; i < info->n_outputs; i++)
        for (unsigned c = 0; c < 4; c++)
            if (info->output[i].slot[c] >= 0)
                run->args.out[i][c] = run->outputs + (unsigned)info->output[i].slot[c] * lanes;
}

static void compare_bits(const struct job *job, const struct plain_run *run)
{
    unsigned lanes = job_lanes(job);
    const char *isa = cpu_isa_name(cpu_isa());

    for (unsigned slot = 0; slot < job->info->n_output_slots; slot++) {
        const float *vm = job_output(job, slot), *plain = run->outputs + slot * lanes;

        for (unsigned i = 0; i < lanes; i++)
            if (memcmp(&vm[i], &plain[i], sizeof(float))) {
                bench_wrong("%s, %s: lane %u of output slot %u is %a, in C %a", job->name, isa, i,
                            slot, (double)vm[i], (double)plain[i]);
                return;
            }
    }
}

/* The C code does not depend on the instruction set: it is measured once beside each of the
 * VM's. */
static void measure_yardstick(struct job *job, plain_fn *fn)
{
    struct bench_result result = {
        .group = "plain", .name = job->name, .instructions = job_instructions(job)};
    struct bench_timing timing;
    struct bench_call call = job_call(job);
    struct plain_run run;

    job_compile(job);
    bind(&run, job, fn);
    timing = bench_measure(&call, &(struct bench_call){call_plain, &run});
    compare_bits(job, &run);
    result.lane_ns = timing.call_ns / job_lanes(job);
    result.ceiling_ns = timing.ceiling_ns;
    result.percent = 100 * timing.call_ns / timing.beside_ns;
    report_add(&result);
    report_cell("%.3f %7.3f %5.2f", result.lane_ns, timing.beside_ns / job_lanes(job),
                timing.call_ns / timing.beside_ns);
    mem_free(run.outputs);
    job_drop(job);
}

void bench_yardsticks(void)
{
    report_heading("The same in C, -O3 for this machine, ns/lane", "machine    C ratio");
    for (unsigned i = 0; i < N_YARDSTICKS; i++) {
        struct job job;

        if (!bench_wants("plain", yardsticks[i].shader))
            continue;
        job_open_file(&job, yardsticks[i].shader);
        report_name(job.name);
        for (int isa = -1; bench_next_isa(&isa);)
            measure_yardstick(&job, yardsticks[i].plain);
        report_end_row();
        job_close(&job);
    }
}
