/* Wine's override of d3d9.dll for one program: AppDefaults in the registry of a prefix. */
#ifndef TOOL_SETUP_WINE_H
#define TOOL_SETUP_WINE_H

#include <stdbool.h>
#include <stddef.h>

enum { WINE_VALUE_BYTES = 64, WINE_PATH_BYTES = 1024 };

/* What Wine's registry has for d3d9 and this program. */
enum wine_answer {
    WINE_HAS,    /* a value */
    WINE_HAS_NO, /* none */
    WINE_FAILED  /* Wine could not be asked; a message has said why */
};

/* The prefix in force: WINEPREFIX, or .wine in the user's home. False: neither is known. */
bool wine_prefix(char out[WINE_PATH_BYTES]);
/* Whether there is a prefix in the folder. */
bool wine_is_prefix(const char *prefix);
/* Whether the prefix runs programs of this many bits. A prefix that does not exist runs both. */
bool wine_runs(const char *prefix, unsigned bits);

/* All take a prefix's folder and a program's name without its folder ("game.exe"). They run the
 * `wine` of PATH, or the one that WINE names. */
enum wine_answer wine_override(const char *prefix, const char *program,
                               char value[WINE_VALUE_BYTES]);
/* False after a message that says why. */
bool wine_set_override(const char *prefix, const char *program, const char *value);
/* Removes the value, and the program's key if nothing else is in it. */
bool wine_remove_override(const char *prefix, const char *program);

#endif
