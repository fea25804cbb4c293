/* Paths and folders of golden results, and formatted texts. */
#ifndef TOOL_GOLDEN_FILES_H
#define TOOL_GOLDEN_FILES_H

#include "util/arena.h"

#include <stdbool.h>

/* Creates all parent folders of a path. Returns false on failure. */
bool golden_make_folders(const char *path);
/* Formats into allocated memory, which the caller frees; NULL: out of memory. */
char *golden_format(const char *format, ...) PRINTF_LIKE(1, 2);
/* Formats into the arena; NULL: out of memory. */
char *golden_print(struct arena *memory, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
