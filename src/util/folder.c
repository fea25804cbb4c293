/* Makes folders that are missing, one level after another. */
#include "util/folder.h"

#include "util/path.h"

#include <errno.h>
#include <string.h>

static bool is_separator(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

bool folder_make(const char *path)
{
    char part[PATH_TEXT_BYTES];
    size_t length = strlen(path);

    if (path_is_folder(path))
        return true;
    if (!length || length >= sizeof(part)) {
        errno = length ? ENAMETOOLONG : ENOENT;
        return false;
    }
    /* Levels that exist, drives and servers among them, refuse to be made again. */
    for (size_t i = 1; i < length; i++) {
        if (!is_separator(path[i]))
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        (void)path_make_folder(part);
    }
    if (path_make_folder(path))
        return true;
    if (errno != EEXIST)
        return false;
    errno = ENOTDIR;
    return path_is_folder(path);
}
