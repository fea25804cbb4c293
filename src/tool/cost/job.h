/* A shader that is ready to run again and again: its code, constants, textures, and lanes. */
#ifndef TOOL_COST_JOB_H
#define TOOL_COST_JOB_H

#include "tool/shader/run.h"

struct cost_job {
    const char *command, *path;
    struct tool_shader shader; /* of the file */
    struct vm_program *program;
    const struct vm_info *info;
    struct vm_code *code;
    struct vm_code *marked; /* interpreted code that tells its instructions; NULL: it is compiled */
    struct run_constants *constants;
    struct run_inputs inputs;
    struct run_textures textures;
    struct run_directives directives;
    void *uniforms, *marked_uniforms, *work; /* of all batches */
    struct vm_batch *batch;
    uint32_t n_batches;
    bool interpret;
};

struct cost_options {
    struct tool_shader_options source; /* how text is compiled */
    struct run_settings settings;
    struct run_textures textures; /* filter, address, fallback */
    bool interpret;
};

/* Reads, compiles for the instruction set in use, and fills the lanes. Returns TOOL_OK, or
 * TOOL_ERROR after an error message; cost_job_close in either case. */
int cost_job_open(struct cost_job *job, const char *command, const char *path,
                  const struct cost_options *options);
void cost_job_close(struct cost_job *job);

/* The same job with code, lanes and textures of its own, elsewhere in memory. Returns what
 * cost_job_open does; cost_job_close_copy in either case, before the job is closed. */
int cost_job_copy(struct cost_job *copy, const struct cost_job *job);
void cost_job_close_copy(struct cost_job *copy);

/* Runs all batches once; ctx: struct cost_job. The caller is in the mode of util/fpenv.h. */
void cost_job_run(void *ctx);
/* The same with job.marked; hook, ctx: vm_batch.origin_hook. */
void cost_job_run_marked(struct cost_job *job, void (*hook)(void *ctx, uint32_t origin), void *ctx);
static inline uint32_t cost_job_lanes(const struct cost_job *job)
{
    return job->n_batches * VM_LANES;
}

#endif
