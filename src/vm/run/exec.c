/* IR interpreter: runs code over a batch, and executes flow control with a control-flow mask stack.
 *
 * f->exec_mask holds the active lanes. A branch never splits the batch: both sides run, each with
 * its lanes, and the interpreter jumps over a side without lanes. Inactive lanes keep their
 * registers because the IR instructions that write registers (STORE, SCATTER, SETP) observe
 * exec_mask. Other IR instructions may compute values for inactive lanes, which nothing reads. */
#include "util/log.h"
#include "vm/run/frame.h"

#include <string.h>

size_t vm_code_work_bytes(const struct vm_code *code)
{
    return code->work_bytes;
}

float *vm_code_outputs(const struct vm_code *code, void *work)
{
    return (float *)(void *)((char *)work + code->outputs_at);
}

/* Not inlined, so that the registers that callers expect to be preserved are saved here, once for
 * all IR functions. */
__attribute__((noinline)) void vm_frame_run(struct vm_frame *f, const struct vm_ir_op *first)
{
    f->next = first;
    while (f->next) {
        const struct vm_ir_op *op = f->next++;

        op->fn[f->divergent](op, f);
    }
}

/* --- Execution mask and control-flow stack ---------------------------------------------------- */

static void set_exec_mask(struct vm_frame *f, uint64_t exec)
{
    f->exec_mask = exec;
    f->divergent = exec != f->lanes;
}

static void jump(struct vm_frame *f, uint32_t target)
{
    f->next = f->code->exec_op + target;
}

/* Adds an entry to the control-flow stack. Fields that its kind does not use keep old contents. */
static struct vm_cf_entry *push(struct vm_frame *f, bool is_call)
{
    struct vm_cf_entry *entry = &f->cf_stack[f->cf_depth++];

    entry->exec_mask = f->exec_mask;
    entry->is_call = is_call;
    return entry;
}

static struct vm_cf_entry *top(const struct vm_frame *f)
{
    return &f->cf_stack[f->cf_depth - 1];
}

static bool bool_constant(const struct vm_frame *f, uint32_t imm)
{
    const int32_t *b = (const int32_t *)(const void *)(f->base[1] + f->code->bool_at);

    return (b[imm & 0x7fffffff] != 0) != (imm >> 31);
}

/* --- if --------------------------------------------------------------------------------------- */

static void enter_if(const struct vm_ir_op *op, struct vm_frame *f, uint64_t condition)
{
    struct vm_cf_entry *entry = push(f, false);

    entry->saved_mask = f->exec_mask & ~condition;
    set_exec_mask(f, f->exec_mask & condition);
    if (!f->exec_mask)
        jump(f, op->target);
}

/* All lanes take the same side, so the mask stays. */
VM_SYSV_ABI void vm_exec_if_bool(const struct vm_ir_op *op, struct vm_frame *f)
{
    if (!bool_constant(f, op->imm))
        jump(f, op->target);
}

/* Blocks with inactive lanes have a second copy; see lower/code.c. */
VM_SYSV_ABI void vm_exec_branch_divergent(const struct vm_ir_op *op, struct vm_frame *f)
{
    if (f->divergent)
        jump(f, op->target);
}

VM_SYSV_ABI void vm_exec_jump(const struct vm_ir_op *op, struct vm_frame *f)
{
    jump(f, op->target);
}

VM_SYSV_ABI void vm_exec_if_pred(const struct vm_ir_op *op, struct vm_frame *f)
{
    enter_if(op, f, vm_frame_predicate(f, op->imm));
}

VM_SYSV_ABI void vm_exec_if_cond(const struct vm_ir_op *op, struct vm_frame *f)
{
    enter_if(op, f, f->condition);
}

VM_SYSV_ABI void vm_exec_else(const struct vm_ir_op *op, struct vm_frame *f)
{
    set_exec_mask(f, top(f)->saved_mask & ~f->break_mask & ~f->return_mask);
    if (!f->exec_mask)
        jump(f, op->target);
}

VM_SYSV_ABI void vm_exec_endif(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    set_exec_mask(f, top(f)->exec_mask & ~f->break_mask & ~f->return_mask);
    f->cf_depth--;
}

/* --- Watchdog --------------------------------------------------------------------------------- */

/* op->imm: instructions of the iteration or routine that ends. */
static void tick_watchdog(const struct vm_ir_op *op, struct vm_frame *f)
{
    f->watchdog -= op->imm < f->watchdog ? op->imm : f->watchdog;
    if (!f->watchdog)
        log_once("vm", "budget",
                 "stopped the loops and calls of a shader: over %d instructions per lane",
                 VM_LANE_INSTRUCTION_LIMIT);
}

/* --- Loops ------------------------------------------------------------------------------------ */

enum { IS_REP = 1u << 31 };

VM_SYSV_ABI void vm_exec_loop(const struct vm_ir_op *op, struct vm_frame *f)
{
    const int32_t *i = (const int32_t *)(const void *)(f->base[1] + f->code->int_at);
    struct vm_cf_entry *entry;

    i += (op->imm & ~(uint32_t)IS_REP) * 4;
    if (i[0] <= 0 || !f->exec_mask) {
        jump(f, op->target);
        return;
    }
    entry = push(f, false);
    entry->break_mask = f->break_mask;
    entry->al = f->al;
    entry->count = i[0];
    entry->step = 0;
    f->break_mask = 0;
    if (!(op->imm & IS_REP)) {
        f->al = i[1];
        entry->step = i[2];
    }
}

VM_SYSV_ABI void vm_exec_endloop(const struct vm_ir_op *op, struct vm_frame *f)
{
    struct vm_cf_entry *entry = top(f);
    uint64_t left = entry->exec_mask & ~f->break_mask & ~f->return_mask;

    tick_watchdog(op, f);
    if (--entry->count > 0 && left && f->watchdog) {
        f->al = (int32_t)((uint32_t)f->al + (uint32_t)entry->step);
        set_exec_mask(f, left);
        jump(f, op->target);
        return;
    }
    f->break_mask = entry->break_mask;
    f->al = entry->al;
    set_exec_mask(f, entry->exec_mask & ~f->return_mask);
    f->cf_depth--;
}

static void break_lanes(struct vm_frame *f, uint64_t condition)
{
    f->break_mask |= f->exec_mask & condition;
    set_exec_mask(f, f->exec_mask & ~condition);
}

VM_SYSV_ABI void vm_exec_break(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    break_lanes(f, ~UINT64_C(0));
}

VM_SYSV_ABI void vm_exec_break_cond(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    break_lanes(f, f->condition);
}

VM_SYSV_ABI void vm_exec_break_pred(const struct vm_ir_op *op, struct vm_frame *f)
{
    break_lanes(f, vm_frame_predicate(f, op->imm));
}

/* --- Subroutines ------------------------------------------------------------------------------ */

static void call(const struct vm_ir_op *op, struct vm_frame *f, uint64_t condition)
{
    struct vm_cf_entry *entry;

    if (!(f->exec_mask & condition) || !f->watchdog)
        return;
    entry = push(f, true);
    entry->saved_mask = f->return_mask;
    entry->return_target = (uint32_t)(f->next - f->code->exec_op);
    set_exec_mask(f, f->exec_mask & condition);
    jump(f, op->target);
}

VM_SYSV_ABI void vm_exec_call(const struct vm_ir_op *op, struct vm_frame *f)
{
    call(op, f, ~UINT64_C(0));
}

VM_SYSV_ABI void vm_exec_call_bool(const struct vm_ir_op *op, struct vm_frame *f)
{
    call(op, f, bool_constant(f, op->imm) ? ~UINT64_C(0) : 0);
}

VM_SYSV_ABI void vm_exec_call_pred(const struct vm_ir_op *op, struct vm_frame *f)
{
    call(op, f, vm_frame_predicate(f, op->imm));
}

/* At the outermost level of a routine all lanes return together; inside an if or loop they wait. */
VM_SYSV_ABI void vm_exec_return(const struct vm_ir_op *op, struct vm_frame *f)
{
    tick_watchdog(op, f);
    if (f->cf_depth && top(f)->is_call) {
        f->return_mask = top(f)->saved_mask;
        set_exec_mask(f, top(f)->exec_mask);
        jump(f, top(f)->return_target);
        f->cf_depth--;
        return;
    }
    f->return_mask |= f->exec_mask;
    set_exec_mask(f, 0);
}

/* Ends the branches of a main program in which lanes have returned early. */
VM_SYSV_ABI void vm_exec_reconverge(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    f->return_mask = f->break_mask = 0;
    set_exec_mask(f, f->lanes);
}

VM_SYSV_ABI void vm_exec_end(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    f->next = NULL;
}

/* --- Interface -------------------------------------------------------------------------------- */

void vm_run(const struct vm_code *code, struct vm_batch *batch)
{
    struct vm_frame f;

    f.base[0] = batch->work;
    /* Kernels write only through base[0], so the cast from const is safe. */
    f.base[1] = (char *)(uintptr_t)batch->uniforms;
    f.code = code;
    f.batch = batch;
    f.lanes = f.exec_mask = batch->lanes;
    f.break_mask = f.return_mask = f.killed = f.condition = 0;
    f.predicate[0] = f.predicate[1] = f.predicate[2] = f.predicate[3] = 0;
    f.divergent = 0;
    f.ieee = code->ieee;
    f.al = 0;
    f.constants = (const float *)(const void *)(f.base[1] + code->constants_at);
    f.n_constants = code->n_constants;
    f.watchdog = VM_LANES * VM_LANE_INSTRUCTION_LIMIT;
    if (~batch->lanes)
        f.watchdog = (uint32_t)__builtin_popcountll(batch->lanes | 1) * VM_LANE_INSTRUCTION_LIMIT;
    f.cf_depth = 0;
    f.cf_stack = (struct vm_cf_entry *)(void *)((char *)batch->work + code->cf_stack_at);
    vm_frame_run(&f, code->exec_op);
    batch->killed = f.killed & batch->lanes;
}
