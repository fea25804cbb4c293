/* The properties of operations, from ops.def.
 *
 * Tested by tests/unit/ir/build/test_build.c and tests/kernel/ir. */
#include "ir/ir.h"

#define TYPE_F IR_TYPE_WORD
#define TYPE_I IR_TYPE_WORD
#define TYPE_M IR_TYPE_MASK
#define TYPE__ IR_TYPE_NONE
#define IS_ARG(type) (TYPE_##type != IR_TYPE_NONE)

const struct ir_op_info ir_op_info[IR_OP_COUNT] = {
    [IR_NONE] = {.name = "none"},
#define IR_OP(op, result_type, a, b, c, class, nan_rule, formula)                                  \
    [IR_##op] = {.name = #op,                                                                      \
                 .result = TYPE_##result_type,                                                     \
                 .n_args = IS_ARG(a) + IS_ARG(b) + IS_ARG(c),                                      \
                 .arg = {TYPE_##a, TYPE_##b, TYPE_##c},                                            \
                 .op_class = IR_CLASS_##class,                                                     \
                 .nan = IR_NAN_##nan_rule},
#include "ir/ops.def"
#undef IR_OP
};

bool ir_has_number(enum ir_op op)
{
    switch (op) {
    case IR_CONST:
    case IR_MCONST:
    case IR_ISHL:
    case IR_ISHR:
    case IR_ISAR:
    case IR_UNORM:
    case IR_H2F:
    case IR_QUAD:
    case IR_CALL:
        return true;
    default:
        return false;
    }
}
