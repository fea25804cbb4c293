/* Lowered code: IR with addresses of operands, machine code, and the layout of uniforms and work
 * memory. Lowering writes it, the JIT adds machine code, the interpreter runs it. Private to vm. */
#ifndef VM_IR_CODE_H
#define VM_IR_CODE_H

#include "util/executable.h"
#include "vm/ir/ir.h"
#include "vm/program/program.h"

enum { VM_LANE_BYTES = VM_LANES * 4, VM_UNIFORM_BYTES = 64 };

/* One scalar of the uniforms and its source. */
enum vm_scalar_from { VM_FROM_LITERAL, VM_FROM_FLOAT, VM_FROM_SYSTEM };
struct vm_scalar {
    uint8_t from; /* enum vm_scalar_from */
    uint8_t component;
    bool negate, absolute;
    uint16_t index;
    uint32_t bits; /* literal */
};

/* Slots for relative addressing by (register, component); -1 where there is none. */
struct vm_slot_table {
    int16_t slot[32][4];
};

/* Slots of the vregs in single-step code; see vm_step_register. */
struct vm_vreg_table {
    const struct vm_program *program;
    uint32_t *slot; /* per vreg; UINT32_MAX: none */
    uint32_t texture, address, output; /* their first vregs */
    bool has_textures;
};

struct vm_code {
    struct vm_ir_op *op;      /* the IR: all blocks, an `end` instruction, then divergent copies of
                                 blocks (lower/code.c) */
    struct vm_ir_op *exec_op; /* IR that runs: op itself, or a copy with JIT superblocks */
    struct executable executable;
    struct vm_ir_op *preamble; /* constant expressions, run once a draw over the uniforms; an `end`
                                  instruction is the last */
    uint32_t *arg;             /* operand words of both */
    struct vm_scalar *scalar;
    struct vm_definition *def; /* definitions visible to relative addressing and flow control */
    uint32_t n_ops, n_scalars, n_defs;
    uint32_t n_constants;  /* length of the constant array; 0: no relative addressing */
    uint32_t max_cf_depth; /* depth of the control-flow stack */
    bool ieee, clamp_constants;
    struct vm_slot_table input, output;
    struct vm_vreg_table vregs; /* only with vm_options.single_step, otherwise empty */
    /* Layout of the uniforms in bytes: scalars at 0, hoisted results, then these. */
    size_t constants_at, int_at, bool_at, uniform_bytes;
    uint32_t n_int, n_bool;
    /* Layout of work memory: inputs, outputs, registers and temporaries, control-flow stack. */
    size_t outputs_at, cf_stack_at, work_bytes;
};

#endif
