/* Functions that need more registers than there are. */
#ifndef TESTS_IR_X86_PRESSURE_H
#define TESTS_IR_X86_PRESSURE_H

#include "memory.h"

/* A value that needs n others at the same time. */
static inline ir_ref pressure(struct ir *ir, ir_ref a, unsigned n)
{
    ir_ref value[64] = {0}, sum = a;

    for (unsigned i = 0; i < n; i++)
        value[i] = ir_emit(ir, IR_IADD, a, ir_const_i32(ir, (int)i * 77 + 1), 0, 0);
    for (unsigned i = 0; i < n; i++)
        sum = ir_emit(ir, IR_IXOR, ir_emit(ir, IR_ISHL, sum, 0, 0, 1), value[i], 0, 0);
    return sum;
}

/* A loop where an IF drives a value from its register, which code behind the IF uses, and then
 * other code drives it away again: the next iteration needs it in the register. */
static inline struct ir *conditional_pressure(unsigned n, bool is_rare)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref lane = ir_emit(ir, IR_LANE, 0, 0, 0, 0), zero = ir_const_i32(ir, 0);
    ir_ref v, sum, count, mask, then, merged;

    v = ir_emit(ir, IR_IADD, ir_emit_mem(ir, IR_LOAD, INPUTS, 0, 0, 0, 0), lane, 0, 0);
    ir_loop(ir);
    count = ir_loop_phi(ir, zero);
    sum = ir_loop_phi(ir, v);
    mask = ir_emit(ir, IR_IEQ, ir_emit(ir, IR_IAND, lane, ir_const_i32(ir, 24), 0, 0),
                   ir_emit(ir, IR_ISHL, count, 0, 0, 3), 0, 0);
    if (is_rare)
        ir_if_rare(ir, mask);
    else
        ir_if(ir, mask);
    then = ir_emit(ir, IR_SELECT, mask, pressure(ir, sum, n), sum, 0);
    ir_endif(ir);
    merged = ir_phi(ir, then, sum);
    merged = ir_emit(ir, IR_IADD, merged, v, 0, 0);
    merged = pressure(ir, merged, n);
    ir_loop_next(ir, sum, merged);
    ir_loop_next(ir, count, ir_emit(ir, IR_IADD, count, ir_const_i32(ir, 1), 0, 0));
    ir_endloop(ir, ir_emit(ir, IR_ILT, count, ir_const_i32(ir, 5), 0, 0));
    ir_emit_mem(ir, IR_STORE, WORDS, 256, merged, 0, 0);
    return ir;
}

#endif
