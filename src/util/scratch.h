/* Scratch buffers, which only grow: memory that a caller uses again and again with other sizes. */
#ifndef UTIL_SCRATCH_H
#define UTIL_SCRATCH_H

#include <stddef.h>

/* Zero-initialised: empty. */
struct scratch {
    void *data;
    size_t bytes;
};

/* At least `bytes` bytes, 64-byte aligned. Growing loses the contents. NULL: out of memory. */
void *scratch_get(struct scratch *scratch, size_t bytes);
/* Frees the memory; the buffer is then empty. */
void scratch_fini(struct scratch *scratch);

#endif
