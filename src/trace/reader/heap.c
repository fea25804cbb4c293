/* Bump allocator of growing blocks. Unlike util's arena it starts small, because each open call has
 * one.
 *
 * Tested by tests/unit/trace/apitrace/test_apitrace.c. */
#include "trace/reader/heap.h"

#include "util/alloc.h"

enum { HEAP_ALIGN = 16, HEAP_FIRST_BYTES = 4096, HEAP_KEEP_BYTES = 1 << 20 };

struct heap_block {
    struct heap_block *next;
    size_t size, used; /* used includes the header */
};

static struct heap_block *block_add(struct heap *heap, size_t size)
{
    size_t room = heap->blocks ? heap->blocks->size * 2 : HEAP_FIRST_BYTES;
    struct heap_block *block;

    if (room > HEAP_KEEP_BYTES)
        room = HEAP_KEEP_BYTES;
    if (room < size + 2 * sizeof(*block))
        room = size + 2 * sizeof(*block);
    block = mem_alloc(room);
    if (!block)
        return NULL;
    *block = (struct heap_block){
        .next = heap->blocks,
        .size = room,
        .used = (sizeof(*block) + HEAP_ALIGN - 1) & ~(size_t)(HEAP_ALIGN - 1),
    };
    return heap->blocks = block;
}

void *heap_alloc(struct heap *heap, size_t size)
{
    struct heap_block *block = heap->blocks;
    void *out;

    if (size > heap->limit_bytes - heap->used_bytes)
        return NULL;
    size = (size + HEAP_ALIGN - 1) & ~(size_t)(HEAP_ALIGN - 1);
    if (!block || block->size - block->used < size)
        block = block_add(heap, size);
    if (!block)
        return NULL;
    out = (char *)block + block->used;
    block->used += size;
    heap->used_bytes =
        heap->used_bytes + size < heap->limit_bytes ? heap->used_bytes + size : heap->limit_bytes;
    return out;
}

static void blocks_free(struct heap_block *block)
{
    while (block) {
        struct heap_block *next = block->next;

        mem_free(block);
        block = next;
    }
}

void heap_reset(struct heap *heap)
{
    struct heap_block *keep = heap->blocks;

    heap->used_bytes = 0;
    if (!keep)
        return;
    blocks_free(keep->next);
    keep->next = NULL;
    keep->used = (sizeof(*keep) + HEAP_ALIGN - 1) & ~(size_t)(HEAP_ALIGN - 1);
    if (keep->size > HEAP_KEEP_BYTES)
        heap_fini(heap);
}

void heap_fini(struct heap *heap)
{
    blocks_free(heap->blocks);
    heap->blocks = NULL;
    heap->used_bytes = 0;
}
