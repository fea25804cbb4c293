/* Benchmark job: one program with the constants, inputs and memory to run it repeatedly. */
#include "bench.h"
#include "util/alloc.h"
#include "util/fpenv.h"
#include "util/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Directives in the text ------------------------------------------------------------------- */

static const struct usage_name {
    const char *name;
    uint8_t usage;
} usage_names[] = {
    {"position", VM_USAGE_POSITION},
    {"blendweight", VM_USAGE_BLENDWEIGHT},
    {"blendindices", VM_USAGE_BLENDINDICES},
    {"normal", VM_USAGE_NORMAL},
    {"texcoord", VM_USAGE_TEXCOORD},
    {"tangent", VM_USAGE_TANGENT},
    {"binormal", VM_USAGE_BINORMAL},
    {"color", VM_USAGE_COLOR},
    {"vpos", VM_USAGE_VPOS},
    {"vface", VM_USAGE_VFACE},
};

static bool set_range(struct job *job, const char *line)
{
    struct job_range *range = &job->range[job->n_ranges];
    char name[16];
    unsigned index;

    if (job->n_ranges == JOB_MAX_RANGES ||
        sscanf(line, " range %15[a-z]%u %f %f", name, &index, &range->low, &range->high) != 4)
        return false;
    for (unsigned i = 0; i < sizeof(usage_names) / sizeof(usage_names[0]); i++)
        if (!strcmp(usage_names[i].name, name)) {
            range->usage = usage_names[i].usage;
            range->index = (uint8_t)index;
            job->n_ranges++;
            return true;
        }
    return false;
}

static bool set_constant(struct job *job, const char *line)
{
    unsigned n;
    float *f, v[4];

    if (sscanf(line, " set b%u %f", &n, &v[0]) == 2 && n < 16)
        return job->b[n] = (int32_t)v[0], true;
    if (sscanf(line, " set i%u %f %f %f", &n, &v[0], &v[1], &v[2]) == 4 && n < 16) {
        for (unsigned k = 0; k < 3; k++)
            job->i[n][k] = (int32_t)v[k];
        return true;
    }
    if (sscanf(line, " set c%u", &n) != 1 || n >= JOB_FLOATS)
        return false;
    f = job->f[n];
    return sscanf(line, " set c%*u %f %f %f %f", &f[0], &f[1], &f[2], &f[3]) == 4;
}

static void read_settings(struct job *job, const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        char word[16];

        line += *line == '\n';
        if (*line != ';' || sscanf(line + 1, " %15s", word) != 1)
            continue;
        if ((!strcmp(word, "range") && !set_range(job, line + 1)) ||
            (!strcmp(word, "set") && !set_constant(job, line + 1)) ||
            (!strcmp(word, "executes") && sscanf(line + 1, " executes %u", &job->executed) != 1))
            bench_fail("%s: cannot read '%.*s'", job->name, (int)strcspn(line, "\n"), line);
    }
}

/* --- Opening ---------------------------------------------------------------------------------- */

static void set_defaults(struct job *job, const char *name)
{
    memset(job, 0, sizeof(*job));
    job->name = name;
    for (unsigned i = 0; i < JOB_FLOATS * 4; i++)
        job->f[i / 4][i % 4] = 0.4f + 0.01f * (float)(i % 9);
    for (unsigned i = 0; i < 16; i++) {
        job->i[i][0] = 4;
        job->i[i][2] = 1;
    }
}

static bool open_tokens(struct job *job, const uint32_t *tokens, size_t n, struct vm_error *error)
{
    /* Limits as for the device: software models have their own. */
    bool software = n && (tokens[0] & 255) == 255;
    const struct vm_limits *limits = software ? &vm_limits_software : &vm_limits_hardware;

    if (vm_program_create(&job->program, tokens, n, limits, error))
        return false;
    job->info = vm_program_info(job->program);
    return true;
}

bool job_open_tokens(struct job *job, const char *name, const uint32_t *tokens, size_t n)
{
    struct vm_error error;

    set_defaults(job, name);
    return open_tokens(job, tokens, n, &error);
}

void job_open(struct job *job, const char *name, const char *text)
{
    struct vm_error error = {0};
    uint32_t *tokens;
    size_t n;

    set_defaults(job, name);
    read_settings(job, text);
    if (vm_assemble(&tokens, &n, text, &error) || !open_tokens(job, tokens, n, &error))
        bench_fail("%s: %s", name, error.text);
    mem_free(tokens);
}

void job_close(struct job *job)
{
    vm_program_destroy(job->program);
}

/* --- Compiling -------------------------------------------------------------------------------- */

unsigned job_lanes(const struct job *job)
{
    (void)job;
    return VM_LANES;
}

unsigned job_instructions(const struct job *job)
{
    return job->executed ? job->executed : job->info->instructions;
}

float *job_input(const struct job *job, unsigned slot)
{
    return (float *)job->batch.work + slot * job_lanes(job);
}

float *job_output(const struct job *job, unsigned slot)
{
    return vm_code_outputs(job->code, job->batch.work) + slot * job_lanes(job);
}

static void fill_input(const struct job *job, const struct vm_io *io, unsigned component)
{
    float *lane = job_input(job, (unsigned)io->slot[component]);
    float low = 0.05f, high = 1.05f;
    uint32_t random = io->usage * 64u + io->index * 4u + component + 1;

    for (unsigned i = 0; i < job->n_ranges; i++)
        if (job->range[i].usage == io->usage && job->range[i].index == io->index) {
            low = job->range[i].low;
            high = job->range[i].high;
        }
    for (unsigned i = 0; i < job_lanes(job); i++) {
        random = random * 1664525u + 1013904223u;
        lane[i] = low + (high - low) * (float)(random >> 16) / 65536.0f;
    }
}

void job_compile(struct job *job)
{
    struct vm_options options = {.live_outputs = UINT64_MAX, .interpret = bench_options.interpret};
    struct vm_constants k = {.f = (const float(*)[4])job->f,
                             .i = (const int32_t(*)[4])job->i,
                             .b = job->b,
                             .system = (const float(*)[4])job->f,
                             .n_f = JOB_FLOATS,
                             .n_i = 16,
                             .n_b = 16,
                             .n_system = VM_SYSTEM_COUNT};
    void *uniforms;

    if (vm_code_create(&job->code, job->program, &options) ||
        !(job->batch.work = mem_calloc(1, vm_code_work_bytes(job->code))) ||
        !(uniforms = mem_calloc(1, vm_code_uniform_bytes(job->code))))
        bench_fail("%s: no memory", job->name);
    vm_code_fill_uniforms(job->code, &k, uniforms);
    job->batch.uniforms = uniforms;
    job->batch.lanes = ~UINT64_C(0);
    job->batch.sample = standin_sample;
    for (unsigned i = 0; i < job->info->n_inputs; i++)
        for (unsigned c = 0; c < 4; c++)
            if (job->info->input[i].slot[c] >= 0)
                fill_input(job, &job->info->input[i], c);
}

void job_drop(struct job *job)
{
    mem_free(job->batch.work);
    mem_free((void *)(uintptr_t)job->batch.uniforms);
    vm_code_destroy(job->code);
}

/* --- Running ---------------------------------------------------------------------------------- */

static void run_batch(void *ctx)
{
    struct job *job = ctx;

    vm_run(job->code, &job->batch);
}

struct bench_call job_call(struct job *job)
{
    return (struct bench_call){run_batch, job};
}

struct bench_timing job_measure(struct job *job, struct job *beside)
{
    struct bench_call call = job_call(job), other = {0};
    struct bench_timing timing;

    if (beside)
        other = job_call(beside);
    timing = bench_measure(&call, beside ? &other : NULL);
    timing.call_ns /= job_lanes(job);
    timing.beside_ns /= beside ? job_lanes(beside) : 1;
    return timing;
}

uint64_t job_hash(const struct job *job)
{
    size_t bytes = (size_t)job->info->n_output_slots * job_lanes(job) * sizeof(float);

    return hash_bytes(job_output(job, 0), bytes, job->batch.killed);
}
