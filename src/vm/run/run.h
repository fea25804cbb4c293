/* Execution: runs code over batches of 64 lanes, with the constants of a draw and the samplers of
 * the caller. */
#ifndef VM_RUN_RUN_H
#define VM_RUN_RUN_H

#include "ir/ir.h"
#include "util/sample.h"
#include "vm/program/info.h"

struct vm_code;

/* Constant registers of a draw. The program's def/defi/defb override them. Counts may be smaller
 * than what the program reads: the rest reads as 0. */
struct vm_constants {
    const float (*f)[4];
    const int32_t (*i)[4];
    const int32_t *b;         /* nonzero = true */
    const float (*system)[4]; /* ps_1_x bump environment, see VM_SYSTEM_* */
    unsigned n_f, n_i, n_b, n_system;
};

/* Uniforms: the constants of one draw in the layout that code reads, with all constant expressions
 * evaluated. The caller owns `uniforms`: vm_code_uniform_bytes, 64-byte aligned. Later changes of
 * the constants have no effect on them. */
size_t vm_code_uniform_bytes(const struct vm_code *code);
void vm_code_fill_uniforms(const struct vm_code *code, const struct vm_constants *constants,
                           void *uniforms);

/* Bases from VM_EPILOGUE_BASE on are those of an epilogue: vm/lower/lower.h. */
enum { VM_EPILOGUE_BASE = 8, VM_EPILOGUE_BASES = IR_BASES - VM_EPILOGUE_BASE };

typedef void vm_sample_fn(void *ctx, const struct sample *sample);
/* Samples n textures for consecutive texture instructions with the same coordinates, LOD, gradients
 * and lanes. */
typedef void vm_sample_group_fn(void *ctx, const struct sample *samples, unsigned n);

/* Report of code compiled with vm_options.single_step: instructions first … last have run. One
 * exception: if the last is a flow instruction other than else, endif or label, it has yet to run.
 * Usually first equals last. They differ where several instructions write together (co-issue, rows
 * of a texture matrix). Instructions that no lane runs are not reported. */
struct vm_step {
    uint32_t first, last;
    uint64_t lanes;                 /* active lanes */
    uint64_t killed;                /* lanes killed so far */
    const struct vm_dst *dst;       /* destination of the last instruction; file VM_FILE_NONE: no
                                       destination */
    const struct vm_src *predicate; /* of the last instruction; NULL: it has none */
    const void *state;              /* for vm_step_register */
};
typedef void vm_step_fn(void *ctx, const struct vm_step *step);
/* Reads the present value of a register component: temporaries, ps_1_x t#, a0, aL (component 0), p0
 * (0 or 1) and outputs. False if the program has no such component. */
bool vm_step_register(const struct vm_step *step, unsigned file, unsigned reg, unsigned component,
                      unsigned lane, float *value);

/* The instructions that a lane may run in loops, four times the advertised capability
 * (MaxVShaderInstructionsExecuted, 65,535): a round counts all instructions from loop to endloop.
 * It keeps four nested loops of 255 rounds from hanging the program (reference: shader/budget). */
enum { VM_LANE_INSTRUCTION_LIMIT = 1 << 18 };

/* One batch. `work` is vm_code_work_bytes of 64-byte aligned memory. Before vm_run the caller puts
 * input slot s at (float *)work + s * VM_LANES; afterwards output slot s is at
 * vm_code_outputs(code, work) + s * VM_LANES. vm_run preserves the inputs. Outputs that the program
 * does not write are 0. Outputs outside vm_options.live_outputs are undefined. */
struct vm_batch {
    void *work;
    const void *uniforms;
    uint64_t lanes;  /* lanes that count for branches and sampling; includes helper lanes */
    uint64_t killed; /* result: lanes that texkill removed */
    vm_sample_fn *sample;
    vm_sample_group_fn *sample_group; /* NULL: sample is called for each texture */
    void *sample_ctx;
    void *epilogue[VM_EPILOGUE_BASES]; /* its memory; if the code has one */
    vm_step_fn *step_hook;             /* may be NULL */
    void *step_ctx;
    /* Interpreted code with vm_options.origins 2: instruction `origin` - 1 runs from now on; 0:
     * none. May be NULL. */
    void (*origin_hook)(void *ctx, uint32_t origin);
    void *origin_ctx;
};
size_t vm_code_work_bytes(const struct vm_code *code);
float *vm_code_outputs(const struct vm_code *code, void *work);
void vm_run(const struct vm_code *code, struct vm_batch *batch);

#endif
