/* Arena allocator as a chain of blocks that are filled in order. */
#include "util/arena.h"

#include "util/alloc.h"

enum { ARENA_ALIGN = 64, MIN_BLOCK = 1 << 20, MAX_BLOCK = 8 << 20 };

struct arena_block {
    struct arena_block *next;
    size_t size, used; /* of the payload, ARENA_ALIGN bytes after this header */
};

/* Creates a block for at least `size` bytes. It is about as large as the `before` bytes allocated
 * so far, within limits, so that a large arena consists of few blocks in huge pages. */
static struct arena_block *block_create(size_t size, size_t before)
{
    size_t bytes = MIN_BLOCK;
    struct arena_block *block;

    while (bytes < MAX_BLOCK && bytes < before)
        bytes *= 2;
    if (size < bytes - ARENA_ALIGN)
        size = bytes - ARENA_ALIGN;
    block = mem_alloc(ARENA_ALIGN + size);
    if (block)
        *block = (struct arena_block){.size = size};
    return block;
}

/* Returns the next block in the chain with enough space, or inserts a new one there. */
static struct arena_block *block_with_room(struct arena *arena, size_t size)
{
    struct arena_block *block = arena->current, *fresh;

    while (block && block->size - block->used < size && block->next)
        block = block->next;
    if (block && block->size - block->used >= size)
        return arena->current = block;
    fresh = block_create(size, arena->used_bytes);
    if (!fresh)
        return NULL;
    if (block)
        block->next = fresh;
    else
        arena->first = fresh;
    return arena->current = fresh;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    struct arena_block *block;
    void *out;

    size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (arena->limit_bytes && arena->used_bytes + size > arena->limit_bytes)
        return NULL;
    block = block_with_room(arena, size);
    if (!block)
        return NULL;
    out = (char *)block + ARENA_ALIGN + block->used;
    block->used += size;
    arena->used_bytes += size;
    return out;
}

void arena_reset(struct arena *arena)
{
    for (struct arena_block *block = arena->first; block; block = block->next)
        block->used = 0;
    arena->current = arena->first;
    arena->used_bytes = 0;
}

void arena_fini(struct arena *arena)
{
    struct arena_block *next;

    for (struct arena_block *block = arena->first; block; block = next) {
        next = block->next;
        mem_free(block);
    }
    *arena = (struct arena){.limit_bytes = arena->limit_bytes};
}
