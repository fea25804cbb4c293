/* Machine code of a function, before it is executable. */
#ifndef IR_MACHINE_CODE_H
#define IR_MACHINE_CODE_H

#include "ir/ir.h"
#include "util/executable.h"

#include <stddef.h>

struct machine_code {
    void *bytes; /* from mem_alloc; runs at any address */
    size_t n;
    void *pool; /* from mem_alloc: constants at the address that the code has; NULL: none */
    size_t work_bytes;
    struct executable_frame prologue;
};

#endif
