/* Executable memory for JIT code. It is filled once and never writable and executable at the same
 * time. */
#ifndef UTIL_EXECUTABLE_H
#define UTIL_EXECUTABLE_H

#include "util/status.h"

#include <stddef.h>
#include <stdint.h>

struct executable {
    void *base; /* page-aligned; NULL: none */
    size_t bytes;
    void *unwind; /* function table of 64-bit Windows; NULL: none */
};

/* The prologue of a function at the start of the code, for stack walks: it pushes general registers
 * (numbers as x86-64 encodes them), then reserves bytes: a multiple of 8, at most 128, or 0. No
 * other instruction changes the stack pointer but calls and the epilogue. */
enum { EXECUTABLE_PUSHES = 8 };
struct executable_frame {
    uint8_t n_pushes, pushed[EXECUTABLE_PUSHES];
    uint8_t push_end[EXECUTABLE_PUSHES]; /* offset behind each push */
    uint8_t reserved, reserve_end;
};

/* Allocates pages with a copy of the code. frame: what 64-bit Windows is told for stack walks and
 * exceptions; NULL: nothing. ST_NOMEM: out of memory; ST_UNSUPPORTED: the system forbids executable
 * memory. */
MUST_CHECK enum status executable_create(struct executable *out, const void *code, size_t bytes,
                                         const struct executable_frame *frame);
void executable_destroy(struct executable *executable); /* a zeroed struct is allowed */

#endif
