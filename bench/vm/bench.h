/* Declarations shared by the shader machine benchmark. main.c describes the benchmark. */
#ifndef BENCH_VM_BENCH_H
#define BENCH_VM_BENCH_H

#include "util/cpu.h"
#include "vm/vm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Options (main.c) ------------------------------------------------------------------------- */

struct bench_options {
    double seconds;       /* per row and instruction set */
    const char *isa;      /* run this instruction set only, or NULL */
    const char *filter;   /* run rows whose group/name contains it, or NULL */
    const char *json;     /* output file, or NULL */
    const char *against;  /* file of an earlier run to compare with, or NULL */
    const char *shaders;  /* folder of the shader corpus */
    bool interpret;       /* interpret the IR, no JIT */
    const char *captures; /* folder of captures; missing captures are skipped */
};
extern struct bench_options bench_options;

_Noreturn void bench_fail(const char *format, ...) PRINTF_LIKE(1, 2); /* prints a message,
                                                                         exit(1) */
/* Reports a wrong result; the exit status at the end is 1. */
void bench_wrong(const char *format, ...) PRINTF_LIKE(1, 2);
bool bench_wants(const char *group, const char *name);
/* Selects the next instruction set that the machine supports and the options allow. Start with *isa
 * = -1. */
bool bench_next_isa(int *isa);

/* --- Timing (measure.c) ----------------------------------------------------------------------- */

struct bench_call {
    void (*run)(void *ctx);
    void *ctx;
};
/* Best of many rounds. Rounds of an optional second call alternate with those of the first. */
struct bench_timing {
    double call_ns;    /* one call */
    double beside_ns;  /* one call of the second, or 0 */
    double ceiling_ns; /* one lane operation of the ceiling, the best so far */
};
struct bench_timing bench_measure(const struct bench_call *call, const struct bench_call *beside);

/* ceiling_kern.c: per pass, 4 rows of CEILING_LANES products of two other rows each. The layout
 * avoids loads that share the low 12 address bits with a preceding store (4K aliasing). */
enum {
    CEILING_LANES = 256,
    CEILING_STRIDE = CEILING_LANES + 48,
    CEILING_ROWS = 12,
    CEILING_OPS = 4 * CEILING_LANES
};
struct ceiling_kern {
    void (*run)(float *rows, unsigned passes);
};
KERN_DECLARE(struct ceiling_kern, ceiling_kern);

/* --- Jobs: programs ready to run (job.c) ------------------------------------------------------ */

enum { JOB_MAX_RANGES = 16, JOB_FLOATS = 256 };

struct job {
    const char *name;
    struct vm_program *program;
    const struct vm_info *info;
    struct vm_code *code; /* for the instruction set selected at job_compile */
    struct vm_batch batch;
    float f[JOB_FLOATS][4];
    int32_t i[16][4], b[16];
    unsigned
        executed; /* instructions that a lane executes; differs from slots if there are loops */
    struct job_range {
        uint8_t usage, index;
        float low, high;
    } range[JOB_MAX_RANGES]; /* of inputs; default 0.05 to 1.05 */
    unsigned n_ranges;
};

/* Lines `; set c4 0.1 0.2 0.3 1`, `; set i0 8 0 1`, `; set b0 1`, `; range texcoord0 -1 1` and `;
 * executes 80` in the text set constants, input ranges and instruction counts. Any error ends the
 * benchmark. */
void job_open(struct job *job, const char *name, const char *text);
void job_open_file(struct job *job, const char *name); /* corpus.c: from the corpus */
bool job_open_tokens(struct job *job, const char *name, const uint32_t *tokens, size_t n);
void job_close(struct job *job);
void job_compile(struct job *job); /* then runs once with the stand-in sampler, see samplers.c */
void job_drop(struct job *job);    /* undoes job_compile */
unsigned job_lanes(const struct job *job);
unsigned job_instructions(const struct job *job);
float *job_input(const struct job *job, unsigned slot);
float *job_output(const struct job *job, unsigned slot);
uint64_t job_hash(const struct job *job);    /* of all outputs and killed lanes, after a run */
struct bench_call job_call(struct job *job); /* runs one batch */
/* Times per lane; beside may be NULL. */
struct bench_timing job_measure(struct job *job, struct job *beside);

/* samplers.c: a cheap substitute for textures that copies values in [0, 1). Context: none. */
vm_sample_fn standin_sample;
enum { STANDIN_LANES = 256 };
void standin_init(void);
const float *standin_texels(unsigned sampler, unsigned channel);
void bench_samplers(void); /* measures the real samplers */

/* --- Reports (report.c) ----------------------------------------------------------------------- */

/* All values are per lane; values that do not apply are 0. */
struct bench_result {
    const char *group, *name;
    const char *isa;
    double lane_ns;      /* time of all instructions, or of one in rows */
    double ceiling_ns;   /* one lane operation of the ceiling */
    double instructions; /* number of instructions that lane_ns covers */
    double operations;   /* lane operations in them, 0: not counted */
    double percent;      /* overhead, in the flow control group */
};
void report_add(const struct bench_result *result);
double report_share(const struct bench_result *result);   /* of the ceiling, in percent */
void report_heading(const char *title, const char *cell); /* and one column per instruction set */
void report_name(const char *name);
void report_cell(const char *format, ...) PRINTF_LIKE(1, 2);
void report_end_row(void);
void report_write(const char *file);
void report_compare(const char *file);

/* --- Groups ----------------------------------------------------------------------------------- */

void bench_ceiling(void);
void bench_rows(void);
void bench_corpus(void);
void bench_captures(void);
void bench_flow(void);
void bench_yardsticks(void);

/* plain.c: four shaders of the corpus as plain C over the same arrays, for all lanes. in[i][c] is
 * component c of input i of vm_info, out likewise. */
struct plain_args {
    const float *in[VM_MAX_INPUTS][4];
    float *out[VM_MAX_OUTPUTS][4];
    const float (*c)[4];
    unsigned lanes;
};
typedef void plain_fn(const struct plain_args *a);
plain_fn plain_mix, plain_light, plain_normal_map, plain_tone_map;

#endif
