/* Bump allocator for one call or one file: small first block, 16-byte alignment, a byte limit. */
#ifndef TRACE_READER_HEAP_H
#define TRACE_READER_HEAP_H

#include <stddef.h>

struct heap_block;

/* The caller owns the storage. All zero except limit_bytes is a valid, empty heap. */
struct heap {
    struct heap_block *blocks; /* newest first */
    size_t used_bytes, limit_bytes;
};

void *heap_alloc(struct heap *heap, size_t size); /* NULL: out of memory or over the limit */
void heap_reset(struct heap *heap);               /* keeps the newest, largest block unless it is
                                                   * huge */
void heap_fini(struct heap *heap);

#endif
