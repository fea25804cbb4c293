/* Central allocator: counts live blocks, aligns them to 64 bytes, requests huge pages for large
 * ones, and fails on request of tests. */
#include "util/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { ALIGN = 64, HUGE_PAGE = 2 << 20 };

/* Stored in the ALIGN bytes before each block. */
struct header {
    void *raw;
    size_t size;
};

static _Atomic int64_t fail_countdown = -1;
static atomic_bool fail_only_once, has_failed;
static _Atomic int64_t live;

static bool should_fail(void)
{
    int64_t left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);

    if (left < 0)
        return false;
    if (left == 0) {
        atomic_store_explicit(&has_failed, true, memory_order_relaxed);
        if (atomic_load_explicit(&fail_only_once, memory_order_relaxed))
            atomic_store_explicit(&fail_countdown, -1, memory_order_relaxed);
        return true;
    }
    atomic_store_explicit(&fail_countdown, left - 1, memory_order_relaxed);
    return false;
}

static struct header *header_of(void *block)
{
    return (struct header *)((char *)block - ALIGN);
}

/* True if the block starts at a huge-page boundary and requests huge pages. 32-bit address spaces
 * are too small for the alignment, and without a system call to request huge pages it is
 * useless. */
static bool is_large(size_t size)
{
#ifdef MADV_HUGEPAGE
    return size >= HUGE_PAGE && sizeof(void *) > 4;
#else
    (void)size;
    return false;
#endif
}

/* Rounds up to whole huge pages if at least half of the last one is used. */
static size_t round_up_to_huge_page(size_t size)
{
    size_t rest = size % HUGE_PAGE;

    return is_large(size) && rest >= HUGE_PAGE / 2 ? size - rest + HUGE_PAGE : size;
}

/* Requests huge pages for large blocks. The system supplies memory at the first touch. Supplying a
 * texture's memory in 4 KiB pages takes longer than decoding the texture into it. Huge pages also
 * save TLB misses. The request may fail. */
static void request_huge_pages(char *block, size_t size)
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
    size_t align = is_large(size) ? HUGE_PAGE : ALIGN, room;
    char *raw, *block;

    if (should_fail() || size > SIZE_MAX - 2 * HUGE_PAGE - ALIGN)
        return NULL;
    room = round_up_to_huge_page(size);
    raw = zero ? calloc(1, room + align + ALIGN) : malloc(room + align + ALIGN);
    if (!raw)
        return NULL;
    block = (char *)(((uintptr_t)raw + ALIGN + align - 1) & ~(uintptr_t)(align - 1));
    request_huge_pages(block, room);
    *header_of(block) = (struct header){.raw = raw, .size = size};
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return block;
}

void *mem_alloc(size_t size)
{
    return allocate(size, false);
}

/* calloc gets large blocks zeroed from the system; they cost nothing until they are used. */
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

static void set_failure(int64_t n, bool once)
{
    atomic_store(&has_failed, false);
    atomic_store(&fail_only_once, once);
    atomic_store(&fail_countdown, n);
}

void mem_fail_after(int64_t n)
{
    set_failure(n, false);
}

void mem_fail_once(int64_t n)
{
    set_failure(n, true);
}

bool mem_has_failed(void)
{
    return atomic_load(&has_failed);
}

int64_t mem_live_blocks(void)
{
    return atomic_load(&live);
}
