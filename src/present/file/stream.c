/* Sequential output to files and pipes, with waits that always end. */
#include "present/file/stream.h"

#include "util/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32

enum status stream_open(int *out, const char *path, struct async_writer *writer)
{
    (void)writer;
    *out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_BINARY, S_IRUSR | S_IWUSR);
    if (*out >= 0)
        return ST_OK;
    log_error("present", "%s: cannot be opened: %s", path, strerror(errno));
    return ST_IO;
}

/* Windows: nothing to poll, because write blocks. */
static bool may_wait(int file, struct async_writer *writer, unsigned *idle)
{
    (void)file;
    (void)writer;
    (void)idle;
    return false;
}

#else

#include <poll.h>

enum { TICK_MS = 50, PATIENCE = 1000 / TICK_MS };

/* Returns false if waiting must end. */
static bool tick(struct async_writer *writer, unsigned *idle)
{
    *idle = async_writer_is_draining(writer) ? *idle + 1 : 0;
    return *idle <= PATIENCE;
}

enum status stream_open(int *out, const char *path, struct async_writer *writer)
{
    unsigned idle = 0;

    do {
        /* open fails with ENXIO while a pipe has no reader. */
        *out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
    } while (*out < 0 && (errno == EINTR ||
                          (errno == ENXIO && !poll(NULL, 0, TICK_MS) && tick(writer, &idle))));
    if (*out >= 0)
        return ST_OK;
    log_error("present", "%s: cannot be opened: %s", path, strerror(errno));
    return ST_IO;
}

static bool may_wait(int file, struct async_writer *writer, unsigned *idle)
{
    struct pollfd wait = {.fd = file, .events = POLLOUT};

    if (errno == EINTR)
        return true;
    if (errno != EAGAIN)
        return false;
    return poll(&wait, 1, TICK_MS) > 0 || tick(writer, idle);
}

#endif

enum status stream_write(int file, const char *path, const void *bytes, size_t n,
                         struct async_writer *writer)
{
    enum { PIECE = 1 << 20 };
    const uint8_t *at = bytes;
    unsigned idle = 0;

    while (n) {
        ssize_t wrote = write(file, at, n < PIECE ? (unsigned)n : PIECE);

        if (wrote > 0) {
            at += wrote;
            n -= (size_t)wrote;
            idle = 0;
        } else if (!may_wait(file, writer, &idle)) {
            log_error("present", "%s: cannot be written: %s", path, strerror(errno));
            return ST_IO;
        }
    }
    return ST_OK;
}

void stream_close(int file)
{
    close(file);
}
