/* Machine code of a function, before it is executable. */
#ifndef IR_MACHINE_CODE_H
#define IR_MACHINE_CODE_H

#include "ir/ir.h"
#include "util/executable.h"

#include <stddef.h>

/* From a position in the code on: ir_inst.origin. */
struct machine_mark {
    size_t at;
    uint16_t origin;
};

struct machine_code {
    void *bytes; /* from mem_alloc; runs at any address */
    size_t n;
    size_t n_code;             /* bytes of instructions, which come first */
    struct machine_mark *mark; /* from mem_alloc; none before the first origin that is not 0 */
    uint32_t n_marks, spills, lanes; /* as in struct ir_code_info */
    void *pool; /* from mem_alloc: constants at the address that the code has; NULL: none */
    size_t work_bytes;
    struct executable_frame prologue;
};

#endif
