/* Places of values. Values have slots in work memory during their live ranges (linear scan); values that a PHI merges
 * share one if their ranges allow it, so that the PHI copies nothing. Tested by tests/unit/ir/interp/test_interp.c. */
#include "ir/interp/layout.h"

#include "util/alloc.h"

/* --- Scopes ----------------------------------------------------------------------------------------------------- */

/* Sets the partners of instructions of control flow. PHIs stand directly behind their ENDIF or LOOP. */
static void match_scopes(struct layout *l)
{
    uint32_t begin = 0, behind = 0; /* innermost open scope; last ENDIF or LOOP */

    for (uint32_t i = 1; i < l->n; i++) {
        struct value *v = &l->value[i];

        switch (l->inst[i].op) {
        case IR_IF:
        case IR_LOOP:
            v->partner = begin; /* until its end is known */
            behind = begin = i;
            break;
        case IR_ENDIF:
        case IR_ENDLOOP:
            v->partner = begin;
            begin = l->value[begin].partner;
            l->value[v->partner].partner = i;
            behind = i;
            break;
        case IR_PHI:
        case IR_MPHI:
        case IR_LPHI:
        case IR_MLPHI:
            v->partner = behind;
            break;
        default:
            break;
        }
    }
}

/* --- Kinds ------------------------------------------------------------------------------------------------------ */

static bool is_same_in_all_lanes(const struct layout *l, const struct ir_inst *inst)
{
    const struct ir_op_info *info = &ir_op_info[inst->op];

    switch (inst->op) {
    case IR_UNIFORM:
    case IR_LOAD_AT:
    case IR_FIRST:
        return true;
    case IR_LANE:
    case IR_LOAD:
    case IR_MLOAD:
    case IR_GATHER:
        return false;
    default:
        for (unsigned k = 0; k < info->n_args; k++)
            if (!l->value[inst->arg[k]].is_same)
                return false;
        return true;
    }
}

/* All lanes take the same way, so a PHI of values that are the same in all lanes is one, too. A loop's variable is one
 * as long as nothing proves the opposite; the search ends when a round finds no proof. */
static void find_kinds(struct layout *l)
{
    bool changed = true;

    for (uint32_t i = 1; i < l->n; i++)
        l->value[i].is_same = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 1; i < l->n; i++) {
            if (l->value[i].is_same && !is_same_in_all_lanes(l, &l->inst[i])) {
                l->value[i].is_same = false;
                changed = true;
            }
        }
    }
    for (uint32_t i = 1; i < l->n; i++) {
        unsigned type = ir_op_info[l->inst[i].op].result;

        l->value[i].kind = type == IR_TYPE_NONE   ? KIND_NONE
                           : type == IR_TYPE_MASK ? KIND_MASK
                           : l->value[i].is_same  ? KIND_UNIFORM
                                                  : KIND_LANES;
    }
}

/* --- Pairs ----------------------------------------------------------------------------------------------------------
 */

/* Further apart, operands of the first would need slots for long. */
enum { MAX_DISTANCE = 32 };

/* The row of a pair whose second operation reads the first one's result as operand k, or IR_FUSED_COUNT. */
static unsigned find_row(unsigned first, unsigned second, unsigned k)
{
    static const uint8_t rows[IR_FUSED_COUNT][3] = {
#define IR_FUSED(first, second, k, ...) {IR_##first, IR_##second, k},
#include "ir/kern/fused.def"
#undef IR_FUSED
    };
    bool commutes = ir_op_info[second].op_class == IR_CLASS_COMMUTES;
    unsigned row = 0;

    while (row < IR_FUSED_COUNT &&
           (rows[row][0] != first || rows[row][1] != second || (rows[row][2] != k && !commutes)))
        row++;
    return row;
}

static void try_pair(struct layout *l, ir_ref second, unsigned k)
{
    ir_ref first = l->inst[second].arg[k];
    struct value *f = &l->value[first], *s = &l->value[second];

    if (s->first || f->first || f->n_uses != 1 || f->block != s->block || f->kind != KIND_LANES ||
        s->kind != KIND_LANES || second - first > MAX_DISTANCE)
        return;
    s->row = (uint8_t)find_row(l->inst[first].op, l->inst[second].op, k);
    if (s->row < IR_FUSED_COUNT) {
        s->first = first;
        f->second = second;
    }
}

static void find_pairs(struct layout *l)
{
    uint32_t block = 0;

    for (uint32_t i = 1; i < l->n; i++)
        for (unsigned k = 0; k < ir_op_info[l->inst[i].op].n_args; k++)
            l->value[l->inst[i].arg[k]].n_uses++;
    for (uint32_t i = 1; i < l->n; i++) {
        const struct ir_op_info *info = &ir_op_info[l->inst[i].op];

        block = info->op_class == IR_CLASS_FLOW ? i : block;
        l->value[i].block = block;
        for (unsigned k = 0; info->op_class <= IR_CLASS_COMMUTES && k < info->n_args; k++)
            try_pair(l, i, k);
    }
}

/* --- Live ranges ------------------------------------------------------------------------------------------------ */

/* Where an operand is read. The second of a pair reads the operands of the first. PHIs copy at the end of the IF, and
 * before it if the IF does not run; those of a loop copy before it and at its end. */
static uint32_t use_position(const struct layout *l, uint32_t i, unsigned k)
{
    uint32_t partner = l->value[i].partner;

    if (ir_is_phi(&l->inst[i]) || ir_is_loop_phi(&l->inst[i]))
        return k == 0 ? partner : l->value[partner].partner;
    return l->value[i].second ? l->value[i].second : i;
}

/* A value that a loop reads but does not define is read until the loop ends. scope: the innermost one around `use`. */
static uint32_t extended_end(const struct layout *l, const uint32_t *outer, uint32_t scope, uint32_t def, uint32_t use)
{
    uint32_t end = use;

    for (; scope > def; scope = outer[scope])
        if (l->inst[scope].op == IR_LOOP && scope < use)
            end = l->value[scope].partner;
    return end;
}

/* Finds the live ranges. outer: room for the scope around each scope. */
static void find_ranges(struct layout *l, uint32_t *outer)
{
    uint32_t scope = 0;

    for (uint32_t i = 1; i < l->n; i++) {
        bool merges = ir_is_phi(&l->inst[i]) || ir_is_loop_phi(&l->inst[i]);

        l->value[i].def = l->value[i].end = merges ? l->value[i].partner : i;
        l->value[i].leader = i;
        l->value[i].n_members = 1;
    }
    for (uint32_t i = 1; i < l->n; i++) {
        const struct ir_inst *inst = &l->inst[i];

        if (inst->op == IR_IF || inst->op == IR_LOOP) {
            outer[i] = scope;
            scope = i;
        }
        for (unsigned k = 0; k < ir_op_info[inst->op].n_args; k++) {
            struct value *operand = &l->value[inst->arg[k]];
            uint32_t end = extended_end(l, outer, scope, operand->def, use_position(l, i, k));

            operand->is_used = !operand->second;
            operand->end = operand->end > end ? operand->end : end;
        }
        if (inst->op == IR_ENDIF || inst->op == IR_ENDLOOP)
            scope = outer[l->value[i].partner];
    }
}

static const size_t slot_bytes[KIND_COUNT] = {0, IR_LANES_BYTES, IR_UNIFORM_BYTES, IR_MASK_BYTES};
static const uint16_t word_stride[KIND_COUNT] = {[KIND_LANES] = 4};

/* --- Loads that copy nothing -------------------------------------------------------------------------------------- */

/* A load's value stays at its base if nothing changes that memory during the live range, and if vectors may read it
 * there. */
static void find_fixed_loads(struct layout *l)
{
    uint32_t next_change[IR_BASES];

    for (unsigned base = 0; base < IR_BASES; base++)
        next_change[base] = UINT32_MAX;
    for (uint32_t i = l->n - 1; i > 0; i--) {
        const struct ir_inst *inst = &l->inst[i];
        struct value *v = &l->value[i];
        uint32_t alignment = inst->op == IR_LOAD ? 64 : inst->op == IR_MLOAD ? 8 : 0;

        if (ir_op_info[inst->op].op_class == IR_CLASS_WRITE)
            next_change[inst->base] = i;
        for (unsigned base = 0; inst->op == IR_CALL && base < IR_BASES; base++)
            next_change[base] = i;
        if (alignment && inst->imm % alignment == 0 && next_change[inst->base] > v->end) {
            v->is_fixed = true;
            v->place = (struct ir_place){inst->imm, (uint16_t)(IR_AREA_BASE + inst->base), word_stride[v->kind]};
        }
    }
}

/* --- Classes ------------------------------------------------------------------------------------------------------ */

/* Larger classes are not joined, so that the time stays linear in the size of the function. */
enum { MAX_MEMBERS = 32 };

static bool interfere(const struct layout *l, ir_ref leader_a, ir_ref leader_b)
{
    for (ir_ref a = leader_a; a; a = l->value[a].next)
        for (ir_ref b = leader_b; b; b = l->value[b].next)
            if (l->value[a].def < l->value[b].end && l->value[b].def < l->value[a].end)
                return true;
    return false;
}

/* Makes one class of two. The leader is the value that is written first; its end is that of the class. */
static void join(struct layout *l, ir_ref a, ir_ref b)
{
    ir_ref first = l->value[a].def <= l->value[b].def ? a : b, other = a + b - first, last = first;

    for (ir_ref member = other; member; member = l->value[member].next)
        l->value[member].leader = first;
    while (l->value[last].next)
        last = l->value[last].next;
    l->value[last].next = other;
    l->value[first].n_members += l->value[other].n_members;
}

static void try_join(struct layout *l, ir_ref phi, ir_ref operand)
{
    const struct value *p = &l->value[phi], *o = &l->value[operand];

    if (o->is_fixed || p->kind != o->kind || p->leader == o->leader ||
        l->value[p->leader].n_members + l->value[o->leader].n_members > MAX_MEMBERS)
        return;
    if (!interfere(l, p->leader, o->leader))
        join(l, p->leader, o->leader);
}

/* The next value of a loop comes first, since its copy would be in the loop. */
static void join_classes(struct layout *l)
{
    for (uint32_t i = 1; i < l->n; i++) {
        const struct ir_inst *inst = &l->inst[i];
        unsigned first = ir_is_loop_phi(inst);

        if ((!ir_is_phi(inst) && !ir_is_loop_phi(inst)) || !l->value[i].is_used)
            continue;
        try_join(l, i, inst->arg[first]);
        try_join(l, i, inst->arg[!first]);
    }
}

/* --- Slots -------------------------------------------------------------------------------------------------------- */

/* Enters each class into the lists of the positions where it begins and ends. */
static void list_classes(struct layout *l)
{
    for (ir_ref i = 1; i < l->n; i++) {
        struct value *v = &l->value[i];
        uint32_t end = 0;

        if (v->leader != i || !v->is_used || v->is_fixed || v->kind == KIND_NONE)
            continue;
        for (ir_ref member = i; member; member = l->value[member].next)
            end = l->value[member].end > end ? l->value[member].end : end;
        v->next_begin = l->value[v->def].first_begin;
        l->value[v->def].first_begin = i;
        v->next_end = l->value[end].first_end;
        l->value[end].first_end = i;
    }
}

/* Linear scan. A kernel reads its operands before it writes, so a result may take the slot of an operand that is read
 * for the last time. `free` lists free slots: room for n of each kind; n_slots counts all slots. */
static void assign_slots(struct layout *l, uint32_t *free, uint32_t n_slots[KIND_COUNT])
{
    uint32_t n_free[KIND_COUNT] = {0};

    for (uint32_t i = 1; i < l->n; i++) {
        for (ir_ref c = l->value[i].first_end; c; c = l->value[c].next_end) {
            unsigned kind = l->value[c].kind;

            free[kind * l->n + n_free[kind]++] = l->value[c].slot;
        }
        for (ir_ref c = l->value[i].first_begin; c; c = l->value[c].next_begin) {
            unsigned kind = l->value[c].kind;

            l->value[c].slot = n_free[kind] ? free[kind * l->n + --n_free[kind]] : n_slots[kind]++;
        }
    }
}

static struct ir_place work_place(unsigned kind, size_t first, uint32_t slot)
{
    return (struct ir_place){(uint32_t)(first + slot * slot_bytes[kind]), IR_AREA_WORK, word_stride[kind]};
}

/* Work memory: lanes, uniforms, masks; of each kind there is one more slot for exchanges. */
static enum status place_slots(struct layout *l, const uint32_t n_slots[KIND_COUNT])
{
    size_t first[KIND_COUNT] = {0};

    for (unsigned kind = KIND_LANES; kind < KIND_COUNT; kind++) {
        first[kind] = l->work_bytes;
        l->scratch[kind] = work_place(kind, first[kind], n_slots[kind]);
        l->work_bytes += (n_slots[kind] + 1) * slot_bytes[kind];
    }
    if ((uint64_t)l->work_bytes > UINT32_MAX)
        return ST_NOMEM;
    for (ir_ref i = 1; i < l->n; i++) {
        struct value *v = &l->value[i];

        if (!v->is_fixed)
            v->place = work_place(v->kind, first[v->kind], v->slot);
    }
    return ST_OK;
}

/* The area of constants begins with the masks of no and of all lanes. */
static enum status place_constants(struct layout *l)
{
    l->constant_bytes = IR_UNIFORM_BYTES;
    for (ir_ref i = 1; i < l->n; i++) {
        struct value *v = &l->value[i];

        if (l->inst[i].op == IR_MCONST) {
            v->place = (struct ir_place){l->inst[i].imm ? IR_MASK_BYTES : 0, IR_AREA_CONSTANTS, 0};
            v->is_fixed = true;
        }
        if (l->inst[i].op == IR_CONST) {
            v->place = (struct ir_place){(uint32_t)l->constant_bytes, IR_AREA_CONSTANTS, 0};
            v->is_fixed = true;
            l->constant_bytes += IR_UNIFORM_BYTES;
        }
    }
    return (uint64_t)l->constant_bytes > UINT32_MAX ? ST_NOMEM : ST_OK;
}

/* --- Interface ---------------------------------------------------------------------------------------------------- */

enum status ir_layout_init(struct layout *l, const struct ir *ir)
{
    uint32_t n_slots[KIND_COUNT] = {0}, *scratch;
    enum status status;

    *l = (struct layout){0};
    l->inst = ir_insts(ir, &l->n);
    l->value = mem_calloc(l->n, sizeof(*l->value));
    scratch = mem_calloc(l->n, KIND_COUNT * sizeof(*scratch));
    status = l->value && scratch ? place_constants(l) : ST_NOMEM;
    if (!status) {
        match_scopes(l);
        find_kinds(l);
        find_pairs(l);
        find_ranges(l, scratch);
        find_fixed_loads(l);
        join_classes(l);
        list_classes(l);
        assign_slots(l, scratch, n_slots);
        status = place_slots(l, n_slots);
    }
    mem_free(scratch);
    if (status)
        ir_layout_fini(l);
    return status;
}

void ir_layout_fini(struct layout *l)
{
    mem_free(l->value);
}
