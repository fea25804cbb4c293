/* Superblocks: finds their limits, the slots that are live after them, the guards that they need,
 * and the next use of each value.
 *
 * Tested by tests/unit/vm/jit/test_jit.c. */
#include "vm/jit/compiler.h"

#include "util/alloc.h"

#include <string.h>

/* --- Superblocks ------------------------------------------------------------------------------ */

/* Marks branch targets, a byte per IR instruction. */
uint8_t *jit_find_branch_targets(const struct vm_code *vm)
{
    uint8_t *branch_target = mem_calloc((size_t)vm->n_ops + 1, 1);

    for (uint32_t i = 0; branch_target && i < vm->n_ops; i++)
        if (vm->op[i].opcode >= VM_IR_FLOW && vm->op[i].target <= vm->n_ops)
            branch_target[vm->op[i].target] = 1;
    return branch_target;
}

/* Returns the end of the superblock at `first`. Only superblocks that begin with an indexed
 * constant contain further ones: see compile_inner. */
uint32_t jit_superblock_end(const struct vm_code *vm, const uint8_t *branch_target, uint32_t first,
                            uint32_t limit)
{
    bool indexes = first < limit && vm->op[first].opcode == VM_IR_CONST;
    uint32_t end = first, n = 0;

    while (end < limit && jit_is_supported(vm->op[end].opcode) &&
           (indexes || vm->op[end].opcode != VM_IR_CONST) &&
           (end == first || !branch_target[end]) && n + vm->op[end].n <= JIT_MAX_INSTS)
        n += vm->op[end++].n;
    return end;
}

/* --- Liveness --------------------------------------------------------------------------------- */

static void live_before_instance(struct jit *j, const struct vm_ir_op *op, const uint32_t *arg)
{
    const struct ir_op_info *info = &vm_ir_op_info[op->opcode];

    /* A masked store keeps the inactive lanes of its slot, so the slot is live before it. SAMPLE
     * (four results) writes active lanes only too, but no later block reads lanes that are inactive
     * in this one, so it changes no liveness. */
    if (info->n_dst == 1 && !jit_is_masked(op))
        j->live[arg[0] / VM_LANE_BYTES] = 0;
    else if (info->n_dst == 1)
        j->live[arg[0] / VM_LANE_BYTES] = 1;
    for (unsigned k = 0; k < info->n_src; k++) {
        int32_t slot = jit_slot_of(arg[info->n_dst + k]);

        if (slot >= 0)
            j->live[slot] = 1;
    }
}

/* Finds the slots that are live before IR instruction `end`: those read later in the block, and
 * those that live across blocks. In a long block the look-ahead is limited, and slots not
 * overwritten within it count as live. */
void jit_find_live_out(struct jit *j, uint32_t end)
{
    enum { MAX_LOOKAHEAD = 512 };
    const struct vm_code *vm = j->vm;
    uint32_t lookahead_end = end;

    while (vm->op[lookahead_end].opcode < VM_IR_COUNT && lookahead_end - end < MAX_LOOKAHEAD)
        lookahead_end++;
    if (vm->op[lookahead_end].opcode < VM_IR_COUNT)
        memset(j->live, 1, j->n_slots);
    else
        memcpy(j->live, j->live_across_blocks, j->n_slots);
    for (uint32_t i = lookahead_end; i-- > end;) {
        const struct vm_ir_op *op = &vm->op[i];

        for (uint32_t g = op->n; g-- > 0;)
            live_before_instance(j, op, op->arg + g * ir_op_words(op->opcode));
    }
    for (uint32_t s = 0; s < j->n_slots; s++)
        j->slot[s].live_out = j->live[s];
}

/* --- Guards ----------------------------------------------------------------------------------- */

/* Adds the guard for an instance that reads an indexed constant. False if no guard is possible: the
 * superblock computes the index itself, there are too many guards, or no index suits all
 * constants. */
static bool add_guard(struct jit *j, const uint32_t *arg)
{
    int32_t slot = jit_slot_of(arg[1]), reg = (int32_t)(arg[2] / 4);
    struct jit_guard *guard = j->guard, *end = j->guard + j->n_guards;
    int32_t min, max;

    if (slot < 0 || arg[1] & (VM_ARG_NEG | VM_ARG_ABS) || j->live[slot])
        return false;
    while (guard < end && guard->slot != (uint32_t)slot)
        guard++;
    if (guard == j->guard + JIT_MAX_GUARDS)
        return false;
    min = guard < end && guard->min < reg ? guard->min : reg;
    max = guard < end && guard->max > reg ? guard->max : reg;
    if (max - min >= (int32_t)j->vm->n_constants)
        return false; /* no index is in range for both constants */
    j->n_guards += guard == end;
    *guard = (struct jit_guard){(uint32_t)slot, min, max};
    return true;
}

static bool add_guards(struct jit *j, const struct vm_ir_op *op)
{
    for (uint32_t g = 0; op->opcode == VM_IR_CONST && g < op->n; g++)
        if (!add_guard(j, op->arg + g * ir_op_words(op->opcode)))
            return false;
    for (uint32_t g = 0; vm_ir_op_info[op->opcode].n_dst && g < op->n; g++)
        j->live[op->arg[g * ir_op_words(op->opcode)] / VM_LANE_BYTES] = 1; /* here: defined in the
                                                                              superblock */
    return true;
}

/* Cuts a superblock at the first IR instruction that guards at its start cannot cover. */
uint32_t jit_find_guards(struct jit *j, uint32_t first, uint32_t end)
{
    memset(j->live, 0, j->n_slots);
    j->n_guards = 0;
    for (uint32_t i = first; i < end; i++) {
        unsigned n = j->n_guards;

        if (!add_guards(j, &j->vm->op[i])) {
            j->n_guards = n;
            return i;
        }
    }
    return end;
}

/* --- Instances -------------------------------------------------------------------------------- */

bool jit_list_insts(struct jit *j, uint32_t first, uint32_t end)
{
    j->n_insts = 0;
    for (uint32_t i = first; i < end; i++) {
        const struct vm_ir_op *op = &j->vm->op[i];

        for (uint32_t g = 0; g < op->n; g++)
            j->inst[j->n_insts++] = (struct jit_inst){
                .op = op, .arg = op->arg + g * ir_op_words(op->opcode), .opcode = op->opcode};
    }
    return j->n_insts > 1;
}

/* Finds the next uses in a backward pass over the instances. */
void jit_find_next_uses(struct jit *j)
{
    for (uint32_t s = 0; s < j->n_slots; s++) {
        j->next_use[s] = JIT_NO_NEXT_USE;
        j->live[s] = 0; /* here: a later instance writes it */
    }
    for (uint32_t i = j->n_insts; i-- > 0;) {
        struct jit_inst *inst = &j->inst[i];
        const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];

        if (info->n_dst) {
            uint32_t to = inst->arg[0] / VM_LANE_BYTES;

            inst->result_next_use = j->next_use[to];
            inst->is_last_def = !j->live[to];
            j->live[to] = 1;
            j->next_use[to] = JIT_NO_NEXT_USE;
        }
        for (unsigned k = 0; k < info->n_src; k++) {
            int32_t slot = jit_slot_of(inst->arg[info->n_dst + k]);

            inst->src_next_use[k] = slot >= 0 ? j->next_use[slot] : JIT_NO_NEXT_USE;
        }
        for (unsigned k = 0; k < info->n_src; k++) {
            int32_t slot = jit_slot_of(inst->arg[info->n_dst + k]);

            if (slot >= 0)
                j->next_use[slot] = (int32_t)i;
        }
        if (j->masked && jit_is_masked(inst->op))
            j->next_use[inst->arg[0] / VM_LANE_BYTES] = (int32_t)i;
    }
}
