/* Sockets of the server, for POSIX.
 *
 * Tested by tests/unit/control/test_control.c. */
#ifndef _WIN32
#include "control/sockets.h"

#include "util/alloc.h"
#include "util/loopback.h"
#include "util/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { BACKLOG = 16 };

struct sockets {
    int listener, wake[2]; /* wake: read end, write end of a pipe; -1: not open */
};

/* Non-blocking, and closed in programs that this one starts. */
static bool prepare(int fd)
{
    system_forget_sigpipe(fd);
    return fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) >= 0 && fcntl(fd, F_SETFL, O_NONBLOCK) >= 0;
}

static const char *reason_of(int error)
{
    return error == EACCES ? "the port needs more rights" : "the system has no socket for it";
}

enum status sockets_open(struct sockets **out, unsigned port, unsigned *actual, const char **reason)
{
    struct sockets *s = mem_alloc(sizeof(*s));
    enum status st = ST_IO;

    *out = NULL;
    if (!s)
        return ST_NOMEM;
    *s = (struct sockets){-1, {-1, -1}};
    s->listener = loopback_listen(port, BACKLOG, actual);
    if (s->listener < 0 || !prepare(s->listener))
        st = errno == EADDRINUSE ? ST_BUSY : ST_IO;
    else if (!pipe(s->wake) && prepare(s->wake[0]) && prepare(s->wake[1]))
        st = ST_OK;
    *reason = reason_of(errno);
    if (st != ST_OK)
        sockets_close(s);
    else
        *out = s;
    return st;
}

void sockets_close(struct sockets *s)
{
    const int fds[] = {s->listener, s->wake[0], s->wake[1]};

    for (unsigned i = 0; i < 3; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    mem_free(s);
}

void sockets_wake(struct sockets *s)
{
    ssize_t n;

    do
        n = write(s->wake[1], "", 1);
    while (n < 0 && errno == EINTR);
}

bool sockets_wait(struct sockets *s, struct socket_wait *waits, unsigned n, bool accept,
                  unsigned milliseconds)
{
    struct pollfd fds[SOCKETS_MOST + 2] = {{.fd = s->wake[0], .events = POLLIN},
                                           {.fd = accept ? s->listener : -1, .events = POLLIN}};
    char woken[16];

    for (unsigned i = 0; i < n; i++) {
        fds[i + 2].fd = (int)waits[i].socket;
        fds[i + 2].events = waits[i].write ? POLLOUT : POLLIN;
    }
    if (poll(fds, n + 2, (int)milliseconds) < 0)
        memset(fds, 0, sizeof(fds)); /* a signal */
    for (unsigned i = 0; i < n; i++)
        waits[i].ready = fds[i + 2].revents != 0;
    if (fds[0].revents)
        (void)!read(s->wake[0], woken, sizeof(woken));
    return fds[1].revents != 0;
}

socket_handle sockets_accept(struct sockets *s)
{
    int fd = accept(s->listener, NULL, NULL);

    if (fd < 0 || prepare(fd))
        return fd;
    close(fd);
    return NO_SOCKET;
}

static long result(ssize_t n)
{
    if (n >= 0)
        return (long)n;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? SOCKET_LATER : SOCKET_FAILED;
}

long socket_read(socket_handle socket, char *out, size_t n)
{
    return result(recv((int)socket, out, n, 0));
}

long socket_write(socket_handle socket, const char *bytes, size_t n)
{
    return result(send((int)socket, bytes, n, MSG_NOSIGNAL));
}

void socket_finish(socket_handle socket)
{
    (void)shutdown((int)socket, SHUT_WR);
}

void socket_close(socket_handle socket)
{
    close((int)socket);
}

#endif
