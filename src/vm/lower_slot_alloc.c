/* Where lowered code keeps its lanes: a slot, 64 floats of the work memory, for each register
 * component that lives between blocks, and one for each result inside a block for as long as
 * somebody reads it. */
#include "vm/lower.h"

#include "util/alloc.h"

#include <string.h>

static uint32_t *table(size_t n)
{
    uint32_t *t = mem_alloc((n + 1) * sizeof(*t));

    if (t)
        memset(t, 0xff, (n + 1) * sizeof(*t));
    return t;
}

enum status vm_slots_open(struct slots *p, const struct lower *l)
{
    p->cell_slot = table(l->n_cell);
    p->cell_read = table(l->n_cell);
    p->value_slot = table(l->n_value);
    p->last_use = table(l->n_value);
    p->def = table(l->n_value);
    p->free_slot = table(l->n_value);
    p->pinned = mem_calloc((size_t)l->n_value + 1, 1);
    return p->cell_slot && p->cell_read && p->value_slot && p->last_use && p->def && p->free_slot &&
                   p->pinned
               ? ST_OK
               : ST_NOMEM;
}

void vm_slots_close(struct slots *p)
{
    mem_free(p->cell_slot);
    mem_free(p->cell_read);
    mem_free(p->value_slot);
    mem_free(p->last_use);
    mem_free(p->def);
    mem_free(p->free_slot);
    mem_free(p->pinned);
}

void vm_slots_unpin(struct slots *p, const struct lower *l)
{
    memset(p->pinned, 0, l->n_value);
}

/* Groups count from 1 through the block. */
void vm_slots_find_uses(struct slots *p, const struct lower *l, const struct ir_block *b)
{
    const struct ir_stream *s = &l->main;
    uint32_t position = 0;

    memset(p->cell_read, 0, l->n_cell * sizeof(*p->cell_read));
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
                else if ((ref & REF_KIND_MASK) == REF_CELL) /* sampling writes while it reads */
                    p->cell_read[id] = position + (info->flags == IR_EARLY_CLOBBER);
            }
        }
    }
}

uint32_t vm_slots_of_cell(struct slots *p, uint32_t cell)
{
    if (p->cell_slot[cell] == VM_NOWHERE)
        p->cell_slot[cell] = p->n_slot++;
    return p->cell_slot[cell];
}

/* --- Registers in the places of outputs ------------------------------------------------------- */

/* How often a cell is stored, and how often its contents are read. */
struct traffic {
    uint32_t stores, reads;
};

/* False: outputs are also written by index. */
static bool count_traffic(struct traffic *cell, const struct lower *l, const struct ir_block *b)
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
                cell[words[0] & REF_ID_MASK].stores++;
            for (unsigned k = 0; k < info->n_src; k++)
                if ((words[info->n_dst + k] & REF_KIND_MASK) == REF_CELL)
                    cell[words[info->n_dst + k] & REF_ID_MASK].reads++;
        }
    }
    return true;
}

/* The move of a register's contents to an output, which nothing else writes or reads. */
static bool is_last_move(const struct lower *l, const struct traffic *all,
                         const struct traffic *last, const uint32_t *words)
{
    uint32_t to = words[0] & REF_ID_MASK, from = words[1] & REF_ID_MASK;

    return words[0] != REF_NONE && words[1] == (REF_CELL | from) && from < l->cell_output &&
           to >= l->cell_output && all[to].stores == 1 && !all[to].reads && !last[from].stores;
}

static void share(struct slots *p, const struct lower *l, const struct traffic *all,
                  const struct traffic *last, const struct ir_block *end)
{
    for (uint32_t i = end->first_inst; i < end->first_inst + end->n_insts; i++) {
        const struct ir_inst *inst = &l->main.inst[i];

        for (uint32_t g = 0; inst->opcode == VM_IR_STORE && g < inst->n; g++) {
            const uint32_t *words = ir_words(&l->main, inst, g);

            if (is_last_move(l, all, last, words) &&
                p->cell_slot[words[1] & REF_ID_MASK] == VM_NOWHERE)
                p->cell_slot[words[1] & REF_ID_MASK] = p->cell_slot[words[0] & REF_ID_MASK];
        }
    }
}

enum status vm_slots_share(struct slots *p, const struct lower *l)
{
    const struct ir_block *end = NULL;
    struct traffic *all = mem_calloc(2 * (size_t)l->n_cell + 1, sizeof(*all));
    bool known = all && !l->options->observe;

    for (uint32_t b = 0; known && b < l->n_block; b++) {
        known = count_traffic(all, l, &l->block[b]);
        if (l->block[b].flow == FLOW_END)
            end = &l->block[b];
    }
    if (known && end && !end->masked) {
        count_traffic(all + l->n_cell, l, end);
        share(p, l, all, all + l->n_cell, end);
    }
    mem_free(all);
    return all ? ST_OK : ST_NOMEM;
}

/* --- Places inside a block -------------------------------------------------------------------- */

/* A value that a store moves to a cell is made there at once, if nobody reads the cell's old
 * contents after that. Returns how many are. */
uint32_t vm_slots_pin(struct slots *p, const struct lower *l, const struct ir_block *b)
{
    const struct ir_stream *s = &l->main;
    uint32_t n = 0;

    for (uint32_t i = b->first_inst; i < b->first_inst + b->n_insts; i++) {
        const struct ir_inst *inst = &s->inst[i];

        for (uint32_t g = 0; inst->opcode == VM_IR_STORE && g < inst->n; g++) {
            const uint32_t *words = ir_words(s, inst, g);
            uint32_t cell = words[0] & REF_ID_MASK, value = words[1] & REF_ID_MASK;

            if (words[0] == REF_NONE || words[1] != (REF_VALUE | value) || p->pinned[value] ||
                p->cell_read[cell] > p->def[value])
                continue;
            p->pinned[value] = 1;
            p->value_slot[value] = vm_slots_of_cell(p, cell);
            n++;
        }
    }
    return n;
}

static void release(struct slots *p, const uint32_t *words, const struct ir_op_info *info,
                    uint32_t position)
{
    for (unsigned k = 0; k < info->n_src; k++) {
        uint32_t ref = words[info->n_dst + k], id = ref & REF_ID_MASK;

        if ((ref & REF_KIND_MASK) == REF_VALUE && p->last_use[id] == position && !p->pinned[id]) {
            p->free_slot[p->n_free++] = p->value_slot[id];
            p->last_use[id] = 0; /* the same value may stand in a group twice */
        }
    }
}

/* Kernels finish a group before the next and read lanes before they write them, so a result may
 * take the place of an operand that dies in its group. */
void vm_slots_allocate(struct slots *p, const struct lower *l, const struct ir_block *b)
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
                release(p, words, info, position);
            for (unsigned k = 0; k < info->n_dst; k++) {
                uint32_t id = words[k] & REF_ID_MASK;

                if ((words[k] & REF_KIND_MASK) == REF_VALUE && !p->pinned[id])
                    p->value_slot[id] = p->n_free ? p->free_slot[--p->n_free] : p->n_slot++;
            }
            if (info->flags == IR_EARLY_CLOBBER)
                release(p, words, info, position);
        }
    }
}
