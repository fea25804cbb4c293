/* Executable pages on POSIX and Windows. */
#include "util/executable.h"

#include "util/log.h"
#include "util/unwind_arm64.h"

#include <stdbool.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>

static void *allocate_pages(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static bool make_executable(void *pages, size_t bytes)
{
    DWORD old;

    return VirtualProtect(pages, bytes, PAGE_EXECUTE_READ, &old) &&
           FlushInstructionCache(GetCurrentProcess(), pages, bytes);
}

static void free_pages(void *pages, size_t bytes)
{
    (void)bytes;
    VirtualFree(pages, 0, MEM_RELEASE);
}

#elif defined(__APPLE__)
#include <libkern/OSCacheControl.h>
#include <pthread.h>
#include <sys/mman.h>

/* A program with the hardened runtime may not make a page executable that was writable. If it has
 * the entitlement com.apple.security.cs.allow-jit, it may have pages of MAP_JIT, which a thread
 * sees either writable or executable. Where both are allowed, ordinary pages are used. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool needs_map_jit;

static void *map(size_t bytes, int protection, int flags)
{
    void *pages = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANON | flags, -1, 0);

    return pages == MAP_FAILED ? NULL : pages;
}

static void try_ordinary_pages(void)
{
    void *page = map(1, PROT_READ | PROT_WRITE, 0);

    if (!page)
        return;
    *(volatile char *)page = 0;
    needs_map_jit = mprotect(page, 1, PROT_READ | PROT_EXEC) != 0;
    munmap(page, 1);
}

static void *allocate_pages(size_t bytes)
{
    void *pages;

    pthread_once(&once, try_ordinary_pages);
    if (!needs_map_jit)
        return map(bytes, PROT_READ | PROT_WRITE, 0);
    pages = map(bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_JIT);
    if (!pages)
        return map(bytes, PROT_READ | PROT_WRITE, 0); /* make_executable will fail and say so */
    pthread_jit_write_protect_np(0);
    return pages;
}

/* Intel processors have no protection for each thread: there, the pages change. */
static bool make_executable(void *pages, size_t bytes)
{
    if (needs_map_jit && pthread_jit_write_protect_supported_np())
        pthread_jit_write_protect_np(1);
    else if (mprotect(pages, bytes, PROT_READ | PROT_EXEC))
        return false;
    sys_icache_invalidate(pages, bytes);
    return true;
}

static void free_pages(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}

#else
#include <sys/mman.h>

static void *allocate_pages(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return pages == MAP_FAILED ? NULL : pages;
}

static bool make_executable(void *pages, size_t bytes)
{
    if (mprotect(pages, bytes, PROT_READ | PROT_EXEC))
        return false;
    __builtin___clear_cache((char *)pages, (char *)pages + bytes);
    return true;
}

static void free_pages(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}
#endif

/* --- Stack walks ------------------------------------------------------------------------------ */

#if defined(_WIN32) && defined(__x86_64__)
/* Data that the system reads while the code exists. It follows the code in its pages. */
struct unwind {
    RUNTIME_FUNCTION function;
    /* UNWIND_INFO, which no header of Windows declares */
    uint8_t version, prologue_bytes, n_codes, frame_register;
    /* The last instruction first. Low half of an operation: its kind; high half: its operand. */
    struct {
        uint8_t end, operation;
    } code[EXECUTABLE_PUSHES + 2]; /* an even number */
};

enum { UNWIND_PUSH = 0, UNWIND_RESERVE = 2, UNWIND_VERSION = 1 };

static size_t unwind_bytes(void)
{
    return sizeof(struct unwind);
}

/* offset: of `to` from the start of the code. Returns false if the code is too long. */
static bool describe(struct unwind *to, size_t offset, const struct executable_frame *frame)
{
    *to = (struct unwind){
        .function = {.BeginAddress = 0,
                     .EndAddress = (DWORD)offset,
                     .UnwindData = (DWORD)(offset + offsetof(struct unwind, version))},
        .version = UNWIND_VERSION,
        .prologue_bytes = frame->reserved       ? frame->reserve_end
                          : frame->n_pushes > 0 ? frame->push_end[frame->n_pushes - 1]
                                                : 0};
    if (frame->reserved) {
        to->code[to->n_codes].end = frame->reserve_end;
        to->code[to->n_codes++].operation =
            (uint8_t)(UNWIND_RESERVE | (frame->reserved / 8 - 1) << 4);
    }
    for (unsigned i = frame->n_pushes; i-- > 0;) {
        to->code[to->n_codes].end = frame->push_end[i];
        to->code[to->n_codes++].operation = (uint8_t)(UNWIND_PUSH | frame->pushed[i] << 4);
    }
    return true;
}
#define HAS_UNWIND

#elif defined(_WIN32) && defined(__aarch64__)
struct unwind {
    RUNTIME_FUNCTION function;
    uint32_t record[UNWIND_ARM64_WORDS];
};

static size_t unwind_bytes(void)
{
    return sizeof(struct unwind);
}

static bool describe(struct unwind *to, size_t offset, const struct executable_frame *frame)
{
    *to = (struct unwind){{.BeginAddress = 0}, {0}};
    to->function.UnwindData = (DWORD)(offset + offsetof(struct unwind, record));
    return unwind_arm64(to->record, offset, frame) > 0;
}
#define HAS_UNWIND
#endif

#ifdef HAS_UNWIND
static bool add_unwind(struct unwind *unwind, void *pages)
{
    return RtlAddFunctionTable(&unwind->function, 1, (DWORD64)(uintptr_t)pages);
}

static void remove_unwind(struct unwind *unwind)
{
    RtlDeleteFunctionTable(&unwind->function);
}

#else
struct unwind;

static size_t unwind_bytes(void)
{
    return 0;
}

static bool describe(struct unwind *to, size_t offset, const struct executable_frame *frame)
{
    (void)to, (void)offset, (void)frame;
    return true;
}

static bool add_unwind(struct unwind *unwind, void *pages)
{
    (void)unwind, (void)pages;
    return true;
}

static void remove_unwind(struct unwind *unwind)
{
    (void)unwind;
}
#endif

enum status executable_create(struct executable *out, const void *code, size_t bytes,
                              const struct executable_frame *frame)
{
    size_t unwind_at = (bytes + 15) & ~(size_t)15, all = frame ? unwind_at + unwind_bytes() : bytes;
    char *pages = allocate_pages(all);
    struct unwind *unwind = NULL;

    *out = (struct executable){0};
    if (!pages)
        return ST_NOMEM;
    memcpy(pages, code, bytes);
    if (frame && unwind_bytes()) {
        unwind = (struct unwind *)(void *)(pages + unwind_at);
        if (!describe(unwind, unwind_at, frame)) {
            free_pages(pages, all);
            return ST_UNSUPPORTED;
        }
    }
    if (!make_executable(pages, all)) {
        free_pages(pages, all);
        log_once("util", "executable memory",
                 "the system forbids executable memory: shaders are interpreted, which is slow");
        return ST_UNSUPPORTED;
    }
    if (unwind && !add_unwind(unwind, pages)) {
        free_pages(pages, all);
        return ST_NOMEM;
    }
    *out = (struct executable){.base = pages, .bytes = all, .unwind = unwind};
    return ST_OK;
}

void executable_destroy(struct executable *executable)
{
    if (executable->unwind)
        remove_unwind(executable->unwind);
    if (executable->base)
        free_pages(executable->base, executable->bytes);
    *executable = (struct executable){0};
}
