/* Lowering of control flow to IFs and LOOPs of the IR with lane masks. region.c merges values at
 * their ends.
 *
 * l->exec are the lanes that execute the current instruction. break and ret take lanes from it;
 * they come back at the end of the loop or routine. Calls are inlined, or call functions
 * (memory.c).
 *
 * Tested by tests/unit/vm/run/test_exec.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

#include "util/alloc.h"
#include "vm/run/run.h"

#include <string.h>

static ir_ref none(struct lower *l)
{
    return ir_emit(l->ir, IR_MCONST, 0, 0, 0, 0);
}

static ir_ref all(struct lower *l)
{
    return ir_emit(l->ir, IR_MCONST, 0, 0, 0, 1);
}

static ir_ref word(struct lower *l, int32_t x)
{
    return ir_const_i32(l->ir, x);
}

/* --- Constructs ------------------------------------------------------------------------------- */

static struct construct *push(struct lower *l, enum construct_kind kind)
{
    if (l->n_constructs == l->cap_constructs) {
        uint32_t capacity = l->cap_constructs ? 2 * l->cap_constructs : 32;
        struct construct *more = mem_realloc(l->construct, capacity * sizeof(*more));

        if (!more) {
            l->status = ST_NOMEM;
            return NULL;
        }
        l->construct = more;
        l->cap_constructs = capacity;
    }
    l->construct[l->n_constructs] = (struct construct){
        .kind = kind, .outer = l->region, .n_saved = l->n_saved, .exec = l->exec};
    return &l->construct[l->n_constructs++];
}

static struct construct *top(struct lower *l)
{
    return &l->construct[l->n_constructs - 1];
}

/* After a construct: lanes that have left the loop or routine inside it stay away. */
static void pop(struct lower *l)
{
    const struct construct *construct = &l->construct[--l->n_constructs];

    ir_ref active = vm_lower_get(l, l->vreg_active), alive = vm_lower_get(l, l->vreg_alive);

    l->region = construct->outer;
    l->n_saved = construct->n_saved;
    l->exec = vm_op2(l, IR_MAND, construct->exec, active);
    l->exec = vm_op2(l, IR_MAND, l->exec, alive);
    /* no lane has left: keep the mask, so that writes need no selection */
    if (active == construct->active && alive == construct->alive)
        l->exec = construct->exec;
}

/* --- if --------------------------------------------------------------------------------------- */

/* condition: a mask; is_uniform: equal in all lanes. */
static void begin_if(struct lower *l, ir_ref condition, bool is_uniform)
{
    struct construct *construct = push(l, CONSTRUCT_IF);

    if (!construct)
        return;
    construct->active = vm_lower_get(l, l->vreg_active);
    construct->alive = vm_lower_get(l, l->vreg_alive);
    construct->is_uniform = is_uniform;
    construct->condition = is_uniform ? condition : vm_op2(l, IR_MAND, l->exec, condition);
    construct->is_certain = is_uniform && condition == all(l);
    if (construct->is_certain)
        return;
    ir_if(l->ir, construct->condition);
    if (is_uniform)
        vm_lower_begin_uniform_region(l, l->region.mask);
    else
        vm_lower_begin_region(l, construct->condition, true);
}

static void begin_else(struct lower *l)
{
    struct construct *construct = top(l);
    ir_ref rest;

    vm_lower_end_if_region(l);
    if (construct->is_uniform) {
        ir_if(l->ir, vm_op1(l, IR_MNOT, construct->condition));
        l->exec = construct->exec;
        vm_lower_begin_uniform_region(l, construct->outer.mask);
        return;
    }
    rest = vm_op2(l, IR_MANDNOT, construct->exec, construct->condition);
    ir_if(l->ir, rest);
    vm_lower_begin_region(l, rest, true);
}

static void end_if(struct lower *l)
{
    if (!top(l)->is_certain)
        vm_lower_end_if_region(l);
    pop(l);
}

/* Lanes in which the condition of an instruction holds. */
static ir_ref condition_of(struct lower *l, const struct vm_src *condition, bool *is_uniform)
{
    ir_ref value;

    *is_uniform = condition->file == VM_FILE_CONSTBOOL;
    if (!*is_uniform)
        return vm_lower_predicate(l, condition, 0);
    value = vm_op2(l, IR_IEQ, vm_scalar(l, VM_FROM_BOOL, condition->index, 0), word(l, 0));
    return condition->modifier == VM_MOD_NOT ? value : vm_op1(l, IR_MNOT, value);
}

static ir_ref comparison_of(struct lower *l, const struct vm_instr *in)
{
    return vm_compare(l, in->control, vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 1, 0));
}

/* --- Loops ------------------------------------------------------------------------------------ */

/* True if lanes may leave a loop, or its routine, inside it. */
static bool has_early_exit(const struct vm_program *p, uint32_t begin)
{
    for (uint32_t i = begin; i < p->instr[begin].target; i++) {
        unsigned op = p->instr[i].op;

        if (op == VM_OP_BREAK || op == VM_OP_BREAKC || op == VM_OP_BREAKP || op == VM_OP_RET)
            return true;
    }
    return false;
}

/* True if lanes may have run different numbers of instructions after a round: it has a loop or
 * routine, in which they may take different ways. */
static bool has_inner_loop(const struct vm_program *p, uint32_t begin)
{
    for (uint32_t i = begin + 1; i < p->instr[begin].target; i++) {
        unsigned op = p->instr[i].op;

        if (op == VM_OP_LOOP || op == VM_OP_REP || op == VM_OP_CALL || op == VM_OP_CALLNZ)
            return true;
    }
    return false;
}

/* Lanes leave a loop one by one at breaks and returns, and where their budgets may differ. */
static bool may_leave_early(struct lower *l, uint32_t instr)
{
    bool leaves = has_early_exit(l->program, instr) || has_inner_loop(l->program, instr);

    leaves |= l->budgets_differ;
    l->budgets_differ |= leaves || l->n_constructs > 1;
    return leaves;
}

/* True for a vreg that a round may change. */
static bool is_variable(const struct lower *l, const struct construct *loop, uint32_t vreg)
{
    return vm_lower_loop_writes(l, loop->begin, vreg) &&
           (vreg != l->vreg_active || loop->leaves_early);
}

static void begin_loop(struct lower *l, uint32_t instr, unsigned reg, bool is_rep)
{
    struct construct *construct = push(l, CONSTRUCT_LOOP);
    ir_ref count = vm_scalar(l, VM_FROM_INT, reg, 0), enter;

    if (!construct)
        return;
    enter = vm_op2(l, IR_MAND, l->exec, vm_op2(l, IR_ILT, word(l, 0), count));
    construct->active = vm_lower_get(l, l->vreg_active);
    construct->alive = vm_lower_get(l, l->vreg_alive);
    construct->al = l->al;
    construct->step = l->step;
    construct->n_lowered = l->n_lowered;
    ir_if(l->ir, enter);
    vm_lower_begin_region(l, enter, true);
    construct->entered = l->region;
    construct->leaves_early = may_leave_early(l, instr);
    if (!is_rep) {
        l->al = vm_scalar(l, VM_FROM_INT, reg, 1);
        l->step = vm_scalar(l, VM_FROM_INT, reg, 2);
    }
    vm_lower_put(l, l->vreg_active, enter);
    construct->steps = !is_rep;
    construct->begin = instr;
    if (construct->leaves_early)
        ir_loop(l->ir);
    else
        ir_loop_uniform(l->ir);
    for (uint32_t vreg = 0; vreg < l->n_vreg && !l->in_memory; vreg++)
        if (is_variable(l, construct, vreg))
            l->def[vreg] = ir_loop_phi(l->ir, l->def[vreg]);
    construct->count_phi = ir_loop_phi(l->ir, count);
    if (construct->steps)
        construct->al_phi = l->al = ir_loop_phi(l->ir, l->al);
    construct->round = construct->leaves_early ? vm_lower_get(l, l->vreg_active) : enter;
    vm_lower_begin_region(l, construct->round, construct->leaves_early);
}

/* The instructions that a lane may still run in loops, after a round. */
static ir_ref charge_round(struct lower *l, const struct construct *loop)
{
    ir_ref before = vm_lower_get(l, l->vreg_budget), budget;

    budget = vm_op2(l, IR_ISUB, before, word(l, (int32_t)(l->n_lowered - loop->n_lowered)));
    vm_lower_put(l, l->vreg_budget, vm_bool(l, loop->round, budget, before));
    return budget;
}

static void end_loop(struct lower *l)
{
    struct construct *construct = top(l);
    ir_ref count = vm_op2(l, IR_IADD, construct->count_phi, word(l, -1)), again, budget;

    if (l->status)
        return;
    budget = charge_round(l, construct);
    again = vm_op2(l, IR_MAND, vm_op2(l, IR_ILT, word(l, 0), count),
                   vm_op2(l, IR_ILT, word(l, 0), budget));
    again = vm_op2(l, IR_MAND, again, vm_lower_get(l, l->vreg_active));
    again = vm_op2(l, IR_MAND, again, vm_lower_get(l, l->vreg_alive));
    if (construct->leaves_early)
        vm_lower_put(l, l->vreg_active, again);
    for (uint32_t vreg = 0; vreg < l->n_vreg && !l->in_memory; vreg++) {
        if (!is_variable(l, construct, vreg))
            continue;
        l->def[vreg] = vm_lower_value_at_end(l, vreg);
        ir_loop_next(l->ir, vm_lower_before(l, vreg), l->def[vreg]);
    }
    ir_loop_next(l->ir, construct->count_phi, count);
    if (construct->steps)
        ir_loop_next(l->ir, construct->al_phi, vm_op2(l, IR_IADD, construct->al_phi, l->step));
    ir_endloop(l->ir, again);
    if (!l->in_memory)
        l->region = construct->entered;
    vm_lower_put(l, l->vreg_active, construct->active);
    vm_lower_end_if_region(l);
    l->al = construct->al;
    l->step = construct->step;
    pop(l);
}

static void leave_loop(struct lower *l, ir_ref condition)
{
    ir_ref lanes = vm_op2(l, IR_MAND, l->exec, condition);

    lanes = vm_op2(l, IR_MANDNOT, vm_lower_get(l, l->vreg_active), lanes);
    vm_lower_put(l, l->vreg_active, lanes);
    l->exec = vm_op2(l, IR_MANDNOT, l->exec, condition);
}

/* --- Routines --------------------------------------------------------------------------------- */

/* Returns the instruction to go on with. */
static uint32_t begin_routine(struct lower *l, uint32_t instr, ir_ref condition, bool is_uniform)
{
    uint32_t target = l->program->instr[instr].target;
    struct construct *construct;

    if (l->in_memory) {
        begin_if(l, condition, is_uniform);
        vm_lower_call(l, target);
        end_if(l);
        return instr + 1;
    }
    begin_if(l, condition, is_uniform);
    construct = push(l, CONSTRUCT_ROUTINE);
    if (!construct)
        return instr + 1;
    construct->alive = vm_lower_get(l, l->vreg_alive);
    construct->active = vm_lower_get(l, l->vreg_active);
    construct->return_to = instr + 1;
    return target + 1;
}

static uint32_t end_routine(struct lower *l)
{
    uint32_t next = top(l)->return_to;

    vm_lower_put(l, l->vreg_alive, top(l)->alive);
    pop(l);
    end_if(l);
    return next;
}

static bool in_routine(const struct lower *l)
{
    for (uint32_t i = 0; i < l->n_constructs; i++)
        if (l->construct[i].kind == CONSTRUCT_ROUTINE)
            return true;
    return false;
}

/* At the outermost level of a routine all lanes return together; inside an if or loop they wait for
 * its end. */
static uint32_t leave_routine(struct lower *l, uint32_t instr)
{
    if (!l->n_constructs)
        return l->program->n_instr;
    if (top(l)->kind == CONSTRUCT_ROUTINE)
        return end_routine(l);
    vm_lower_put(l, l->vreg_alive, vm_op2(l, IR_MANDNOT, vm_lower_get(l, l->vreg_alive), l->exec));
    l->exec = none(l);
    return instr + 1;
}

/* --- Instructions ----------------------------------------------------------------------------- */

uint32_t vm_lower_flow(struct lower *l, uint32_t i)
{
    const struct vm_instr *in = &l->program->instr[i];
    bool is_uniform;
    ir_ref condition;

    l->n_flow++;
    switch (in->op) {
    case VM_OP_IF:
        condition = condition_of(l, &in->src[0], &is_uniform);
        begin_if(l, condition, is_uniform);
        break;
    case VM_OP_IFC:
        begin_if(l, comparison_of(l, in), false);
        break;
    case VM_OP_ELSE:
        begin_else(l);
        break;
    case VM_OP_ENDIF:
        end_if(l);
        break;
    case VM_OP_LOOP:
        begin_loop(l, i, in->src[1].index, false);
        break;
    case VM_OP_REP: /* rep has no aL and keeps the outer one */
        begin_loop(l, i, in->src[0].index, true);
        break;
    case VM_OP_ENDLOOP:
    case VM_OP_ENDREP:
        end_loop(l);
        break;
    case VM_OP_BREAK:
        leave_loop(l, all(l));
        break;
    case VM_OP_BREAKC:
        leave_loop(l, comparison_of(l, in));
        break;
    case VM_OP_BREAKP:
        leave_loop(l, vm_lower_predicate(l, &in->src[0], 0));
        break;
    case VM_OP_CALL:
        return begin_routine(l, i, all(l), true);
    case VM_OP_CALLNZ:
        condition = condition_of(l, &in->src[1], &is_uniform);
        return begin_routine(l, i, condition, is_uniform);
    case VM_OP_RET:
        return leave_routine(l, i);
    case VM_OP_LABEL: /* the routine before it has ended without ret */
        return in_routine(l) ? end_routine(l) : l->program->n_instr;
    default: /* nop, phase */
        break;
    }
    return i + 1;
}

/* --- Beginning and end ------------------------------------------------------------------------ */

static bool has_flow(const struct vm_program *p)
{
    for (uint32_t i = 0; i < p->n_instr; i++)
        if (p->instr[i].op == VM_OP_IFC || p->instr[i].op == VM_OP_IF ||
            p->instr[i].op == VM_OP_LOOP || p->instr[i].op == VM_OP_REP ||
            p->instr[i].op == VM_OP_CALLNZ)
            return true;
    return false;
}

/* Code without branches computes all lanes; lanes outside of the batch would make branches run for
 * nothing. */
void vm_lower_begin(struct lower *l)
{
    ir_ref lanes = all(l);

    if (has_flow(l->program))
        lanes = ir_emit_mem(l->ir, IR_MLOAD, VM_BASE_SCRATCH, VM_LANES_AT, 0, 0, 0);
    for (uint32_t vreg = 0; vreg < l->vreg_predicate; vreg++)
        vm_lower_put(l, vreg, vm_literal(l, 0.0f));
    for (uint32_t vreg = l->vreg_predicate; vreg < l->vreg_active; vreg++)
        vm_lower_put(l, vreg, none(l));
    vm_lower_put(l, l->vreg_active, lanes);
    vm_lower_put(l, l->vreg_alive, lanes);
    vm_lower_put(l, l->vreg_budget, word(l, VM_LANE_INSTRUCTION_LIMIT));
    l->al = l->step = word(l, 0);
    vm_lower_begin_region(l, lanes, false);
    l->region.mask = lanes;
}
