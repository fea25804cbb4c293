/* Shorthands for the code of operations, and rows in other files than select.c. Private to the
 * module. */
#ifndef IR_ARM64_EMIT_H
#define IR_ARM64_EMIT_H

#include "ir/arm64/select.h"

/* An instruction with the registers of its result and operands; behind those, temporary ones. */
struct arm64_selection {
    const struct ir_inst *inst;
    uint32_t i;
    uint8_t d, x[3];
};
typedef void arm64_row(struct arm64_selector *s, const struct arm64_selection *n);

static inline void emit3(struct arm64_selector *s, enum arm64_form form, unsigned d, unsigned a,
                         unsigned b)
{
    ir_arm64_emit(s->code, form, d, a, b, 0);
}

static inline void emit2(struct arm64_selector *s, enum arm64_form form, unsigned d, unsigned a)
{
    ir_arm64_emit(s->code, form, d, a, 0, 0);
}

static inline void emit_imm(struct arm64_selector *s, enum arm64_form form, unsigned d, unsigned a,
                            int64_t imm)
{
    ir_arm64_emit(s->code, form, d, a, 0, imm);
}

static inline void emit_copy(struct arm64_selector *s, unsigned d, unsigned a)
{
    if (d != a)
        ir_arm64_emit(s->code, ARM64_MOV_V, d, a, 0, 0);
}

static inline void emit_constant(struct arm64_selector *s, unsigned d, uint32_t bits)
{
    ir_arm64_constant(s->code, d, bits);
}

/* functions.c */
arm64_row ir_arm64_emit_rsq, ir_arm64_emit_exp2, ir_arm64_emit_log2;
arm64_row ir_arm64_emit_unorm, ir_arm64_emit_h2f, ir_arm64_emit_f2h;
/* memory.c */
arm64_row ir_arm64_emit_uniform, ir_arm64_emit_load, ir_arm64_emit_mload, ir_arm64_emit_load_at;
arm64_row ir_arm64_emit_gather, ir_arm64_emit_store, ir_arm64_emit_ustore, ir_arm64_emit_mstore;
arm64_row ir_arm64_emit_scatter;

#endif
