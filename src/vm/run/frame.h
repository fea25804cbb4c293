/* State of a running batch, and the functions that IR instructions call: kernels and flow control.
 * Lowering puts these functions into code; the JIT reads and writes the state. Private to vm. */
#ifndef VM_RUN_FRAME_H
#define VM_RUN_FRAME_H

#include "util/cpu.h"
#include "vm/ir/code.h"
#include "vm/run/run.h"

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

/* --- Kernels ---------------------------------------------------------------------------------- */

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

/* --- Interpreter instructions that are not kernels (exec.c, sample.c, single_step.c) ---------- */

vm_ir_op_fn vm_exec_sample;
vm_ir_op_fn vm_exec_end, vm_exec_if_bool, vm_exec_if_pred, vm_exec_if_cond, vm_exec_else,
    vm_exec_endif;
vm_ir_op_fn vm_exec_loop, vm_exec_endloop, vm_exec_break, vm_exec_break_cond, vm_exec_break_pred;
vm_ir_op_fn vm_exec_call, vm_exec_call_bool, vm_exec_call_pred, vm_exec_return;
vm_ir_op_fn vm_exec_reconverge, vm_exec_jump, vm_exec_branch_divergent;
vm_ir_op_fn vm_exec_step;

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
