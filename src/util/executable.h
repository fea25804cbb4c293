/* Executable memory for JIT code. It is filled once and never writable and executable at the same
 * time. */
#ifndef UTIL_EXECUTABLE_H
#define UTIL_EXECUTABLE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct executable {
    void *base; /* page-aligned; NULL: none */
    size_t bytes;
    void *unwind; /* function table of 64-bit Windows; NULL: none */
};

/* The prologue of a function at the start of the code, for stack walks of 64-bit Windows. No other
 * instruction changes the stack pointer but calls and the epilogue.
 *   x86-64: it pushes general registers (numbers as the machine encodes them), then reserves bytes:
 *     a multiple of 8, at most 128, or 0.
 *   AArch64: it pushes x29 and x30 in pair_bytes (a multiple of 16; 0: nothing, and nothing below
 *     either), sets x29 and stores its arguments if sets_pointer, stores d8 and the next ones. The
 *     epilogues, one or two, load these, then the pair, and return. */
enum { EXECUTABLE_PUSHES = 8 };
struct executable_frame {
    /* x86-64 */
    uint8_t n_pushes, pushed[EXECUTABLE_PUSHES];
    uint8_t push_end[EXECUTABLE_PUSHES]; /* offset behind each push */
    uint8_t reserved, reserve_end;
    /* AArch64 */
    bool sets_pointer;
    uint8_t pair_bytes, n_vectors; /* at most 248, 8 */
    uint8_t vectors_at;            /* bytes above the stack pointer, at most 192 */
    uint8_t n_leaves;              /* epilogues */
    uint32_t leave_at[2];          /* their offsets in the code */
};

/* Allocates pages with a copy of the code. frame: what 64-bit Windows is told for stack walks and
 * exceptions; NULL: nothing. ST_NOMEM: out of memory; ST_UNSUPPORTED: the system forbids executable
 * memory, or the code is too long for such a description. */
MUST_CHECK enum status executable_create(struct executable *out, const void *code, size_t bytes,
                                         const struct executable_frame *frame);
void executable_destroy(struct executable *executable); /* a zeroed struct is allowed */

#endif
