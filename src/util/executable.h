/* Executable memory for JIT code. It is filled once and never writable and executable at the same
 * time. */
#ifndef UTIL_EXECUTABLE_H
#define UTIL_EXECUTABLE_H

#include "util/status.h"

#include <stddef.h>

struct executable {
    void *base; /* page-aligned; NULL: none */
    size_t bytes;
};

/* Allocates pages with a copy of the code. ST_NOMEM: out of memory; ST_UNSUPPORTED: the system
 * forbids executable memory. */
MUST_CHECK enum status executable_create(struct executable *out, const void *code, size_t bytes);
void executable_destroy(struct executable *executable); /* a zeroed struct is allowed */

#endif
