/* Arena (bump) allocator: allocations are freed all at once. */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include "util/status.h"

#include <stddef.h>

struct arena_block;

/* The caller provides the storage. A zero-initialised arena is valid, empty and unlimited. One
 * thread at a time. */
struct arena {
    struct arena_block *first, *current;
    size_t used_bytes;  /* allocated since the last reset */
    size_t limit_bytes; /* 0: unlimited; an allocation beyond it returns NULL */
};

/* Returns a 64-byte aligned block with undefined contents, or NULL if memory is short or the limit
 * is reached. */
void *arena_alloc(struct arena *arena, size_t size);
/* Frees all allocations but keeps the blocks for reuse. */
void arena_reset(struct arena *arena);
void arena_fini(struct arena *arena);

#endif
