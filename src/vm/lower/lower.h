/* Lowering: compiles a program to code, which the module run executes. */
#ifndef VM_LOWER_LOWER_H
#define VM_LOWER_LOWER_H

#include "ir/ir.h"
#include "util/status.h"
#include "vm/program/info.h"

/* Operations that end a program. They read its outputs in registers, and memory at bases of their
 * own, from VM_EPILOGUE_BASE on (vm_batch.epilogue). */
struct vm_epilogue {
    /* Appends them. output: the values of the output slots, in all lanes. Returns the mask of the
     * lanes that they drop, as texkill does; 0: none. */
    ir_ref (*emit)(const void *ctx, struct ir *ir, const ir_ref *output);
    const void *ctx;
};

/* Compile options. Zero the structure first: pipeline keys compare it as bytes. */
struct vm_options {
    uint64_t live_outputs; /* bit per vm_info.output entry; code for the others is eliminated */
    uint8_t ieee;          /* 1: 0 * inf is NaN as in IEEE 754; 0: D3D9 rule
                              (reference: numbers/zero-rule) */
    uint8_t projected[8];  /* ps_1_1 … 1_3 `tex` on stage n: divide by component 2, 3 or 4; 0: no
                              division */
    uint8_t interpret;     /* 1: interpret the IR, make no machine code */
    uint8_t in_memory;     /* 1: registers are kept in memory and routines are not inlined, as in
                              programs that would grow too much; for tests */
    uint8_t origins;       /* 1: machine code tells its instructions: vm/run/machine.h.
                              2: and interpreted code calls vm_batch.origin_hook */
    const struct vm_epilogue *epilogue; /* NULL: none. With one there is machine code or
                                           ST_UNSUPPORTED; outputs outside live_outputs exist in
                                           registers alone */
    uint8_t single_step; /* 1: code calls vm_batch.step_hook after every instruction. It keeps
                            all outputs, is slow, and must not outlive its program */
};

/* Immutable once built; threads may share it. */
struct vm_code;
MUST_CHECK enum status vm_code_create(struct vm_code **out, const struct vm_program *program,
                                      const struct vm_options *options);
void vm_code_destroy(struct vm_code *code); /* NULL is allowed */
/* Whether batches run machine code; else the IR is interpreted. */
bool vm_code_is_compiled(const struct vm_code *code);

#endif
