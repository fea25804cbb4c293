/* Shorthands for the code of a function: single instructions, and the memory of loads. Private to
 * select.c and emitter.c. */
#ifndef IR_X86_EMIT_H
#define IR_X86_EMIT_H

#include "ir/x86/select.h"

/* The highest vector register and mask register 1 are scratch of single rows and of moves. */
enum { SCRATCH_MASK = 1 };

static inline unsigned scratch(const struct x86_selector *s)
{
    return s->registers->end[0];
}

static inline bool avx512(const struct x86_selector *s)
{
    return s->code->target.avx512;
}

/* d = a OP m. Forms without a second source ignore a. */
static inline void emit3(struct x86_selector *s, enum x86_form form, unsigned d, unsigned a,
                         struct x86_operand m)
{
    ir_x86_emit(s->code,
                &(struct x86_inst){.form = form, .r = (uint8_t)d, .v = (uint8_t)a, .m = m});
}

static inline void emit2(struct x86_selector *s, enum x86_form form, unsigned d,
                         struct x86_operand m)
{
    emit3(s, form, d, 0, m);
}

static inline void emit_imm(struct x86_selector *s, enum x86_form form, unsigned d, unsigned a,
                            struct x86_operand m, int32_t imm)
{
    ir_x86_emit(s->code, &(struct x86_inst){
                             .form = form, .r = (uint8_t)d, .v = (uint8_t)a, .m = m, .imm = imm});
}

/* For lanes of mask register k; the others keep the result's old value, or become 0. */
static inline void emit_masked(struct x86_selector *s, enum x86_form form, unsigned d, unsigned a,
                               struct x86_operand m, unsigned k, bool zeroing)
{
    ir_x86_emit(s->code, &(struct x86_inst){.form = form,
                                            .r = (uint8_t)d,
                                            .v = (uint8_t)a,
                                            .m = m,
                                            .k = (uint8_t)k,
                                            .zeroing = zeroing});
}

static inline void emit_zero(struct x86_selector *s, unsigned d)
{
    emit3(s, X86_PXOR, d, d, x86_reg(d));
}

static inline void emit_all_ones(struct x86_selector *s, unsigned d)
{
    emit3(s, X86_PCMPEQD, d, d, x86_reg(d));
}

static inline unsigned base_register(struct x86_selector *s, unsigned base)
{
    return ir_x86_base(s->code, s->frame, base);
}

static inline struct x86_operand uniform_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    return x86_mem(base_register(s, inst->base), (int32_t)inst->imm);
}

static inline struct x86_operand lane_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    return x86_indexed(base_register(s, inst->base), X86_LANE, 2, (int32_t)inst->imm);
}

#endif
