/* Runs code over a batch: flow control with lane masks, and sampling.
 *
 * f->exec holds the lanes that are switched on. A branch never splits the batch: both sides run,
 * each with its lanes, and a side without lanes is jumped over. Lanes outside exec keep their
 * registers because STORE and the like look at exec; all other operations may compute them for
 * nothing. */
#include "util/log.h"
#include "vm/code.h"

#include <string.h>

size_t vm_code_work_bytes(const struct vm_code *code)
{
    return code->work_bytes;
}

float *vm_code_outputs(const struct vm_code *code, void *work)
{
    return (float *)(void *)((char *)work + code->outputs_at);
}

/* By itself, as it is here that what callers want kept of registers is put by. */
__attribute__((noinline)) void vm_frame_run(struct vm_frame *f, const struct vm_ir_op *first)
{
    f->next = first;
    while (f->next) {
        const struct vm_ir_op *op = f->next++;

        op->fn[f->divergent](op, f);
    }
}

/* --- Masks and levels ------------------------------------------------------------------------- */

static void set_exec(struct vm_frame *f, uint64_t exec)
{
    f->exec = exec;
    f->divergent = exec != f->lanes;
}

static void jump(struct vm_frame *f, uint32_t target)
{
    f->next = f->code->exec_op + target;
}

/* Fields that the kind of level does not have keep what was there. */
static struct vm_level *push(struct vm_frame *f, bool is_call)
{
    struct vm_level *level = &f->level[f->depth++];

    level->exec = f->exec;
    level->is_call = is_call;
    return level;
}

static struct vm_level *top(const struct vm_frame *f)
{
    return &f->level[f->depth - 1];
}

static bool bool_constant(const struct vm_frame *f, uint32_t imm)
{
    const int32_t *b = (const int32_t *)(const void *)(f->base[1] + f->code->bool_at);

    return (b[imm & 0x7fffffff] != 0) != (imm >> 31);
}

/* --- if --------------------------------------------------------------------------------------- */

static void enter_if(const struct vm_ir_op *op, struct vm_frame *f, uint64_t condition)
{
    struct vm_level *level = push(f, false);

    level->other = f->exec & ~condition;
    set_exec(f, f->exec & condition);
    if (!f->exec)
        jump(f, op->target);
}

/* All lanes go the same way, so the mask stays. */
VM_SYSV_ABI void vm_exec_if_bool(const struct vm_ir_op *op, struct vm_frame *f)
{
    if (!bool_constant(f, op->imm))
        jump(f, op->target);
}

/* Blocks that lanes may have left exist twice; see lower_code.c. */
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
    set_exec(f, top(f)->other & ~f->broken & ~f->gone);
    if (!f->exec)
        jump(f, op->target);
}

VM_SYSV_ABI void vm_exec_endif(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    set_exec(f, top(f)->exec & ~f->broken & ~f->gone);
    f->depth--;
}

/* --- The budget ------------------------------------------------------------------------------- */

/* op->imm: instructions of the round or routine that ends. */
static void charge(const struct vm_ir_op *op, struct vm_frame *f)
{
    f->budget -= op->imm < f->budget ? op->imm : f->budget;
    if (!f->budget)
        log_once("vm", "budget",
                 "a shader's loops and calls were ended: over %d instructions a lane",
                 VM_LANE_BUDGET);
}

/* --- Loops ------------------------------------------------------------------------------------ */

enum { IS_REP = 1u << 31 };

VM_SYSV_ABI void vm_exec_loop(const struct vm_ir_op *op, struct vm_frame *f)
{
    const int32_t *i = (const int32_t *)(const void *)(f->base[1] + f->code->int_at);
    struct vm_level *level;

    i += (op->imm & ~(uint32_t)IS_REP) * 4;
    if (i[0] <= 0 || !f->exec) {
        jump(f, op->target);
        return;
    }
    level = push(f, false);
    level->broken = f->broken;
    level->al = f->al;
    level->count = i[0];
    level->step = 0;
    f->broken = 0;
    if (!(op->imm & IS_REP)) {
        f->al = i[1];
        level->step = i[2];
    }
}

VM_SYSV_ABI void vm_exec_endloop(const struct vm_ir_op *op, struct vm_frame *f)
{
    struct vm_level *level = top(f);
    uint64_t left = level->exec & ~f->broken & ~f->gone;

    charge(op, f);
    if (--level->count > 0 && left && f->budget) {
        f->al = (int32_t)((uint32_t)f->al + (uint32_t)level->step);
        set_exec(f, left);
        jump(f, op->target);
        return;
    }
    f->broken = level->broken;
    f->al = level->al;
    set_exec(f, level->exec & ~f->gone);
    f->depth--;
}

static void leave_loop(struct vm_frame *f, uint64_t condition)
{
    f->broken |= f->exec & condition;
    set_exec(f, f->exec & ~condition);
}

VM_SYSV_ABI void vm_exec_break(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    leave_loop(f, ~UINT64_C(0));
}

VM_SYSV_ABI void vm_exec_break_cond(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    leave_loop(f, f->condition);
}

VM_SYSV_ABI void vm_exec_break_pred(const struct vm_ir_op *op, struct vm_frame *f)
{
    leave_loop(f, vm_frame_predicate(f, op->imm));
}

/* --- Routines --------------------------------------------------------------------------------- */

static void call(const struct vm_ir_op *op, struct vm_frame *f, uint64_t condition)
{
    struct vm_level *level;

    if (!(f->exec & condition) || !f->budget)
        return;
    level = push(f, true);
    level->other = f->gone;
    level->back = (uint32_t)(f->next - f->code->exec_op);
    set_exec(f, f->exec & condition);
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

/* At the outermost level of a routine its lanes go back together; inside an if or loop they wait.
 */
VM_SYSV_ABI void vm_exec_return(const struct vm_ir_op *op, struct vm_frame *f)
{
    charge(op, f);
    if (f->depth && top(f)->is_call) {
        f->gone = top(f)->other;
        set_exec(f, top(f)->exec);
        jump(f, top(f)->back);
        f->depth--;
        return;
    }
    f->gone |= f->exec;
    set_exec(f, 0);
}

/* The end of a main program that returned from inside a branch. */
VM_SYSV_ABI void vm_exec_reconverge(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    f->gone = f->broken = 0;
    set_exec(f, f->lanes);
}

VM_SYSV_ABI void vm_exec_end(const struct vm_ir_op *op, struct vm_frame *f)
{
    (void)op;
    f->next = NULL;
}

/* --- Sampling --------------------------------------------------------------------------------- */

/* All lanes, of the uniforms those of hoisted results. */
static inline float *lane_array(const struct vm_frame *f, uint32_t arg)
{
    char *base = f->base[arg & VM_ARG_UNIFORM];

    return arg == (uint32_t)VM_ARG_NONE ? NULL
                                        : (float *)(void *)(base + (arg & (uint32_t)VM_ARG_OFFSET));
}

static void put_gradients(const struct vm_frame *f, const uint32_t *arg, struct sample *s)
{
    for (unsigned i = 0; i < 3; i++) {
        s->ddx[i] = lane_array(f, arg[i]);
        s->ddy[i] = lane_array(f, arg[3 + i]);
    }
}

static void put_texel(const struct vm_frame *f, const uint32_t *arg, struct sample *s)
{
    s->sampler = arg[13];
    for (unsigned i = 0; i < 4; i++)
        s->texel[i] = lane_array(f, arg[i]);
}

static void sample_all(const struct vm_batch *batch, const struct sample *s, unsigned n)
{
    if (n > 1 && batch->sample_together) {
        batch->sample_together(batch->sample_ctx, s, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        batch->sample(batch->sample_ctx, &s[i]);
}

/* Operand words: texel 4, coordinate 3, level 1 or gradients 6, sampler, mode. Groups have the same
 * but for texel and sampler. */
VM_SYSV_ABI void vm_exec_sample(const struct vm_ir_op *op, struct vm_frame *f)
{
    const uint32_t *arg = op->arg;
    struct sample s[VM_SAMPLES_TOGETHER];

    if (!f->exec)
        return;
    put_texel(f, arg, s);
    s->lod_mode = (enum lod)arg[14];
    s->lanes = f->exec;
    for (unsigned i = 0; i < 3; i++)
        s->coord[i] = lane_array(f, arg[4 + i]);
    s->coord[3] = NULL;
    s->lod = NULL;
    if (s->lod_mode == LOD_GRADIENT)
        put_gradients(f, arg + 7, s);
    else
        s->lod = lane_array(f, arg[7]);
    for (unsigned i = 1; i < op->n; i++) {
        s[i] = s[0];
        put_texel(f, arg + i * VM_SAMPLE_WORDS, &s[i]);
    }
    sample_all(f->batch, s, op->n);
}

/* --- The door --------------------------------------------------------------------------------- */

void vm_run(const struct vm_code *code, struct vm_batch *batch)
{
    struct vm_frame f;

    f.base[0] = batch->work;
    /* Kernels write only through base[0]; the uniforms of a batch are read. */
    f.base[1] = (char *)(uintptr_t)batch->uniforms;
    f.code = code;
    f.batch = batch;
    f.lanes = f.exec = batch->lanes;
    f.broken = f.gone = f.killed = f.condition = 0;
    f.predicate[0] = f.predicate[1] = f.predicate[2] = f.predicate[3] = 0;
    f.divergent = 0;
    f.ieee = code->ieee;
    f.al = 0;
    f.constants = (const float *)(const void *)(f.base[1] + code->constants_at);
    f.n_constants = code->n_constants;
    f.budget = VM_LANES * VM_LANE_BUDGET;
    if (~batch->lanes)
        f.budget = (uint32_t)__builtin_popcountll(batch->lanes | 1) * VM_LANE_BUDGET;
    f.depth = 0;
    f.level = (struct vm_level *)(void *)((char *)batch->work + code->levels_at);
    vm_frame_run(&f, code->exec_op);
    batch->killed = f.killed & batch->lanes;
}
