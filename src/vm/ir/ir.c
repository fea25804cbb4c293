/* Properties of the IR opcodes, generated from ops.def. */
#include "vm/ir/ir.h"

const struct ir_op_info vm_ir_op_info[VM_IR_COUNT] = {
#define IR_OP(name, dst, src, imm, flags, ...) [VM_IR_##name] = {dst, src, imm, IR_##flags},
#include "vm/ir/ops.def"
#undef IR_OP
};
