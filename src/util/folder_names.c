/* Lists folders on POSIX and Windows, and matches names with patterns of the shell. */
#include "util/folder_names.h"

#include "util/alloc.h"
#include "util/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dirent.h>
#endif

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum status add(struct folder_names *names, const char *name)
{
    bool full = !(names->n & (names->n - 1)); /* a power of two, or none */
    char **more;

    if (!strcmp(name, ".") || !strcmp(name, ".."))
        return ST_OK;
    if (full) {
        more = mem_realloc(names->name, (names->n ? 2 * names->n : 1) * sizeof(*names->name));
        if (!more)
            return ST_NOMEM;
        names->name = more;
    }
    names->name[names->n] = mem_strdup(name);
    return names->name[names->n] ? names->n++, ST_OK : ST_NOMEM;
}

#ifdef _WIN32

static enum status read_all(struct folder_names *out, const char *path)
{
    wchar_t wide[PATH_WIDE];
    char pattern[PATH_WIDE], name[3 * MAX_PATH];
    WIN32_FIND_DATAW found;
    enum status st = ST_OK;
    HANDLE search;

    if (!path_is_folder(path)) {
        errno = path_exists(path) ? ENOTDIR : ENOENT;
        return ST_IO;
    }
    snprintf(pattern, sizeof(pattern), "%s/*", path);
    if (!path_wide(wide, pattern))
        return ST_IO;
    search = FindFirstFileW(wide, &found);
    if (search == INVALID_HANDLE_VALUE) {
        errno = EACCES;
        return ST_IO;
    }
    do
        if (path_narrow(name, sizeof(name), found.cFileName))
            st = add(out, name);
    while (st == ST_OK && FindNextFileW(search, &found));
    FindClose(search);
    return st;
}

#else

static enum status read_all(struct folder_names *out, const char *path)
{
    DIR *folder = opendir(path);
    enum status st = folder ? ST_OK : ST_IO;
    const struct dirent *entry;

    while (st == ST_OK && (entry = readdir(folder)))
        st = add(out, entry->d_name);
    if (folder)
        closedir(folder);
    return st;
}

#endif

enum status folder_names_read(struct folder_names *out, const char *path)
{
    enum status st;

    *out = (struct folder_names){0};
    st = read_all(out, path);
    if (st != ST_OK)
        folder_names_free(out);
    else if (out->n)
        qsort(out->name, out->n, sizeof(*out->name), by_name);
    return st;
}

void folder_names_free(struct folder_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        mem_free(names->name[i]);
    mem_free(names->name);
    *names = (struct folder_names){0};
}

/* --- Patterns --------------------------------------------------------------------------------- */

/* One bracket expression; `*end` is behind it. NULL in *end: it has no end and is plain text. */
static bool in_brackets(const char *at, char c, const char **end)
{
    bool negated = *at == '!' || *at == '^', found = false;
    const char *first;

    at += negated;
    first = at;
    while (*at && (*at != ']' || at == first)) {
        char low, high;

        at += *at == '\\' && at[1];
        low = high = *at++;

        if (*at == '-' && at[1] && at[1] != ']') {
            high = at[1];
            at += 2;
        }
        found |= (unsigned char)c >= (unsigned char)low && (unsigned char)c <= (unsigned char)high;
    }
    *end = *at ? at + 1 : NULL;
    return found != negated;
}

bool folder_name_matches(const char *pattern, const char *name)
{
    for (; *pattern; name++) {
        const char *end = NULL;
        bool bracket = *pattern == '[' && *name && in_brackets(pattern + 1, *name, &end);

        if (*pattern == '*') {
            for (; *name; name++)
                if (folder_name_matches(pattern + 1, name))
                    return true;
            return folder_name_matches(pattern + 1, name);
        }
        if (!*name)
            return false;
        if (*pattern == '[' && end) {
            if (!bracket)
                return false;
            pattern = end;
            continue;
        }
        if (*pattern == '\\' && pattern[1])
            pattern++;
        else if (*pattern == '?') {
            pattern++;
            continue;
        }
        if (*pattern++ != *name)
            return false;
    }
    return !*name;
}

/* A path that does not fit does not exist. */
static bool join(char out[PATH_TEXT_BYTES], const char *path, const char *name, int n, bool inside)
{
    return snprintf(out, PATH_TEXT_BYTES, "%s%.*s%s", path, n, name, inside ? "/" : "") <
           PATH_TEXT_BYTES;
}

/* Adds what matches `rest` below `path` (empty: the current folder), which ends with a slash. */
static enum status find_below(struct folder_names *out, const char *path, const char *rest)
{
    int part = (int)strcspn(rest, "/");
    const char *next = rest[part] ? rest + part + 1 : NULL;
    char pattern[PATH_TEXT_BYTES], whole[PATH_TEXT_BYTES];
    struct folder_names names;
    enum status st;

    if (!join(pattern, "", rest, part, false))
        return ST_OK;
    if (!strpbrk(pattern, "*?[")) {
        if (!join(whole, path, pattern, part, next))
            return ST_OK;
        if (next)
            return find_below(out, whole, next);
        return path_exists(whole) ? add(out, whole) : ST_OK;
    }
    st = folder_names_read(&names, *path ? path : ".");
    if (st != ST_OK)
        return st == ST_IO ? ST_OK : st;
    for (size_t i = 0; st == ST_OK && i < names.n; i++) {
        const char *name = names.name[i];

        if (!folder_name_matches(pattern, name) || (name[0] == '.' && pattern[0] != '.') ||
            !join(whole, path, name, (int)strlen(name), next))
            continue;
        st = next ? find_below(out, whole, next) : add(out, whole);
    }
    folder_names_free(&names);
    return st;
}

enum status folder_names_find(struct folder_names *out, const char *pattern)
{
    enum status st;

    *out = (struct folder_names){0};
    st = find_below(out, "", pattern);
    if (st == ST_OK && out->n)
        qsort(out->name, out->n, sizeof(*out->name), by_name);
    if (st == ST_OK && !out->n)
        st = ST_NOTFOUND;
    if (st != ST_OK)
        folder_names_free(out);
    return st;
}
