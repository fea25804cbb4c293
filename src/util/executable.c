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
