/* JIT compiler: x86-64 machine code for sequences of IR instructions. */
#ifndef VM_JIT_JIT_H
#define VM_JIT_JIT_H

#include "vm/ir/code.h"

/* True if the processor and the selected instruction set support the JIT. */
bool vm_jit_is_possible(void);
/* Compiles exec_op of the finished code; on failure the code stays interpreted. live_across_blocks:
 * per slot of work memory, 1 for slots that are live across blocks and for outputs. */
void vm_jit(struct vm_code *code, const uint8_t *live_across_blocks, uint32_t n_slots);

#endif
