/* Jobs: programs with constants, inputs and memory.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/job.h"

#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <stdio.h>
#include <string.h>

/* --- Opening ---------------------------------------------------------------------------------- */

static int set_defaults(struct job *job, const char *command, const char *name)
{
    memset(job, 0, sizeof(*job));
    job->constants = mem_calloc(1, sizeof(*job->constants));
    if (!job->constants)
        return tool_error(command, "%s: out of memory", name);
    run_constants_defaults(job->constants);
    return TOOL_OK;
}

static int open_words(struct job *job, const char *command, const char *name, const uint32_t *words,
                      size_t n)
{
    /* Limits as for the device: software models have their own. */
    bool software = n && (words[0] & 255) == 255;
    const struct vm_limits *limits = software ? &vm_limits_software : &vm_limits_hardware;
    struct vm_error error = {0, "out of memory"};

    if (vm_program_create(&job->program, words, n, limits, &error))
        return tool_error(command, "%s: word %zu: %s", name, error.token, error.text);
    job->info = vm_program_info(job->program);
    job->executed = job->directives.executed;
    if (!job->executed)
        job->executed = job->info->instructions;
    return TOOL_OK;
}

int job_open_words(struct job *job, const char *command, const char *name, const uint32_t *words,
                   size_t n)
{
    int code = set_defaults(job, command, name);

    if (code == TOOL_OK)
        code = open_words(job, command, name, words, n);
    if (code != TOOL_OK)
        job_close(job);
    return code;
}

static int open_text(struct job *job, const char *command, const char *name, const char *text)
{
    const char *bad = run_directives_read(&job->directives, job->constants, text);
    struct vm_error error = {0, "out of memory"};
    uint32_t *words;
    size_t n;
    int code;

    if (bad)
        return tool_error(command, "%s: cannot read '%.*s'", name, (int)strcspn(bad, "\r\n"), bad);
    if (vm_assemble(&words, &n, text, &error)) /* the text starts with line and column */
        return tool_error(command, "%s:%s", name, error.text);
    code = open_words(job, command, name, words, n);
    mem_free(words);
    return code;
}

int job_open(struct job *job, const char *command, const char *name, const char *text)
{
    int code = set_defaults(job, command, name);

    if (code == TOOL_OK)
        code = open_text(job, command, name, text);
    if (code != TOOL_OK)
        job_close(job);
    return code;
}

void job_close(struct job *job)
{
    vm_program_destroy(job->program);
    mem_free(job->constants);
    job->program = NULL;
    job->constants = NULL;
}

void job_profile(const struct job *job, char out[JOB_PROFILE])
{
    const struct vm_info *info = job->info;
    char minor[4];

    snprintf(minor, sizeof(minor), "%u", info->minor);
    if (info->minor == 255 || (info->major == 2 && info->minor))
        strcpy(minor, info->minor == 255 ? "sw" : "x");
    snprintf(out, JOB_PROFILE, "%cs_%u_%s", info->stage == VM_VERTEX ? 'v' : 'p', info->major % 10u,
             minor);
}

/* --- Textures --------------------------------------------------------------------------------- */

enum { STANDINS = 4, CHANNELS = 4 };

static float standin[STANDINS][CHANNELS][VM_LANES];

static void standin_init(void)
{
    for (unsigned i = 0; i < STANDINS * CHANNELS * VM_LANES; i++) {
        unsigned texel = i / VM_LANES * 256 + i % VM_LANES;

        (&standin[0][0][0])[i] = (float)(texel * 37 % 251 + 1) / 256.0f;
    }
}

const float *job_standin_texels(unsigned sampler, unsigned channel)
{
    return standin[sampler % STANDINS][channel];
}

void job_standin_sample(void *ctx, const struct sample *sample)
{
    (void)ctx;
    for (unsigned c = 0; c < CHANNELS; c++)
        if (sample->texel[c])
            memcpy(sample->texel[c], standin[sample->sampler % STANDINS][c],
                   VM_LANES * sizeof(float));
}

/* --- Compiling -------------------------------------------------------------------------------- */

float *job_input(const struct job *job, unsigned thread, unsigned slot)
{
    return (float *)job->batches[thread].vm.work + slot * VM_LANES;
}

float *job_output(const struct job *job, unsigned thread, unsigned slot)
{
    return vm_code_outputs(job->code, job->batches[thread].vm.work) + slot * VM_LANES;
}

static void fill_input(const struct job *job, unsigned thread, const struct vm_io *io,
                       unsigned component)
{
    float *lane = job_input(job, thread, (unsigned)io->slot[component]);
    uint32_t random = io->usage * 64u + io->index * 4u + component + 1;
    float low, high;

    run_directives_range(&job->directives, io, &low, &high);
    for (unsigned i = 0; i < VM_LANES; i++) {
        random = random * 1664525u + 1013904223u;
        lane[i] = low + (high - low) * (float)(random >> 16) / 65536.0f;
    }
}

static enum status prepare_batch(struct job *job, unsigned thread)
{
    struct vm_batch *batch = &job->batches[thread].vm;

    job->batches[thread].code = job->code;
    if (!(batch->work = mem_calloc(1, vm_code_work_bytes(job->code))))
        return ST_NOMEM;
    batch->uniforms = job->uniforms;
    batch->lanes = ~UINT64_C(0);
    batch->sample = job_standin_sample;
    for (unsigned i = 0; i < job->info->n_inputs; i++)
        for (unsigned c = 0; c < 4; c++)
            if (job->info->input[i].slot[c] >= 0)
                fill_input(job, thread, &job->info->input[i], c);
    return ST_OK;
}

static enum status compile(struct job *job, const struct vm_options *options, unsigned threads)
{
    const struct run_constants *from = job->constants;
    struct vm_constants k = {.f = from->f,
                             .i = from->i,
                             .b = from->b,
                             .system = from->system,
                             .n_f = RUN_FLOATS,
                             .n_i = RUN_INTS,
                             .n_b = RUN_BOOLS,
                             .n_system = VM_SYSTEM_COUNT};
    enum status st = vm_code_create(&job->code, job->program, options);

    if (st)
        return st;
    job->uniforms = mem_calloc(1, vm_code_uniform_bytes(job->code));
    job->batches = mem_calloc(threads, sizeof(*job->batches));
    if (!job->uniforms || !job->batches)
        return ST_NOMEM;
    job->n_batches = threads;
    vm_code_fill_uniforms(job->code, &k, job->uniforms);
    for (unsigned t = 0; t < threads && !st; t++)
        st = prepare_batch(job, t);
    return st;
}

enum status job_compile(struct job *job, bool interpret, unsigned threads)
{
    struct vm_options options = {.live_outputs = UINT64_MAX, .interpret = interpret};
    enum status st = compile(job, &options, threads);

    standin_init();
    if (st)
        job_drop(job);
    return st;
}

void job_drop(struct job *job)
{
    for (unsigned t = 0; t < job->n_batches; t++)
        mem_free(job->batches[t].vm.work);
    mem_free(job->batches);
    mem_free(job->uniforms);
    vm_code_destroy(job->code);
    job->code = NULL;
    job->batches = NULL;
    job->uniforms = NULL;
    job->n_batches = 0;
}

/* --- Running ---------------------------------------------------------------------------------- */

static void run_batch(void *ctx)
{
    struct job_batch *batch = ctx;

    vm_run(batch->code, &batch->vm);
}

struct measure_call job_call(struct job *job, unsigned thread)
{
    return (struct measure_call){run_batch, &job->batches[thread]};
}

uint64_t job_hash(const struct job *job)
{
    size_t bytes = (size_t)job->info->n_output_slots * VM_LANES * sizeof(float);

    return hash_bytes(job_output(job, 0, 0), bytes, job->batches[0].vm.killed);
}
