/* Notes of `novem setup-wine`. None of them is an error: programs load libraries at run time, too.
 *
 * Tested by tests/tool/setup_wine.sh. */
#include "tool/setup/advice.h"

#include "tool/cli/cli.h"
#include "tool/setup/wine.h"
#include "util/alloc.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void PRINTF_LIKE(1, 2) note(const char *format, ...)
{
    va_list args;

    fputs("note      ", stdout);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static bool file_imports(const char *path, const char *dll)
{
    struct pe pe;
    uint8_t *bytes;
    size_t n;
    bool found;

    if (tool_file_read(path, &bytes, &n) != ST_OK)
        return false;
    found = !pe_open(&pe, bytes, n) && pe_imports(&pe, dll);
    mem_free(bytes);
    return found;
}

/* Finds a dll of the folder, whose name ends in `end`, that imports another one; not d3d9.dll and
 * that other one itself. */
static bool neighbour_imports(const char *folder, const char *end, const char *dll,
                              char name[NAME_MAX + 1])
{
    DIR *dir = opendir(folder);
    char path[PATH_MAX];
    struct dirent *entry;
    bool found = false;

    while (dir && !found && (entry = readdir(dir))) {
        size_t n = strlen(entry->d_name);

        if (n < strlen(end) || strcasecmp(entry->d_name + n - strlen(end), end) ||
            !strcasecmp(entry->d_name, "d3d9.dll") || !strcasecmp(entry->d_name, dll) ||
            snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >= (int)sizeof(path))
            continue;
        found = file_imports(path, dll);
        if (found)
            snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
    }
    if (dir)
        closedir(dir);
    return found;
}

bool advise_has_wrapper(const char *folder)
{
    char name[NAME_MAX + 1];

    return neighbour_imports(folder, "d3d8.dll", "d3d9.dll", name) && !strcasecmp(name, "d3d8.dll");
}

/* Other graphics interfaces, and what to do about each. */
static const struct {
    const char *dll, *advice;
} interfaces[] = {
    {"d3d8.dll", "Direct3D 8: d3d8.dll of d3d8to9 has to be beside it (docs/old-programs.md)"},
    {"ddraw.dll", "DirectDraw, or Direct3D 7 and older: Novem does not have them"},
    {"d3d10.dll", "Direct3D 10: Novem does not have it"},
    {"d3d11.dll", "Direct3D 11: Novem does not have it"},
    {"d3d12.dll", "Direct3D 12: Novem does not have it"},
    {"opengl32.dll", "OpenGL: Novem does not have it"},
    {"vulkan-1.dll", "Vulkan: Novem does not have it"},
    {"glide2x.dll", "Glide: Novem does not have it"},
};

static void advise_on_others(const struct pe *pe, const char *folder, const char *program)
{
    char name[NAME_MAX + 1];

    for (size_t i = 0; i < sizeof(interfaces) / sizeof(interfaces[0]); i++)
        if (pe_imports(pe, interfaces[i].dll))
            note("%s imports %s: %s", program, interfaces[i].dll, interfaces[i].advice);
        else if (neighbour_imports(folder, ".dll", interfaces[i].dll, name))
            note("%s imports %s: %s", name, interfaces[i].dll, interfaces[i].advice);
}

void advise_on_imports(const struct pe *pe, const char *folder, const char *program)
{
    char name[NAME_MAX + 1];
    const char *import;

    for (unsigned i = 0; (import = pe_import(pe, i)); i++)
        if (!strncasecmp(import, "d3dx9_", 6))
            note("%s needs %s: Wine has its own; on Windows it is part of Microsoft's DirectX "
                 "redistributable",
                 program, import);
    if (pe_imports(pe, "d3d9.dll"))
        return;
    if (neighbour_imports(folder, ".dll", "d3d9.dll", name)) {
        note("%s does not import d3d9.dll, but %s does", program, name);
        return;
    }
    note("%s does not import d3d9.dll: maybe it loads it at run time, or starts another program",
         program);
    advise_on_others(pe, folder, program);
    if (pe->is_managed)
        note("%s is a .NET program: if it runs as 64 bit, name that dll with --dll", program);
}

/* Whether a text such as "d3d8,d3d9=n;x=b" names d3d9. */
static bool names_d3d9(const char *overrides)
{
    const char *at = overrides ? strcasestr(overrides, "d3d9") : NULL;

    return at && (at == overrides || strchr(",;*", at[-1])) && strchr(",=", at[4]);
}

void advise_on_wine(const char *prefix, unsigned bits)
{
    if (names_d3d9(getenv("WINEDLLOVERRIDES")))
        note("WINEDLLOVERRIDES names d3d9 and wins over the override of the registry");
    if (!wine_runs(prefix, bits))
        note("the prefix %s runs no %u-bit programs: %s", prefix, bits,
             bits == 32 ? "install Wine for 32 bit (Debian: wine32:i386), then make a new prefix"
                        : "it was made with WINEARCH=win32; make another one");
}
