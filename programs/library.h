/* The Direct3D 9 library of a program that judges any implementation: Direct3DCreate9 and
 * Direct3DCreate9Ex forward to it. */
#ifndef PROGRAMS_LIBRARY_H
#define PROGRAMS_LIBRARY_H

#include <stdbool.h>

/* Whether the program loads a library at run time (library.c), or is linked with Novem (linked.c).
 */
extern const bool library_is_loaded;

/* Loads the library; NULL: on Windows d3d9.dll as Windows finds it, so the one beside the program
 * first, elsewhere Novem's own. Returns false after a message. */
bool library_open(const char *program, const char *path);
/* Whether the open library is Novem. */
bool library_is_novem(void);
/* The path of the open library. */
const char *library_path(void);
/* Prints lines with path, adapter, driver and ids. Returns false after a message. */
bool library_print_adapter(const char *program);

#endif
