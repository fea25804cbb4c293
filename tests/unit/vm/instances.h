/* Counts of the operations that a shader is lowered to, for the tests of lowering. */
#ifndef TESTS_UNIT_VM_INSTANCES_H
#define TESTS_UNIT_VM_INSTANCES_H

#include "unit/vm/run_shader.h"
#include "vm/ir/code.h"

static inline unsigned count_ops(const struct shader *s, enum ir_op op)
{
    uint32_t n, found = 0;
    const struct ir_inst *inst = ir_insts(s->code->body, &n);

    for (ir_ref ref = 1; ref < n; ref++)
        found += inst[ref].op == op;
    return found;
}

/* Operations that compute something. */
static inline unsigned count_arithmetic(const struct shader *s)
{
    uint32_t n, found = 0;
    const struct ir_inst *inst = ir_insts(s->code->body, &n);

    for (ir_ref ref = 1; ref < n; ref++)
        found += ir_op_info[inst[ref].op].op_class <= IR_CLASS_COMMUTES && inst[ref].op != IR_CONST &&
                 inst[ref].op != IR_MCONST;
    return found;
}

#endif
