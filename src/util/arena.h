/* Bump memory that is given back all at once. */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include "util/status.h"

#include <stddef.h>

struct arena_block;

/* Caller's storage; zero-initialised is a valid empty arena without limit. One thread at a time. */
struct arena {
    struct arena_block *first, *current;
    size_t used_bytes;  /* handed out since the last reset */
    size_t limit_bytes; /* 0: none; an allocation beyond it returns NULL */
};

/* 64-byte aligned, contents undefined; NULL when memory is short or the limit is reached. */
void *arena_alloc(struct arena *arena, size_t size);
/* Forgets the contents, keeps the blocks for reuse. */
void arena_reset(struct arena *arena);
void arena_fini(struct arena *arena);

#endif
