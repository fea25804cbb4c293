/* Names of the files and folders in a folder. */
#ifndef UTIL_FOLDER_NAMES_H
#define UTIL_FOLDER_NAMES_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>

struct folder_names {
    char **name; /* UTF-8, sorted by their bytes; without "." and ".." */
    size_t n;
};

/* Lists a folder. ST_IO with errno: it cannot be read, then there are no names. */
MUST_CHECK enum status folder_names_read(struct folder_names *out, const char *path);
/* Lists the files and folders whose paths match a pattern, as paths: patterns of the shell stand
 * for names within a folder. ST_NOTFOUND: there are none. */
MUST_CHECK enum status folder_names_find(struct folder_names *out, const char *pattern);
void folder_names_free(struct folder_names *names);

/* Whether a name matches a pattern of the shell: *, ?, [a-z], [!a-z], and \ before a character that
 * stands for itself. * and ? match '/' and a dot at the start, too. */
bool folder_name_matches(const char *pattern, const char *name);

#endif
