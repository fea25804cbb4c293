/* Names of files, of the program and of environment variables as UTF-8 text. On Windows they go
 * through the wide functions, so names may have characters that the system's code page lacks, and
 * more than 260 of them. A name that is no UTF-8 counts as text in the system's code page. */
#ifndef UTIL_PATH_H
#define UTIL_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PATH_TEXT_BYTES = 1024 };

/* As fopen, mkdir (mode 0777), rename onto an existing file, and unlink: errno has the reason. */
FILE *path_open(const char *path, const char *mode);
bool path_make_folder(const char *path);
bool path_rename(const char *from, const char *to);
bool path_remove(const char *path);
/* As mkdtemp: a new folder, whose name replaces the XXXXXX at the end of `path`. */
bool path_make_temporary(char *path);
/* As rmdir. */
bool path_remove_folder(const char *path);
/* A second name for a file. */
bool path_link(const char *path, const char *other);
/* Kinds of files; symbolic links are followed. */
bool path_is_folder(const char *path);
bool path_exists(const char *path);
/* Whether it can be opened for reading, without waiting for a pipe's writer; errno has the reason.
 */
bool path_can_read(const char *path);
/* Whether two paths name one file. */
bool path_is_same(const char *a, const char *b);
/* What an open file reads: a file of a disk or a pipe; not a folder or a device. */
enum path_kind { PATH_FILE, PATH_PIPE, PATH_OTHER };
enum path_kind path_stream_kind(FILE *file);
/* Whether it is a file that has any bytes. */
bool path_has_contents(const char *path);
/* A pipe or a device, which may block who opens it; false on Windows. */
bool path_is_special(const char *path);

/* Stores the path of the program and returns its name within it; both are empty if the path is
 * unknown or does not fit. */
const char *path_of_program(char *out, size_t size);
/* Value of an environment variable; NULL: not set. It may lie in out, and is cut if it is longer.
 */
const char *path_variable(const char *name, char *out, size_t size);
/* Sets a variable of the environment for this process, getenv() and its children; NULL: removes it.
 */
bool path_set_variable(const char *name, const char *value);
/* The arguments of main() as UTF-8. They live until the program ends. */
char **path_arguments(int *argc, char **argv);

#ifdef _WIN32
#include <wchar.h>

enum { PATH_WIDE = 2048 };

/* Converts a name for the wide functions. A long one becomes absolute and gets the prefix that
 * lifts the limit of 260 characters. Returns false with errno: it does not fit. */
bool path_wide(wchar_t out[PATH_WIDE], const char *path);
/* Converts any text; it is cut if it does not fit. */
void path_widen(wchar_t *out, size_t size, const char *text);
bool path_narrow(char *out, size_t size, const wchar_t *text);
#endif

#endif
