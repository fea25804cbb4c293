/* JIT register allocation: maps slots to vector registers while a superblock is emitted, and spills
 * the value with the farthest next use to the memory of its slot.
 *
 * Tested by tests/unit/vm/jit/test_jit.c. */
#include "vm/jit/compiler.h"

#include <string.h>

int32_t jit_slot_of(uint32_t arg)
{
    return arg & VM_ARG_UNIFORM ? -1 : (int32_t)((arg & (uint32_t)VM_ARG_OFFSET) / VM_LANE_BYTES);
}

static struct x86_operand slot_mem(uint32_t slot)
{
    return x86_mem(X86_BASE_WORK, (int32_t)(slot * VM_LANE_BYTES));
}

void jit_regalloc_begin(struct jit *j)
{
    for (uint32_t i = 0; i < j->n_slots; i++) {
        struct jit_slot *slot = &j->slot[i];

        *slot = (struct jit_slot){.reg = JIT_NONE,
                                  .in_memory = true,
                                  .live_out = slot->live_out,
                                  .next_use = JIT_NO_NEXT_USE};
    }
    for (unsigned r = 0; r < JIT_REGISTERS; r++) {
        j->owner[r] = JIT_NONE;
        j->locked_by[r] = -1;
    }
    j->out_of_registers = false;
    j->index_slot = -1;
    if (!j->avx512 && jit_checks_nan(j)) {
        j->nan_accum = j->allocatable[j->n_allocatable - 1];
        j->owner[j->nan_accum] = JIT_TEMPORARY;
        x86_emit(&j->code, X86_XOR, j->nan_accum, j->nan_accum, x86_reg(j->nan_accum));
    }
    if (j->avx512 && jit_checks_nan(j))
        x86_emit_set_k(&j->code, X86_K_ORDERED);
}

/* --- NaN checks ------------------------------------------------------------------------------- */

/* AVX2 adds the value to an accumulator: a sum that is not NaN has no NaN summand. Infinities of
 * both signs also give NaN; the vector is then recomputed needlessly. */
void jit_nan_check(struct jit *j, int reg)
{
    if (!jit_checks_nan(j))
        return;
    j->has_nan_check = true;
    if (j->avx512)
        x86_emit_compare_k(&j->code, X86_CMP_ORDERED, X86_K_ORDERED, reg, x86_reg(reg),
                           X86_K_ORDERED);
    else
        x86_emit(&j->code, X86_ADD, j->nan_accum, j->nan_accum, x86_reg(reg));
}

static void nan_check_slot(struct jit *j, struct jit_slot *slot)
{
    if (slot->nan_unchecked)
        jit_nan_check(j, slot->reg);
    slot->nan_unchecked = false;
}

/* --- Registers -------------------------------------------------------------------------------- */

static void spill(struct jit *j, uint32_t number)
{
    struct jit_slot *slot = &j->slot[number];

    x86_emit(&j->code, X86_STORE, slot->reg, 0, slot_mem(number));
    slot->in_memory = true;
}

static void free_register(struct jit *j, struct jit_slot *slot)
{
    j->owner[slot->reg] = JIT_NONE;
    slot->reg = JIT_NONE;
}

/* True if the register's value may be spilled now. A changed live_in slot may not, because a
 * recomputation of the vector needs its old contents in memory. */
static bool can_spill(const struct jit *j, unsigned reg)
{
    const struct jit_slot *slot = j->owner[reg] >= 0 ? &j->slot[j->owner[reg]] : NULL;

    return slot && j->locked_by[reg] != j->current && (slot->in_memory || !slot->live_in);
}

/* The register with the farthest next use; -1: none. */
static int choose_spill_victim(const struct jit *j)
{
    int32_t farthest = -1;
    int best = -1;

    for (unsigned i = 0; i < j->n_allocatable; i++) {
        unsigned reg = j->allocatable[i];

        if (can_spill(j, reg) && j->slot[j->owner[reg]].next_use > farthest) {
            farthest = j->slot[j->owner[reg]].next_use;
            best = (int)reg;
        }
    }
    return best;
}

static int find_free(const struct jit *j)
{
    for (unsigned i = 0; i < j->n_allocatable; i++)
        if (j->owner[j->allocatable[i]] == JIT_NONE)
            return j->allocatable[i];
    return -1;
}

static int alloc_register(struct jit *j)
{
    int reg = find_free(j);

    if (reg < 0 && (reg = choose_spill_victim(j)) >= 0) {
        uint32_t number = (uint32_t)j->owner[reg];

        nan_check_slot(j, &j->slot[number]);
        if (!j->slot[number].in_memory)
            spill(j, number);
        free_register(j, &j->slot[number]);
    }
    if (reg < 0) {
        j->out_of_registers = true;
        return j->allocatable[0];
    }
    j->owner[reg] = JIT_TEMPORARY;
    return reg;
}

void jit_free_temp(struct jit *j, struct x86_operand ref)
{
    if (ref.is_temp)
        j->owner[ref.reg] = JIT_NONE;
}

struct x86_operand jit_alloc_temp(struct jit *j)
{
    struct x86_operand ref = x86_reg(alloc_register(j));

    ref.is_temp = true;
    return ref;
}

struct x86_operand jit_to_register(struct jit *j, struct x86_operand ref)
{
    struct x86_operand reg;

    if (!ref.is_mem)
        return ref;
    reg = jit_alloc_temp(j);
    x86_emit(&j->code, X86_LOAD, reg.reg, 0, ref);
    return reg;
}

/* --- Operands and results --------------------------------------------------------------------- */

/* Reads a slot. next_use: the instance that reads it after this one. If there is one, the slot is
 * loaded into a register. */
static struct x86_operand use_slot(struct jit *j, uint32_t number, int32_t next_use)
{
    struct jit_slot *slot = &j->slot[number];

    slot->next_use = next_use;
    if (!slot->defined)
        slot->live_in = true;
    if (slot->reg == JIT_NONE && next_use != JIT_NO_NEXT_USE) {
        int reg = alloc_register(j);

        if (j->out_of_registers)
            return x86_reg(reg);
        x86_emit(&j->code, X86_LOAD, reg, 0, slot_mem(number));
        slot->reg = (int8_t)reg;
        j->owner[reg] = (int16_t)number;
    }
    if (slot->reg == JIT_NONE)
        return slot_mem(number);
    j->locked_by[slot->reg] = j->current;
    return x86_reg(slot->reg);
}

static struct x86_operand apply_modifiers(struct jit *j, struct x86_operand ref, uint32_t arg)
{
    static const struct {
        uint32_t modifier;
        enum x86_opcode op;
        enum x86_constant constant;
    } steps[] = {{VM_ARG_ABS, X86_AND, X86_CONST_ABS_MASK},
                 {VM_ARG_NEG, X86_XOR, X86_CONST_SIGN_BIT}};

    for (unsigned i = 0; i < 2; i++) {
        struct x86_operand to;

        if (!(arg & steps[i].modifier))
            continue;
        ref = jit_to_register(j, ref);
        to = ref.is_temp ? ref : jit_alloc_temp(j);
        x86_emit(&j->code, steps[i].op, to.reg, ref.reg, x86_constant(steps[i].constant));
        ref = to;
    }
    return ref;
}

struct x86_operand jit_operand(struct jit *j, unsigned k)
{
    const struct jit_inst *inst = &j->inst[j->current];
    uint32_t arg = inst->arg[vm_ir_op_info[inst->opcode].n_dst + k];
    int32_t slot = jit_slot_of(arg);

    if (slot < 0)
        return apply_modifiers(
            j, x86_mem(X86_BASE_UNIFORMS, (int32_t)(arg & (uint32_t)VM_ARG_OFFSET)), arg);
    return apply_modifiers(j, use_slot(j, (uint32_t)slot, inst->src_next_use[k]), arg);
}

struct x86_operand jit_slot_contents(struct jit *j, uint32_t slot)
{
    return use_slot(j, slot, JIT_NO_NEXT_USE);
}

struct x86_operand jit_operand_in_memory(struct jit *j, unsigned k)
{
    const struct jit_inst *inst = &j->inst[j->current];
    uint32_t number = (uint32_t)jit_slot_of(inst->arg[vm_ir_op_info[inst->opcode].n_dst + k]);

    j->slot[number].next_use = inst->src_next_use[k];
    j->slot[number].live_in = true; /* no instance of the superblock wrote it: jit_find_guards would
                                       have ended the superblock */
    return slot_mem(number);
}

void jit_define_result(struct jit *j, struct x86_operand ref, bool nan_unchecked)
{
    const struct jit_inst *inst = &j->inst[j->current];
    uint32_t number = inst->arg[0] / VM_LANE_BYTES;
    struct jit_slot *slot = &j->slot[number];

    if (slot->reg != JIT_NONE) { /* its old value has no further use */
        nan_check_slot(j, slot);
        free_register(j, slot);
    }
    slot->reg = ref.reg;
    slot->in_memory = false;
    slot->defined = true;
    slot->is_final = inst->is_last_def;
    slot->nan_unchecked = nan_unchecked;
    slot->next_use = inst->result_next_use;
    j->owner[ref.reg] = (int16_t)number;
    j->locked_by[ref.reg] = j->current;
}

/* Frees the register of a value that has no further use in the superblock. */
static void end_live_range(struct jit *j, uint32_t number)
{
    struct jit_slot *slot = &j->slot[number];
    bool needs_store = slot->live_out && slot->is_final && !slot->in_memory;

    nan_check_slot(j, slot);
    if (needs_store && slot->live_in)
        return; /* stored at the end, when no recomputation can follow */
    if (needs_store)
        spill(j, number);
    free_register(j, slot);
}

void jit_end_inst(struct jit *j)
{
    for (unsigned i = 0; i < j->n_allocatable; i++) {
        int16_t owner = j->owner[j->allocatable[i]];

        if (owner >= 0 && j->slot[owner].next_use == JIT_NO_NEXT_USE)
            end_live_range(j, (uint32_t)owner);
    }
}

void jit_nan_check_rest(struct jit *j)
{
    for (unsigned i = 0; i < j->n_allocatable; i++)
        if (j->owner[j->allocatable[i]] >= 0)
            nan_check_slot(j, &j->slot[j->owner[j->allocatable[i]]]);
}

void jit_store_live_out(struct jit *j)
{
    for (unsigned i = 0; i < j->n_allocatable; i++)
        if (j->owner[j->allocatable[i]] >= 0 && !j->slot[j->owner[j->allocatable[i]]].in_memory)
            spill(j, (uint32_t)j->owner[j->allocatable[i]]);
}
