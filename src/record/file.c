/* File of a capture, and the names of captures of several processes.
 *
 * Tested by tests/unit/trace/test_record.c and tests/windows/test_relocated.c. */
#include "record/file.h"

#include "util/output_file.h"
#include "util/process.h"
#include "util/system.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum status record_file_open(FILE **out, const char *path)
{
    int file = output_file_take(path);

    if (file < 0)
        return errno == EBUSY ? ST_BUSY : ST_IO;
    *out = output_file_wait(file) ? fdopen(file, "wb") : NULL;
    if (!*out)
        close(file);
    return *out ? ST_OK : ST_NOMEM;
}

static bool write_all(FILE *file, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, file) == n && !fflush(file);
}

#ifdef _WIN32
bool record_file_write(FILE *file, const void *bytes, size_t n)
{
    return write_all(file, bytes, n);
}
#else
/* A pipe whose reader has ended raises SIGPIPE, which would end the program. */
bool record_file_write(FILE *file, const void *bytes, size_t n)
{
    sigset_t pipe_signal, pending, before;
    bool good;
    int error;

    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE))
        return write_all(file, bytes, n); /* the program blocks it */
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    good = write_all(file, bytes, n);
    error = errno;
    if (!good && error == EPIPE)
        system_take_signal(SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return good;
}
#endif

enum status record_file_name(char *out, size_t size, const char *path, unsigned n)
{
    size_t stem = output_file_stem(path);
    char number[32] = "", again[16] = "";
    int length;

    if (n > 0)
        snprintf(number, sizeof(number), "-%lu", process_id());
    if (n > 1)
        snprintf(again, sizeof(again), "-%u", n);
    length = snprintf(out, size, "%.*s%s%s%s", (int)stem, path, number, again, path + stem);
    return length >= 0 && (size_t)length < size ? ST_OK : ST_INVALID;
}
