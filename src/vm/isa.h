/* The instruction set as an enum; names, operands and versions stand in isa.def. */
#ifndef VM_ISA_H
#define VM_ISA_H

#include <stdint.h>

enum vm_op {
#define OP(id, ...) VM_OP_##id,
#include "vm/isa.def"
#undef OP
    VM_OP_COUNT
};

#endif
