/* Stands for the library of a program that is linked with Novem. */
#include "library.h"

#include <stddef.h>
#include <stdio.h>

const bool library_is_loaded = false;

bool library_open(const char *program, const char *path)
{
    if (path)
        fprintf(stderr, "%s: this build is linked with Novem and loads no library\n", program);
    return !path;
}

bool library_is_novem(void)
{
    return true;
}

const char *library_path(void)
{
    return "Novem, linked";
}
