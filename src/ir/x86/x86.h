/* Compiler of the intermediate representation for x86-64 and x86-32, AVX2 and AVX-512. */
#ifndef IR_X86_X86_H
#define IR_X86_X86_H

#include "ir/machine/code.h"
#include "util/cpu.h"

/* isa: ISA_AVX2 or ISA_AVX512. The caller frees the code, after an error, too. */
MUST_CHECK enum status ir_x86_compile(struct machine_code *out, const struct ir *ir,
                                      enum cpu_isa isa);

#endif
