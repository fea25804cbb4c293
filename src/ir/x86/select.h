/* Instruction selection: machine code of a function whose registers are allocated. */
#ifndef IR_X86_SELECT_H
#define IR_X86_SELECT_H

#include "ir/x86/allocate.h"
#include "ir/x86/frame.h"

/* Where control flow of an IF or LOOP goes on. */
struct x86_flow {
    size_t jump; /* IF: to ENDIF; rare IF: to its first instruction */
    size_t back; /* LOOP: its first instruction; rare IF: what follows ENDIF */
};

struct x86_selector {
    struct x86_code *code;
    const struct x86_live *live;
    const struct x86_allocation *allocation;
    const struct x86_registers *registers;
    const struct x86_frame *frame;
    struct x86_flow *flow;        /* per IF and LOOP */
    size_t before_region, region; /* start of the current region, and of its code */
    unsigned step; /* lanes that a round of a loop over vectors takes: one vector or a pair */
    bool single;   /* one vector stands for all lanes */
};

/* What a target has, and what the rows of its instructions require. */
const struct x86_registers *ir_x86_registers(const struct x86_target *target);
void ir_x86_constraints(struct x86_constraint out[IR_OP_COUNT], const struct x86_target *target);

/* Emits all instructions: a loop over the vectors of the 64 lanes for each region between
 * barriers. */
void ir_x86_select(struct x86_selector *s);
/* Emits what rare IFs run, behind the function. */
void ir_x86_select_rare(struct x86_selector *s);
/* Bytes of work memory. */
size_t ir_x86_work_bytes(const struct x86_allocation *allocation, const struct x86_target *target);

#endif
