/* Central allocator: counts live blocks, aligns them to 64 bytes, requests huge pages for large
 * ones, keeps freed ones for later, and fails on request of tests. */
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
    size_t size, room; /* bytes asked for; bytes that the block holds */
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

/* --- Freed blocks ----------------------------------------------------------------------------- */

/* The C library returns a large block to the system at once. To get its pages again, one by one,
 * takes longer than to write them, so pictures and surfaces of a frame would cost more to allocate
 * than to draw. The newest freed blocks are kept while any block is live. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { KEEPS_FREED = 0 }; /* a use after free must be found */
#else
enum { KEEPS_FREED = 1 };
#endif
enum {
    KEPT_BLOCKS = 16,
    KEPT_MIN_BYTES = 128 << 10,
    KEPT_MAX_BYTES = sizeof(void *) > 4 ? 64 << 20 : 16 << 20, /* of all together */
};

static struct {
    atomic_flag busy; /* a thread that finds it set does without: nobody waits, also after a fork */
    struct header *block[KEPT_BLOCKS]; /* the oldest first */
    unsigned n;
    size_t bytes;
} kept = {.busy = ATOMIC_FLAG_INIT};

static struct header *remove_kept(unsigned i)
{
    struct header *block = kept.block[i];

    kept.bytes -= block->room;
    kept.n--;
    memmove(&kept.block[i], &kept.block[i + 1], (kept.n - i) * sizeof(*kept.block));
    return block;
}

/* Returns the smallest kept block that holds `room` bytes and wastes at most a quarter of them. */
static struct header *take_kept(size_t room)
{
    struct header *best = NULL;
    unsigned at = 0;

    if (room < KEPT_MIN_BYTES ||
        atomic_flag_test_and_set_explicit(&kept.busy, memory_order_acquire))
        return NULL;
    for (unsigned i = 0; i < kept.n; i++)
        if (kept.block[i]->room >= room && kept.block[i]->room - room <= room / 4 &&
            (!best || kept.block[i]->room < best->room))
            best = kept.block[at = i];
    if (best)
        remove_kept(at);
    atomic_flag_clear_explicit(&kept.busy, memory_order_release);
    return best;
}

/* Keeps a block; frees those for which there is no room. */
static void keep_or_free(struct header *block)
{
    if (!KEEPS_FREED || block->room < KEPT_MIN_BYTES || block->room > KEPT_MAX_BYTES ||
        atomic_flag_test_and_set_explicit(&kept.busy, memory_order_acquire)) {
        free(block->raw);
        return;
    }
    while (kept.n == KEPT_BLOCKS || kept.bytes + block->room > KEPT_MAX_BYTES)
        free(remove_kept(0)->raw);
    kept.bytes += block->room;
    kept.block[kept.n++] = block;
    atomic_flag_clear_explicit(&kept.busy, memory_order_release);
}

static void free_kept(void)
{
    if (atomic_flag_test_and_set_explicit(&kept.busy, memory_order_acquire))
        return;
    while (kept.n)
        free(remove_kept(0)->raw);
    atomic_flag_clear_explicit(&kept.busy, memory_order_release);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

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

static void *system_alloc(size_t size, bool zero)
{
    return zero ? calloc(1, size) : malloc(size);
}

static void *finish(struct header *header, size_t size)
{
    header->size = size;
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return (char *)header + ALIGN;
}

static void *allocate(size_t size, bool zero)
{
    size_t align = is_large(size) ? HUGE_PAGE : ALIGN, room;
    struct header *header;
    char *raw, *block;

    if (should_fail() || size > SIZE_MAX - 2 * HUGE_PAGE - ALIGN)
        return NULL;
    room = round_up_to_huge_page(size);
    if ((header = take_kept(room))) {
        block = finish(header, size);
        return zero ? memset(block, 0, size) : block;
    }
    raw = system_alloc(room + align + ALIGN, zero);
    if (!raw) {
        free_kept();
        raw = system_alloc(room + align + ALIGN, zero);
    }
    if (!raw)
        return NULL;
    block = (char *)(((uintptr_t)raw + ALIGN + align - 1) & ~(uintptr_t)(align - 1));
    request_huge_pages(block, room);
    *header_of(block) = (struct header){.raw = raw, .room = room};
    return finish(header_of(block), size);
}

void *mem_alloc(size_t size)
{
    return allocate(size, false);
}

/* calloc gets large blocks zeroed from the system; they cost nothing until they are used. Kept
 * blocks are zeroed here. */
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
    keep_or_free(header_of(block));
    if (atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed) == 1)
        free_kept();
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
