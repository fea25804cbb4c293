/* Building of functions: their memory, and the simplification of single instructions. Passes that
 * rewrite a function read the old one and emit a new one. */
#ifndef IR_BUILD_BUILD_H
#define IR_BUILD_BUILD_H

#include "ir/ir.h"

/* An open IF or LOOP. */
struct ir_scope {
    uint32_t begin; /* its instruction */
    bool is_loop;
};

struct ir {
    enum status status;
    uint32_t constant_bases;
    uint16_t origin; /* of the instructions that follow */
    struct ir_inst *inst;
    uint32_t n, capacity;

    /* Value numbering: instructions with equal hashes, newest first. Those of an IF leave it at its
     * end, because their values are not visible after it. */
    uint32_t *bucket; /* n_buckets heads, a power of two; 0: empty */
    uint32_t *next;   /* per instruction */
    uint32_t *hash;   /* per instruction */
    uint32_t n_buckets;
    /* Operations before it are not used again: an equal one is computed anew, so that the older
     * value need not live on. Values without operands are, they are loaded where they are used. */
    ir_ref fresh;

    struct ir_scope *scope;
    uint32_t n_scopes, scope_capacity;
    /* Per base: the instruction that last changed its memory. Equal loads between changes have
     * equal values. */
    uint32_t changed[IR_BASES];
};

/* fold.c: Simplifies an instruction: exchanges its operands, or makes it another operation or a
 * constant. Returns the older value that it equals, or 0. */
ir_ref ir_fold(const struct ir *ir, struct ir_inst *inst);

static inline const struct ir_inst *ir_inst(const struct ir *ir, ir_ref ref)
{
    return &ir->inst[ref];
}

static inline bool ir_is_pure(enum ir_op op)
{
    return ir_op_info[op].op_class <= IR_CLASS_COMMUTES;
}

/* Emits a copy of an instruction whose operands are values of `ir`. */
static inline ir_ref ir_emit_copy(struct ir *ir, const struct ir_inst *inst, const ir_ref arg[3])
{
    return ir_emit_mem(ir, (enum ir_op)inst->op, inst->base, inst->imm, arg[0], arg[1], arg[2]);
}

/* Appends a copy without folding and value numbering, for a function that gets a part of another's
 * instructions and no others: what is different there is different here. */
ir_ref ir_append_copy(struct ir *ir, const struct ir_inst *inst, const ir_ref arg[3]);

#endif
