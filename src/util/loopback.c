/* Sockets of 127.0.0.1.
 *
 * Tested by tests/unit/control/test_control.c and tests/unit/tool/serve/test_http.c. */
#ifndef _WIN32
#include "util/loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int loopback_listen(unsigned port, int backlog, unsigned *actual)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t n = sizeof(at);
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0)
        return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) ||
        listen(fd, backlog) || getsockname(fd, (struct sockaddr *)&at, &n)) {
        int error = errno;

        close(fd);
        errno = error;
        return -1;
    }
    *actual = ntohs(at.sin_port);
    return fd;
}

#endif
