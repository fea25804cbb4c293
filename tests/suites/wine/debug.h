/* Replacement of wine/debug.h, so that Wine's tests build with mingw's headers alone. */
#ifndef TESTS_SUITES_WINE_DEBUG_H
#define TESTS_SUITES_WINE_DEBUG_H

#include <stdio.h>
#include <windows.h>

#define __WINE_PRINTF_ATTR(text, args) __attribute__((format(printf, text, args)))

static inline const char *wine_dbgstr_rect(const RECT *rect)
{
    static char text[8][64];
    static unsigned next;
    char *out = text[next++ % 8];

    if (!rect)
        return "(null)";
    snprintf(out, sizeof(text[0]), "(%ld,%ld)-(%ld,%ld)", rect->left, rect->top, rect->right,
             rect->bottom);
    return out;
}

/* Runs only the test function that SUITE_TEST names. */
#define SUITE_FUNCTION(function)                                                                   \
    do {                                                                                           \
        const char *wanted = getenv("SUITE_TEST");                                                 \
        if (!wanted || !strcmp(wanted, #function))                                                 \
            function();                                                                            \
    } while (0);

#endif
