/* Instruction sets for which src/ir compiles machine code (ir/compile/compile.c); for others the IR
 * is interpreted. */
#ifndef TESTS_MACHINE_CODE_H
#define TESTS_MACHINE_CODE_H

#include "util/cpu.h"

#include <stdbool.h>

static inline bool has_machine_code(enum cpu_isa isa)
{
    return isa == ISA_NEON || isa == ISA_AVX2 || isa == ISA_AVX512;
}

#endif
