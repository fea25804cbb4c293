/* Instruction selection: machine code of single operations whose operands have places. */
#ifndef IR_X86_SELECT_H
#define IR_X86_SELECT_H

#include "ir/machine/allocate.h"
#include "ir/x86/frame.h"

/* A function whose registers are allocated. */
struct x86_selector {
    struct x86_code *code;
    const struct machine_live *live;
    const struct machine_allocation *allocation;
    const struct machine_registers *registers;
    const struct x86_frame *frame;
};

/* An instruction with the places of its result and operands. */
struct x86_selection {
    const struct ir_inst *inst;
    uint32_t i;
    uint8_t d;               /* register of the result */
    struct x86_operand x[3]; /* at most one in memory */
};

/* What a target has, and what the rows of its instructions require. */
const struct machine_registers *ir_x86_registers(const struct x86_target *target);
void ir_x86_constraints(struct machine_constraint out[IR_OP_COUNT],
                        const struct x86_target *target);

/* Emits an operation that is neither control flow nor a call. */
void ir_x86_select(struct x86_selector *s, const struct x86_selection *n);

#endif
