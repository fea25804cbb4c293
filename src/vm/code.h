/* Lowered code and the state of a running batch: what lowering writes, the kernels and exec read.
 * Private to vm. */
#ifndef VM_CODE_H
#define VM_CODE_H

#include "util/cpu.h"
#include "util/executable.h"
#include "vm/vm.h"

enum vm_ir_opcode {
#define IR_OP(name, ...) VM_IR_##name,
#include "vm/ir_ops.def"
#undef IR_OP
    VM_IR_COUNT
};

/* Where an operand lies: a byte offset, a multiple of 64, with the low bits telling the rest. */
enum {
    VM_ARG_UNIFORM =
        1,          /* in the uniforms, one value repeated over 64 bytes; else in the work memory */
    VM_ARG_NEG = 2, /* negated, after */
    VM_ARG_ABS = 4, /* its absolute value was taken */
    VM_ARG_OFFSET = ~63,
    VM_ARG_NONE = -1 /* dst or operand that is not there */
};

/* A predicate component as an operand: VM_PRED_ON | component | VM_PRED_NOT; 0: always true. */
enum { VM_PRED_NOT = 4, VM_PRED_ON = 8 };

enum { VM_LANE_BYTES = VM_LANES * 4, VM_UNIFORM_BYTES = 64 };

enum { VM_SAMPLE_WORDS = 15 }; /* operands of a group: see vm_exec_sample */

/* Micro-operations, and what they call of their kernels, are called on 64-bit Windows as elsewhere:
 * no vector register is the caller's, and machine code is the same. */
#if defined(_WIN32) && defined(__x86_64__)
#define VM_SYSV_ABI __attribute__((sysv_abi))
#else
#define VM_SYSV_ABI
#endif
struct vm_frame;
struct vm_ir_op;
typedef VM_SYSV_ABI void vm_ir_op_fn(const struct vm_ir_op *op, struct vm_frame *f);

struct vm_ir_op {
    vm_ir_op_fn *fn[2];  /* [1] runs while some lanes are switched off by branches */
    const uint32_t *arg; /* n groups of operands as ir_ops.def describes them */
    uint32_t n;
    uint32_t target; /* flow: index of the micro-operation to go to */
    uint32_t imm;    /* flow: constant register, or predicate operand */
    bool saturate;   /* the result; kernels for plain operands know without */
    uint8_t opcode;  /* enum vm_ir_opcode; VM_IR_COUNT: flow */
};

/* One level of flow control. */
struct vm_cf_entry {
    uint64_t exec_mask;  /* if: lanes that entered; loop, call: lanes that come back at the end */
    uint64_t saved_mask; /* if: lanes for the else part; call: what was in vm_frame.return_mask */
    uint64_t break_mask; /* loop: what was in vm_frame.break_mask outside */
    int32_t count, al, step; /* loop: iterations left, the outer aL, what to add */
    uint32_t return_target;  /* call: micro-operation after it */
    bool is_call;
};

/* One running batch. */
struct vm_frame {
    char *base[2]; /* work, uniforms */
    const struct vm_ir_op *next;
    const struct vm_code *code;
    struct vm_batch *batch;
    uint64_t lanes;  /* of the batch */
    uint64_t exec_mask;   /* switched on now; a subset */
    uint64_t break_mask;  /* left the innermost loop */
    uint64_t return_mask; /* returned from the routine */
    uint64_t killed;
    uint64_t condition;    /* of the last COMPARE */
    uint64_t predicate[4]; /* p0 */
    unsigned divergent;    /* exec != lanes */
    bool ieee;             /* no zero rule */
    int32_t al;
    const float *constants; /* the array for relative addressing, 4 floats each */
    uint32_t n_constants;
    uint32_t watchdog; /* left for loops and calls; see VM_LANE_INSTRUCTION_LIMIT */
    uint32_t cf_depth;
    struct vm_cf_entry *cf_stack;
};

/* What vm_run spends on loops and calls for each lane, in instructions between loop and endloop,
 * label and ret, taken or not: four times what the caps promise (MaxVShaderInstructionsExecuted,
 * 65,535), and what keeps four nested loops of 255 from hanging the program (reference:
 * shader/budget). */
enum { VM_LANE_INSTRUCTION_LIMIT = 1 << 18 };

/* Kernels come in forms: for operands of any kind, with modifiers, saturating if op->saturate; the
 * same where only the first operand may have modifiers; and, for plain operands, one for each set
 * of operand classes that are uniforms, with and without saturation: form VM_OPMODE_PLAIN + 2 * set
 * + saturate. NULL where a kernel has no such form. */
enum { VM_OPMODE_ANY, VM_OPMODE_FIRST, VM_OPMODE_PLAIN, VM_OPMODE_COUNT = VM_OPMODE_PLAIN + 2 * 8 };

/* The class of operand i of n: itself, but in sums of products first factors are 0, second 1, and
 * what is added 2. */
static inline unsigned vm_operand_class(unsigned n, unsigned i)
{
    return n <= 3 ? i : n % 2 && i == n - 1 ? 2 : i & 1;
}

struct vm_kern {
    const char *isa;
    vm_ir_op_fn *fn[VM_IR_COUNT][VM_OPMODE_COUNT];
};
KERN_DECLARE(struct vm_kern, vm_kern);

/* Operations that know lanes from one another; they take operands of any kind. */
struct vm_cross_lane_kern {
    vm_ir_op_fn *fn[VM_IR_COUNT];
};
KERN_DECLARE(struct vm_cross_lane_kern, vm_cross_lane_kern);

/* One scalar of the uniforms and where it comes from. */
enum vm_scalar_from { VM_FROM_LITERAL, VM_FROM_FLOAT, VM_FROM_SYSTEM };
struct vm_scalar {
    uint8_t from; /* enum vm_scalar_from */
    uint8_t component;
    bool negate, absolute;
    uint16_t index;
    uint32_t bits; /* literal */
};

/* What indexed access needs to know: slots by (register, component), -1 where there is none. */
struct vm_slot_table {
    int16_t slot[32][4];
};

/* Where the vregs of observed code are; see vm_step_register. */
struct vm_vreg_table {
    const struct vm_program *program;
    uint32_t *slot; /* per vreg; UINT32_MAX: it has none */
    uint32_t n_vreg, texture, address, output;
    bool has_textures;
};

struct vm_code {
    struct vm_ir_op *op;      /* the program, ended by an `end` operation */
    struct vm_ir_op *exec_op; /* what runs: the same, or a copy with runs of them as machine code */
    struct executable executable;
    struct vm_ir_op *preamble;  /* run once a draw over the uniforms, ended likewise */
    uint32_t *arg;              /* the operands of both */
    struct vm_scalar *scalar;
    struct vm_definition *def; /* those that indexed reads and flow control see */
    uint32_t n_ops, n_scalars, n_defs;
    uint32_t n_constants; /* length of the indexed constant array, 0 when nothing indexes */
    uint32_t max_cf_depth; /* levels of flow control */
    bool ieee, clamp_constants;
    struct vm_slot_table input, output;
    struct vm_vreg_table vregs; /* with vm_options.single_step only, else empty */
    /* Layout of the uniforms in bytes: scalars from 0 on, hoisted results, then these. */
    size_t constants_at, int_at, bool_at, uniform_bytes;
    uint32_t n_int, n_bool;
    /* Layout of the work memory: inputs, outputs, registers and temporaries, flow control levels.
     */
    size_t outputs_at, cf_stack_at, work_bytes;
};

/* --- jit.c: machine code ---------------------------------------------------------------------- */

/* On this processor, with the instruction set in force. */
bool vm_jit_is_possible(void);
/* Makes `run` of the finished program; if that fails it stays as it is. live_across_blocks: of the
 * slots of its work memory those that are read from one block to another, and outputs. */
void vm_jit(struct vm_code *code, const uint8_t *live_across_blocks, uint32_t n_slots);

/* --- exec.c: operations that are not kernels -------------------------------------------------- */

vm_ir_op_fn vm_exec_sample;
vm_ir_op_fn vm_exec_end, vm_exec_if_bool, vm_exec_if_pred, vm_exec_if_cond, vm_exec_else,
    vm_exec_endif;
vm_ir_op_fn vm_exec_loop, vm_exec_endloop, vm_exec_break, vm_exec_break_cond, vm_exec_break_pred;
vm_ir_op_fn vm_exec_call, vm_exec_call_bool, vm_exec_call_pred, vm_exec_return;
vm_ir_op_fn vm_exec_reconverge, vm_exec_jump, vm_exec_branch_divergent;
vm_ir_op_fn vm_exec_step; /* single_step.c */

/* Runs micro-operations until the one that clears f->next. */
void vm_frame_run(struct vm_frame *f, const struct vm_ir_op *first);

static inline uint64_t vm_frame_predicate(const struct vm_frame *f, uint32_t operand)
{
    uint64_t p = f->predicate[operand & 3];

    if (!(operand & VM_PRED_ON))
        return ~UINT64_C(0);
    return operand & VM_PRED_NOT ? ~p : p;
}

#endif
