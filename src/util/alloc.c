/* Counted 64-byte aligned allocation with fault injection and huge pages. */
#include "util/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { ALIGN = 64, LARGE_PAGE = 2 << 20 };

/* Stored in the ALIGN bytes before each block. */
struct header {
    void *raw;
    size_t size;
};

static _Atomic int64_t fail_countdown = -1;
static _Atomic int64_t live;

static bool should_fail(void)
{
    int64_t left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);

    if (left < 0)
        return false;
    if (left == 0)
        return true;
    atomic_store_explicit(&fail_countdown, left - 1, memory_order_relaxed);
    return false;
}

static struct header *header_of(void *block)
{
    return (struct header *)((char *)block - ALIGN);
}

/* Large blocks start at a huge-page boundary. 32-bit address spaces are too small for that, and it
 * is useless if the system has no call to request huge pages. */
static bool is_large(size_t size)
{
#ifdef MADV_HUGEPAGE
    return size >= LARGE_PAGE && sizeof(void *) > 4;
#else
    (void)size;
    return false;
#endif
}

/* Rounds up to a whole last huge page if at least half of it is used. */
static size_t round_up_to_page(size_t size)
{
    size_t rest = size % LARGE_PAGE;

    return is_large(size) && rest >= LARGE_PAGE / 2 ? size - rest + LARGE_PAGE : size;
}

/* Requests huge pages for large blocks. The system supplies memory at the first touch, and doing so
 * by 4 KiB pages takes longer than decoding a texture into them. Huge pages also save TLB misses.
 * May fail. */
static void prefer_large_pages(char *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (is_large(size))
        madvise(block, size, MADV_HUGEPAGE);
#else
    (void)block, (void)size;
#endif
}

static void *allocate(size_t size, bool zero)
{
    size_t align = is_large(size) ? LARGE_PAGE : ALIGN, room;
    char *raw, *block;

    if (should_fail() || size > SIZE_MAX - 2 * LARGE_PAGE - ALIGN)
        return NULL;
    room = round_up_to_page(size);
    raw = zero ? calloc(1, room + align + ALIGN) : malloc(room + align + ALIGN);
    if (!raw)
        return NULL;
    block = (char *)(((uintptr_t)raw + ALIGN + align - 1) & ~(uintptr_t)(align - 1));
    prefer_large_pages(block, room);
    *header_of(block) = (struct header){.raw = raw, .size = size};
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return block;
}

void *mem_alloc(size_t size)
{
    return allocate(size, false);
}

/* Large blocks come zeroed from the system and cost nothing until they are used. */
void *mem_calloc(size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        return NULL;
    return allocate(n * size, true);
}

void *mem_realloc(void *old, size_t size)
{
    void *block = mem_alloc(size);

    if (!block || !old)
        return block;
    memcpy(block, old, header_of(old)->size < size ? header_of(old)->size : size);
    mem_free(old);
    return block;
}

char *mem_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mem_alloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

void mem_free(void *block)
{
    if (!block)
        return;
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    free(header_of(block)->raw);
}

void mem_fail_after(int64_t n)
{
    atomic_store(&fail_countdown, n);
}

int64_t mem_live_blocks(void)
{
    return atomic_load(&live);
}
