/* Files for writing: names that this process has used, locks against other programs, descriptors
 * above those of the standard streams. */
#include "util/output_file.h"

#include "util/forks.h"
#include "util/hash.h"
#include "util/path.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <io.h>
#include <share.h>
#include <windows.h>
#else
#include "util/system.h"

#include <sys/file.h>
#endif

enum { USED_MAX = 1024, LAST_NUMBER = 9999, FIRST_FREE = 3 };

/* --- Descriptors ------------------------------------------------------------------------------ */

#ifdef _WIN32

int output_file_above(int file)
{
    int low[FIRST_FREE], n = 0, error;

    while (file >= 0 && file < FIRST_FREE) {
        low[n++] = file;
        file = _dup(file);
    }
    error = errno;
    while (n)
        close(low[--n]);
    errno = error;
    return file;
}

/* Refuses other programs that write. */
static int open_above(const char *path, int flags)
{
    wchar_t wide[PATH_WIDE];
    int file = -1;

    if (!path_wide(wide, path))
        return -1;
    file =
        _wsopen(wide, O_WRONLY | O_BINARY | O_NOINHERIT | flags, _SH_DENYWR, _S_IREAD | _S_IWRITE);
    if (file < 0 && GetLastError() == ERROR_SHARING_VIOLATION)
        errno = EBUSY;
    return output_file_above(file);
}

static bool lock_file(int file)
{
    (void)file;
    return true;
}

static bool empty(int file)
{
    return !_chsize_s(file, 0);
}

bool output_file_wait(int file)
{
    (void)file;
    return true;
}

#else

int output_file_above(int file)
{
    int above, error;

    system_forget_sigpipe(file);
    if (file < 0 || file >= FIRST_FREE)
        return file;
    above = fcntl(file, F_DUPFD_CLOEXEC, FIRST_FREE);
    error = errno;
    close(file);
    errno = error;
    return above;
}

static int open_above(const char *path, int flags)
{
    return output_file_above(
        open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags, 0666));
}

/* Returns false if another program has the file; file systems without locks have no such answer. */
static bool lock_file(int file)
{
    return !flock(file, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

static bool empty(int file)
{
    return !ftruncate(file, 0);
}

bool output_file_wait(int file)
{
    int flags = fcntl(file, F_GETFL);

    return flags >= 0 && !fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
}

#endif

#ifndef O_NOFOLLOW
#define O_NOFOLLOW 0
#endif

static int give_up(int file, int error)
{
    close(file);
    errno = error;
    return -1;
}

static bool is_regular(int file)
{
    struct stat about;

    return !fstat(file, &about) && S_ISREG(about.st_mode);
}

static int take(int file)
{
    if (!lock_file(file))
        return give_up(file, EBUSY);
    return empty(file) ? file : give_up(file, errno);
}

int output_file_take(const char *path)
{
    int file = open_above(path, O_CREAT);

    return file >= 0 && is_regular(file) ? take(file) : file;
}

/* --- Names ------------------------------------------------------------------------------------ */

static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t used[USED_MAX]; /* hashes of names; a full table counts as holding every name */
static unsigned n_used;

static bool is_used(uint64_t name)
{
    for (unsigned i = 0; i < n_used; i++)
        if (used[i] == name)
            return true;
    return n_used == USED_MAX;
}

/* Hash of the absolute name: x and ./x are one file. */
#ifdef _WIN32
static uint64_t hash_of(const char *name)
{
    wchar_t wide[PATH_WIDE], whole[PATH_WIDE];
    DWORD n = path_wide(wide, name) ? GetFullPathNameW(wide, PATH_WIDE, whole, NULL) : 0;

    return n && n < PATH_WIDE ? hash_bytes(whole, n * sizeof(*whole), 0)
                              : hash_bytes(name, strlen(name), 0);
}
#else
static uint64_t hash_of(const char *name)
{
    char *whole = realpath(name, NULL);
    const char *hashed = whole ? whole : name;
    uint64_t hash = hash_bytes(hashed, strlen(hashed), 0);

    free(whole);
    return hash;
}
#endif

/* Opens the file of the name itself; EBUSY: it is in use. */
static int open_itself(const char *name)
{
    int file = open_above(name, O_CREAT);
    uint64_t hash;

    if (file < 0 || !is_regular(file))
        return file;
    hash = hash_of(name);
    if (is_used(hash))
        return give_up(file, EBUSY);
    file = take(file);
    if (file >= 0)
        used[n_used++] = hash;
    return file;
}

size_t output_file_stem(const char *name)
{
    const char *base = name, *dot;

    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '\\')
            base = c + 1;
    dot = strrchr(base, '.');
    return dot && dot > base ? (size_t)(dot - name) : strlen(name);
}

static int open_numbered(char path[OUTPUT_PATH_BYTES], const char *name)
{
    int stem = (int)output_file_stem(name), file = -1;

    errno = EEXIST;
    for (unsigned i = 2; file < 0 && errno == EEXIST && i <= LAST_NUMBER; i++) {
        if (snprintf(path, OUTPUT_PATH_BYTES, "%.*s-%u%s", stem, name, i, name + stem) >=
            OUTPUT_PATH_BYTES) {
            errno = ENAMETOOLONG;
            return -1;
        }
        file = output_file_create(path);
    }
    if (file >= 0)
        lock_file(file);
    return file;
}

int output_file_open(char path[OUTPUT_PATH_BYTES], const char *name)
{
    int file;

    if (snprintf(path, OUTPUT_PATH_BYTES, "%s", name) >= OUTPUT_PATH_BYTES) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fork_guard(&used_lock, FORK_OUTER); /* a writer's thread may hold it for long */
    pthread_mutex_lock(&used_lock);
    file = open_itself(name);
    if (file < 0 && errno == EBUSY)
        file = open_numbered(path, name);
    pthread_mutex_unlock(&used_lock);
    return file;
}

int output_file_replace(const char *path)
{
    int file = open_above(path, O_CREAT | O_NOFOLLOW);

    if (file < 0) {
        errno = errno == ELOOP || errno == ENXIO ? EEXIST : errno;
        return -1;
    }
    if (!is_regular(file))
        return give_up(file, EEXIST);
    return empty(file) ? file : give_up(file, errno);
}

int output_file_create(const char *path)
{
    return open_above(path, O_CREAT | O_EXCL);
}

#ifdef _WIN32

static bool is_plain_file(const char *path)
{
    wchar_t wide[PATH_WIDE];
    DWORD kind = path_wide(wide, path) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;

    return kind != INVALID_FILE_ATTRIBUTES &&
           !(kind &
             (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_REPARSE_POINT));
}

#else

static bool is_plain_file(const char *path)
{
    struct stat about;

    return !lstat(path, &about) && S_ISREG(about.st_mode);
}

#endif

void output_file_discard(const char *path)
{
    int error = errno;

    if (is_plain_file(path))
        path_remove(path);
    errno = error;
}
