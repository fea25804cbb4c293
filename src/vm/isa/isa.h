/* Shader instruction set: opcode enum and property table, generated from isa.def. */
#ifndef VM_ISA_ISA_H
#define VM_ISA_ISA_H

#include <stdbool.h>
#include <stdint.h>

enum vm_op {
#define OP(id, ...) VM_OP_##id,
#include "vm/isa/isa.def"
#undef OP
    VM_OP_COUNT
};

/* Data flow between components; see isa.def. */
enum vm_op_class {
    VM_CLASS_COMPWISE,
    VM_CLASS_SCALAR,
    VM_CLASS_DOT,
    VM_CLASS_MATRIX,
    VM_CLASS_SPECIAL,
    VM_CLASS_TEXTURE,
    VM_CLASS_TEXTURE1,
    VM_CLASS_FLOW,
    VM_CLASS_DECL
};

struct vm_op_info {
    const char *text;
    uint16_t token;                               /* bits 15:0 of the instruction word */
    uint8_t vs_first, vs_last, ps_first, ps_last; /* version ranks, see vm_version_rank */
    uint8_t n_dst, n_src;                         /* n_src: of the widest form */
    uint8_t op_class;                             /* enum vm_op_class */
    uint8_t slots;
    bool saturate, predicable;
    uint8_t replicate; /* bit per source that needs a replicate swizzle from 2_0 on */
};
extern const struct vm_op_info vm_op_info[VM_OP_COUNT];

/* Instruction with these opcode bits, or -1. */
int vm_op_from_token(unsigned token);

/* Version ranks: 1_0 and 1_1 = 11 … 14, 20, 2_x = 21, 2_sw = 22, 30, 3_sw = 31; 0 if no such
 * version exists. */
enum { VM_RANK_2_0 = 20, VM_RANK_2_X = 21, VM_RANK_2_SW = 22, VM_RANK_3_0 = 30, VM_RANK_3_SW = 31 };
unsigned vm_version_rank(bool pixel, unsigned major, unsigned minor);

#endif
