/* Executable pages on POSIX and Windows. */
#include "util/executable.h"

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

enum status executable_create(struct executable *out, const void *code, size_t bytes)
{
    void *pages = allocate_pages(bytes);

    *out = (struct executable){0};
    if (!pages)
        return ST_NOMEM;
    memcpy(pages, code, bytes);
    if (!make_executable(pages, bytes)) {
        free_pages(pages, bytes);
        return ST_UNSUPPORTED;
    }
    *out = (struct executable){.base = pages, .bytes = bytes};
    return ST_OK;
}

void executable_destroy(struct executable *executable)
{
    if (executable->base)
        free_pages(executable->base, executable->bytes);
    *executable = (struct executable){0};
}
