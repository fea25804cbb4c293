/* Registers in memory: the way of programs that would grow too much if calls were inlined and
 * values merged at the end of each if and loop. Every register component has a place in the memory
 * of the batch, which always holds what the register holds in all lanes. So nothing needs to be
 * merged, a routine is a function of its own, which code calls, and the functions are as long as
 * the program. They are slower: an instruction loads its operands and stores its result.
 *
 * A caller passes the lanes that execute the call (VM_CALL_LANES_AT) and aL.
 *
 * Tested by tests/unit/vm/lower/test_flow.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

/* --- Places ----------------------------------------------------------------------------------- */

static bool is_output(const struct lower *l, uint32_t vreg)
{
    return vreg >= l->vreg_output && vreg < l->vreg_predicate;
}

static bool is_mask(const struct lower *l, uint32_t vreg)
{
    return vreg >= l->vreg_predicate && vreg < l->vreg_budget;
}

/* Offset of a mask in the scratch memory. */
static uint32_t mask_at(const struct lower *l, uint32_t vreg)
{
    if (vreg == l->vreg_killed)
        return VM_KILLED_AT;
    if (vreg == l->vreg_active)
        return VM_ACTIVE_AT;
    return vreg == l->vreg_alive ? VM_ALIVE_AT : VM_PREDICATE_AT + 8 * (vreg - l->vreg_predicate);
}

/* A new place in the scratch memory, as an offset from the beginning of work memory. */
static uint32_t new_place(struct vm_code *code)
{
    code->scratch_bytes += VM_LANE_BYTES;
    return (uint32_t)(code->scratch_at + code->scratch_bytes - VM_LANE_BYTES);
}

bool vm_lower_make_places(struct lower *l)
{
    struct vm_code *code = l->code;

    code->vreg_place = mem_calloc(l->n_vreg, sizeof(*code->vreg_place));
    if (!code->vreg_place)
        return false;
    for (uint32_t vreg = 0; vreg < l->n_vreg; vreg++) {
        if (l->in_memory && is_output(l, vreg))
            code->vreg_place[vreg] =
                (uint32_t)code->outputs_at + (vreg - l->vreg_output) * VM_LANE_BYTES;
        else if (is_mask(l, vreg))
            code->vreg_place[vreg] = (uint32_t)code->scratch_at + mask_at(l, vreg);
        else
            code->vreg_place[vreg] = new_place(code);
    }
    code->al_place = new_place(code);
    return true;
}

/* Base and offset of the place of a vreg. */
static unsigned base_of(const struct lower *l, uint32_t vreg, uint32_t *offset)
{
    uint32_t place = l->code->vreg_place[vreg];
    bool output = l->in_memory && is_output(l, vreg);

    *offset = place - (uint32_t)(output ? l->code->outputs_at : l->code->scratch_at);
    return output ? VM_BASE_OUTPUTS : VM_BASE_SCRATCH;
}

/* --- Access ----------------------------------------------------------------------------------- */

ir_ref vm_lower_load(struct lower *l, uint32_t vreg)
{
    uint32_t offset;
    unsigned base = base_of(l, vreg, &offset);

    return ir_emit_mem(l->ir, is_mask(l, vreg) ? IR_MLOAD : IR_LOAD, base, offset, 0, 0, 0);
}

void vm_lower_store(struct lower *l, uint32_t vreg, ir_ref ref)
{
    uint32_t offset;
    unsigned base = base_of(l, vreg, &offset);

    ir_emit_mem(l->ir, is_mask(l, vreg) ? IR_MSTORE : IR_STORE, base, offset, ref, 0, 0);
}

void vm_lower_store_al(struct lower *l)
{
    ir_emit_mem(l->ir, IR_STORE, VM_BASE_SCRATCH, l->code->al_place - (uint32_t)l->code->scratch_at,
                l->al, 0, 0);
}

static ir_ref load_al(struct lower *l)
{
    return ir_emit_mem(l->ir, IR_LOAD, VM_BASE_SCRATCH,
                       l->code->al_place - (uint32_t)l->code->scratch_at, 0, 0, 0);
}

/* --- Routines --------------------------------------------------------------------------------- */

static bool is_call(unsigned op)
{
    return op == VM_OP_CALL || op == VM_OP_CALLNZ;
}

/* Numbers the routines in their order, and finds how many instructions each runs with those that it
 * calls: calls lead forward. */
bool vm_lower_find_routines(struct lower *l)
{
    const struct vm_program *p = l->program;
    uint32_t n = 0, length = 0;

    l->routine_at = mem_calloc(p->n_instr + 1, sizeof(*l->routine_at));
    l->routine_length = mem_calloc(p->n_instr + 1, sizeof(*l->routine_length));
    if (!l->routine_at || !l->routine_length)
        return false;
    for (uint32_t i = 0; i < p->n_instr; i++)
        if (p->instr[i].op == VM_OP_LABEL)
            l->routine_at[i] = n++;
    l->code->n_routines = n;
    for (uint32_t i = p->n_instr; i-- > 0; length++) {
        if (p->instr[i].op == VM_OP_RET)
            length = 0;
        if (is_call(p->instr[i].op))
            length += l->routine_length[p->instr[i].target];
        l->routine_length[i] = length;
    }
    return true;
}

void vm_lower_call(struct lower *l, uint32_t label)
{
    ir_emit_mem(l->ir, IR_MSTORE, VM_BASE_SCRATCH, VM_CALL_LANES_AT, l->exec, 0, 0);
    vm_lower_store_al(l);
    ir_emit(l->ir, IR_CALL, 0, 0, 0, l->routine_at[label] | VM_CALL_ROUTINE);
    l->n_lowered += l->routine_length[label];
    l->budgets_differ = true;
}

/* At the beginning of a routine's function. No mask is that of all lanes: callers may have left
 * some out. */
void vm_lower_begin_routine(struct lower *l)
{
    l->n_constructs = 0;
    l->region = (struct region){0, 0, false};
    l->exec = ir_emit_mem(l->ir, IR_MLOAD, VM_BASE_SCRATCH, VM_CALL_LANES_AT, 0, 0, 0);
    l->al = load_al(l);
    l->step = ir_const_i32(l->ir, 0);
    l->budgets_differ = true;
    l->n_flow++;
}
