/* Slot allocation: assigns slots (arrays of 64 floats in work memory) to vregs and values. A vreg
 * that lives across blocks owns its slot; a value has one only during its live range. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

#include <string.h>

uint32_t *vm_lower_new_table(size_t n)
{
    uint32_t *table = mem_alloc((n + 1) * sizeof(*table));

    if (table)
        memset(table, 0xff, (n + 1) * sizeof(*table)); /* VM_UNASSIGNED */
    return table;
}

enum status vm_slot_alloc_init(struct slot_alloc *p, const struct lower *l)
{
    p->vreg_slot = vm_lower_new_table(l->n_vreg);
    p->vreg_last_read = vm_lower_new_table(l->n_vreg);
    p->value_slot = vm_lower_new_table(l->n_value);
    p->last_use = vm_lower_new_table(l->n_value);
    p->def = vm_lower_new_table(l->n_value);
    p->free_slot = vm_lower_new_table(l->n_value);
    p->coalesced = mem_calloc((size_t)l->n_value + 1, 1);
    return p->vreg_slot && p->vreg_last_read && p->value_slot && p->last_use && p->def &&
                   p->free_slot && p->coalesced
               ? ST_OK
               : ST_NOMEM;
}

void vm_slot_alloc_fini(struct slot_alloc *p)
{
    mem_free(p->vreg_slot);
    mem_free(p->vreg_last_read);
    mem_free(p->value_slot);
    mem_free(p->last_use);
    mem_free(p->def);
    mem_free(p->free_slot);
    mem_free(p->coalesced);
}

void vm_slot_alloc_forget_coalesced(struct slot_alloc *p, const struct lower *l)
{
    memset(p->coalesced, 0, l->n_value);
}

/* Positions count the instances of the block from 1. */
void vm_slot_alloc_find_live_ranges(struct slot_alloc *p, const struct lower *l,
                                    const struct ir_block *b)
{
    const struct ir_stream *s = &l->main;
    uint32_t position = 0;

    memset(p->vreg_last_read, 0, l->n_vreg * sizeof(*p->vreg_last_read));
    for (uint32_t i = b->first_inst; i < b->first_inst + b->n_insts; i++) {
        const struct ir_inst *inst = &s->inst[i];
        const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];

        for (uint32_t g = 0; g < inst->n; g++) {
            const uint32_t *words = ir_words(s, inst, g);

            position++;
            if (!vm_lower_instance_live(inst, words))
                continue;
            for (unsigned k = 0; k < info->n_dst; k++)
                if ((words[k] & REF_KIND_MASK) == REF_VALUE)
                    p->def[words[k] & REF_ID_MASK] = position;
            for (unsigned k = 0; k < info->n_src; k++) {
                uint32_t ref = words[info->n_dst + k], id = ref & REF_ID_MASK;

                if ((ref & REF_KIND_MASK) == REF_VALUE)
                    p->last_use[id] = position;
                else if ((ref & REF_KIND_MASK) == REF_VREG) /* sampling writes while it reads */
                    p->vreg_last_read[id] = position + (info->flags == IR_EARLY_CLOBBER);
            }
        }
    }
}

uint32_t vm_slot_of_vreg(struct slot_alloc *p, uint32_t vreg)
{
    if (p->vreg_slot[vreg] == VM_UNASSIGNED)
        p->vreg_slot[vreg] = p->n_slot++;
    return p->vreg_slot[vreg];
}

/* --- Coalescing with outputs ------------------------------------------------------------------ */

/* Number of stores and reads of a vreg. */
struct access_counts {
    uint32_t stores, reads;
};

/* False if the block writes outputs by relative addressing, because any output may then change. */
static bool count_accesses(struct access_counts *vreg, const struct lower *l,
                           const struct ir_block *b)
{
    for (uint32_t i = b->first_inst; i < b->first_inst + b->n_insts; i++) {
        const struct ir_inst *inst = &l->main.inst[i];
        const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];

        if (inst->opcode == VM_IR_SCATTER || inst->opcode == VM_IR_SCATTER_LOOP)
            return false;
        for (uint32_t g = 0; g < inst->n; g++) {
            const uint32_t *words = ir_words(&l->main, inst, g);

            if (!vm_lower_instance_live(inst, words))
                continue;
            if (inst->opcode == VM_IR_STORE)
                vreg[words[0] & REF_ID_MASK].stores++;
            for (unsigned k = 0; k < info->n_src; k++)
                if ((words[info->n_dst + k] & REF_KIND_MASK) == REF_VREG)
                    vreg[words[info->n_dst + k] & REF_ID_MASK].reads++;
        }
    }
    return true;
}

/* True for a store that moves a vreg to an output. The output has no other store or read, and the
 * final block does not change the vreg. */
static bool is_final_output_move(const struct lower *l, const struct access_counts *all,
                                 const struct access_counts *last, const uint32_t *words)
{
    uint32_t to = words[0] & REF_ID_MASK, from = words[1] & REF_ID_MASK;

    return words[0] != REF_NONE && words[1] == (REF_VREG | from) && from < l->vreg_output &&
           to >= l->vreg_output && all[to].stores == 1 && !all[to].reads && !last[from].stores;
}

static void coalesce_outputs(struct slot_alloc *p, const struct lower *l,
                             const struct access_counts *all, const struct access_counts *last,
                             const struct ir_block *end)
{
    for (uint32_t i = end->first_inst; i < end->first_inst + end->n_insts; i++) {
        const struct ir_inst *inst = &l->main.inst[i];

        for (uint32_t g = 0; inst->opcode == VM_IR_STORE && g < inst->n; g++) {
            const uint32_t *words = ir_words(&l->main, inst, g);

            if (is_final_output_move(l, all, last, words) &&
                p->vreg_slot[words[1] & REF_ID_MASK] == VM_UNASSIGNED)
                p->vreg_slot[words[1] & REF_ID_MASK] = p->vreg_slot[words[0] & REF_ID_MASK];
        }
    }
}

enum status vm_slot_alloc_coalesce_outputs(struct slot_alloc *p, const struct lower *l)
{
    const struct ir_block *end = NULL;
    struct access_counts *all = mem_calloc(2 * (size_t)l->n_vreg + 1, sizeof(*all));
    bool known = all && !l->options->single_step;

    for (uint32_t b = 0; known && b < l->n_block; b++) {
        known = count_accesses(all, l, &l->block[b]);
        if (l->block[b].flow == FLOW_END)
            end = &l->block[b];
    }
    if (known && end && !end->masked) {
        count_accesses(all + l->n_vreg, l, end);
        coalesce_outputs(p, l, all, all + l->n_vreg, end);
    }
    mem_free(all);
    return all ? ST_OK : ST_NOMEM;
}

/* --- Slots inside a block --------------------------------------------------------------------- */

/* A stored value can use the slot of its vreg from the start if no instance reads the vreg's old
 * contents later. */
uint32_t vm_slot_alloc_coalesce_stores(struct slot_alloc *p, const struct lower *l,
                                       const struct ir_block *b)
{
    const struct ir_stream *s = &l->main;
    uint32_t n = 0;

    for (uint32_t i = b->first_inst; i < b->first_inst + b->n_insts; i++) {
        const struct ir_inst *inst = &s->inst[i];

        for (uint32_t g = 0; inst->opcode == VM_IR_STORE && g < inst->n; g++) {
            const uint32_t *words = ir_words(s, inst, g);
            uint32_t vreg = words[0] & REF_ID_MASK, value = words[1] & REF_ID_MASK;

            if (words[0] == REF_NONE || words[1] != (REF_VALUE | value) || p->coalesced[value] ||
                p->vreg_last_read[vreg] > p->def[value])
                continue;
            p->coalesced[value] = 1;
            p->value_slot[value] = vm_slot_of_vreg(p, vreg);
            n++;
        }
    }
    return n;
}

static void free_dead_operands(struct slot_alloc *p, const uint32_t *words,
                               const struct ir_op_info *info, uint32_t position)
{
    for (unsigned k = 0; k < info->n_src; k++) {
        uint32_t ref = words[info->n_dst + k], id = ref & REF_ID_MASK;

        if ((ref & REF_KIND_MASK) == REF_VALUE && p->last_use[id] == position &&
            !p->coalesced[id]) {
            p->free_slot[p->n_free++] = p->value_slot[id];
            p->last_use[id] = 0; /* an instance may read the same value twice */
        }
    }
}

/* Kernels finish an instance before the next one, and read lanes before they write them. A result
 * may therefore reuse the slot of an operand that dies in its instance. */
void vm_slot_alloc_block(struct slot_alloc *p, const struct lower *l, const struct ir_block *b)
{
    const struct ir_stream *s = &l->main;
    uint32_t position = 0;

    for (uint32_t i = b->first_inst; i < b->first_inst + b->n_insts; i++) {
        const struct ir_inst *inst = &s->inst[i];
        const struct ir_op_info *info = &vm_ir_op_info[inst->opcode];

        for (uint32_t g = 0; g < inst->n; g++) {
            const uint32_t *words = ir_words(s, inst, g);

            position++;
            if (!vm_lower_instance_live(inst, words))
                continue;
            if (info->flags != IR_EARLY_CLOBBER)
                free_dead_operands(p, words, info, position);
            for (unsigned k = 0; k < info->n_dst; k++) {
                uint32_t id = words[k] & REF_ID_MASK;

                if ((words[k] & REF_KIND_MASK) == REF_VALUE && !p->coalesced[id])
                    p->value_slot[id] = p->n_free ? p->free_slot[--p->n_free] : p->n_slot++;
            }
            if (info->flags == IR_EARLY_CLOBBER)
                free_dead_operands(p, words, info, position);
        }
    }
}
