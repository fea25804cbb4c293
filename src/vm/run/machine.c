/* What code is made of: machine code, and operations of each instruction. */
#include "vm/run/machine.h"

#include "vm/ir/code.h"

uint32_t vm_code_functions(const struct vm_code *code)
{
    return 1 + code->n_routines;
}

const struct ir_code *vm_code_machine(const struct vm_code *code, uint32_t i)
{
    if (i > code->n_routines)
        return NULL;
    return i ? code->routine[i - 1].machine_code : code->main.machine_code;
}

struct vm_instr_operations vm_code_operations(const struct vm_code *code, uint32_t instr)
{
    if (!code->operations || instr >= code->n_instr)
        return (struct vm_instr_operations){0, 0};
    return (struct vm_instr_operations){.draw = code->operations[code->n_instr + instr],
                                        .lane = code->operations[instr]};
}
