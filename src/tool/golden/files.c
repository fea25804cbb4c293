/* Paths and folders of golden results, and formatted texts.
 *
 * Tested by tests/unit/tool/golden/test_runner.c. */

#include "tool/golden/files.h"

#include "util/alloc.h"
#include "util/folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *golden_format(const char *format, ...)
{
    va_list args, again;
    char *out;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    out = mem_alloc((size_t)n + 1);
    if (out)
        vsnprintf(out, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return out;
}

bool golden_make_folders(const char *path)
{
    char *folder = mem_strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    bool good = folder != NULL;

    if (slash && slash > folder) {
        *slash = '\0';
        good = folder_make(folder);
    }
    mem_free(folder);
    return good;
}

char *golden_print(struct arena *memory, const char *format, ...)
{
    va_list args, again;
    char *out;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    out = arena_alloc(memory, (size_t)n + 1);
    if (out)
        vsnprintf(out, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return out;
}
