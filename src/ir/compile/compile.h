/* Compiles functions to machine code of this processor. */
#ifndef IR_COMPILE_COMPILE_H
#define IR_COMPILE_COMPILE_H

#include "ir/ir.h"
#include "util/cpu.h"

#include <stddef.h>

struct ir_code; /* immutable; may be run by several threads at a time */

/* Compiles a finished function for this processor. ST_UNSUPPORTED: there is no compiler for the
 * instruction set, an offset or the code is too large for it, or the system refuses executable
 * memory; the caller interprets. */
MUST_CHECK enum status ir_compile(struct ir_code **out, const struct ir *ir, enum cpu_isa isa);
void ir_code_destroy(struct ir_code *code); /* NULL is allowed */

/* For tools that show what code costs. */
struct ir_code_info {
    const uint8_t *code; /* valid as long as the code */
    size_t bytes;        /* of instructions; constants may follow */
    uint32_t n_marks;    /* places where the origin changes */
    uint32_t spills;     /* values that are stored because registers are short */
    uint32_t lanes;      /* that a round of its loops takes */
};
void ir_code_describe(const struct ir_code *code, struct ir_code_info *out);
/* The origin (ir_set_origin) of the machine instruction at an offset; 0: entry, exit, or not
 * known. */
uint16_t ir_code_origin(const struct ir_code *code, size_t at);

/* Bytes of work memory that ir_code_run needs, aligned to 64 bytes. Each thread needs its own. */
size_t ir_code_work_bytes(const struct ir_code *code);
void ir_code_run(const struct ir_code *code, const struct ir_args *args, void *work);

#endif
