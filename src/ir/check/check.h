/* Functions as text, and the rules that every function keeps. */
#ifndef IR_CHECK_CHECK_H
#define IR_CHECK_CHECK_H

#include "ir/ir.h"

#include <stdio.h>

/* Prints a function, an instruction per line. */
void ir_print(const struct ir *ir, FILE *out);

/* The first broken rule of a function. */
struct ir_fault {
    ir_ref at; /* the instruction */
    const char *rule;
};
/* ST_OK: the function is right; ST_INVALID: *fault tells what is wrong; ST_NOMEM. */
MUST_CHECK enum status ir_verify(const struct ir *ir, struct ir_fault *fault);

#endif
