/* Stands for the library of a program that is linked with Novem. */
#include "library.h"
#include "window.h"

#include <stddef.h>
#include <stdio.h>

const bool library_is_loaded = false;

bool library_open(const char *program, const char *path)
{
    if (path)
        fprintf(stderr, "%s: this build is linked with Novem and loads no library\n", program);
    return !path;
}

bool window_kind(const char *program, const char *kind)
{
    (void)kind;
    fprintf(stderr, "%s: this build is linked with Novem and opens no window\n", program);
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

const char *library_path(void)
{
    return "Novem, linked";
}
