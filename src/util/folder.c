/* Makes folders that are missing, one level after another. */
#include "util/folder.h"

#include "util/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <direct.h>
#endif

static bool is_separator(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

static int make_one(const char *path)
{
#ifdef _WIN32
    return _mkdir(path);
#else
    return mkdir(path, 0777);
#endif
}

static bool is_folder(const char *path)
{
    struct stat about;

    if (stat(path, &about))
        return false;
    errno = ENOTDIR;
    return S_ISDIR(about.st_mode);
}

bool folder_make(const char *path)
{
    char part[OUTPUT_PATH_BYTES];
    size_t length = strlen(path);

    if (is_folder(path))
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
        (void)make_one(part);
    }
    return !make_one(path) || (errno == EEXIST && is_folder(path));
}
