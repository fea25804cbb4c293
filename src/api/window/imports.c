/* Exchanges functions in import tables. Tables are compared by address, not by name: functions of
 * one dll may be imported from another that forwards them.
 * Tested by tests/windows/test_mouse.c. */
#ifdef _WIN32

#include "api/window/imports.h"

#include <windows.h>

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

static void exchange_one(void **place, const struct import *imports, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        DWORD before;

        if (*place != imports[i].from || !*place ||
            !VirtualProtect(place, sizeof(*place), PAGE_READWRITE, &before))
            continue;
        *place = imports[i].to;
        VirtualProtect(place, sizeof(*place), before, &before);
        return;
    }
}

static void exchange_of_module(uint8_t *module, const struct import *imports, unsigned count)
{
    const IMAGE_DOS_HEADER *dos = (const void *)module;
    const IMAGE_NT_HEADERS *nt = (const void *)(module + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *where;
    const IMAGE_IMPORT_DESCRIPTOR *import;

    if (dos->e_magic != IMAGE_DOS_SIGNATURE || nt->Signature != IMAGE_NT_SIGNATURE)
        return;
    where = &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    if (!where->VirtualAddress)
        return;
    import = (const void *)(module + where->VirtualAddress);
    for (; import->Name; import++)
        for (void **at = (void **)(void *)(module + import->FirstThunk); *at; at++)
            exchange_one(at, imports, count);
}

/* Whether a module is of the system, is ours, or is only mapped. */
static bool stays(HMODULE module)
{
    MEMORY_BASIC_INFORMATION own;
    wchar_t windows[MAX_PATH], path[MAX_PATH];
    UINT n = GetWindowsDirectoryW(windows, MAX_PATH);

    return (VirtualQuery((const void *)imports_exchange, &own, sizeof(own)) &&
            own.AllocationBase == (void *)module) ||
           !GetModuleFileNameW(module, path, MAX_PATH) ||
           (n && n < MAX_PATH && !_wcsnicmp(path, windows, n) && path[n] == L'\\');
}

/* Asks for the memory of this process itself: lists of modules of a process need rights to read its
 * memory from outside. Calls of a module that is being unloaded meanwhile are the risk of all who
 * change its imports. */
void imports_exchange(const struct import *imports, unsigned count)
{
    MEMORY_BASIC_INFORMATION part;
    const char *at = NULL, *next;

    for (; VirtualQuery(at, &part, sizeof(part)); at = next) {
        if (part.Type == MEM_IMAGE && part.State == MEM_COMMIT &&
            part.BaseAddress == part.AllocationBase && !stays((HMODULE)part.AllocationBase))
            exchange_of_module(part.AllocationBase, imports, count);
        next = (const char *)part.BaseAddress + part.RegionSize;
        if (next <= at)
            return;
    }
}

#else
typedef int imports_are_for_windows; /* ISO C forbids an empty file */
#endif
