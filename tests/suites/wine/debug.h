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

/* Texts of wide strings and GUIDs stand in messages only. */
static inline const char *debugstr_a(const char *text)
{
    return text ? text : "(null)";
}
#define debugstr_w(text) "(wide text)"
#define debugstr_guid(guid) "(GUID)"
#define wine_dbgstr_guid(guid) "(GUID)"
#define wine_dbgstr_w(text) "(wide text)"
#define wine_dbgstr_longlong(number) "(number)"

/* Messages of the library that tests of quartz link. */
#define WINE_DEFAULT_DEBUG_CHANNEL(name)
#define __WINE_ALLOC_SIZE(...)
#define __WINE_MALLOC
#define __WINE_DEALLOC(...)
#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif
#define TRACE_ON(name) 0
#define TRACE(...) ((void)0)
#define WARN(...) ((void)0)
#define ERR(...) ((void)0)
#define FIXME(...) ((void)0)

/* Runs only the test function that SUITE_TEST names. */
#define SUITE_FUNCTION(function, ...)                                                              \
    do {                                                                                           \
        const char *wanted = getenv("SUITE_TEST");                                                 \
        if (!wanted || !strcmp(wanted, #function))                                                 \
            function(__VA_ARGS__);                                                                 \
    } while (0);

#endif
