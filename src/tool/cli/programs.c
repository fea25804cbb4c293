/* Finds the programs that belong to `novem`, for placeholders of candidate commands, and its dlls.
 *
 * Tested by tests/unit/tool/golden/test_runner.c, tests/tool/retrace.sh and
 * tests/tool/setup_wine.sh. */
#include "tool/cli/cli.h"
#include "util/path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Where a program is, relative to the folder of `novem`: in the build folder, and installed. */
static const struct {
    const char *placeholder, *built, *installed;
} programs[] = {
    {"{retrace}", "novem-retrace", "novem-retrace"},
    {"{retrace.exe}", "win64/bin/novem-retrace.exe", "../lib/novem/win64/bin/novem-retrace.exe"},
    {"{retrace32.exe}", "win32/bin/novem-retrace.exe", "../lib/novem/win32/bin/novem-retrace.exe"},
    {"{runner}", "novem-runner", "novem-runner"},
    {"{runner.exe}", "win64/bin/runner.exe", "../lib/novem/win64/bin/runner.exe"},
    {"{runner32.exe}", "win32/bin/runner.exe", "../lib/novem/win32/bin/runner.exe"},
};

enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

/* The folder of this program, with a slash at its end. */
static bool own_folder(char *out, size_t size)
{
    const char *name = path_of_program(out, size);

    out[name - out] = '\0';
    return *out;
}

static bool is_there(char *path, size_t size, const char *folder, const char *name)
{
    return snprintf(path, size, "%s%s", folder, name) < (int)size && path_exists(path);
}

size_t tool_program_find(const char *text, char *path, size_t size)
{
    char folder[PATH_MAX];

    for (size_t i = 0; i < PROGRAMS; i++) {
        size_t n = strlen(programs[i].placeholder);

        if (strncmp(text, programs[i].placeholder, n))
            continue;
        if (!own_folder(folder, sizeof(folder)) ||
            (!is_there(path, size, folder, programs[i].built) &&
             !is_there(path, size, folder, programs[i].installed)))
            *path = '\0';
        return n;
    }
    return 0;
}

bool tool_dll_find(unsigned bits, char *path, size_t size)
{
    static const char *const places[][3] = {
        {"win32/d3d9.dll", "../lib/novem/win32/d3d9.dll", "../lib64/novem/win32/d3d9.dll"},
        {"win64/d3d9.dll", "../lib/novem/win64/d3d9.dll", "../lib64/novem/win64/d3d9.dll"},
    };
    char folder[PATH_MAX];

    if (!own_folder(folder, sizeof(folder)))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (is_there(path, size, folder, places[bits == 64][i]))
            return true;
    return false;
}

bool tool_programs_exist(const char *command, const char *text)
{
    char path[PATH_MAX];

    for (const char *at = text ? strchr(text, '{') : NULL; at; at = strchr(at + 1, '{')) {
        size_t n = tool_program_find(at, path, sizeof(path));

        if (n && !*path) {
            tool_error(command, "%.*s: the program is neither built nor installed (make %s)",
                       (int)n, at, strstr(at, ".exe}") == at + n - 5 ? "programs-pe" : "programs");
            return false;
        }
    }
    return true;
}
