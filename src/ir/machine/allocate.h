/* Register allocation: decides for each instruction where its operands and its result are, and
 * which values move before it. No code is emitted. */
#ifndef IR_MACHINE_ALLOCATE_H
#define IR_MACHINE_ALLOCATE_H

#include "ir/machine/live.h"

/* Where a value is: a vector register, a mask register, or memory: its home (see
 * machine_live.homed) or its slot. */
enum {
    MACHINE_PLACE_MASK = 32,   /* the first of 8 mask registers */
    MACHINE_PLACE_MEMORY = 40, /* no register */
    MACHINE_PLACE_SWAP,        /* memory for exchanges of values */
    MACHINE_PLACE_NONE,
    MACHINE_PLACES = MACHINE_PLACE_MEMORY /* number of registers */
};

/* The registers of a machine, and what instructions require. */
struct machine_registers {
    uint8_t first[2], end[2]; /* per class: registers to allocate */
    bool masks;               /* masks have registers of their own: class 1 */
    bool uniforms;            /* uniforms can be operands in memory */
};

/* Per operation. */
struct machine_constraint {
    uint8_t memory;      /* bit k: operand k may be in memory; one at a time */
    bool early;          /* the result is written before all operands are read */
    uint8_t temporaries; /* registers for intermediate results, behind those of the operands in
                            machine_allocation.place: as many as fit there */
};

/* Copies `value` from a place to another. `to_phi`: the value that owns the memory, if `to` is
 * MACHINE_PLACE_MEMORY. `to` MACHINE_PLACE_NONE is no move: at ENDIF, what follows is done if the
 * IF did not run; at ENDLOOP, before the next iteration. At barriers, no value is in a register. */
struct machine_move {
    uint32_t value, to_phi;
    uint8_t from, to;
};

/* At the beginning of a rare IF: stores a value to its slot. */
struct machine_save {
    uint32_t rare, value;
    uint8_t from;
};

struct machine_allocation {
    uint8_t (*place)[4];  /* per instruction: the result, the operands, temporary registers; of
                             rows: a temporary register in [3] */
    uint32_t *first_move; /* per instruction: the first move before it; [n]: number of moves */
    struct machine_move *move;
    bool *spilled;       /* per value: stored to its slot after its definition */
    bool *saved;         /* per value: stored to its slot by a rare IF */
    uint32_t *slot;      /* per value: its slot, if it is spilled or saved */
    bool *wide;          /* per value: the slot has all 64 lanes, for a life across a barrier */
    uint32_t n_slots[4]; /* per class: slots of a vector, then wide ones */
    uint32_t n_moves, move_capacity;
    struct machine_save *save; /* in the order of the IFs */
    uint32_t n_saves, save_capacity;
};

/* constraint: indexed by enum ir_op. */
MUST_CHECK enum status ir_machine_allocate(struct machine_allocation *out,
                                           const struct machine_live *live,
                                           const struct machine_registers *registers,
                                           const struct machine_constraint *constraint);
void ir_machine_allocation_fini(struct machine_allocation *a); /* a zeroed struct is allowed */

/* 1: the value has a mask register. */
static inline unsigned machine_class_of(const struct machine_registers *registers,
                                        const struct ir_inst *inst)
{
    return registers->masks && ir_op_info[inst->op].result == IR_TYPE_MASK;
}

#endif
