/* Stands for window.c where a library needs no window of a toolkit: on Windows, and in programs
 * that are linked with Novem.
 *
 * Tested by tests/tool/retrace.sh. */
#include "library.h"
#include "window.h"

#include <stddef.h>
#include <stdio.h>

bool window_kind(const char *program, const char *kind)
{
    (void)kind;
    fprintf(stderr, "%s: %s\n", program,
            library_is_loaded ? "--window is for native libraries"
                              : "this build is linked with Novem and opens no window");
    return false;
}

bool window_is_real(void)
{
    return false;
}

void *window_open(uint32_t width, uint32_t height)
{
    (void)width;
    (void)height;
    return NULL;
}
