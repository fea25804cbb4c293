/* A shader that is ready to run again and again. */
#include "tool/cost/job.h"

#include "draw/draw.h"
#include "tool/cli/cli.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <string.h>

enum { MAX_BATCHES = 1024 };

static int out_of_memory(const struct cost_job *job)
{
    return tool_error(job->command, "%s: out of memory", job->path);
}

/* --- The program ------------------------------------------------------------------------------ */

/* Standard input has been read already. A comment that only looks like a directive says nothing. */
static void read_comments(struct cost_job *job)
{
    uint8_t *bytes;
    size_t n;

    if (!strcmp(job->path, "-") || tool_file_read(job->path, &bytes, &n) != ST_OK)
        return;
    if (!memchr(bytes, 0, n))
        (void)run_directives_read(&job->directives, job->constants, (const char *)bytes);
    mem_free(bytes);
}

static int load(struct cost_job *job, const struct tool_shader_options *source)
{
    struct vm_error error = {0, "out of memory"};
    struct tool_shader *shader = &job->shader;
    int code = tool_shader_load(shader, job->command, job->path, source);
    struct tool_errors errors = {job->command, job->path, shader->lines, 0};

    run_constants_defaults(job->constants);
    if (code == TOOL_OK && vm_program_create(&job->program, shader->words, shader->n,
                                             &vm_limits_lenient, &error) != ST_OK) {
        tool_errors_word(&errors, &error);
        code = tool_errors_end(&errors);
    }
    if (code != TOOL_OK)
        return code;
    job->info = vm_program_info(job->program);
    read_comments(job);
    return TOOL_OK;
}

static int compile_one(struct cost_job *job, bool interpret, uint8_t origins, struct vm_code **out,
                       void **uniforms)
{
    struct vm_options options;
    struct vm_constants k = {
        .f = job->constants->f,
        .i = job->constants->i,
        .b = job->constants->b,
        .system = job->constants->system,
        .n_f = RUN_FLOATS,
        .n_i = RUN_INTS,
        .n_b = RUN_BOOLS,
        .n_system = VM_SYSTEM_COUNT,
    };

    memset(&options, 0, sizeof(options));
    options.live_outputs = UINT64_MAX;
    options.interpret = interpret;
    options.origins = origins;
    if (vm_code_create(out, job->program, &options) != ST_OK)
        return out_of_memory(job);
    *uniforms = mem_calloc(1, vm_code_uniform_bytes(*out) + 1);
    if (!*uniforms)
        return out_of_memory(job);
    vm_code_fill_uniforms(*out, &k, *uniforms);
    return TOOL_OK;
}

static bool is_compiled(const struct vm_code *code)
{
    for (uint32_t i = 0; i < vm_code_functions(code); i++)
        if (!vm_code_machine(code, i))
            return false;
    return true;
}

static int compile(struct cost_job *job)
{
    int code = compile_one(job, job->interpret, 1, &job->code, &job->uniforms);

    if (code != TOOL_OK || is_compiled(job->code))
        return code;
    return compile_one(job, true, 2, &job->marked, &job->marked_uniforms);
}

/* --- Lanes ------------------------------------------------------------------------------------ */

/* A number from 0 to 1 for each lane. Lanes of a pixel shader's quad are neighbours in a shape of
 * 64 by 64 pixels. */
static float spread(const struct cost_job *job, uint32_t seed, uint32_t lane)
{
    bool pixel = job->info->stage == VM_PIXEL;
    uint32_t random = seed * 2654435761u + (pixel ? lane / 4 : lane) * 40503u;
    float x;

    random = (random ^ random >> 15) * 2246822519u;
    random = (random ^ random >> 13) * 3266489917u;
    x = (float)(random >> 16) / 65536.0f;
    if (pixel)
        x = x * (62.0f / 64.0f) + (float)(seed & 1 ? lane & 1 : lane >> 1 & 1) / 64.0f;
    return x;
}

static bool is_position(const struct vm_io *io)
{
    return io->usage == VM_USAGE_VPOS || io->usage == VM_USAGE_VFACE;
}

/* Inputs that the command line does not name. vPos: quads in a row, from 0 on. */
static void fill_input(const struct cost_job *job, const struct vm_io *io, uint32_t first,
                       float *slots)
{
    float low, high;

    run_directives_range(&job->directives, io, &low, &high);
    for (unsigned c = 0; c < 4; c++)
        for (uint32_t l = 0; io->slot[c] >= 0 && l < VM_LANES; l++) {
            uint32_t lane = first + l, seed = io->usage * 64u + io->index * 4u + c + 1;
            float *to = &slots[io->slot[c] * VM_LANES + l];

            if (!is_position(io))
                *to = low + (high - low) * spread(job, seed, lane);
            else if (io->usage == VM_USAGE_VFACE)
                *to = 1.0f;
            else
                *to = (float)(c ? lane >> 1 & 1 : lane / 4 * 2 + (lane & 1));
        }
}

static void fill_lanes(struct cost_job *job, uint32_t batch, float *slots)
{
    uint32_t first = batch * VM_LANES;

    run_inputs_fill(&job->inputs, job->info, first, slots);
    for (unsigned i = 0; i < job->info->n_inputs; i++)
        if (!run_inputs_has(&job->inputs, job->info, &job->info->input[i]))
            fill_input(job, &job->info->input[i], first, slots);
}

static int make_batches(struct cost_job *job)
{
    size_t plain = vm_code_work_bytes(job->code);
    size_t marked = job->marked ? vm_code_work_bytes(job->marked) : 0;
    size_t bytes = ((plain > marked ? plain : marked) + 63) & ~(size_t)63;
    uint32_t n = (run_inputs_lanes(&job->inputs) + VM_LANES - 1) / VM_LANES;

    if (n > MAX_BATCHES)
        return tool_error(job->command, "%s: there are more than %u lanes", job->path,
                          MAX_BATCHES * VM_LANES);
    job->batch = mem_calloc(n, sizeof(*job->batch));
    job->work = mem_calloc(n, bytes + 64);
    if (!job->batch || !job->work)
        return out_of_memory(job);
    job->n_batches = n;
    for (uint32_t i = 0; i < n; i++) {
        job->batch[i] = (struct vm_batch){.work = (char *)job->work + i * bytes,
                                          .uniforms = job->uniforms,
                                          .lanes = ~UINT64_C(0),
                                          .sample = draw_sample,
                                          .sample_ctx = job->textures.sampler};
        fill_lanes(job, i, job->batch[i].work);
    }
    return TOOL_OK;
}

/* --- Interface -------------------------------------------------------------------------------- */

int cost_job_open(struct cost_job *job, const char *command, const char *path,
                  const struct cost_options *o)
{
    int code;

    *job = (struct cost_job){
        .command = command, .path = path, .textures = o->textures, .interpret = o->interpret};
    job->inputs.quiet = true;
    job->constants = mem_calloc(1, sizeof(*job->constants));
    if (!job->constants)
        return out_of_memory(job);
    if ((code = load(job, &o->source)) != TOOL_OK ||
        (code = run_settings_apply(&o->settings, command, job->info, &job->inputs, job->constants,
                                   &job->textures)) != TOOL_OK ||
        (code = compile(job)) != TOOL_OK)
        return code;
    return make_batches(job);
}

void cost_job_close(struct cost_job *job)
{
    cost_job_close_copy(job);
    mem_free(job->constants);
    vm_program_destroy(job->program);
    tool_shader_fini(&job->shader);
    run_inputs_fini(&job->inputs);
}

int cost_job_copy(struct cost_job *copy, const struct cost_job *job)
{
    int code;

    *copy = *job;
    copy->code = copy->marked = NULL;
    copy->uniforms = copy->marked_uniforms = copy->work = NULL;
    copy->batch = NULL;
    memset(copy->textures.image, 0, sizeof(copy->textures.image));
    memset(copy->textures.sampler, 0, sizeof(copy->textures.sampler));
    if ((code = run_textures_open(&copy->textures, job->command, job->info)) != TOOL_OK ||
        (code = compile(copy)) != TOOL_OK)
        return code;
    return make_batches(copy);
}

void cost_job_close_copy(struct cost_job *copy)
{
    run_textures_fini(&copy->textures);
    mem_free(copy->batch);
    mem_free(copy->work);
    mem_free(copy->uniforms);
    mem_free(copy->marked_uniforms);
    vm_code_destroy(copy->marked);
    vm_code_destroy(copy->code);
}

void cost_job_run(void *ctx)
{
    struct cost_job *job = ctx;

    for (uint32_t i = 0; i < job->n_batches; i++)
        vm_run(job->code, &job->batch[i]);
}

void cost_job_run_marked(struct cost_job *job, void (*hook)(void *ctx, uint32_t origin), void *ctx)
{
    for (uint32_t i = 0; i < job->n_batches; i++) {
        struct vm_batch batch = job->batch[i];

        batch.uniforms = job->marked_uniforms;
        batch.origin_hook = hook;
        batch.origin_ctx = ctx;
        vm_run(job->marked, &batch);
    }
}
