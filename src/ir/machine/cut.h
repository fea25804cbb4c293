/* Cuts: where a loop over the vectors of lanes falls into two. */
#ifndef IR_MACHINE_CUT_H
#define IR_MACHINE_CUT_H

#include "ir/machine/live.h"

/* Sets live->cut from what else is known. */
MUST_CHECK enum status ir_machine_find_cuts(struct machine_live *live);

/* Cycles until an instruction's result can be used, about. Loads at known addresses do not wait. */
unsigned ir_machine_latency(unsigned op);
/* About how many instructions an operation is. */
unsigned ir_machine_instructions(unsigned op);

#endif
