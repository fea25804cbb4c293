/* Which instructions of a shader the machine code spends its work on: exact counts of machine
 * instructions (step.c), and samples of where the processor is (sample.c). */
#ifndef TOOL_COST_TALLY_H
#define TOOL_COST_TALLY_H

#include "tool/cost/job.h"
#include "tool/measure/measure.h"

/* The machine code of a shader: the program, then the routines that are not inlined. */
struct cost_function {
    const struct ir_code *code;
    const uint8_t *begin, *end;
    size_t first; /* number of its first byte in cost_tally.at */
};
struct cost_machine {
    struct cost_function *function;
    uint32_t n_functions;
    size_t bytes;
    uint8_t *is_return; /* per byte: a call returns there; found by cost_step */
};
/* n_functions is 0 if the shader is interpreted, at least in part. False: no memory. */
bool cost_machine_init(struct cost_machine *m, const struct cost_job *job);
void cost_machine_fini(struct cost_machine *m);
/* The function of an address, or NULL. */
const struct cost_function *cost_machine_find(const struct cost_machine *m, uintptr_t address);

struct cost_tally {
    uint64_t *at;     /* per byte of machine code: at the instruction that begins there */
    uint64_t *origin; /* per instruction of the shader + 1: what its machine code has called, such
                         as the sampler */
    uint64_t outside; /* in neither: entering and leaving the code */
    uint64_t total;
    uint32_t n_origins;
};
bool cost_tally_init(struct cost_tally *t, const struct cost_machine *m, uint32_t n_instr);
void cost_tally_fini(struct cost_tally *t);
/* All that is for an instruction; 0: what is for none. */
uint64_t cost_tally_of(const struct cost_tally *t, const struct cost_machine *m, uint32_t origin);

/* Whether this system can run one machine instruction after another. */
bool cost_can_step(void);
/* Runs all batches once, one machine instruction after another, and counts them. False: this system
 * cannot, there is no machine code, or the shader runs too many of them. */
bool cost_step(struct cost_tally *out, struct cost_machine *m, struct cost_job *job);
/* Runs all batches again and again, and takes samples. False: this system cannot, or there is no
 * machine code. */
bool cost_sample(struct cost_tally *out, const struct cost_machine *m, struct cost_job *job,
                 double seconds);
/* Runs an interpreted shader again and again, and takes the time of each instruction, in
 * picoseconds. False: the shader is compiled, or there is no memory. */
bool cost_clock(struct cost_tally *out, struct cost_job *job, double seconds, unsigned *runs);

#endif
