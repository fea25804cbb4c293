/* Sequential output to files and pipes, with waits that always end. */
#include "present/file/stream.h"

#include "util/log.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifdef _WIN32

static bool may_retry(struct async_writer *writer, unsigned *idle)
{
    (void)writer;
    (void)idle;
    return false;
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
    *idle = writer && async_writer_is_draining(writer) ? *idle + 1 : 0;
    return *idle <= PATIENCE;
}

/* open fails with ENXIO while a pipe has no reader. */
static bool may_retry(struct async_writer *writer, unsigned *idle)
{
    return errno == EINTR || (errno == ENXIO && !poll(NULL, 0, TICK_MS) && tick(writer, idle));
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

enum status stream_open(int *out, char path[OUTPUT_PATH_BYTES], const char *name,
                        struct async_writer *writer)
{
    unsigned idle = 0;

    do {
        *out = output_file_open(path, name);
    } while (*out < 0 && may_retry(writer, &idle));
    if (*out < 0) {
        log_error("present", "%s: cannot be opened: %s", name, strerror(errno));
        return ST_IO;
    }
    if (strcmp(path, name) != 0)
        log_warn("present", "%s is the file of another device or program: these frames go to %s",
                 name, path);
    return ST_OK;
}

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

enum status stream_close(int file, const char *path)
{
    if (!close(file))
        return ST_OK;
    log_error("present", "%s: cannot be written: %s", path, strerror(errno));
    return ST_IO;
}
