/* What code is made of, for tools: machine code, and operations of each instruction. */
#ifndef VM_RUN_MACHINE_H
#define VM_RUN_MACHINE_H

#include "ir/ir.h"
#include "ir/compile/compile.h"

struct vm_code;

/* Machine code of the program (i = 0), then of its routines that are not inlined. The origin of a
 * machine instruction (ir_code_origin) is the number of the program's instruction + 1 in code with
 * vm_options.origins. NULL: the function is interpreted, or there are fewer. Valid as long as the
 * code. */
const struct ir_code *vm_code_machine(const struct vm_code *code, uint32_t i);
/* The functions: the program and the routines that are not inlined. */
uint32_t vm_code_functions(const struct vm_code *code);

/* Operations of the IR that an instruction has become, in code with vm_options.origins. Moves,
 * swizzles and modifiers that later operations contain are none. */
struct vm_instr_operations {
    uint32_t draw; /* run once a draw: they depend on constants alone */
    uint32_t lane; /* run for every lane */
};
struct vm_instr_operations vm_code_operations(const struct vm_code *code, uint32_t instr);

#endif
