/* Folders for output. */
#ifndef UTIL_FOLDER_H
#define UTIL_FOLDER_H

#include <stdbool.h>

/* Makes the folder and those above it that are missing. Returns false with errno if it does not
 * exist afterwards. */
bool folder_make(const char *path);

#endif
