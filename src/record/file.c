/* File of a capture: a lock that ends with its process tells whether it is in use.
 *
 * Tested by tests/unit/trace/test_record.c and tests/windows/test_relocated.c. */
#include "record/file.h"

#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>

static unsigned long process_number(void)
{
    return GetCurrentProcessId();
}

/* Without FILE_SHARE_WRITE only one process can have the file open for writing. */
enum status record_file_open(FILE **out, const char *path)
{
    HANDLE handle = CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                                CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    int file;

    if (handle == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_SHARING_VIOLATION ? ST_BUSY : ST_IO;
    file = _open_osfhandle((intptr_t)handle, _O_WRONLY | _O_BINARY);
    if (file < 0) {
        CloseHandle(handle);
        return ST_IO;
    }
    *out = _fdopen(file, "wb");
    if (!*out)
        _close(file);
    return *out ? ST_OK : ST_IO;
}
#else
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long process_number(void)
{
    return (unsigned long)getpid();
}

/* Where the file system has no locks, the file counts as free. */
static enum status lock_and_empty(int file)
{
    struct stat about;

    if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return ST_BUSY;
    if (fstat(file, &about) || (S_ISREG(about.st_mode) && ftruncate(file, 0)))
        return ST_IO;
    return ST_OK;
}

/* Numbers 0 to 2 are those of the standard streams, even if the program has closed them. */
static int avoid_standard_streams(int file)
{
    int higher;

    if (file < 0 || file > STDERR_FILENO)
        return file;
    higher = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return higher;
}

enum status record_file_open(FILE **out, const char *path)
{
    int file = avoid_standard_streams(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    enum status st;

    if (file < 0)
        return ST_IO;
    st = lock_and_empty(file);
    if (st == ST_OK) {
        *out = fdopen(file, "wb");
        st = *out ? ST_OK : ST_NOMEM;
    }
    if (st != ST_OK)
        close(file);
    return st;
}
#endif

static const char *name_end(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && dot != path && !strpbrk(dot, "/\\") ? dot : path + strlen(path);
}

enum status record_file_name(char *out, size_t size, const char *path, unsigned n)
{
    const char *end = name_end(path);
    char number[32] = "", again[16] = "";
    int length;

    if (n > 0)
        snprintf(number, sizeof(number), "-%lu", process_number());
    if (n > 1)
        snprintf(again, sizeof(again), "-%u", n);
    length = snprintf(out, size, "%.*s%s%s%s", (int)(end - path), path, number, again, end);
    return length >= 0 && (size_t)length < size ? ST_OK : ST_INVALID;
}
