/* Which registers hold what while the code of a run is made. Every result has a place in memory,
 * its slot, so a register that is needed for something else is stored there. */
#include "vm/jit.h"

#include <string.h>

int32_t jit_slot_of(uint32_t arg)
{
    return arg & VM_ARG_UNIFORM ? -1 : (int32_t)((arg & (uint32_t)VM_ARG_OFFSET) / VM_LANE_BYTES);
}

static struct jit_ref place_of(uint32_t slot)
{
    return jit_memory(JIT_WORK, (int32_t)(slot * VM_LANE_BYTES));
}

void jit_places_begin(struct jit *j)
{
    for (uint32_t i = 0; i < j->n_slots; i++) {
        struct jit_slot *slot = &j->slot[i];

        *slot = (struct jit_slot){
            .reg = JIT_NOBODY, .in_memory = true, .wanted = slot->wanted, .next = JIT_NEVER};
    }
    for (unsigned r = 0; r < JIT_REGISTERS; r++) {
        j->owner[r] = JIT_NOBODY;
        j->used_by[r] = -1;
    }
    j->lost = false;
    j->index = -1;
    if (!j->wide && jit_checks_nan(j)) {
        j->nan_accum = j->numbers[j->n_registers - 1];
        j->owner[j->nan_accum] = JIT_TEMPORARY;
        jit_put(&j->code, JIT_XOR, j->nan_accum, j->nan_accum, jit_register(j->nan_accum));
    }
    if (j->wide && jit_checks_nan(j))
        jit_put_all_k(&j->code, JIT_K_ORDERED);
}

/* --- Numbers or not --------------------------------------------------------------------------- */

/* With AVX2 it is added to what was seen before: a sum that is a number has no NaN in it.
 * Infinities of both signs make one of it as well, and then the vector is computed again for
 * nothing. */
void jit_nan_check(struct jit *j, int reg)
{
    if (!jit_checks_nan(j))
        return;
    j->has_nan_check = true;
    if (j->wide)
        jit_put_compare_k(&j->code, JIT_ORDERED, JIT_K_ORDERED, reg, jit_register(reg),
                          JIT_K_ORDERED);
    else
        jit_put(&j->code, JIT_ADD, j->nan_accum, j->nan_accum, jit_register(reg));
}

static void nan_check_slot(struct jit *j, struct jit_slot *slot)
{
    if (slot->nan_unchecked)
        jit_nan_check(j, slot->reg);
    slot->nan_unchecked = false;
}

/* --- Registers -------------------------------------------------------------------------------- */

static void store(struct jit *j, uint32_t number)
{
    struct jit_slot *slot = &j->slot[number];

    jit_put(&j->code, JIT_STORE, slot->reg, 0, place_of(number));
    slot->in_memory = true;
}

static void release(struct jit *j, struct jit_slot *slot)
{
    j->owner[slot->reg] = JIT_NOBODY;
    slot->reg = JIT_NOBODY;
}

/* Whether a register may be taken from its slot now. */
static bool can_leave(const struct jit *j, unsigned reg)
{
    const struct jit_slot *slot = j->owner[reg] >= 0 ? &j->slot[j->owner[reg]] : NULL;

    return slot && j->used_by[reg] != j->at && (slot->in_memory || !slot->read_first);
}

/* The one that is needed last; -1: none. */
static int find_leaver(const struct jit *j)
{
    int32_t farthest = -1;
    int best = -1;

    for (unsigned i = 0; i < j->n_registers; i++) {
        unsigned reg = j->numbers[i];

        if (can_leave(j, reg) && j->slot[j->owner[reg]].next > farthest) {
            farthest = j->slot[j->owner[reg]].next;
            best = (int)reg;
        }
    }
    return best;
}

static int find_free(const struct jit *j)
{
    for (unsigned i = 0; i < j->n_registers; i++)
        if (j->owner[j->numbers[i]] == JIT_NOBODY)
            return j->numbers[i];
    return -1;
}

static int take_register(struct jit *j)
{
    int reg = find_free(j);

    if (reg < 0 && (reg = find_leaver(j)) >= 0) {
        uint32_t number = (uint32_t)j->owner[reg];

        nan_check_slot(j, &j->slot[number]);
        if (!j->slot[number].in_memory)
            store(j, number);
        release(j, &j->slot[number]);
    }
    if (reg < 0) {
        j->lost = true;
        return j->numbers[0];
    }
    j->owner[reg] = JIT_TEMPORARY;
    return reg;
}

void jit_drop(struct jit *j, struct jit_ref ref)
{
    if (ref.temporary)
        j->owner[ref.reg] = JIT_NOBODY;
}

struct jit_ref jit_fresh(struct jit *j)
{
    struct jit_ref ref = jit_register(take_register(j));

    ref.temporary = true;
    return ref;
}

struct jit_ref jit_in_register(struct jit *j, struct jit_ref ref)
{
    struct jit_ref reg;

    if (!ref.memory)
        return ref;
    reg = jit_fresh(j);
    jit_put(&j->code, JIT_LOAD, reg.reg, 0, ref);
    return reg;
}

/* --- Operands and results --------------------------------------------------------------------- */

/* next: who reads it after this. It comes into a register if somebody does. */
static struct jit_ref contents(struct jit *j, uint32_t number, int32_t next)
{
    struct jit_slot *slot = &j->slot[number];

    slot->next = next;
    if (!slot->made)
        slot->read_first = true;
    if (slot->reg == JIT_NOBODY && next != JIT_NEVER) {
        int reg = take_register(j);

        if (j->lost)
            return jit_register(reg);
        jit_put(&j->code, JIT_LOAD, reg, 0, place_of(number));
        slot->reg = (int8_t)reg;
        j->owner[reg] = (int16_t)number;
    }
    if (slot->reg == JIT_NOBODY)
        return place_of(number);
    j->used_by[slot->reg] = j->at;
    return jit_register(slot->reg);
}

static struct jit_ref modified(struct jit *j, struct jit_ref ref, uint32_t arg)
{
    static const struct {
        uint32_t modifier;
        enum jit_instruction op;
        enum jit_constant constant;
    } steps[] = {{VM_ARG_ABS, JIT_AND, JIT_MAGNITUDE}, {VM_ARG_NEG, JIT_XOR, JIT_SIGN}};

    for (unsigned i = 0; i < 2; i++) {
        struct jit_ref to;

        if (!(arg & steps[i].modifier))
            continue;
        ref = jit_in_register(j, ref);
        to = ref.temporary ? ref : jit_fresh(j);
        jit_put(&j->code, steps[i].op, to.reg, ref.reg, jit_constant(steps[i].constant));
        ref = to;
    }
    return ref;
}

struct jit_ref jit_operand(struct jit *j, unsigned k)
{
    const struct jit_item *item = &j->item[j->at];
    uint32_t arg = item->arg[vm_ir_op_info[item->opcode].n_dst + k];
    int32_t slot = jit_slot_of(arg);

    if (slot < 0)
        return modified(j, jit_memory(JIT_UNIFORMS, (int32_t)(arg & (uint32_t)VM_ARG_OFFSET)), arg);
    return modified(j, contents(j, (uint32_t)slot, item->next_read[k]), arg);
}

struct jit_ref jit_old_contents(struct jit *j, uint32_t slot)
{
    return contents(j, slot, JIT_NEVER);
}

struct jit_ref jit_operand_in_memory(struct jit *j, unsigned k)
{
    const struct jit_item *item = &j->item[j->at];
    uint32_t number = (uint32_t)jit_slot_of(item->arg[vm_ir_op_info[item->opcode].n_dst + k]);

    j->slot[number].next = item->next_read[k];
    j->slot[number].read_first = true; /* no item made it: guards would have ended the run */
    return place_of(number);
}

void jit_put_result(struct jit *j, struct jit_ref ref, bool nan_unchecked)
{
    const struct jit_item *item = &j->item[j->at];
    uint32_t number = item->arg[0] / VM_LANE_BYTES;
    struct jit_slot *slot = &j->slot[number];

    if (slot->reg != JIT_NOBODY) { /* its old contents, which nobody reads any more */
        nan_check_slot(j, slot);
        release(j, slot);
    }
    slot->reg = ref.reg;
    slot->in_memory = false;
    slot->made = true;
    slot->last = item->last;
    slot->nan_unchecked = nan_unchecked;
    slot->next = item->next;
    j->owner[ref.reg] = (int16_t)number;
    j->used_by[ref.reg] = j->at;
}

/* Nobody in the run reads it any more. */
static void finish(struct jit *j, uint32_t number)
{
    struct jit_slot *slot = &j->slot[number];
    bool due = slot->wanted && slot->last && !slot->in_memory;

    nan_check_slot(j, slot);
    if (due && slot->read_first)
        return; /* until all is known to be right */
    if (due)
        store(j, number);
    release(j, slot);
}

void jit_end_item(struct jit *j)
{
    for (unsigned i = 0; i < j->n_registers; i++) {
        int16_t owner = j->owner[j->numbers[i]];

        if (owner >= 0 && j->slot[owner].next == JIT_NEVER)
            finish(j, (uint32_t)owner);
    }
}

void jit_nan_check_rest(struct jit *j)
{
    for (unsigned i = 0; i < j->n_registers; i++)
        if (j->owner[j->numbers[i]] >= 0)
            nan_check_slot(j, &j->slot[j->owner[j->numbers[i]]]);
}

void jit_store_rest(struct jit *j)
{
    for (unsigned i = 0; i < j->n_registers; i++)
        if (j->owner[j->numbers[i]] >= 0 && !j->slot[j->owner[j->numbers[i]]].in_memory)
            store(j, (uint32_t)j->owner[j->numbers[i]]);
}
