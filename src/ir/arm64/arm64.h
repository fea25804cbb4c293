/* Compiler of the intermediate representation for AArch64. */
#ifndef IR_ARM64_ARM64_H
#define IR_ARM64_ARM64_H

#include "ir/machine/code.h"

/* The caller frees the code, after an error, too. ST_UNSUPPORTED: the function is too long. */
MUST_CHECK enum status ir_arm64_compile(struct machine_code *out, const struct ir *ir);

#endif
