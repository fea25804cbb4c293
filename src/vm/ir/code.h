/* Lowered code (IR) and the state of a running batch, shared by lowering, kernels, JIT and
 * interpreter. Private to vm. */
#ifndef VM_IR_CODE_H
#define VM_IR_CODE_H

#include "util/cpu.h"
#include "util/executable.h"
#include "vm/vm.h"

enum vm_ir_opcode {
#define IR_OP(name, ...) VM_IR_##name,
#include "vm/ir/ops.def"
#undef IR_OP
    VM_IR_COUNT
};

/* Operand word: a byte offset, multiple of 64, with flags in the low bits. */
enum {
    VM_ARG_UNIFORM = 1, /* in the uniforms, one value repeated over 64 bytes; otherwise in work
                           memory */
    VM_ARG_NEG = 2,     /* negate, after VM_ARG_ABS */
    VM_ARG_ABS = 4,     /* take the absolute value */
    VM_ARG_OFFSET = ~63,
    VM_ARG_NONE = -1 /* absent destination or operand */
};

/* Predicate operand: VM_PRED_ON | component | VM_PRED_NOT; 0 is always true. */
enum { VM_PRED_NOT = 4, VM_PRED_ON = 8 };

enum { VM_LANE_BYTES = VM_LANES * 4, VM_UNIFORM_BYTES = 64 };

enum { VM_SAMPLE_WORDS = 15 }; /* words of an instance: see vm_exec_sample */

/* IR functions use the System V ABI on 64-bit Windows too. No vector register is callee-saved
 * there, and the JIT emits the same code for all systems. */
#if defined(_WIN32) && defined(__x86_64__)
#define VM_SYSV_ABI __attribute__((sysv_abi))
#else
#define VM_SYSV_ABI
#endif
struct vm_frame;
struct vm_ir_op;
typedef VM_SYSV_ABI void vm_ir_op_fn(const struct vm_ir_op *op, struct vm_frame *f);

struct vm_ir_op {
    vm_ir_op_fn *fn[2];  /* [1] runs while flow control has disabled lanes */
    const uint32_t *arg; /* n instances of operand words, laid out as in ir/ops.def */
    uint32_t n;
    uint32_t target; /* flow: index of the IR instruction to go to */
    uint32_t imm;    /* flow: constant register, or predicate operand */
    bool saturate;   /* clamp the result; plain-operand kernels have it built in */
    uint8_t opcode;  /* enum vm_ir_opcode; VM_IR_COUNT: flow */
};

/* One entry of the control-flow stack. */
struct vm_cf_entry {
    uint64_t exec_mask;      /* if: lanes that entered; loop, call: lanes that resume at the end */
    uint64_t saved_mask;     /* if: lanes of the else part; call: saved vm_frame.return_mask */
    uint64_t break_mask;     /* loop: saved vm_frame.break_mask */
    int32_t count, al, step; /* loop: iterations left, saved aL, step */
    uint32_t return_target;  /* call: IR instruction that follows it */
    bool is_call;
};

/* State of one running batch. */
struct vm_frame {
    char *base[2]; /* work memory, uniforms */
    const struct vm_ir_op *next;
    const struct vm_code *code;
    struct vm_batch *batch;
    uint64_t lanes;       /* lanes of the batch */
    uint64_t exec_mask;   /* active lanes, a subset of lanes */
    uint64_t break_mask;  /* lanes that have left the innermost loop */
    uint64_t return_mask; /* lanes that have returned from the routine */
    uint64_t killed;
    uint64_t condition;    /* result of the last COMPARE */
    uint64_t predicate[4]; /* p0 */
    unsigned divergent;    /* exec_mask != lanes */
    bool ieee;             /* 0 * inf is NaN */
    int32_t al;
    const float *constants; /* array for relative addressing, 4 floats each */
    uint32_t n_constants;
    uint32_t watchdog; /* instructions left for loops and calls; see VM_LANE_INSTRUCTION_LIMIT */
    uint32_t cf_depth;
    struct vm_cf_entry *cf_stack;
};

/* Watchdog: number of instructions per lane that vm_run allows in loops and subroutines. An
 * iteration counts all instructions from loop to endloop, executed or not, and a call all those
 * from label to ret. The limit is four times the advertised capability
 * (MaxVShaderInstructionsExecuted, 65,535). It keeps four nested loops of 255 iterations from
 * hanging the application (reference: shader/budget). */
enum { VM_LANE_INSTRUCTION_LIMIT = 1 << 18 };

/* Operand modes of kernels. ANY takes operands of every kind with modifiers and saturates if
 * op->saturate. FIRST is the same, but only the first operand may have modifiers. Plain operands
 * have one mode for each set of operand classes that are uniforms, with and without saturation:
 * VM_OPMODE_PLAIN + 2 * set + saturate. vm_kern.fn is NULL where a kernel lacks the mode. */
enum { VM_OPMODE_ANY, VM_OPMODE_FIRST, VM_OPMODE_PLAIN, VM_OPMODE_COUNT = VM_OPMODE_PLAIN + 2 * 8 };

/* Class of operand i of n. Up to three operands have a class each. More operands form a sum of
 * products: the first factors are class 0, the second factors 1, the addend 2. */
static inline unsigned vm_operand_class(unsigned n, unsigned i)
{
    return n <= 3 ? i : n % 2 && i == n - 1 ? 2 : i & 1;
}

struct vm_kern {
    const char *isa;
    vm_ir_op_fn *fn[VM_IR_COUNT][VM_OPMODE_COUNT];
};
KERN_DECLARE(struct vm_kern, vm_kern);

/* Cross-lane kernels: each result lane may depend on other lanes. They take operands of any
 * kind. */
struct vm_cross_lane_kern {
    vm_ir_op_fn *fn[VM_IR_COUNT];
};
KERN_DECLARE(struct vm_cross_lane_kern, vm_cross_lane_kern);

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
    uint32_t n_vreg, texture, address, output;
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

/* --- jit.c: machine code ---------------------------------------------------------------------- */

/* True if the processor and the selected instruction set support the JIT. */
bool vm_jit_is_possible(void);
/* Compiles exec_op of the finished code; on failure the code stays interpreted. live_across_blocks:
 * per slot of work memory, 1 for slots that are live across blocks and for outputs. */
void vm_jit(struct vm_code *code, const uint8_t *live_across_blocks, uint32_t n_slots);

/* --- exec.c: interpreter instructions that are not kernels ------------------------------------ */

vm_ir_op_fn vm_exec_sample;
vm_ir_op_fn vm_exec_end, vm_exec_if_bool, vm_exec_if_pred, vm_exec_if_cond, vm_exec_else,
    vm_exec_endif;
vm_ir_op_fn vm_exec_loop, vm_exec_endloop, vm_exec_break, vm_exec_break_cond, vm_exec_break_pred;
vm_ir_op_fn vm_exec_call, vm_exec_call_bool, vm_exec_call_pred, vm_exec_return;
vm_ir_op_fn vm_exec_reconverge, vm_exec_jump, vm_exec_branch_divergent;
vm_ir_op_fn vm_exec_step; /* single_step.c */

/* Runs IR instructions until one clears f->next. */
void vm_frame_run(struct vm_frame *f, const struct vm_ir_op *first);

static inline uint64_t vm_frame_predicate(const struct vm_frame *f, uint32_t operand)
{
    uint64_t p = f->predicate[operand & 3];

    if (!(operand & VM_PRED_ON))
        return ~UINT64_C(0);
    return operand & VM_PRED_NOT ? ~p : p;
}

#endif
