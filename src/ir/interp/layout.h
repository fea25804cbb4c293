/* Where each value of a function is while the interpreter runs it. Private to interp. */
#ifndef IR_INTERP_LAYOUT_H
#define IR_INTERP_LAYOUT_H

#include "ir/ir.h"
#include "ir/kern/kern.h"

#include <stddef.h>

enum kind { KIND_NONE, KIND_LANES, KIND_UNIFORM, KIND_MASK, KIND_COUNT };

/* A value, or another instruction. Its index is its position. Classes are sets of values that share a place because a
 * PHI merges them. */
struct value {
    uint8_t kind;           /* enum kind */
    bool is_same;           /* in all lanes */
    bool is_used, is_fixed; /* is_fixed: a constant, or memory at a base that serves as the place of a load */
    struct ir_place place;  /* of the class's leader, and of fixed values */

    /* Pairs of kern/fused.def. Of the first: the second. Of the second: the first, and the row. */
    ir_ref second, first;
    uint8_t row;
    uint32_t n_uses, block; /* last instruction of control flow before it */

    /* Scopes: the other end of an IF or LOOP. PHI: its ENDIF; LPHI: its LOOP. Others: 0. */
    uint32_t partner;

    /* Live range. The value is written at `def` and read until `end`. */
    uint32_t def, end;
    ir_ref leader, next; /* class: its first value; the next one of the class, or 0 */
    uint32_t n_members;  /* of the class; of its leader */
    uint32_t slot;
    /* Classes of which the first value is written here, and the last one read here for the last time. */
    ir_ref first_begin, first_end, next_begin, next_end;
};

struct layout {
    const struct ir_inst *inst;
    uint32_t n; /* instructions */
    struct value *value;
    struct ir_place scratch[KIND_COUNT]; /* places that hold no value, for exchanges */
    size_t work_bytes, constant_bytes;
};

MUST_CHECK enum status ir_layout_init(struct layout *l, const struct ir *ir);
void ir_layout_fini(struct layout *l);

static inline struct ir_place ir_layout_place(const struct layout *l, ir_ref ref)
{
    const struct value *v = &l->value[ref];

    return v->is_fixed ? v->place : l->value[v->leader].place;
}

static inline bool ir_is_phi(const struct ir_inst *inst)
{
    return inst->op == IR_PHI || inst->op == IR_MPHI;
}
static inline bool ir_is_loop_phi(const struct ir_inst *inst)
{
    return inst->op == IR_LPHI || inst->op == IR_MLPHI;
}

#endif
