/* Cuts: where a loop over the vectors of lanes falls into two. */
#ifndef IR_X86_CUT_H
#define IR_X86_CUT_H

#include "ir/x86/live.h"

/* Sets live->cut from what else is known. */
MUST_CHECK enum status ir_x86_find_cuts(struct x86_live *live);

/* Cycles until an instruction's result can be used, about. Loads at known addresses do not wait. */
unsigned ir_x86_latency(unsigned op);
/* About how many instructions an operation is. */
unsigned ir_x86_instructions(unsigned op);

#endif
