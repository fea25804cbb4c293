/* Interpreter: runs a function on any machine. Its results define those of machine code. */
#ifndef IR_INTERP_INTERP_H
#define IR_INTERP_INTERP_H

#include "ir/ir.h"

#include <stddef.h>

/* A function ready to run with the kernels of cpu_isa(). It has no state: several threads may run it at once. */
struct ir_interp;

/* Returns the status of a function that could not be built. `ir` may be destroyed afterwards. */
MUST_CHECK enum status ir_interp_create(struct ir_interp **out, const struct ir *ir);
/* The same, for tools: where the origin of the instructions changes (ir_set_origin), the function calls ir_args.call
 * with IR_INTERP_ORIGIN | origin, and with 0 for the origin at its end. */
MUST_CHECK enum status ir_interp_create_marked(struct ir_interp **out, const struct ir *ir);
enum { IR_INTERP_ORIGIN = 1 << 29 };
void ir_interp_destroy(struct ir_interp *p); /* NULL is allowed */

/* Bytes of the memory that a run needs. */
size_t ir_interp_work_bytes(const struct ir_interp *p);
/* Runs in the mode of util/fpenv.h. work: aligned to 64 bytes; contents do not matter. */
void ir_interp_run(const struct ir_interp *p, const struct ir_args *args, void *work);

#endif
