/* Code of a function whose registers are allocated: loops over vectors, control flow, moves. */
#ifndef IR_X86_FLOW_H
#define IR_X86_FLOW_H

#include "ir/x86/select.h"

/* Where control flow of an IF or LOOP goes on. */
struct x86_flow {
    size_t jump; /* IF: to ENDIF; rare IF: to its first instruction */
    size_t back; /* LOOP: its first instruction; rare IF: what follows ENDIF */
};

struct x86_function {
    struct x86_selector selector;
    struct x86_flow *flow;        /* per IF and LOOP */
    size_t before_region, region; /* start of the current region, and of its code */
    unsigned step; /* lanes that a round of a loop over vectors takes: one vector or a pair */
    bool single;   /* one vector stands for all lanes */
};

/* Emits all instructions: a loop over the vectors of the 64 lanes for each region between
 * barriers. */
void ir_x86_generate(struct x86_function *f);
/* Emits what rare IFs run, behind the function. */
void ir_x86_generate_rare(struct x86_function *f);
/* Bytes of work memory. */
size_t ir_x86_work_bytes(const struct x86_allocation *allocation, const struct x86_target *target);

#endif
