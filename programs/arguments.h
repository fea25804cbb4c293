/* Arguments of a program in UTF-8. */
#ifndef PROGRAMS_ARGUMENTS_H
#define PROGRAMS_ARGUMENTS_H

#ifdef _WIN32
#include "util/path.h"

#include <stdlib.h>
#include <windows.h>

/* The C library's function behind wmain, of which mingw's headers declare one among several. */
typedef struct {
    int new_mode;
} arguments_start;
__declspec(dllimport) int __wgetmainargs(int *argc, wchar_t ***argv, wchar_t ***environment,
                                         int expand, arguments_start *start);
extern int _CRT_glob;

/* Replaces the arguments of main, which lack the letters that the system's code page lacks. The
 * memory is the process's. */
static inline void take_arguments(int *argc, char ***argv)
{
    enum { LETTER_BYTES = 3 };
    wchar_t **wide, **environment;
    arguments_start start = {0};
    char **texts;
    int n;

    if (__wgetmainargs(&n, &wide, &environment, _CRT_glob, &start))
        return;
    texts = calloc((size_t)n + 1, sizeof(*texts));
    for (int i = 0; texts && i < n; i++) {
        size_t size = wcslen(wide[i]) * LETTER_BYTES + 1;

        texts[i] = malloc(size);
        if (!texts[i] || !path_narrow(texts[i], size, wide[i]))
            return;
    }
    if (texts) {
        *argc = n;
        *argv = texts;
    }
}
#else
static inline void take_arguments(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}
#endif

#endif
