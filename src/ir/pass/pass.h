/* Passes: each reads a function and makes a new one, which the caller owns. NULL: no memory, where
 * there is no status. All take time linear in the size of the function. */
#ifndef IR_PASS_PASS_H
#define IR_PASS_PASS_H

#include "ir/ir.h"

/* Dead code elimination: drops what no store and no call depends on, loops and IFs included. */
struct ir *ir_remove_dead(const struct ir *ir);

/* Hoisting: splits a function in two. *preamble, which runs once a draw, computes what is at the
 * rate of a draw and stores it at `base` from byte offset *bytes on; it raises *bytes. The result,
 * the function that runs per batch, loads it from there: `base`, which `ir` does not use, is
 * constant memory to it. */
struct ir *ir_hoist(const struct ir *ir, unsigned base, uint32_t *bytes, struct ir **preamble);

/* Multiply-zero rule: replaces FMUL0 by FMUL. The function checks whether a plain product made a
 * NaN in any lane of the vector, and computes and stores everything again with FMUL0 if so. Results
 * are the same: a result that is a number cannot come from a NaN product, and the operations that
 * could hide a NaN are checked. */
struct ir *ir_expand_mul0(const struct ir *ir);

/* Order of operations: fewer values are alive at once where more are than a machine has registers.
 * masks: masks have registers of their own. *ordered: NULL if there are enough registers. */
MUST_CHECK enum status ir_order(struct ir **ordered, const struct ir *ir, unsigned registers,
                                bool masks);

#endif
