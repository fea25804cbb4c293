/* Exchanges functions in import tables. Tables are compared by address, not by name: functions of
 * one dll may be imported from another that forwards them.
 * Tested by tests/windows/test_mouse.c. */
#ifdef _WIN32

#include "api/window/imports.h"

#include <windows.h>

#include <tlhelp32.h>

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

/* Whether a module is of the system, or is ours. */
static bool stays(const MODULEENTRY32W *module)
{
    MEMORY_BASIC_INFORMATION own;
    wchar_t windows[MAX_PATH];
    UINT n = GetWindowsDirectoryW(windows, MAX_PATH);

    return (VirtualQuery((const void *)imports_exchange, &own, sizeof(own)) &&
            own.AllocationBase == module->modBaseAddr) ||
           (n && n < MAX_PATH && !_wcsnicmp(module->szExePath, windows, n) &&
            module->szExePath[n] == L'\\');
}

/* Calls of a module that is being unloaded meanwhile are the risk of all who change its imports. */
void imports_exchange(const struct import *imports, unsigned count)
{
    MODULEENTRY32W module = {.dwSize = sizeof(module)};
    HANDLE modules = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, 0);

    if (modules == INVALID_HANDLE_VALUE)
        return;
    for (BOOL more = Module32FirstW(modules, &module); more; more = Module32NextW(modules, &module))
        if (!stays(&module))
            exchange_of_module(module.modBaseAddr, imports, count);
    CloseHandle(modules);
}

#else
typedef int imports_are_for_windows; /* ISO C forbids an empty file */
#endif
