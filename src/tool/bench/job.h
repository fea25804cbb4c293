/* Jobs: shader programs with the constants, inputs and memory to run them again and again. The
 * comments of a shader say what suits it (run_directives in tool/shader/run.h). */
#ifndef TOOL_BENCH_JOB_H
#define TOOL_BENCH_JOB_H

#include "tool/measure/measure.h"
#include "tool/shader/run.h"
#include "vm/vm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JOB_PROFILE = 8 };

struct job {
    struct vm_program *program;
    const struct vm_info *info;
    struct run_constants *constants; /* the caller may change them before job_compile */
    struct run_directives directives;
    unsigned executed; /* instructions that a lane executes */
    /* From job_compile on. */
    struct vm_code *code; /* for the instruction set that is selected then */
    struct job_batch {
        const struct vm_code *code;
        struct vm_batch vm;
    } * batches; /* one for each thread */
    unsigned n_batches;
    void *uniforms;
};

/* Opens assembly text, or byte code. Both return TOOL_OK, or TOOL_ERROR after a message that begins
 * with `name`. */
int job_open(struct job *job, const char *command, const char *name, const char *text);
int job_open_words(struct job *job, const char *command, const char *name, const uint32_t *words,
                   size_t n);
void job_close(struct job *job); /* of an opened job, or of one that is zeros */

/* Makes code for the selected instruction set, or code that is interpreted, and fills the inputs of
 * `threads` batches, whose textures are stand-ins until the caller sets others. A failure leaves
 * nothing to drop. */
MUST_CHECK enum status job_compile(struct job *job, bool interpret, unsigned threads);
void job_drop(struct job *job);
/* Runs the batch of a thread: VM_LANES lanes. */
struct measure_call job_call(struct job *job, unsigned thread);
uint64_t job_hash(const struct job *job); /* of the outputs and killed lanes of the first batch */

float *job_input(const struct job *job, unsigned thread, unsigned slot);
float *job_output(const struct job *job, unsigned thread, unsigned slot);
/* "ps_3_0", "vs_2_sw". */
void job_profile(const struct job *job, char out[JOB_PROFILE]);

/* A cheap substitute for textures that copies values in [0, 1). Context: none. */
vm_sample_fn job_standin_sample;
/* VM_LANES values of a channel, 0 to 3, of a sampler's stand-in. */
const float *job_standin_texels(unsigned sampler, unsigned channel);

#endif
