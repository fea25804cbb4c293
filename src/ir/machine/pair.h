/* Pairs of vectors: a function that does the work of two vectors side by side. */
#ifndef IR_MACHINE_PAIR_H
#define IR_MACHINE_PAIR_H

#include "ir/ir.h"

/* *wants: pairs are faster, because in a loop each round waits for the one before. */
MUST_CHECK enum status ir_machine_want_pairs(const struct ir *ir, bool *wants);
/* Returns a function for vectors of `lanes` lanes that also does what the given one does for the
 * vector behind, so that a loop over vectors takes every other one. It is a machine with vectors of
 * twice the lanes. The caller owns it; see ir_status. NULL: no memory. */
struct ir *ir_machine_make_pairs(const struct ir *ir, unsigned lanes);

#endif
